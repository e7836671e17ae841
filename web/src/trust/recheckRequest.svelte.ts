// "Check again": requests a check, waits for its result and reports the differences.

import { unwrapAnswer, client, ApiError } from '../lib/api';
import type { QualityAnswer } from '../lib/monitoring';
import { compareChecks, type CheckDifference } from './figures';

const everyMillis = 1000;
const mostMillis = 120_000;

export class RecheckRequest {
  state = $state<'rest' | 'waiting' | 'late' | 'done' | 'failed'>('rest');
  changed = $state.raw<CheckDifference | null>(null);
  problem = $state<string | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  /** Requests a check, then polls every second until a newer result is available. */
  async ask(before: QualityAnswer, take: (after: QualityAnswer) => void): Promise<void> {
    this.state = 'waiting';
    const own = { params: { path: { id: before.id } } };
    this.problem = this.changed = null;
    try {
      await client.POST('/records/{id}/check', own);
      const end = Date.now() + mostMillis;
      while (!this.ended && Date.now() < end) {
        await new Promise((resolve) => (this.timer = setTimeout(resolve, everyMillis)));
        if (this.ended) return;
        // Keep polling after network and server errors.
        const after = await unwrapAnswer(client.GET('/records/{id}/quality', own)).catch((error) => (error instanceof ApiError && error.status > 0 && error.status < 500 ? Promise.reject(error) : null));
        if (!after || (after.number ?? 0) <= (before.number ?? 0)) continue;
        this.changed = compareChecks(before, after);
        this.state = 'done';
        take(after);
        return;
      }
      this.state = 'late';
    } catch (error) {
      this.problem = error instanceof ApiError ? error.message : String(error);
      this.state = 'failed';
    }
  }

  stop(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }
}
