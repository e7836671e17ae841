// One answer of the server: not there yet, there, or a problem with a way to ask again.

import { ApiError } from '../lib/api';

export class LoadedAnswer<T> {
  value = $state.raw<T | null>(null);
  problem = $state.raw<ApiError | null>(null);
  busy = $state(false);
  private asked = 0;

  /** Waits for an answer; one that was asked for before and comes later is dropped. */
  async load(answer: Promise<T>): Promise<T | null> {
    const turn = ++this.asked;
    this.busy = true;
    try {
      const value = await answer;
      if (turn !== this.asked) return null;
      this.value = value;
      this.problem = null;
      return value;
    } catch (error) {
      if (turn === this.asked) this.problem = error instanceof ApiError ? error : new ApiError(0, '', String(error));
      return null;
    } finally {
      if (turn === this.asked) this.busy = false;
    }
  }
}

/** Address of a record, and of what hangs on it. */
export const recordPath = (id: string, rest = '') => `/records/${encodeURIComponent(id)}${rest}`;
