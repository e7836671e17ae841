// What the server says about itself, asked once.

import { unwrapAnswer, client } from './api';
import type { ServerMeta } from './records';

let meta = $state.raw<ServerMeta | null>(null);
let asked: Promise<ServerMeta> | null = null;

export const serverInfo = {
  get meta() {
    return meta;
  },
};

/** Asks again: what is left of search engines changes from hour to hour. */
export async function refreshMeta(): Promise<ServerMeta> {
  return (meta = await unwrapAnswer(client.GET('/meta')));
}

export function loadMeta(): Promise<ServerMeta> {
  asked ??= unwrapAnswer(client.GET('/meta')).then(
    (answer) => (meta = answer),
    (problem) => {
      asked = null;
      throw problem;
    },
  );
  return asked;
}
