// Merges pages of notices, which can overlap.

import type { ServiceNotice } from '../lib/monitoring';

/** Merges both lists, each notice once, newest first. */
export function mergeNotices(one: ServiceNotice[], other: ServiceNotice[]): ServiceNotice[] {
  const all = new Map([...one, ...other].map((item) => [item.seq, item]));
  return [...all.values()].sort((a, b) => b.seq - a.seq);
}
