// What administrators see.

export interface Person {
  id: number;
  name: string;
  email?: string | null;
  role: 'user' | 'admin';
  disabled: boolean;
  max_running?: number | null;
  created: string;
  last_login?: string | null;
  identity?: unknown;
}

export interface AuditEntry {
  seq: number;
  at: string;
  user?: number | null;
  who: string;
  action: string;
  subject: string;
  address?: string | null;
  detail?: unknown;
}

export interface Report {
  id: number;
  at: string;
  record: string;
  user?: number | null;
  text: string;
  closed: boolean;
}

export interface System {
  version: string;
  started: string;
  store_bytes: number;
  index: { seq: number; behind: number };
  watchers: number;
  running: number;
}

export interface BaseMap {
  title: string;
  kind: string;
  url: string;
  layer?: string | null;
  attribution: string;
}

/** Base maps of typed JSON; a text says what is wrong. */
export function parseBaseMaps(text: string): { maps: BaseMap[] } | { fault: 'json' | 'list' | 'member'; at?: number } {
  if (text.trim() === '') return { maps: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'json' };
  }
  if (!Array.isArray(value)) return { fault: 'list' };
  for (const [at, one] of value.entries()) {
    const map = one as Partial<BaseMap> | null;
    const named = map && typeof map === 'object' && [map.title, map.kind, map.url, map.attribution].every((member) => typeof member === 'string' && member !== '');
    if (!named || !/^https?:\/\//.test(map.url ?? '')) return { fault: 'member', at: at + 1 };
  }
  return { maps: value as BaseMap[] };
}

/** A number of at least `least`; null for nothing typed, undefined for none. */
export function wholeNumber(text: string, least: number, most = 1_000_000): number | null | undefined {
  const plain = String(text).trim();
  if (plain === '') return null;
  const value = Number(plain);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}
