// The one way to the server. Failures are Problems with words for people.

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

export type Params = Record<string, string | number | boolean | string[] | null | undefined>;

export function address(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one));
  }
  const text = query.toString();
  return `/api/v1${path}${text ? `?${text}` : ''}`;
}

async function ask<T>(method: string, path: string, options: { params?: Params; body?: unknown; signal?: AbortSignal } = {}): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET' && csrf) headers['x-csrf-token'] = csrf;
  let response: Response;
  try {
    response = await fetch(address(path, options.params), {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      credentials: 'same-origin',
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Problem(0, 'No connection', 'The server cannot be reached. Check the connection and try again.');
  }
  if (response.status === 204) return undefined as T;
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok) {
    const said = type.includes('json') ? await response.json().catch(() => ({})) : {};
    throw new Problem(response.status, said.title ?? response.statusText, said.detail ?? `The server answered ${response.status}.`, said.parameter, said.retry_after);
  }
  return (type.includes('json') ? await response.json() : await response.text()) as T;
}

export const api = {
  get: <T>(path: string, params?: Params, signal?: AbortSignal) => ask<T>('GET', path, { params, signal }),
  post: <T>(path: string, body?: unknown) => ask<T>('POST', path, { body: body ?? {} }),
  put: <T>(path: string, body: unknown) => ask<T>('PUT', path, { body }),
  patch: <T>(path: string, body: unknown) => ask<T>('PATCH', path, { body }),
  delete: (path: string) => ask<void>('DELETE', path),
};
