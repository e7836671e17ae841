// What the API says about checks, scores, monitoring, providers and alerts. Written by hand beside the generated types
// until the OpenAPI document has them; the words are those of the server's model.

import type { Status } from './records';

export type Purpose = 'description' | 'operation' | 'refusal';

export interface Phases {
  dns: number;
  connect: number;
  tls: number;
  first_byte: number;
  transfer: number;
  total: number;
}

export interface Observation {
  purpose: Purpose;
  dataset?: string | null;
  request: { method: string; url: string; accept?: string; range?: string | null; content_type?: string | null; body?: string | null; limit: number };
  answer?: { url: string; ip?: string | null; status: number; headers?: Record<string, string>; redirects?: [number, string][]; bytes: number; truncated?: boolean; hash: string } | null;
  failure?: { class: string; message: string } | null;
  phases: Phases;
  outcome: string;
  seen: string;
}

export interface Check {
  kind: string;
  url: string;
  at: string;
  observations: Observation[];
  verdict: Status;
  cause: string;
  reason: string;
}

export interface Point {
  id: string;
  what: string;
  got: number;
  of: number;
  why: string;
  observation?: number | null;
  advice?: string | null;
}

export interface Component {
  id: string;
  weight: number;
  share: number;
  points: Point[];
}

export interface Score {
  rubric: string;
  value?: number | null;
  provisional: boolean;
  cap?: { at: number; why: string } | null;
  components: Component[];
}

export interface Standing {
  status: Status;
  cause?: string | null;
  reason?: string | null;
  since?: string | null;
  checked?: string | null;
  last_ok?: string | null;
  failures?: number;
  failing_since?: string | null;
  successes?: number;
}

export interface QualityAnswer {
  id: string;
  score: Score | null;
  check: Check | null;
  number?: number | null;
  history?: { checks: number; available: number } | null;
  standing?: Standing | null;
  next?: string | null;
  scheduled: boolean;
  curl?: string[];
}

export interface CheckSummary {
  number: number;
  at: string;
  verdict: Status;
  cause: string;
  reason: string;
  score?: number | null;
  millis?: number | null;
}

export interface UptimeWindow {
  checks: number;
  available: number;
  share?: number | null;
  p50?: number | null;
  p95?: number | null;
  p99?: number | null;
}

export interface UptimeDay {
  /** 2026-11-16 */
  day: string;
  checks: number;
  available: number;
  p50?: number | null;
}

export interface Outage {
  began: string;
  ended?: string | null;
  cause?: string | null;
  reason?: string | null;
}

export interface UptimeAnswer {
  windows: Record<'24h' | '30d' | '1y', UptimeWindow>;
  days: UptimeDay[];
  outages: Outage[];
}

export interface FieldChange {
  path: string;
  was?: unknown;
  now?: unknown;
}

export interface MetadataChange {
  at: string;
  changes: FieldChange[];
}

export interface Successor {
  id: string;
  title?: string | null;
  url: string;
  kind: string;
  status: Status;
  confidence: number;
  evidence: string[];
  state: 'proposed' | 'accepted' | 'rejected';
}

export interface HostLine {
  host: string;
  records: number;
  dead: number;
  degraded: number;
  score?: number | null;
}

export interface MonitoringAnswer {
  statuses: Partial<Record<Status, number>>;
  enrolled: number;
  due: number;
  overdue: number;
  checks_24h: number;
  next?: string | null;
  running: boolean;
  latency?: { p50?: number | null; p95?: number | null } | null;
  hosts: HostLine[];
}

export const noticeKinds = ['born', 'died', 'reborn', 'degraded', 'recovered', 'restricted', 'blocked', 'changed', 'moved'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export interface NewsItem {
  seq: number;
  at: string;
  kind: NoticeKind;
  id: string;
  title?: string | null;
  host?: string | null;
  record_kind?: string | null;
  reason?: string | null;
}

export interface ProviderLine {
  host: string;
  records: number;
  statuses: Partial<Record<Status, number>>;
  score?: number | null;
  country?: string | null;
}

export interface ProviderService {
  id: string;
  title?: string | null;
  kind: string;
  url: string;
  status: Status;
  reason?: string | null;
  score?: number | null;
}

export interface ProviderProblem {
  /** Id of the point, e.g. `metadata.abstract`. */
  id: string;
  what: string;
  advice?: string | null;
  count: number;
  records: string[];
}

export interface ProviderReport {
  host: string;
  organisations: string[];
  place?: { country?: string | null; city?: string | null; lat?: number | null; lon?: number | null } | null;
  records: number;
  datasets: number;
  statuses: Partial<Record<Status, number>>;
  score?: number | null;
  uptime_30d?: number | null;
  services: ProviderService[];
  problems: ProviderProblem[];
  outages: { id: string; title?: string | null; began: string; ended?: string | null; reason?: string | null }[];
}

export const frequencies = ['immediate', 'daily', 'weekly'] as const;

export interface Alert {
  number: number;
  name: string;
  channel: 'webhook' | 'email';
  target: string;
  kinds: NoticeKind[];
  hosts: string[];
  records: string[];
  frequency: (typeof frequencies)[number];
  active: boolean;
  last_delivery?: string | null;
  last_error?: string | null;
}

export interface ThemesAnswer {
  schemes: { id: string; title: string; terms: { id: string; label: Record<string, string> }[] }[];
}
