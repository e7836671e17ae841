// Where a task looks and why, made ready to be shown.

import type { Focus, LearnedTerm, NextAddress, SeedGroup } from './types';

/** Reasons that are shown of one address; the rest move it little. */
const MAX_REASONS = 4;

export interface LearnedWord {
  term: string;
  /** Of the strongest word of its side, from 0 to 1. */
  share: number;
  seen: number;
}

/** Words that lead to services and words that lead away, strongest first; both on one scale, so that they compare. */
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

/** Telling words of a run; one page alone tells nothing. */
export function tellingTerms(focus: Pick<Focus, 'terms'>): Focus['terms'] {
  return focus.terms.filter((one) => one.gained > 1);
}

export type GroupState = 'open' | 'ended' | 'givenUp';

export function groupState(group: SeedGroup): GroupState {
  return group.given_up ? 'givenUp' : group.ended ? 'ended' : 'open';
}

/** The latest group first. A run without groups has one, which is not called so. */
export function sortGroups(focus: Focus): SeedGroup[] {
  return [...focus.widths].sort((a, b) => b.width - a.width);
}

/** What is shown at once, and what on demand: pages have something to explain, what stands before them little. */
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

/** What speaks for and against an address, strongest first. */
export function rankingReasons(next: NextAddress): RankingReason[] {
  return next.why.reasons
    .filter((one) => one.text !== '')
    .slice(0, MAX_REASONS)
    .map((one) => ({ text: one.text, sign: one.adds > 0 ? '+' : one.adds < 0 ? '−' : '' }));
}

/** New finds that a hundred requests like this would bring. */
export function expectedPer100(next: NextAddress): number | null {
  const expects = next.why.expects;
  return expects === undefined || expects === null || !Number.isFinite(expects) || expects < 0 ? null : expects * 100;
}
