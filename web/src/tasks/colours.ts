// Resolves colours of the theme for canvas drawing.

import type { Family } from '../lib/kinds.svelte';

/** Resolves a colour token to its current value. Browsers resolve `light-dark()` only for colour properties. */
export function resolveColour(near: HTMLElement, token: string, opacity = 1): string {
  const probe = document.createElement('span');
  probe.style.color = opacity < 1 ? `color-mix(in srgb, var(${token}) ${opacity * 100}%, transparent)` : `var(${token})`;
  near.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

export function familyToken(family: Family): `--family-${Family}` {
  return `--family-${family}`;
}
