// How a collection is, as a sentence.

import { bytes, count, duration, exact, relative } from '../desk/text.svelte';
import { t } from '../lib/messages.svelte';
import { translateSentence } from '../lib/serverText';
import type { Collection } from './types';

export function collectionSentence(collection: Collection, now: number): string {
  const run = collection.last_run;
  if (run?.state === 'running') return t('archive.say.running', { since: duration(now - Date.parse(run.at)), fetched: count(run.fetched), bytes: bytes(run.bytes) });
  if (collection.queued) return t('archive.say.queued');
  const next = collection.next_run ? ` ${t('archive.say.next', { when: exact(collection.next_run) })}` : '';
  if (!run) return t('archive.say.never') + next;
  if (run.state === 'failed') return t('archive.say.failed', { error: translateSentence(run.error) || t('task.say.noReason') }) + next;
  const ended = run.ended ?? run.at;
  return t('archive.say.finished', { when: relative(ended), took: duration(Date.parse(ended) - Date.parse(run.at)) }) + next;
}
