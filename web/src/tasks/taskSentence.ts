// Describes the state of a task, or of the user's tasks, in a sentence.

import { t } from '../lib/messages.svelte';
import { translateSentence } from '../lib/serverText';
import { currentSession } from '../lib/session.svelte';
import { formatDuration, formatExactTime, formatTimeAgo } from './localFormat.svelte';
import type { Task } from './types';

export function stateSentence(task: Task, now: number): string {
  const since = task.started ? formatDuration(now - Date.parse(task.started)) : '';
  const took = task.started && task.ended ? formatDuration(Date.parse(task.ended) - Date.parse(task.started)) : '';
  const ended = task.ended ? formatTimeAgo(task.ended) : '';
  switch (task.state) {
    case 'running':
      return since ? t('task.say.running', { since }) : t('task.say.runningNew');
    case 'finished':
      return took ? t('task.say.finished', { ended, took }) : t('task.say.finishedPlain');
    case 'stopped':
      return took ? t('task.say.stopped', { ended, took }) : t('task.say.stoppedPlain');
    case 'failed':
      return t('task.say.failed', { error: translateSentence(task.error) || t('task.say.noReason') });
    case 'draft':
      return task.next_run ? t('task.say.draftPlanned', { next: formatExactTime(task.next_run) }) : t('task.say.draft');
    default:
      return t(`task.say.${task.state}`);
  }
}

/** Returns how many tasks the user runs and may run. */
export function quota(): string {
  return currentSession.maxRunning === null ? t('tasks.quotaNone', { n: currentSession.running }) : t('tasks.quota', { running: currentSession.running, max: currentSession.maxRunning });
}
