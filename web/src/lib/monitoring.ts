// API types of checks, scores, providers and alerts.

import type { Schemas } from './api';

export type Phases = Schemas['Phases'];
export type Observation = Schemas['Observation'];
export type ScorePoint = Schemas['Point'];
export type ScoreComponent = Schemas['Component'];
export type Score = Schemas['Score'];
export type QualityAnswer = Schemas['Quality'];
export type CheckSummary = Schemas['CheckSummary'];
export type UptimeDay = Schemas['Day'];
export type UptimeAnswer = Schemas['Uptime'];
export type FieldChange = Schemas['FieldChange'];
export type MetadataChange = Schemas['MetadataChange'];
export type Successor = Schemas['Successor'];
export type MonitoringAnswer = Schemas['MonitoringView'];
export type NoticeKind = Schemas['NoticeKind'];
export type ServiceNotice = Schemas['Notice'];
export type ProviderSummary = Schemas['HostSummary'];
export type ProviderService = Schemas['HostService'];
export type ProviderReport = Schemas['HostReport'];
export type Alert = Schemas['AlertView'];

export const noticeKinds = ['born', 'died', 'reborn', 'degraded', 'recovered', 'restricted', 'blocked', 'changed', 'moved'] as const satisfies NoticeKind[];
export const frequencies = ['immediate', 'daily', 'weekly'] as const satisfies Schemas['Frequency'][];
