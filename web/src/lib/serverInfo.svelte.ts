// Information of the server about itself, loaded once.

import { unwrapAnswer, client } from './api';
import type { ServerMeta } from './records';

let meta = $state.raw<ServerMeta | null>(null);
let asked: Promise<ServerMeta> | null = null;

export const serverInfo = {
  get meta() {
    return meta;
  },
};

/** Reloads the information: the quota of search engines changes during the day. */
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
