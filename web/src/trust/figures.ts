// Calculations on monitoring data. Independent of the page and the language.

import type { ScoreComponent, FieldChange, Observation, Phases, ScorePoint, QualityAnswer, Score, UptimeDay } from '../lib/monitoring';

/** Returns how many points of the score a criterion gave and could give. */
export function weightedPoints(component: ScoreComponent, point: ScorePoint): { got: number; of: number } {
  return { got: point.got * component.weight, of: point.of * component.weight };
}

/** Returns the criteria with missing points, largest loss first. */
export function missingPoints(score: Score): { component: ScoreComponent; point: ScorePoint; lost: number }[] {
  return score.components
    .flatMap((component) => component.points.map((point) => ({ component, point, lost: (point.of - point.got) * component.weight })))
    .filter((one) => one.lost > 0.05)
    .sort((a, b) => b.lost - a.lost);
}

export type StatusTone = 'alive' | 'degraded' | 'dead' | 'unchecked';

/** Returns the colour for a share of points or checks. */
export function shareTone(share: number | null | undefined): StatusTone {
  if (typeof share !== 'number' || !Number.isFinite(share)) return 'unchecked';
  return share >= 0.8 ? 'alive' : share >= 0.5 ? 'degraded' : 'dead';
}

/** Returns the colour for an availability: 90 % is already bad. */
export function uptimeTone(share: number | null | undefined): StatusTone {
  if (typeof share !== 'number' || !Number.isFinite(share)) return 'unchecked';
  return share >= 0.98 ? 'alive' : share >= 0.9 ? 'degraded' : 'dead';
}

/** Returns the colour of a day: a single failed check makes it degraded, not dead. */
export function dayTone(day: UptimeDay | null): StatusTone {
  if (!day || day.checks === 0) return 'unchecked';
  if (day.available === day.checks) return 'alive';
  return day.available > 0 ? 'degraded' : 'dead';
}

const dayMillis = 86_400_000;

/** Returns the last `length` days up to `now` in order; days without a check have no figures. */
export function lastDays(days: UptimeDay[], now: number, length: number): { day: string; figures: UptimeDay | null }[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length }, (_, at) => {
    const day = new Date(now - (length - 1 - at) * dayMillis).toISOString().slice(0, 10);
    return { day, figures: known.get(day) ?? null };
  });
}

/** Returns an availability in per cent, never 100 when a check failed. */
export function availabilityPercent(share: number | null | undefined): number | null {
  if (typeof share !== 'number' || !Number.isFinite(share)) return null;
  const percent = Math.min(1, Math.max(0, share)) * 100;
  return percent < 100 && percent > 99.99 ? 99.99 : Math.floor(percent * 100 + 1e-9) / 100;
}

export interface TimingPhase {
  name: Exclude<keyof Phases, 'total'>;
  /** Start and duration in milliseconds. */
  from: number;
  millis: number;
}

/** Lays out the phases of a request one after the other; skips those that took no time. */
export function layOutPhases(phases: Phases): TimingPhase[] {
  let from = 0;
  return (['dns', 'connect', 'tls', 'first_byte', 'transfer'] as const).flatMap((name) => {
    const phase = { name, from, millis: Math.max(0, phases[name]) };
    from += phase.millis;
    return phase.millis > 0 ? [phase] : [];
  });
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a curl command for the same request. */
export function curlCommand(seen: Observation): string {
  const { method, url, accept, range, content_type, body, limit } = seen.request;
  return [
    'curl -sS -i -L',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(accept ? [`-H ${quoted(`Accept: ${accept}`)}`] : []),
    ...(range ? [`-H ${quoted(`Range: ${range}`)}`] : []),
    ...(content_type ? [`-H ${quoted(`Content-Type: ${content_type}`)}`] : []),
    ...(body ? [`--data-binary ${quoted(body)}`] : []),
    ...(limit > 0 ? [`--max-filesize ${limit}`] : []),
    quoted(url),
  ].join(' ');
}

export interface CheckDifference {
  score: { was: number | null; now: number | null };
  verdict: { was: string; now: string } | null;
  /** Criteria whose points changed, largest change first. */
  points: { id: string; what: string; was: number | null; now: number | null; why: string }[];
  same: boolean;
}

/** Compares a new check with the previous one. */
export function compareChecks(before: QualityAnswer, after: QualityAnswer): CheckDifference {
  const yields = (answer: QualityAnswer) => new Map((answer.score?.components ?? []).flatMap((component) => component.points.map((point) => [point.id, { ...weightedPoints(component, point), what: point.what, why: point.why }])));
  const [was, now] = [yields(before), yields(after)];
  const points = [...new Set([...was.keys(), ...now.keys()])]
    .map((id) => ({ id, what: (now.get(id) ?? was.get(id))!.what, was: was.get(id)?.got ?? null, now: now.get(id)?.got ?? null, why: (now.get(id) ?? was.get(id))!.why }))
    .filter((one) => Math.abs((one.now ?? 0) - (one.was ?? 0)) >= 0.05)
    .sort((a, b) => Math.abs((b.now ?? 0) - (b.was ?? 0)) - Math.abs((a.now ?? 0) - (a.was ?? 0)));
  const score = { was: before.score?.value ?? null, now: after.score?.value ?? null };
  const verdict = before.check && after.check && before.check.verdict !== after.check.verdict ? { was: before.check.verdict, now: after.check.verdict } : null;
  return { score, verdict, points, same: points.length === 0 && verdict === null && score.was === score.now };
}

export type ChangeSort = 'added' | 'removed' | 'changed';

export function changeSort(change: FieldChange): ChangeSort {
  if (change.was === null || change.was === undefined) return 'added';
  return change.now === null || change.now === undefined ? 'removed' : 'changed';
}

/** Formats a value as text: lists with commas, objects as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

export interface DiffPiece {
  text: string;
  kept: boolean;
}

/** Marks the differing words between two texts by trimming common words at both ends; sufficient for titles and abstracts. */
export function diffWords(was: string, now: string): { was: DiffPiece[]; now: DiffPiece[] } {
  const [a, b] = [was.split(/(\s+)/), now.split(/(\s+)/)];
  let front = 0;
  while (front < a.length && front < b.length && a[front] === b[front]) front += 1;
  let back = 0;
  while (back < a.length - front && back < b.length - front && a[a.length - 1 - back] === b[b.length - 1 - back]) back += 1;
  const cut = (words: string[]) =>
    [
      { text: words.slice(0, front).join(''), kept: true },
      { text: words.slice(front, words.length - back).join(''), kept: false },
      { text: words.slice(words.length - back).join(''), kept: true },
    ].filter((piece) => piece.text !== '');
  return { was: cut(a), now: cut(b) };
}

/** Parses the path of a change: `datasets[roads].title` is the title of the layer "roads". */
export function parseChangePath(path: string): { layer: string | null; field: string } {
  const found = /^datasets\[(.*)\](?:\.(\w+))?$/.exec(path);
  return found ? { layer: found[1]!, field: found[2] ?? '' } : { layer: null, field: path };
}

/** Fields that are lists: show added and removed entries instead of both lists. */
const lists = ['datasets', 'keywords', 'versions', 'crs', 'languages', 'formats', 'time'];
export const isListField = (path: string) => lists.includes(parseChangePath(path).field);
