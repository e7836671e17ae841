// Router. The address bar holds the state: the current page and all selections on it.

export interface RouterLocation {
  path: string;
  query: URLSearchParams;
}

/** Query parameters of the map, kept when the page changes: layers, view, display mode. */
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

/** Formats an address for reading: commas and colons of boxes need no escaping in a query. */
export function formatAddress(path: string, query: URLSearchParams): string {
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%7E', '~');
  return path + (text ? `?${text}` : '');
}

/** Adds the map parameters of the previous query to an address. */
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

/** Navigates to an address of the application; `replace` adds no history entry. */
export function navigateTo(to: string, replace = false): void {
  changeAddress(carryMapState(to, place.query), replace);
}

/** Returns a copy of the query with some parameters changed; null removes one. */
export function changeQuery(before: URLSearchParams, changes: Record<string, string | string[] | null>): URLSearchParams {
  const query = new URLSearchParams(before);
  for (const [key, value] of Object.entries(changes)) {
    query.delete(key);
    for (const one of value === null ? [] : Array.isArray(value) ? value : [value]) if (one !== '') query.append(key, one);
  }
  return query;
}

/** Changes query parameters of the current address; null removes one. */
export function setQuery(changes: Record<string, string | string[] | null>, replace = false): void {
  changeAddress(formatAddress(place.path, changeQuery(place.query, changes)), replace);
}

/** Handles clicks on links inside the application without reloading the page. */
export function handleLinkClick(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  navigateTo(link.pathname + link.search);
}
