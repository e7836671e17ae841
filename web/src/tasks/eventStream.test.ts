import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api';
import { retryDelay, followEvents, type EventStreamOptions, type ConnectionState, type StreamEvent, type PollResponse } from './eventStream';

class FakeSource {
  static all: FakeSource[] = [];
  onerror: ((event: Event) => void) | null = null;
  closed = false;
  private listeners = new Map<string, (event: MessageEvent) => void>();
  constructor(readonly url: string) {
    FakeSource.all.push(this);
  }
  static get last(): FakeSource {
    return FakeSource.all.at(-1)!;
  }
  addEventListener(type: string, listener: (event: MessageEvent) => void) {
    this.listeners.set(type, listener);
  }
  close() {
    this.closed = true;
  }
  say(type: string, data: unknown, id = '') {
    this.listeners.get(type)?.({ type, data: typeof data === 'string' ? data : JSON.stringify(data), lastEventId: id } as MessageEvent);
  }
  fail() {
    this.onerror?.(new Event('error'));
  }
}

let news: StreamEvent[];
let links: ConnectionState[];
let hellos: [number | null, boolean][];

function watch(options: Partial<EventStreamOptions> = {}) {
  return followEvents({
    path: '/tasks/7/events',
    events: ['find', 'state', 'live'],
    onNews: (one) => news.push(one),
    onLink: (link) => links.push(link),
    onHello: (seq, first) => hellos.push([seq, first]),
    open: (url) => new FakeSource(url),
    poll: () => Promise.reject(new ApiError(0, '', 'down')),
    random: () => 1,
    ...options,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.all = [];
  news = [];
  links = [];
  hellos = [];
});
afterEach(() => vi.useRealTimers());

describe('the stream', () => {
  it('is live only when the server has said hello', () => {
    const following = watch();
    expect(links).toEqual(['connecting']);
    FakeSource.last.say('hello', { seq: 40 });
    expect(links).toEqual(['connecting', 'live']);
    expect(hellos).toEqual([[40, true]]);
    expect(following.last).toBe(40);
    following.close();
  });

  it('takes each event once and in order, and live figures always', () => {
    const following = watch({ after: 3 });
    expect(FakeSource.last.url).toBe('/api/v1/tasks/7/events?after=3');
    FakeSource.last.say('hello', { seq: 5 });
    FakeSource.last.say('find', { id: 'a' }, '4');
    FakeSource.last.say('find', { id: 'a' }, '4');
    FakeSource.last.say('find', { id: 'old' }, '2');
    // Browsers repeat the last id for events without one.
    FakeSource.last.say('live', { run: 1 }, '4');
    FakeSource.last.say('live', { run: 1 }, '4');
    FakeSource.last.say('state', { state: 'finished' }, '5');
    expect(news.map((one) => [one.event, one.seq])).toEqual([['find', 4], ['live', null], ['live', null], ['state', 5]]);
    following.close();
  });

  it('ignores what is not JSON', () => {
    const following = watch();
    FakeSource.last.say('hello', 'broken');
    FakeSource.last.say('find', '{"id":', '9');
    expect(hellos).toEqual([[null, true]]);
    expect(news).toEqual([]);
    following.close();
  });

  it('resumes after the last event, quietly', () => {
    const following = watch();
    FakeSource.last.say('hello', { seq: 10 });
    FakeSource.last.say('find', { id: 'a' }, '11');
    const first = FakeSource.last;
    first.fail();
    expect(first.closed).toBe(true);
    expect(links.at(-1)).toBe('catching-up');
    vi.advanceTimersByTime(500);
    expect(FakeSource.last.url).toContain('after=11');
    FakeSource.last.say('hello', { seq: 13 });
    FakeSource.last.say('find', { id: 'a' }, '11');
    FakeSource.last.say('find', { id: 'b' }, '12');
    // Late events of the old connection are ignored.
    first.say('find', { id: 'x' }, '99');
    expect(news.map((one) => one.seq)).toEqual([11, 12]);
    expect(hellos.at(-1)).toEqual([13, false]);
    expect(links.at(-1)).toBe('live');
    following.close();
  });

  it('resumes from where it began when nothing had happened before the break', () => {
    const following = watch();
    FakeSource.last.say('hello', { seq: 10 });
    FakeSource.last.fail();
    vi.advanceTimersByTime(500);
    expect(FakeSource.last.url).toContain('after=10');
    following.close();
  });

  it('is taken for broken when it opens and says nothing', async () => {
    const following = watch();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeSource.all[0]!.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSource.all.length).toBe(2);
    following.close();
  });

  it('goes on trying, ever slower, and says that there is no connection', async () => {
    const following = watch();
    FakeSource.last.say('hello', { seq: 1 });
    for (let i = 0; i < 6; i += 1) {
      FakeSource.last.fail();
      await vi.advanceTimersByTimeAsync(31_000);
    }
    expect(links.at(-1)).toBe('offline');
    FakeSource.last.say('hello', { seq: 1 });
    expect(links.at(-1)).toBe('live');
    following.close();
  });

  it('makes no sound after closing', async () => {
    const following = watch();
    const source = FakeSource.last;
    following.close();
    source.say('find', { id: 'a' }, '3');
    source.fail();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(news).toEqual([]);
    expect(FakeSource.all.length).toBe(1);
  });
});

describe('long polling', () => {
  const answers = (queue: PollResponse[]) => {
    const asked: [number, number][] = [];
    const poll = (after: number, wait: number) => {
      asked.push([after, wait]);
      return queue.length > 0 ? Promise.resolve(queue.shift()!) : new Promise<PollResponse>(() => {});
    };
    return { asked, poll };
  };

  it('takes over when the stream does not come through, without losing or doubling', async () => {
    const { asked, poll } = answers([
      { events: [{ seq: 11, event: 'find', data: { id: 'a' } }], live: { run: 1 }, next: 11 },
      { events: [{ seq: 11, event: 'find', data: { id: 'a' } }, { seq: 12, event: 'find', data: { id: 'b' } }], next: 12 },
    ]);
    const following = watch({ after: 10, poll });
    FakeSource.last.fail();
    await vi.advanceTimersByTimeAsync(500);
    FakeSource.last.fail();
    await vi.advanceTimersByTimeAsync(2000);
    expect(links.at(-1)).toBe('live');
    expect(asked[0]).toEqual([10, 0]);
    expect(asked.slice(1).map(([after]) => after)).toEqual([11, 12]);
    expect(news.map((one) => [one.event, one.seq])).toEqual([['find', 11], ['live', null], ['find', 12]]);
    following.close();
  });

  it('is all there is without EventSource', async () => {
    const { asked, poll } = answers([{ events: [{ seq: 3, event: 'find', data: {} }], next: 3 }]);
    const following = watch({ open: null, poll });
    await vi.advanceTimersByTimeAsync(1000);
    // Earlier finds are loaded as a list, not replayed as events.
    expect(news).toEqual([]);
    expect(hellos).toEqual([[3, true]]);
    expect(asked.at(-1)![0]).toBe(3);
    following.close();
  });

  it('opens the stream again where there is nothing to poll', async () => {
    const gone = vi.fn();
    const following = watch({ path: '/events', task: undefined, poll: undefined, onGone: gone });
    FakeSource.last.fail();
    await vi.advanceTimersByTimeAsync(500);
    FakeSource.last.fail();
    const opened = FakeSource.all.length;
    await vi.advanceTimersByTimeAsync(2000);
    expect(FakeSource.all.length).toBeGreaterThan(opened);
    FakeSource.last.say('hello', { seq: 1 });
    expect(links.at(-1)).toBe('live');
    expect(gone).not.toHaveBeenCalled();
    following.close();
  });

  it('ends when the task is not for this person', async () => {
    const gone = vi.fn();
    watch({ poll: () => Promise.reject(new ApiError(404, 'Not found', 'There is no such task.')), onGone: gone });
    FakeSource.last.fail();
    await vi.advanceTimersByTimeAsync(500);
    FakeSource.last.fail();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gone).toHaveBeenCalledOnce();
    expect(FakeSource.all.length).toBe(2);
  });
});

describe('waiting', () => {
  it('doubles to half a minute, spread by half', () => {
    expect([1, 2, 3, 20].map((n) => retryDelay(n, () => 1))).toEqual([500, 1000, 2000, 30_000]);
    expect(retryDelay(3, () => 0)).toBe(1000);
  });
});
