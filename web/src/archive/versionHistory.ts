// Versions of an item over time: which moment shows which version, and how to describe it.

import type { ItemHistory, CollectionRun, ItemVersion } from './types';

/** Returns the run at a moment: the latest one started by then. Expects runs newest first, as the server sends them. */
export function runAt(at: string, runs: CollectionRun[]): CollectionRun | null {
  const moment = Date.parse(at);
  return runs.find((run) => Date.parse(run.at) <= moment) ?? null;
}

/** Returns the moment that shows the collection at the end of a run; null while it is in progress. */
export function momentAfterRun(run: CollectionRun): string | null {
  return run.state === 'running' ? null : (run.ended ?? null);
}

/** Returns the version whose content a visit found: visits without a change refer to the previous one. */
export function contentVersion(version: ItemVersion, history: ItemHistory): ItemVersion | null {
  const changes = history.versions.filter((one) => one.number <= version.number && one.kind !== 'unchanged');
  const found = changes.at(-1);
  return found && found.sha256 !== '' && found.kind !== 'deleted' ? found : null;
}

/**
 * Returns the moment at which an archive shows this version with its resources. Images and style sheets of a page are
 * fetched after the page, so the time of its own visit is too early: use the end of the run, unless the page had changed
 * again, or a user had selected another version, by then.
 */
export function replayMoment(version: ItemVersion, history: ItemHistory, runs: CollectionRun[], now: string): string | null {
  const content = contentVersion(version, history);
  if (!content) return null;
  const end = runAt(content.at, runs);
  const wanted = end ? (momentAfterRun(end) ?? now) : content.at;
  const from = Date.parse(content.at);
  const until = Date.parse(wanted);
  const later = [...history.versions.filter((one) => one.number > content.number && one.kind !== 'unchanged').map((one) => one.at), ...history.choices.filter((one) => one.version !== content.number).map((one) => one.at)];
  const overtaken = later.some((at) => Date.parse(at) > from && Date.parse(at) <= until);
  return until < from || overtaken ? content.at : wanted;
}

/** Returns the replay URL of an archived address; `raw` returns the original bytes. The address is not escaped. */
export function replayAddress(acronym: string, moment: string, url: string, raw = false): string {
  return `/replay/${encodeURIComponent(acronym)}/${moment}${raw ? 'id_' : ''}/${url.replaceAll('#', '%23')}`;
}

/** Checks whether a frame without scripts can show the media type; PDF viewers, for example, need scripts. */
export function isShowable(mediaType: string): boolean {
  const essence = mediaType.split(';')[0]!.trim().toLowerCase();
  return /^(text|image)\//.test(essence) || /^application\/(xhtml\+xml|xml|json|ld\+json|geo\+json)$/.test(essence);
}

/** Returns the category of a media type for display; null if unknown. */
export function mediaCategory(mediaType: string): 'html' | 'css' | 'script' | 'image' | 'pdf' | 'text' | 'data' | null {
  const essence = mediaType.split(';')[0]!.trim().toLowerCase();
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'html';
  if (essence === 'text/css') return 'css';
  if (/(java|ecma)script/.test(essence)) return 'script';
  if (essence.startsWith('image/')) return 'image';
  if (essence === 'application/pdf') return 'pdf';
  if (/(json|xml|csv)/.test(essence)) return 'data';
  return essence.startsWith('text/') ? 'text' : null;
}

export interface HistoryEntry {
  version: ItemVersion;
  /** Later visits that found no change, oldest first. */
  again: ItemVersion[];
}

/** Groups versions into changes, newest first, each with the visits that found no further change. */
export function groupVersions(versions: ItemVersion[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const version of versions) {
    if (version.kind === 'unchanged' && entries[0]) entries[0].again.push(version);
    else entries.unshift({ version, again: [] });
  }
  return entries;
}

/** Parses the value of a date-time field (in the user's time zone) into server format; returns null if invalid. */
export function parseMomentField(text: string): string | null {
  const moment = new Date(text);
  return text.trim() === '' || Number.isNaN(moment.getTime()) ? null : moment.toISOString().replace(/\.000Z$/, 'Z');
}

/** Formats a moment as the value of a date-time field. */
export function formatMomentField(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}T${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}
