// Colours of the theme for what draws on a canvas.

import type { Family } from '../lib/kinds.svelte';

/** What a colour token is here and now: `light-dark()` is only resolved for a property that is a colour. */
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
