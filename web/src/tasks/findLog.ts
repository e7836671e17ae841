// Finds of a task: each row once, in the store's order, whether it came from the stream, a poll or a list. Uses plain
// arrays without proxies, so that ten thousand rows add no cost per frame.

import type { MapFind, HostPoint } from '../lib/mapControl';
import { hostAndPath } from './format';
import type { FindEvent } from './types';

export interface FindRow {
  seq: number;
  id: string;
  kind: string;
  title: string | null;
  host: string;
  url: string;
  depth: number | null;
  lat: number | null;
  lon: number | null;
  page: string | null;
}

/** Maximum number of rows; the oldest are dropped. Totals by host and kind stay correct. */
export const MAX_ROWS = 50_000;

export function toFindRow(event: FindEvent): FindRow {
  const { host } = event;
  const place = typeof host.lat === 'number' && typeof host.lon === 'number';
  return {
    seq: event.seq,
    id: event.id,
    kind: event.kind,
    title: event.title || null,
    host: host.name || hostAndPath(event.url).host,
    url: event.url,
    depth: event.depth,
    lat: place ? (host.lat as number) : null,
    lon: place ? (host.lon as number) : null,
    page: event.page || null,
  };
}

export class FindLog {
  private rows: FindRow[] = [];
  /** Rows up to this sequence number were dropped; later duplicates of them are ignored. */
  private floor = 0;
  private hosts = new Map<string, HostPoint>();
  /** Number of finds per kind. */
  readonly kinds: Record<string, number> = {};
  /** Number of rows ever added. */
  total = 0;

  constructor(private readonly most = MAX_ROWS) {}

  get length(): number {
    return this.rows.length;
  }

  get lastSeq(): number {
    return this.rows.at(-1)?.seq ?? 0;
  }

  /** Returns the i-th newest row. */
  newest(i: number): FindRow | undefined {
    return this.rows[this.rows.length - 1 - i];
  }

  /** Adds rows that are not in the log yet; returns the added ones in order. */
  add(rows: FindRow[]): FindRow[] {
    const fresh: FindRow[] = [];
    let late: FindRow[] = [];
    for (const row of rows) {
      if (row.seq <= this.floor) continue;
      if (row.seq > this.lastSeq) {
        this.rows.push(row);
        fresh.push(row);
      } else if (!this.holds(row.seq)) late.push(row);
    }
    if (late.length > 0) {
      // Merge all late rows at once instead of inserting each.
      late.sort((a, b) => a.seq - b.seq);
      late = late.filter((row, i) => row.seq !== late[i - 1]?.seq);
      this.rows = merge(this.rows, late);
      fresh.push(...late);
      fresh.sort((a, b) => a.seq - b.seq);
    }
    for (const row of fresh) this.sum(row);
    this.total += fresh.length;
    // Drop rows in blocks, so that a full log does not move all rows for each new one.
    if (this.rows.length > this.most * 1.1) {
      const gone = this.rows.length - this.most;
      this.floor = this.rows[gone - 1]!.seq;
      this.rows = this.rows.slice(gone);
    }
    return fresh;
  }

  /** Returns finds by located host, as copies: the map keeps counting on its own. */
  hostPoints(): HostPoint[] {
    return [...this.hosts.values()].map((point) => ({ ...point, kinds: { ...point.kinds } }));
  }

  /** Converts a row for the map, with the location of the linking page if its host is known. */
  onMap(row: FindRow): MapFind | null {
    if (row.lat === null || row.lon === null) return null;
    const from = row.page ? this.hosts.get(hostAndPath(row.page).host) : undefined;
    const elsewhere = from && (from.lat !== row.lat || from.lon !== row.lon);
    return {
      id: row.id,
      host: row.host,
      kind: row.kind,
      title: row.title,
      lat: row.lat,
      lon: row.lon,
      ...(elsewhere ? { from: { lat: from.lat, lon: from.lon } } : {}),
    };
  }

  private holds(seq: number): boolean {
    let low = 0;
    let high = this.rows.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.rows[middle]!.seq;
      if (at === seq) return true;
      if (at < seq) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  private sum(row: FindRow): void {
    this.kinds[row.kind] = (this.kinds[row.kind] ?? 0) + 1;
    if (row.lat === null || row.lon === null) return;
    const point = this.hosts.get(row.host) ?? { host: row.host, lat: row.lat, lon: row.lon, count: 0, kinds: {} };
    point.count += 1;
    point.kinds[row.kind] = (point.kinds[row.kind] ?? 0) + 1;
    this.hosts.set(row.host, point);
  }
}

function merge(a: FindRow[], b: FindRow[]): FindRow[] {
  const all: FindRow[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) all.push(a[i]!.seq < b[j]!.seq ? a[i++]! : b[j++]!);
  while (i < a.length) all.push(a[i++]!);
  while (j < b.length) all.push(b[j++]!);
  return all;
}
