// State of one open task. Events arrive at any rate and are applied at most once per frame.

import { unwrapAnswer, client, ApiError } from '../lib/api';
import { mapControl } from '../lib/mapControl';
import { followEvents, type EventSubscription, type ConnectionState, type StreamEvent } from './eventStream';
import { FindLog, toFindRow, type FindRow } from './findLog';
import { thinSamples, appendLiveSample } from './runHistory';
import { taskOf, type Counters, type FindEvent, type Live, type Sample, type Task, type TaskState } from './types';

const PAGE = 200;
const SHOW_EVERY = 1500;

export class LiveTask {
  task = $state.raw<Task | null>(null);
  live = $state.raw<Live | null>(null);
  history = $state.raw<Sample[]>([]);
  link = $state<ConnectionState>('connecting');
  problem = $state.raw<ApiError | null>(null);
  /** Increases with every change of the finds, so that lists know when to update. */
  version = $state(0);
  /** Older finds are still being loaded. */
  filling = $state(true);

  readonly log = new FindLog();

  private following: EventSubscription | null = null;
  private waitingRows: FindRow[] = [];
  private waitingLive: Live | null = null;
  private frame: number | null = null;
  private closed = false;
  private filledTo = 0;
  private fillingGap: Promise<void> | null = null;
  private again = false;

  constructor(readonly id: number) {}

  private get own() {
    return { params: { path: { id: this.id } } };
  }

  get counters(): Counters | null {
    const task = this.task?.counters ?? null;
    const live = this.live?.counters ?? null;
    // After the end of a run, the task's own counters are final.
    return this.isMoving ? (live ?? task) : (task ?? live);
  }

  get isMoving(): boolean {
    const state = this.task?.state;
    return state === 'running' || state === 'pausing' || state === 'stopping';
  }

  /** The live figures are current, not left over from before the connection was lost. */
  get isNow(): boolean {
    return this.isMoving && this.link === 'live' && this.live !== null;
  }

  async start(): Promise<void> {
    try {
      this.task = await unwrapAnswer(client.GET('/tasks/{id}', this.own)).then(taskOf);
    } catch (error) {
      if (error instanceof ApiError) this.problem = error;
      return;
    }
    if (this.closed) return;
    this.following = followEvents({
      path: `/tasks/${this.id}/events`,
      task: this.id,
      events: ['find', 'state', 'live'],
      onNews: (news) => this.take(news),
      onLink: (link) => (this.link = link),
      // Reload on the first connection too: the task may have started between the request and the subscription.
      onHello: () => {
        void this.fill();
        void this.refresh();
      },
      onGone: (problem) => (this.problem = problem),
    });
    void this.fill();
    void this.loadCourse();
  }

  close(): void {
    this.closed = true;
    this.following?.close();
    if (this.frame !== null) cancelFrame(this.frame);
  }

  retry(): void {
    this.following?.retry();
  }

  /** Applies the server's response to a command of this user. */
  changed(task: Task): void {
    this.task = task;
  }

  async refresh(): Promise<void> {
    try {
      const task = await unwrapAnswer(client.GET('/tasks/{id}', this.own)).then(taskOf);
      if (this.closed) return;
      const newRun = task.run !== this.task?.run;
      this.task = task;
      if (newRun || !this.isMoving) await this.loadCourse();
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 403)) this.problem = error;
    }
  }

  private async loadCourse(): Promise<void> {
    // A task that has never run has no history.
    if (!this.task?.run) return;
    const [history, live] = await Promise.allSettled([
      unwrapAnswer(client.GET('/tasks/{id}/history', this.own)),
      // While the task runs, the stream sends live figures twice a second; before it first runs there are none.
      ['paused', 'stopped', 'finished', 'failed'].includes(this.task.state) ? unwrapAnswer(client.GET('/tasks/{id}/live', this.own)) : null,
    ]);
    if (this.closed) return;
    if (history.status === 'fulfilled') this.history = thinSamples(history.value.samples);
    if (live.status === 'fulfilled' && live.value?.counters) this.live = live.value;
  }

  /** Loads finds that the stream has not sent: all of them at first, those of the gap after a disconnect. */
  private fill(): Promise<void> {
    if (this.fillingGap) {
      this.again = true;
      return this.fillingGap;
    }
    this.fillingGap = this.fillPages().finally(() => {
      this.fillingGap = null;
      if (this.again && !this.closed) {
        this.again = false;
        void this.fill();
      }
    });
    return this.fillingGap;
  }

  private async fillPages(): Promise<void> {
    let shown = 0;
    try {
      for (;;) {
        const page = await unwrapAnswer(client.GET('/tasks/{id}/finds', { params: { ...this.own.params, query: { after: this.filledTo, limit: PAGE } } }));
        if (this.closed) return;
        this.log.add(page.results.map(toFindRow));
        this.filledTo = Math.max(this.filledTo, page.results.at(-1)?.seq ?? 0, page.next ?? 0);
        this.version += 1;
        // Show hosts while the rest is loading, but not after every page of a long list.
        if (this.filling && Date.now() - shown > SHOW_EVERY) {
          shown = Date.now();
          mapControl.showHosts(this.log.hostPoints());
        }
        if (page.next === null || page.next === undefined || page.results.length === 0) break;
      }
      this.filling = false;
      mapControl.showHosts(this.log.hostPoints());
    } catch {
      // The gap is filled when the stream reports that the connection is back.
    }
  }

  private take(news: StreamEvent): void {
    if (news.event === 'find') {
      const find = news.data as FindEvent;
      this.waitingRows.push(toFindRow(news.seq === null ? find : { ...find, seq: news.seq }));
    } else if (news.event === 'live') this.waitingLive = news.data as Live;
    else if (news.event === 'state') {
      const said = news.data as { state: TaskState; run?: number | null };
      if (this.task) this.task = { ...this.task, state: said.state };
      void this.refresh();
    }
    this.frame ??= nextFrame(() => this.flush());
  }

  private flush(): void {
    this.frame = null;
    if (this.closed) return;
    if (this.waitingLive) {
      this.live = this.waitingLive;
      this.history = appendLiveSample(this.history, this.waitingLive);
      this.waitingLive = null;
    }
    if (this.waitingRows.length > 0) {
      const fresh = this.log.add(this.waitingRows);
      this.waitingRows = [];
      if (fresh.length > 0) {
        this.version += 1;
        const shown = fresh.map((row) => this.log.onMap(row)).filter((find) => find !== null);
        if (shown.length > 0) mapControl.addFinds(shown);
      }
    }
  }
}

// A hidden page gets no animation frames; the timer keeps the queue from growing without limit.
function nextFrame(run: () => void): number {
  if (typeof document === 'undefined' || document.visibilityState === 'hidden') return setTimeout(run, 250) as unknown as number;
  return requestAnimationFrame(run);
}

function cancelFrame(frame: number): void {
  clearTimeout(frame);
  if (typeof cancelAnimationFrame !== 'undefined') cancelAnimationFrame(frame);
}
