// History of a run: the server's samples, extended by live figures and thinned when there are many.

import type { Live, Sample } from './types';

const MAX_SAMPLES = 1200;
const MIN_INTERVAL = 1000;

/** Appends the live figures to the history. Returns the same array if there is nothing to add. */
export function appendLiveSample(samples: Sample[], live: Live): Sample[] {
  const last = samples.at(-1);
  const at = Date.parse(live.at);
  if (last && (at - Date.parse(last.at) < MIN_INTERVAL || live.counters.pages < last.pages)) return samples;
  const { pages, probes, failures, resources, pending, bytes } = live.counters;
  return thinSamples([...samples, { at: live.at, pages, probes, failures, resources, pending, bytes }]);
}

/** Drops every other sample, except the first and last, while there are more than `most`. */
export function thinSamples(samples: Sample[], most = MAX_SAMPLES): Sample[] {
  let kept = samples;
  while (kept.length > most) kept = kept.filter((_, i) => i % 2 === 0 || i === kept.length - 1);
  return kept;
}

export interface DepthRow {
  depth: number;
  pages: number;
  found: number;
}

/** Combines pages and finds by depth, including depths without either. */
export function tallyByDepth(pages: Record<string, number>, finds: Record<string, number>): DepthRow[] {
  const deepest = Math.max(-1, ...Object.keys(pages).map(Number), ...Object.keys(finds).map(Number));
  return Array.from({ length: Math.min(deepest + 1, 100) }, (_, depth) => ({
    depth,
    pages: pages[depth] ?? 0,
    found: finds[depth] ?? 0,
  }));
}

/** Ranks names by number, largest first; sums everything after the first `most` under `rest`. */
export function rankTally(tally: Record<string, number>, most: number, rest: string): { name: string; value: number; isRest: boolean }[] {
  const all = Object.entries(tally)
    .filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
    .map(([name, value]) => ({ name, value, isRest: false }));
  if (all.length <= most) return all;
  const beyond = all.slice(most - 1).reduce((sum, one) => sum + one.value, 0);
  return [...all.slice(0, most - 1), { name: rest, value: beyond, isRest: true }];
}
