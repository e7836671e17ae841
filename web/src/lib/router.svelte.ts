// The address bar is the state: where we are, and everything chosen there.

export interface Place {
  path: string;
  query: URLSearchParams;
}

/** What belongs to the map and stays when the page changes: its layers, its view, what it shows. */
const staysWithMap = ['map', 'at', 'show', 'radius', 'base'];

function here(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

let place = $state.raw(here());

addEventListener('popstate', () => (place = here()));

export const router = {
  get path() {
    return place.path;
  },
  get query() {
    return place.query;
  },
};

/** Spelled for reading: commas and colons of boxes need no escape in a query. */
export function spell(path: string, query: URLSearchParams): string {
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%7E', '~');
  return path + (text ? `?${text}` : '');
}

/** An address with what stays with the map carried over from the query before. */
export function carry(to: string, before: URLSearchParams): string {
  const [path = '/', text = ''] = to.split('?', 2);
  const query = new URLSearchParams(text);
  for (const key of staysWithMap) {
    const value = before.get(key);
    if (value !== null && !query.has(key)) query.set(key, value);
  }
  return spell(path, query);
}

function move(to: string, replace: boolean): void {
  if (to === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  place = here();
}

/** Goes to an address of the application; `replace` leaves no step for Back. */
export function go(to: string, replace = false): void {
  move(carry(to, place.query), replace);
}

/** A query with some parts changed; null removes one. */
export function changed(before: URLSearchParams, changes: Record<string, string | string[] | null>): URLSearchParams {
  const query = new URLSearchParams(before);
  for (const [key, value] of Object.entries(changes)) {
    query.delete(key);
    for (const one of value === null ? [] : Array.isArray(value) ? value : [value]) if (one !== '') query.append(key, one);
  }
  return query;
}

/** Changes parts of the query; null removes one. */
export function setQuery(changes: Record<string, string | string[] | null>, replace = false): void {
  move(spell(place.path, changed(place.query, changes)), replace);
}

/** Follows links of the application without loading the page anew. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
