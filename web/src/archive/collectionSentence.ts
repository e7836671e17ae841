// Describes the state of a collection in a sentence.

import { formatBytes, formatCount, formatDuration, formatExactTime, formatTimeAgo } from '../tasks/localFormat.svelte';
import { t } from '../lib/messages.svelte';
import { translateSentence } from '../lib/serverText';
import type { Collection } from './types';

export function collectionSentence(collection: Collection, now: number): string {
  const run = collection.last_run;
  if (run?.state === 'running') return t('archive.say.running', { since: formatDuration(now - Date.parse(run.at)), fetched: formatCount(run.fetched), bytes: formatBytes(run.bytes) });
  if (collection.queued) return t('archive.say.queued');
  const next = collection.next_run ? ` ${t('archive.say.next', { when: formatExactTime(collection.next_run) })}` : '';
  if (!run) return t('archive.say.never') + next;
  if (run.state === 'failed') return t('archive.say.failed', { error: translateSentence(run.error) || t('task.say.noReason') }) + next;
  const ended = run.ended ?? run.at;
  return t('archive.say.finished', { when: formatTimeAgo(ended), took: formatDuration(Date.parse(ended) - Date.parse(run.at)) }) + next;
}
