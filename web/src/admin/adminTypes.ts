// Types and input validation of the administration pages.

import type { components } from '../lib/api-types';

type Schemas = components['schemas'];

export type Person = Schemas['Person'];
export type AuditEntry = Schemas['AuditLine'];
export type Report = Schemas['ReportLine'];
export type SystemState = Schemas['SystemState'];
export type BaseMap = Schemas['BaseMap'];

/** Parses base maps from JSON. Returns a fault if the text is invalid. */
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

/** Parses a whole number of at least `least`. Returns null for an empty field, undefined for invalid input. */
export function parseWholeNumber(text: string, least: number, most = 1_000_000): number | null | undefined {
  const plain = String(text).trim();
  if (plain === '') return null;
  const value = Number(plain);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}
