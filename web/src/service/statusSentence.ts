// Describes the status of a service in one sentence.

import { t, type MessageKey } from '../lib/messages.svelte';
import type { ServiceRecord } from '../lib/records';
import { translateSentence } from '../lib/serverText';
import { formatTimeAgo } from '../lib/localDates';

export function statusSentence(record: ServiceRecord): string {
  const known = ['alive', 'degraded', 'dead', 'restricted', 'blocked', 'inconclusive'];
  const status = known.includes(record.status ?? '') ? record.status! : 'unchecked';
  const parts = [t(`sentence.${status}` as MessageKey)];
  if (record.reason && status !== 'alive') parts.push(translateSentence(record.reason).replace(/\.?$/, '.'));
  if (record.last_ok) parts.push(t('sentence.ok', { when: formatTimeAgo(record.last_ok) }));
  else if (record.last_seen) parts.push(t('sentence.seen', { when: formatTimeAgo(record.last_seen) }));
  return parts.join(' ');
}
