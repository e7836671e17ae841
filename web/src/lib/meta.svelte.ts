// What the server says about itself, asked once.

import { api } from './api';
import type { Meta } from './records';

let meta = $state.raw<Meta | null>(null);
let asked: Promise<Meta> | null = null;

export const about = {
  get meta() {
    return meta;
  },
};

/** Asks again: what is left of search engines changes from hour to hour. */
export async function refreshMeta(): Promise<Meta> {
  return (meta = await api.get<Meta>('/meta'));
}

export function loadMeta(): Promise<Meta> {
  asked ??= api.get<Meta>('/meta').then(
    (answer) => (meta = answer),
    (problem) => {
      asked = null;
      throw problem;
    },
  );
  return asked;
}
