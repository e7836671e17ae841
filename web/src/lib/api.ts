// Client of the API, typed by the OpenAPI document (`npm run types`). Failed requests throw an `ApiError` with a message
// for the user.

import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './api-types';
import { t } from './messages.svelte';
import { translateSentence } from './serverText';

export type Schemas = components['schemas'];

const ROOT = '/api/v1';
type Paths = { [P in keyof paths as P extends `${typeof ROOT}${infer Rest}` ? Rest : never]: paths[P] };

export class ApiError extends Error {
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

/** Sets the CSRF token of the session, which is sent with every change. */
export function setCsrf(token: string | null): void {
  csrf = token;
}

export type QueryParams = Record<string, unknown>;

/** Serializes a query without empty values; lists repeat their name. */
function spelled(params: QueryParams): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one));
  }
  return query.toString();
}

/** Returns the URL of an API resource for a link, an image or a stream. */
export function apiUrl(path: string, params: QueryParams = {}): string {
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
    throw new ApiError(response.status, translateSentence(said.title ?? response.statusText), said.detail ? translateSentence(said.detail) : t('problem.status', { status: String(response.status) }), said.parameter ?? undefined, said.retry_after ?? undefined);
  },
  onError({ request }) {
    // The caller aborted the request and handles that itself.
    if (request.signal.aborted) return;
    return new ApiError(0, t('problem.offline.title'), t('problem.offline'));
  },
};

export const client = createClient<Paths>({
  baseUrl: ROOT,
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
  querySerializer: (query) => spelled(query as QueryParams),
});
client.use(problems);

/** Returns the body of a response: `await unwrapAnswer(client.GET('/meta'))`. Failed requests have thrown already. */
export async function unwrapAnswer<T>(asked: Promise<{ data?: T }>): Promise<T> {
  return (await asked).data as T;
}
