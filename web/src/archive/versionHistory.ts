// Versions of an item and moments of the past: which moment shows which version, and what a person should read of it.

import type { ItemHistory, CollectionRun, ItemVersion } from './types';

/** The run that a moment falls into: the latest that had begun. Runs are newest first, as the server gives them. */
export function runAt(at: string, runs: CollectionRun[]): CollectionRun | null {
  const moment = Date.parse(at);
  return runs.find((run) => Date.parse(run.at) <= moment) ?? null;
}

/** The moment that shows the collection as a run left it; null while it goes on: then it is now. */
export function momentAfterRun(run: CollectionRun): string | null {
  return run.state === 'running' ? null : (run.ended ?? null);
}

/** The version whose content a visit found: visits that found nothing new point to the one before. */
export function contentVersion(version: ItemVersion, history: ItemHistory): ItemVersion | null {
  const changes = history.versions.filter((one) => one.number <= version.number && one.kind !== 'unchanged');
  const found = changes.at(-1);
  return found && found.sha256 !== '' && found.kind !== 'deleted' ? found : null;
}

/**
 * The moment at which an archive shows this version with what belongs to it. Pictures and style sheets of a page are
 * fetched after the page, so its own moment is too early: the end of its run is the best one, unless the page had changed
 * again, or a person had chosen another version, by then.
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

/** Where an archive shows an address again; `raw`: byte by byte. The address is spelled as it is, not escaped. */
export function replayAddress(acronym: string, moment: string, url: string, raw = false): string {
  return `/replay/${encodeURIComponent(acronym)}/${moment}${raw ? 'id_' : ''}/${url.replaceAll('#', '%23')}`;
}

/** Whether a frame without scripts can show it; a PDF reader, say, needs them. */
export function isShowable(mediaType: string): boolean {
  const essence = mediaType.split(';')[0]!.trim().toLowerCase();
  return /^(text|image)\//.test(essence) || /^application\/(xhtml\+xml|xml|json|ld\+json|geo\+json)$/.test(essence);
}

/** What it is, for people: `html`, `css`, `image` …, by its media type; null when that says nothing. */
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
  /** Visits after it that found the same, oldest first. */
  again: ItemVersion[];
}

/** Changes, newest first, each with the visits that found it unchanged. */
export function groupVersions(versions: ItemVersion[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const version of versions) {
    if (version.kind === 'unchanged' && entries[0]) entries[0].again.push(version);
    else entries.unshift({ version, again: [] });
  }
  return entries;
}

/** A typed moment (of a field for date and time, in the person's own zone) as the server reads it; null when it is none. */
export function parseMomentField(text: string): string | null {
  const moment = new Date(text);
  return text.trim() === '' || Number.isNaN(moment.getTime()) ? null : moment.toISOString().replace(/\.000Z$/, 'Z');
}

/** A moment as a field for date and time holds it. */
export function formatMomentField(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}T${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}
