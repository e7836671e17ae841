// Outcomes of requests. The server names them; unknown names are shown as they are.

import { t, type MessageKey } from '../lib/messages.svelte';
import known from '../messages/desk.en.json';

export function outcomeName(name: string): string {
  const status = /^http-(\d{3})$/.exec(name)?.[1];
  if (status) return `HTTP ${status}`;
  const key = `outcome.${name.replaceAll('_', '-')}`;
  return key in known ? t(key as MessageKey) : name.replaceAll('_', ' ').replaceAll('-', ' ');
}

export function outcomeLook(name: string): string {
  if (/^http-[45]/.test(name)) return name.startsWith('http-4') ? '--degraded' : '--dead';
  if (/^(ok|2xx|success|page|probe|not[-_]modified|resource)/.test(name)) return '--alive';
  if (/^(3xx|redirect|robots|skipped|resting|blocked)/.test(name)) return '--blocked';
  if (/^(4xx|too|timeout|truncated|not[-_]found|gone|restricted)/.test(name)) return '--degraded';
  return '--dead';
}
