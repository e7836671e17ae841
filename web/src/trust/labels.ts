// Display names of ids that the server sends.

import { findMessage, formatNumber, t } from '../lib/messages.svelte';
import { parseChangePath } from './figures';

export const componentName = (id: string) => findMessage(`component.${id}`) ?? id;
export const statusName = (status: string) => findMessage(`status.${status}`) ?? status;
export const noticeName = (kind: string) => findMessage(`news.${kind}`) ?? kind;

/** Formats milliseconds: "340 ms", "1.2 s". */
export function formatMillis(value: number | null | undefined): string {
  if (typeof value !== 'number') return '–';
  return value < 1000 ? `${formatNumber(Math.round(value))}\u202fms` : `${formatNumber(value / 1000, value < 10_000 ? 1 : 0)}\u202fs`;
}

/** Names the field that changed: "Title", "Layer roads: title". */
export function changePathName(path: string): string {
  const { layer, field } = parseChangePath(path);
  const name = findMessage(`field.${field}`) ?? field;
  if (layer === null) return name;
  return field ? `${t('changes.layer', { name: layer })}: ${name}` : t('changes.layer', { name: layer });
}
