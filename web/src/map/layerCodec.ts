// Encodes the layers on the map as one query parameter: id~layer~opacity, separated by commas, bottom layer first.

export interface ChosenLayer {
  /** Record id. */
  id: string;
  /** Layer name; empty for the whole service. */
  layer: string;
  /** Opacity from 0 to 100. */
  opacity: number;
  /** Loaded through this server, because the browser may not request the other one. */
  proxied: boolean;
}

const escape = (text: string) => encodeURIComponent(text).replaceAll('~', '%7E');
export const maxLayers = 24;

export function encodeLayers(layers: ChosenLayer[]): string {
  return layers.map((one) => [escape(one.id), escape(one.layer), String(Math.round(one.opacity)) + (one.proxied ? 'p' : '')].join('~')).join(',');
}

/** Decodes the parameter; skips invalid entries. */
export function decodeLayers(text: string | null): ChosenLayer[] {
  const found: ChosenLayer[] = [];
  for (const part of (text ?? '').split(',')) {
    const [id = '', layer = '', rest = ''] = part.split('~');
    try {
      const entry = { id: decodeURIComponent(id), layer: decodeURIComponent(layer) };
      const opacity = rest === '' ? 100 : Number.parseInt(rest, 10);
      if (!entry.id || found.length >= maxLayers || found.some((one) => one.id === entry.id && one.layer === entry.layer)) continue;
      found.push({ ...entry, opacity: Number.isFinite(opacity) ? Math.max(0, Math.min(100, opacity)) : 100, proxied: rest.endsWith('p') });
    } catch {
      // Invalid percent encoding: skip the entry.
    }
  }
  return found;
}

export const layerKey = (one: { id: string; layer: string }) => `${escape(one.id)}~${escape(one.layer)}`;
