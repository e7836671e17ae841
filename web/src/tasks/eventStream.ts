// News of the server, once each and in order. Server-sent events resumed by event id; long polling where a
// proxy or browser does not let them through. A connection counts as good only when its `hello` has come: an
// open one that says nothing (a buffering proxy) is a broken one.

import { unwrapAnswer, client, apiUrl, ApiError } from '../lib/api';

export type ConnectionState = 'connecting' | 'live' | 'catching-up' | 'offline';

export interface StreamEvent {
  /** Place in the store's order; null for what is not kept (live figures). */
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
  /** The task whose events these are; polling needs it. */
  task?: number;
  /** Names of the events wanted. */
  events: string[];
  onNews: (news: StreamEvent) => void;
  onLink?: (link: ConnectionState) => void;
  /** Each time the connection is good (again); `first` is false after a break. */
  onHello?: (seq: number | null, first: boolean) => void;
  /** The server says that this is not (or no longer) for this person. */
  onGone?: (problem: ApiError) => void;
  /** Resume after this one. */
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
/** A poll is answered at the next event, but live figures make no event: ask anew often enough to look alive. */
const POLL_WAIT = 5;
const POLL_PAUSE = 500;
const POLLS_BEFORE_STREAM = 60;

/** Milliseconds before the n-th new attempt: doubling from half a second, spread by half so that a restarted
 * server is not met by all its watchers at once. */
export function retryDelay(failures: number, random: () => number): number {
  const full = Math.min(MAX_RETRY_DELAY, 500 * 2 ** Math.max(0, failures - 1));
  return full / 2 + (full / 2) * random();
}

export interface EventSubscription {
  close(): void;
  /** Tries at once, e.g. when the network is back or the page is looked at again. */
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
        ? // Not a 404: the stream is opened again after a pause.
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
    // From here on a break is resumed, even when nothing has happened yet.
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
        // The first one only asks whether the server is there.
        const answer = await poll(last ?? 0, good === 0 ? 0 : POLL_WAIT, mine.signal);
        if (closed || polling !== mine) return;
        const beginning = last === null;
        if (good === 0) hello(answer.next);
        good += 1;
        // Without a place to resume from, what was before is fetched by others.
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
      // A server that is not there: wait, then try the stream first again.
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
  // `live` has no id of its own, and a browser repeats the last one it saw.
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
