// From the server's sums to what figures show.

import type { Schemas } from '../lib/api';
import { families as everyFamily, type Family } from '../lib/kinds.svelte';
import type { BarStack } from './StackedBars.svelte';

export type Statistics = Schemas['StatisticsView'];

/** Countries with the most services, by family; the rest is left to the table. */
export function countryStacks(countries: Statistics['countries'], family: (kind: string) => Family, name: (code: string) => string, most: number): BarStack[] {
  return Object.entries(countries)
    .map(([code, kinds]) => {
      const parts: Partial<Record<Family, number>> = {};
      let total = 0;
      for (const [kind, value] of Object.entries(kinds)) {
        parts[family(kind)] = (parts[family(kind)] ?? 0) + value;
        total += value;
      }
      return { name: name(code), total, parts };
    })
    .filter((stack) => stack.total > 0)
    .sort((a, b) => b.total - a.total || a.name.localeCompare(b.name))
    .slice(0, most);
}

/** The same as a table: one column a family that occurs. */
export function stackTable(stacks: BarStack[]): { families: Family[]; rows: (string | number)[][] } {
  const families = everyFamily.filter((family) => stacks.some((stack) => stack.parts[family]));
  return { families, rows: stacks.map((stack) => [stack.name, stack.total, ...families.map((family) => stack.parts[family] ?? 0)]) };
}

/** Growth as sums: the server may send days with gaps; order is ensured, values are totals by day. */
export function growthSeries(growth: [string, number][]): number[][] {
  const days = growth
    .map(([day, total]) => [Date.parse(`${day}T00:00:00Z`) / 1000, total] as const)
    .filter(([at]) => Number.isFinite(at))
    .sort((a, b) => a[0] - b[0]);
  return [days.map(([at]) => at), days.map(([, total]) => total)];
}
