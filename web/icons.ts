// Converts icons to plain markup at build time: the package creates every icon at run time from a list of parts, with
// spread attributes and dynamic elements, and two dozen of them take 0.1 s on a phone. Icons accept `size` and are
// hidden from screen readers, because they always have a text label.

import type { Plugin } from 'vite';

type Part = [tag: string, attributes: Record<string, string>];

export function staticIcon(source: string): string | null {
  const data = /const iconData = (\{.*\});/.exec(source)?.[1];
  if (!data) return null;
  const { node } = JSON.parse(data) as { node: Part[] };
  const parts = node.map(([tag, attributes]) => `<${tag}${Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`).join('')} />`);
  return `<script>let { size = 24 } = $props();</script>\n<svg viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${parts.join('')}</svg>`;
}

export function staticIcons(): Plugin {
  return {
    name: 'static-icons',
    enforce: 'pre',
    transform: (code, id) => (/@lucide\/svelte\/dist\/icons\/[\w-]+\.svelte$/.test(id) ? staticIcon(code) : null),
  };
}
