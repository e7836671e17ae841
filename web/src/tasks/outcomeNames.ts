// Names and colours of request outcomes. Unknown outcomes are shown as the server names them.

import { t, type MessageKey } from '../lib/messages.svelte';
import known from '../messages/desk.en.json';

export function outcomeName(name: string): string {
  const status = /^http-(\d{3})$/.exec(name)?.[1];
  if (status) return `HTTP ${status}`;
  const key = `outcome.${name}`;
  return key in known ? t(key as MessageKey) : name.replaceAll('-', ' ');
}

export function outcomeColour(name: string): string {
  if (/^http-[45]/.test(name)) return name.startsWith('http-4') ? '--degraded' : '--dead';
  if (/^(ok|not-modified)/.test(name)) return '--alive';
  if (/^(redirect$|robots|skipped|resting|blocked|trap)/.test(name)) return '--blocked';
  if (/^(too|timeout|truncated|login|exception)/.test(name)) return '--degraded';
  return '--dead';
}
