// Receives events of the server, each once and in order. Uses server-sent events, resumed by event id, and long
// polling where a proxy or browser blocks them. A connection is considered good only after its `hello`: an open
// connection that sends nothing (a buffering proxy) is treated as broken.

import { unwrapAnswer, client, apiUrl, ApiError } from '../lib/api';

export type ConnectionState = 'connecting' | 'live' | 'catching-up' | 'offline';

export interface StreamEvent {
  /** Sequence number in the store; null for events that are not stored (live figures). */
  seq: number | null;
  event: string;
  data: unknown;
}

export interface PollResponse {
  events: { seq: number; event: string; data: unknown }[];
  live?: unknown;
  next: number;
}

interface EventSourceLike {
  addEventListener(type: string, listener: (event: MessageEvent) => void): void;
  onerror: ((event: Event) => void) | null;
  close(): void;
}

export interface EventStreamOptions {
  /** Path of the stream below the API, e.g. `/tasks/7/events`. */
  path: string;
  /** Task of the stream; required for polling. */
  task?: number;
  /** Names of the events to subscribe to. */
  events: string[];
  onNews: (news: StreamEvent) => void;
  onLink?: (link: ConnectionState) => void;
  /** Called each time the connection is established; `first` is false after an interruption. */
  onHello?: (seq: number | null, first: boolean) => void;
  /** Called when the server refuses access or no longer has the resource. */
  onGone?: (problem: ApiError) => void;
  /** Sequence number to resume after. */
  after?: number;
  /** Replaced in tests. */
  open?: ((url: string) => EventSourceLike) | null;
  poll?: (after: number, wait: number, signal: AbortSignal) => Promise<PollResponse>;
  random?: () => number;
}

const HELLO_TIMEOUT = 10_000;
const FAILURES_BEFORE_POLLING = 2;
const FAILURES_BEFORE_OFFLINE = 4;
const MAX_RETRY_DELAY = 30_000;
/** A poll returns at the next event, but live figures create no event: poll often enough to look live. */
const POLL_WAIT = 5;
const POLL_PAUSE = 500;
const POLLS_BEFORE_STREAM = 60;

/** Returns the delay in milliseconds before the n-th retry: doubles from half a second, with 50 % jitter so that not
 * all clients reconnect at once when the server restarts. */
export function retryDelay(failures: number, random: () => number): number {
  const full = Math.min(MAX_RETRY_DELAY, 500 * 2 ** Math.max(0, failures - 1));
  return full / 2 + (full / 2) * random();
}

export interface EventSubscription {
  close(): void;
  /** Reconnects at once, e.g. when the network is back or the page becomes visible. */
  retry(): void;
  readonly last: number | null;
}

export function followEvents(options: EventStreamOptions): EventSubscription {
  const random = options.random ?? Math.random;
  const open = options.open === undefined ? platformSource() : options.open;
  const poll =
    options.poll ??
    ((after, wait, signal) =>
      options.task === undefined
        ? // Status 0 rather than 404, so that the stream is retried after a delay.
          Promise.reject(new ApiError(0, '', 'Only the events of one task can be polled.'))
        : unwrapAnswer(client.GET('/tasks/{id}/events/poll', { params: { path: { id: options.task }, query: { after, wait } }, signal })));

  let last: number | null = options.after ?? null;
  let closed = false;
  let greeted = false;
  let failures = 0;
  let link: ConnectionState | null = null;
  let source: EventSourceLike | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let polling: AbortController | null = null;

  const say = (next: ConnectionState) => {
    if (closed || next === link) return;
    link = next;
    options.onLink?.(next);
  };

  const stopAll = () => {
    clearTimeout(timer);
    if (source) source.onerror = null;
    source?.close();
    source = null;
    polling?.abort();
    polling = null;
  };

  const hello = (seq: number | null) => {
    failures = 0;
    const first = !greeted;
    greeted = true;
    // From now on a break can be resumed, even if no event has arrived yet.
    if (last === null && seq !== null) last = seq;
    options.onHello?.(seq, first);
    say('live');
  };

  const take = (news: StreamEvent) => {
    if (closed) return;
    if (news.seq !== null) {
      if (last !== null && news.seq <= last) return;
      last = news.seq;
    }
    options.onNews(news);
  };

  const broken = () => {
    if (closed) return;
    stopAll();
    failures += 1;
    say(failures >= FAILURES_BEFORE_OFFLINE ? 'offline' : greeted ? 'catching-up' : 'connecting');
    if (failures >= FAILURES_BEFORE_POLLING) void startPolling();
    else wait();
  };

  const wait = () => {
    timer = setTimeout(connect, retryDelay(failures, random));
  };

  const connect = () => {
    if (closed) return;
    stopAll();
    if (!open) {
      void startPolling();
      return;
    }
    say(greeted ? (link === 'offline' ? 'offline' : 'catching-up') : link === 'offline' ? 'offline' : 'connecting');
    let opened: EventSourceLike;
    try {
      opened = open(apiUrl(options.path, { after: last }));
    } catch {
      broken();
      return;
    }
    source = opened;
    timer = setTimeout(broken, HELLO_TIMEOUT);
    opened.onerror = () => source === opened && broken();
    opened.addEventListener('hello', (event) => {
      if (source !== opened) return;
      clearTimeout(timer);
      const said = parse(event.data) as { seq?: number } | undefined;
      hello(typeof said?.seq === 'number' ? said.seq : null);
    });
    for (const name of options.events)
      opened.addEventListener(name, (event) => {
        if (source !== opened) return;
        const data = parse(event.data);
        if (data !== undefined) take({ seq: eventId(event), event: name, data });
      });
  };

  const startPolling = async () => {
    const mine = new AbortController();
    polling = mine;
    let good = 0;
    try {
      while (!closed && polling === mine) {
        // The first poll only checks whether the server is available.
        const answer = await poll(last ?? 0, good === 0 ? 0 : POLL_WAIT, mine.signal);
        if (closed || polling !== mine) return;
        const beginning = last === null;
        if (good === 0) hello(answer.next);
        good += 1;
        // Without a sequence number to resume from, earlier events are loaded as a list elsewhere.
        if (!beginning) for (const event of answer.events) if (options.events.includes(event.event)) take(event);
        if (last === null || answer.next > last) last = answer.next;
        if (answer.live && options.events.includes('live')) take({ seq: null, event: 'live', data: answer.live });
        if (open && good >= POLLS_BEFORE_STREAM) {
          connect();
          return;
        }
        if (answer.events.length === 0) await pause(POLL_PAUSE, mine.signal);
      }
    } catch (error) {
      if (closed || polling !== mine) return;
      polling = null;
      if (error instanceof ApiError && (error.status === 401 || error.status === 403 || error.status === 404)) {
        say('offline');
        closed = true;
        stopAll();
        options.onGone?.(error);
        return;
      }
      // The server is not available: wait, then try the stream first.
      if (good > 0 || !open) failures += 1;
      say(failures >= FAILURES_BEFORE_OFFLINE ? 'offline' : greeted ? 'catching-up' : 'connecting');
      wait();
    }
  };

  const retry = () => {
    if (closed || link === 'live') return;
    connect();
  };

  connect();
  const unlisten = listenToNetwork(retry, () => {
    if (link === 'live') return;
    say('offline');
  });

  return {
    close() {
      closed = true;
      stopAll();
      unlisten();
    },
    retry,
    get last() {
      return last;
    },
  };
}

function platformSource(): ((url: string) => EventSourceLike) | null {
  return typeof EventSource === 'undefined' ? null : (url) => new EventSource(url) as unknown as EventSourceLike;
}

function eventId(event: MessageEvent): number | null {
  // `live` has no id; browsers repeat the last one received.
  if (event.type === 'live' || event.type === 'catalogue' || !event.lastEventId) return null;
  const seq = Number(event.lastEventId);
  return Number.isFinite(seq) ? seq : null;
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}

function listenToNetwork(back: () => void, lost: () => void): () => void {
  if (typeof window === 'undefined') return () => {};
  const seen = () => document.visibilityState === 'visible' && back();
  window.addEventListener('online', back);
  window.addEventListener('offline', lost);
  document.addEventListener('visibilitychange', seen);
  return () => {
    window.removeEventListener('online', back);
    window.removeEventListener('offline', lost);
    document.removeEventListener('visibilitychange', seen);
  };
}
