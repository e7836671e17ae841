// The address bar is the state: where we are, and everything chosen there.

export interface Place {
  path: string;
  query: URLSearchParams;
}

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

/** Goes to an address of the application; `replace` leaves no step for Back. */
export function go(to: string, replace = false): void {
  if (to === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  place = here();
}

/** Changes parts of the query; null removes one. */
export function setQuery(changes: Record<string, string | string[] | null>, replace = false): void {
  const query = new URLSearchParams(place.query);
  for (const [key, value] of Object.entries(changes)) {
    query.delete(key);
    for (const one of value === null ? [] : Array.isArray(value) ? value : [value]) if (one !== '') query.append(key, one);
  }
  const text = query.toString();
  go(place.path + (text ? `?${text}` : ''), replace);
}

/** Follows links of the application without loading the page anew. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
