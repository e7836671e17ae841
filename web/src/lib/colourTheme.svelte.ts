// Colour theme (light, dark or system), and whether animations are allowed.

export type ColourTheme = 'light' | 'dark' | 'system';
export const colourThemes: ColourTheme[] = ['system', 'light', 'dark'];

const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

let chosen = $state<ColourTheme>(read());
let systemDark = $state(dark.matches);
let reduced = $state(still.matches);

dark.addEventListener('change', () => (systemDark = dark.matches));
still.addEventListener('change', () => (reduced = still.matches));

function read(): ColourTheme {
  const kept = localStorage.getItem('theme');
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

function show(): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
show();

export const colourTheme = {
  get chosen() {
    return chosen;
  },
  /** The theme in use. */
  get shown(): 'light' | 'dark' {
    return chosen === 'system' ? (systemDark ? 'dark' : 'light') : chosen;
  },
  get reducedMotion() {
    return reduced;
  },
};

export function setColourTheme(wanted: ColourTheme): void {
  chosen = wanted;
  if (wanted === 'system') localStorage.removeItem('theme');
  else localStorage.setItem('theme', wanted);
  show();
}
