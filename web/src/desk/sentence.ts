// The state of a task, and of one's tasks, as a sentence.

import { t } from '../lib/messages.svelte';
import { translateSentence } from '../lib/serverText';
import { who } from '../lib/session.svelte';
import { duration, exact, relative } from './text.svelte';
import type { Task } from './types';

export function stateSentence(task: Task, now: number): string {
  const since = task.started ? duration(now - Date.parse(task.started)) : '';
  const took = task.started && task.ended ? duration(Date.parse(task.ended) - Date.parse(task.started)) : '';
  const ended = task.ended ? relative(task.ended) : '';
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
      return task.next_run ? t('task.say.draftPlanned', { next: exact(task.next_run) }) : t('task.say.draft');
    default:
      return t(`task.say.${task.state}`);
  }
}

/** How many tasks one runs, and may. */
export function quota(): string {
  return who.maxRunning === null ? t('tasks.quotaNone', { n: who.running }) : t('tasks.quota', { running: who.running, max: who.maxRunning });
}
