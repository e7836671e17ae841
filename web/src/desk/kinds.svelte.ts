// Kinds of services and files, asked for once.

import { api } from '../lib/api';
import { FAMILIES, type Family, type Kind } from './types';

let all = $state.raw<Kind[]>([]);
let byId = $state.raw(new Map<string, Kind>());
let asked: Promise<void> | null = null;

/** Fetches them when nobody has; a failure is tried anew by the next one who asks. */
export function loadKinds(): Promise<void> {
  asked ??= api
    .get<{ kinds: Kind[] }>('/kinds')
    .then(({ kinds }) => {
      all = kinds;
      byId = new Map(kinds.map((kind) => [kind.id, kind]));
    })
    .catch(() => {
      asked = null;
    });
  return asked;
}

export const kinds = {
  get all() {
    return all;
  },
  name(id: string): string {
    return byId.get(id)?.name ?? id;
  },
  family(id: string): Family {
    const family = byId.get(id)?.family;
    return family && FAMILIES.includes(family) ? family : 'other';
  },
};
