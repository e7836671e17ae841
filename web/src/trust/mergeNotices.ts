// News that comes in pages, and again and again.

import type { ServiceNotice } from '../lib/monitoring';

/** Both lists as one, each piece of news once, newest first. */
export function mergeNotices(one: ServiceNotice[], other: ServiceNotice[]): ServiceNotice[] {
  const all = new Map([...one, ...other].map((item) => [item.seq, item]));
  return [...all.values()].sort((a, b) => b.seq - a.seq);
}
