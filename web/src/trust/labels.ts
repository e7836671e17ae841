// Names of what the server tells by id, in the language of the page.

import { maybe, number, t } from '../lib/messages.svelte';
import { placeOf } from './figures';

export const componentName = (id: string) => maybe(`component.${id}`) ?? id;
export const statusName = (status: string) => maybe(`status.${status}`) ?? status;
export const newsName = (kind: string) => maybe(`news.${kind}`) ?? kind;

/** "340 ms", "1.2 s". */
export function millis(value: number | null | undefined): string {
  if (typeof value !== 'number') return '–';
  return value < 1000 ? `${number(Math.round(value))}\u202fms` : `${number(value / 1000, value < 10_000 ? 1 : 0)}\u202fs`;
}

/** What a change is about: "Title", "Layer roads: title". */
export function changeName(path: string): string {
  const { layer, field } = placeOf(path);
  const name = maybe(`field.${field}`) ?? field;
  if (layer === null) return name;
  return field ? `${t('changes.layer', { name: layer })}: ${name}` : t('changes.layer', { name: layer });
}
