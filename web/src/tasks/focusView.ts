// Prepares the focus of a task (what it fetches next, and why) for display.

import type { Focus, LearnedTerm, NextAddress, SeedGroup } from './types';

/** Maximum number of reasons shown per address; further ones have little weight. */
const MAX_REASONS = 4;

export interface LearnedWord {
  term: string;
  /** Weight relative to the strongest word, from 0 to 1. */
  share: number;
  seen: number;
}

/** Splits words into those that lead to services and those that lead away, strongest first, on a common scale. */
export function splitVocabulary(vocabulary: LearnedTerm[]): { to: LearnedWord[]; away: LearnedWord[] } {
  const strongest = Math.max(0, ...vocabulary.map((one) => Math.abs(one.weight)));
  const word = (one: LearnedTerm): LearnedWord => ({ term: one.term, share: strongest > 0 ? Math.abs(one.weight) / strongest : 0, seen: one.seen });
  const by = (sign: number) =>
    vocabulary
      .filter((one) => one.weight * sign > 0)
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
      .map(word);
  return { to: by(1), away: by(-1) };
}

/** Returns the distinctive words of a run; words that occur on only one page say nothing. */
export function tellingTerms(focus: Pick<Focus, 'terms'>): Focus['terms'] {
  return focus.terms.filter((one) => one.gained > 1);
}

export type GroupState = 'open' | 'ended' | 'givenUp';

export function groupState(group: SeedGroup): GroupState {
  return group.given_up ? 'givenUp' : group.ended ? 'ended' : 'open';
}

/** Sorts the groups of seeds, latest first. A run without groups has exactly one. */
export function sortGroups(focus: Focus): SeedGroup[] {
  return [...focus.widths].sort((a, b) => b.width - a.width);
}

/** Splits the next addresses into those shown at once and those shown on demand. Pages have more to explain than probes. */
export function splitNextAddresses(next: NextAddress[], pages = 6, others = 2): { first: NextAddress[]; rest: NextAddress[] } {
  const first: NextAddress[] = [];
  const rest: NextAddress[] = [];
  for (const one of next) {
    const left = one.expected === 'page' ? pages-- : others--;
    (left > 0 ? first : rest).push(one);
  }
  return { first, rest };
}

export interface RankingReason {
  text: string;
  sign: '+' | '−' | '';
}

/** Lists the reasons for and against an address, strongest first. */
export function rankingReasons(next: NextAddress): RankingReason[] {
  return next.why.reasons
    .filter((one) => one.text !== '')
    .slice(0, MAX_REASONS)
    .map((one) => ({ text: one.text, sign: one.adds > 0 ? '+' : one.adds < 0 ? '−' : '' }));
}

/** Returns the expected number of new finds per 100 requests of this kind, or null if unknown. */
export function expectedPer100(next: NextAddress): number | null {
  const expects = next.why.expects;
  return expects === undefined || expects === null || !Number.isFinite(expects) || expects < 0 ? null : expects * 100;
}
