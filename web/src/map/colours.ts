// Resolves colour tokens for canvas drawing. Custom properties with light-dark() are only resolved on an element.

let probe: HTMLElement | null = null;

export function resolveToken(name: string): string {
  if (!probe) {
    probe = document.createElement('i');
    probe.style.display = 'none';
    document.body.append(probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/** Returns the colour with another opacity. */
export function withAlpha(colour: string, alpha: number): string {
  const parts = colourChannels(colour);
  return `rgba(${parts[0]}, ${parts[1]}, ${parts[2]}, ${alpha})`;
}

export function colourChannels(colour: string): [number, number, number] {
  const parts = colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0];
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}
