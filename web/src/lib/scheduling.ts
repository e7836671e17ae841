// Long work in short pieces: between them the page answers its person.

type Yielding = { scheduler?: { yield?: () => Promise<void> } };

/** Lets everything that waits have its turn, then goes on. */
export function yieldToBrowser(): Promise<void> {
  return (globalThis as Yielding).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

/** Goes on when what was done so far has been drawn (or soon, in a tab that draws nothing). */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 120);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve);
    });
  });
}
