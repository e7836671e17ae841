// The address bar is the state: where we are, and everything chosen there.

export interface RouterLocation {
  path: string;
  query: URLSearchParams;
}

/** What belongs to the map and stays when the page changes: its layers, its view, what it shows. */
const staysWithMap = ['map', 'at', 'show', 'radius', 'base'];

function readLocation(): RouterLocation {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

let place = $state.raw(readLocation());

addEventListener('popstate', () => (place = readLocation()));

export const router = {
  get path() {
    return place.path;
  },
  get query() {
    return place.query;
  },
};

/** Spelled for reading: commas and colons of boxes need no escape in a query. */
export function formatAddress(path: string, query: URLSearchParams): string {
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%7E', '~');
  return path + (text ? `?${text}` : '');
}

/** An address with what stays with the map carried over from the query before. */
export function carryMapState(to: string, before: URLSearchParams): string {
  const [path = '/', text = ''] = to.split('?', 2);
  const query = new URLSearchParams(text);
  for (const key of staysWithMap) {
    const value = before.get(key);
    if (value !== null && !query.has(key)) query.set(key, value);
  }
  return formatAddress(path, query);
}

function changeAddress(to: string, replace: boolean): void {
  if (to === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  place = readLocation();
}

/** Goes to an address of the application; `replace` leaves no step for Back. */
export function navigateTo(to: string, replace = false): void {
  changeAddress(carryMapState(to, place.query), replace);
}

/** A query with some parts changed; null removes one. */
export function changeQuery(before: URLSearchParams, changes: Record<string, string | string[] | null>): URLSearchParams {
  const query = new URLSearchParams(before);
  for (const [key, value] of Object.entries(changes)) {
    query.delete(key);
    for (const one of value === null ? [] : Array.isArray(value) ? value : [value]) if (one !== '') query.append(key, one);
  }
  return query;
}

/** Changes parts of the query; null removes one. */
export function setQuery(changes: Record<string, string | string[] | null>, replace = false): void {
  changeAddress(formatAddress(place.path, changeQuery(place.query, changes)), replace);
}

/** Follows links of the application without loading the page anew. */
export function handleLinkClick(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  navigateTo(link.pathname + link.search);
}
