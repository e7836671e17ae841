// State of one request: loading, loaded or failed, with a way to retry.

import { ApiError } from '../lib/api';

export class LoadedAnswer<T> {
  value = $state.raw<T | null>(null);
  problem = $state.raw<ApiError | null>(null);
  busy = $state(false);
  private asked = 0;

  /** Waits for a response; drops responses of earlier requests that arrive later. */
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

/** Returns the API path of a record or of a resource below it. */
export const recordPath = (id: string, rest = '') => `/records/${encodeURIComponent(id)}${rest}`;
