// The one way to the server: a client typed by the OpenAPI document (`npm run types`). Failures are thrown as Problems
// with words for people.

import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './api-types';
import { t } from './messages.svelte';
import { translateSentence } from './serverText';

export type Schemas = components['schemas'];

const ROOT = '/api/v1';
type Paths = { [P in keyof paths as P extends `${typeof ROOT}${infer Rest}` ? Rest : never]: paths[P] };

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    detail: string,
    readonly parameter?: string,
    readonly retryAfter?: number,
  ) {
    super(detail);
  }
}

let csrf: string | null = null;

/** Given by the session; sent with every change. */
export function setCsrf(token: string | null): void {
  csrf = token;
}

export type Params = Record<string, unknown>;

/** A query without what is not given; lists repeat their name. */
function spelled(params: Params): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one));
  }
  return query.toString();
}

/** The address of something that a link, a picture or a stream shows. */
export function address(path: string, params: Params = {}): string {
  const text = spelled(params);
  return `${ROOT}${path}${text ? `?${text}` : ''}`;
}

const problems: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET' && csrf) request.headers.set('x-csrf-token', csrf);
  },
  async onResponse({ response }) {
    if (response.ok) return;
    const type = response.headers.get('content-type') ?? '';
    const said: Partial<Schemas['Problem']> = type.includes('json') ? await response.json().catch(() => ({})) : {};
    throw new Problem(response.status, translateSentence(said.title ?? response.statusText), said.detail ? translateSentence(said.detail) : t('problem.status', { status: String(response.status) }), said.parameter ?? undefined, said.retry_after ?? undefined);
  },
  onError({ request }) {
    // The caller aborted the request and handles that itself.
    if (request.signal.aborted) return;
    return new Problem(0, t('problem.offline.title'), t('problem.offline'));
  },
};

export const client = createClient<Paths>({
  baseUrl: ROOT,
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
  querySerializer: (query) => spelled(query as Params),
});
client.use(problems);

/** What was answered: `await answerOf(client.GET('/meta'))`. A failure has been thrown before. */
export async function answerOf<T>(asked: Promise<{ data?: T }>): Promise<T> {
  return (await asked).data as T;
}
