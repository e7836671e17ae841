// Converts the server's statistics into figures.

import type { Schemas } from '../lib/api';
import { families as everyFamily, type Family } from '../lib/kinds.svelte';
import type { BarStack } from './StackedBars.svelte';

export type Statistics = Schemas['StatisticsView'];

/** Returns the countries with the most services, by family; the table lists the others. */
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

/** Returns the same data as a table with one column per family that occurs. */
export function stackTable(stacks: BarStack[]): { families: Family[]; rows: (string | number)[][] } {
  const families = everyFamily.filter((family) => stacks.some((stack) => stack.parts[family]));
  return { families, rows: stacks.map((stack) => [stack.name, stack.total, ...families.map((family) => stack.parts[family] ?? 0)]) };
}

/** Returns the daily totals in order; the server may leave out days. */
export function growthSeries(growth: [string, number][]): number[][] {
  const days = growth
    .map(([day, total]) => [Date.parse(`${day}T00:00:00Z`) / 1000, total] as const)
    .filter(([at]) => Number.isFinite(at))
    .sort((a, b) => a[0] - b[0]);
  return [days.map(([at]) => at), days.map(([, total]) => total)];
}
