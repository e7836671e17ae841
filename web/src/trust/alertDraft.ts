// Input of the alert form and its validation.

import { noticeKinds, type Alert, type NoticeKind } from '../lib/monitoring';

export interface AlertDraft {
  name: string;
  channel: Alert['channel'];
  target: string;
  secret: string;
  kinds: NoticeKind[];
  /** One host per line. */
  hosts: string;
  records: string[];
  frequency: Alert['frequency'];
  active: boolean;
}

/** Default events of a new alert. */
const usual: NoticeKind[] = ['died', 'reborn', 'degraded', 'recovered', 'moved'];

export function newAlertDraft(host: string | null = null): AlertDraft {
  return { name: host ?? '', channel: 'webhook', target: '', secret: '', kinds: [...usual], hosts: host ?? '', records: [], frequency: 'immediate', active: true };
}

export function draftFromAlert(alert: Alert): AlertDraft {
  return { name: alert.name, channel: alert.channel, target: alert.target, secret: '', kinds: [...alert.kinds], hosts: alert.hosts.join('\n'), records: [...alert.records], frequency: alert.frequency, active: alert.active };
}

export type AlertFault = 'name' | 'target' | 'kinds';

export function findFault(draft: AlertDraft): AlertFault | null {
  if (!draft.name.trim()) return 'name';
  if (draft.channel === 'email' ? !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(draft.target.trim()) : !isWeb(draft.target.trim())) return 'target';
  return draft.kinds.length === 0 ? 'kinds' : null;
}

function isWeb(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** Parses host names, without scheme and path, each once. */
export function parseHosts(text: string): string[] {
  const hosts = text
    .split(/[\s,;]+/)
    .map((line) => line.trim().toLowerCase().replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/[/?#].*$/, ''))
    .filter(Boolean);
  return [...new Set(hosts)];
}

/** Converts the draft into a request body. An empty secret leaves the stored one unchanged. */
export function alertRequestBody(draft: AlertDraft): Record<string, unknown> {
  return {
    name: draft.name.trim(),
    channel: draft.channel,
    target: draft.target.trim(),
    ...(draft.channel === 'webhook' && draft.secret ? { secret: draft.secret } : {}),
    kinds: noticeKinds.filter((kind) => draft.kinds.includes(kind)),
    hosts: parseHosts(draft.hosts),
    records: draft.records,
    frequency: draft.frequency,
    active: draft.active,
  };
}
