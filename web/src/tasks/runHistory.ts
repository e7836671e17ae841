// The course of a run: samples of the server's, continued by the live figures, thinned when many.

import type { Live, Sample } from './types';

const MAX_SAMPLES = 1200;
const MIN_INTERVAL = 1000;

/** The history with the live figures at its end. The same array when nothing is to be added. */
export function appendLiveSample(samples: Sample[], live: Live): Sample[] {
  const last = samples.at(-1);
  const at = Date.parse(live.at);
  if (last && (at - Date.parse(last.at) < MIN_INTERVAL || live.counters.pages < last.pages)) return samples;
  const { pages, probes, failures, resources, pending, bytes } = live.counters;
  return thinSamples([...samples, { at: live.at, pages, probes, failures, resources, pending, bytes }]);
}

/** Every other sample but the ends, when there are more than can be seen. */
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

/** Pages and finds of each depth, none left out. */
export function tallyByDepth(pages: Record<string, number>, finds: Record<string, number>): DepthRow[] {
  const deepest = Math.max(-1, ...Object.keys(pages).map(Number), ...Object.keys(finds).map(Number));
  return Array.from({ length: Math.min(deepest + 1, 100) }, (_, depth) => ({
    depth,
    pages: pages[depth] ?? 0,
    found: finds[depth] ?? 0,
  }));
}

/** Names with their numbers, largest first; what is beyond `most` is summed under `rest`. */
export function rankTally(tally: Record<string, number>, most: number, rest: string): { name: string; value: number; isRest: boolean }[] {
  const all = Object.entries(tally)
    .filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
    .map(([name, value]) => ({ name, value, isRest: false }));
  if (all.length <= most) return all;
  const beyond = all.slice(most - 1).reduce((sum, one) => sum + one.value, 0);
  return [...all.slice(0, most - 1), { name: rest, value: beyond, isRest: true }];
}
