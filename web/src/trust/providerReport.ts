// Selects the services of a provider that have problems.

import type { Status } from '../lib/records';
import type { ProviderService } from '../lib/monitoring';

const gravity: Partial<Record<Status, number>> = { dead: 0, degraded: 1, inconclusive: 2, blocked: 3, restricted: 4 };

/** Returns the services with problems, worst first; skips those that respond or were never checked. */
export function sortByGravity(services: ProviderService[]): ProviderService[] {
  return services.filter((one) => one.status in gravity && one.status !== 'restricted').sort((a, b) => gravity[a.status]! - gravity[b.status]! || (a.score ?? 101) - (b.score ?? 101) || (a.title ?? a.url).localeCompare(b.title ?? b.url));
}
