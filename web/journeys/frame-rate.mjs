// Measures frame times of a task page while ten thousand finds arrive, then while scrolling and while moving the map. Not
// part of the tests: the results depend on the machine.
//
// The server and its task are real; a relay in front of it adds more finds to the task's stream than a simulated web has.
// Measures the page: the time between frames, and long tasks of its scripts.
//
//     node journeys/frame-rate.mjs [number of finds, default 10000] [CPU slowdown factor, default 1]

import { createServer, request } from 'node:http';
import { TestInstance, openBrowser, waitUntil } from './test-instance.mjs';

const finds = Number(process.argv[2] ?? 10_000);
const slowdown = Number(process.argv[3] ?? 1);
const findsPerSecond = 400;
const kinds = ['wms', 'wfs', 'wmts', 'ogcapi-features', 'arcgis-mapserver', 'stac-api', 'kml', 'geojson', 'cog', 'opendap'];

/** Creates a find on one of 400 hosts all over the world, linked from a page of another host. */
function find(n) {
  const host = (at) => ({ name: `host${at}.example`, lat: ((at * 37) % 130) - 60, lon: ((at * 73) % 340) - 170, country: 'CH' });
  const at = (n * 7) % 400;
  return { seq: 1_000_000 + n, id: `find-${n}`, kind: kinds[n % kinds.length], url: `http://host${at}.example/geo/${n}`, title: `Service number ${n}`, status: 'alive', host: host(at), dataset_count: 3, page: `http://host${(at + 11) % 400}.example/maps/${n}.html`, depth: n % 5 };
}

/** Forwards all requests; adds finds to task streams once `flow` is called. */
function relay(to) {
  let sent = 0;
  let flowing = false;
  const streams = new Set();
  const server = createServer((asked, answered) => {
    const onward = request({ host: '127.0.0.1', port: to, path: asked.url, method: asked.method, headers: asked.headers }, (answer) => {
      answered.writeHead(answer.statusCode, answer.headers);
      answer.pipe(answered);
      if (!/\/tasks\/\d+\/events$/.test(asked.url.split('?')[0])) return;
      streams.add(answered);
      answered.on('close', () => streams.delete(answered));
    });
    onward.on('error', () => answered.destroy());
    asked.pipe(onward);
  });
  const timer = setInterval(() => {
    if (!flowing) return;
    const until = Math.min(finds, sent + findsPerSecond / 20);
    for (; sent < until; sent++) for (const stream of streams) stream.write(`event: find\nid: ${1_000_000 + sent}\ndata: ${JSON.stringify(find(sent))}\n\n`);
  }, 50);
  return { server, flow: () => (flowing = true), done: () => sent >= finds, close: () => (clearInterval(timer), server.close(), server.closeAllConnections()) };
}

/** Records frames until stopped; returns the times between them and the long tasks. */
const startWatching = (page) =>
  page.evaluate(() => {
    const frames = [];
    const long = [];
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ type: 'longtask' });
    let last = performance.now();
    let on = true;
    const frame = (now) => {
      frames.push(now - last);
      last = now;
      if (on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.stopWatching = () => {
      on = false;
      observer.disconnect();
      return { frames: frames.slice(2), long };
    };
  });

async function reportFrames(page, what) {
  const { frames, long } = await page.evaluate(() => window.stopWatching());
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  const seconds = frames.reduce((sum, one) => sum + one, 0) / 1000;
  const late = frames.filter((one) => one > 25).length;
  console.log(`${what}: ${(frames.length / seconds).toFixed(1)} frames a second; between two p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, at most ${at(1)} ms; ${((100 * late) / frames.length).toFixed(1)} % late; ${long.length} tasks over 50 ms (longest ${Math.max(0, ...long).toFixed(0)} ms)`);
}

const instance = await TestInstance.start({ delay: 200 });
const between = relay(instance.port);
await new Promise((resolve) => between.server.listen(0, '127.0.0.1', resolve));
const browser = await openBrowser(instance);
try {
  const task = await instance.api('ada', 'POST', '/tasks', { title: 'Much is found', seeds: instance.seeds(), depth: 12, scope: 'any', public: true, start: true });
  const page = await browser.page({ reducedMotion: 'no-preference' });
  await page.goto(`http://127.0.0.1:${between.server.address().port}/tasks/${task.id}`);
  await page.locator('.map canvas').first().waitFor({ state: 'attached' });
  await waitUntil('a find of the crawl', async () => (await page.locator('a[href^="/service/"]').count()) > 0);
  await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  console.log(`${finds} finds, ${findsPerSecond} a second, beside a running crawl; processor ${slowdown === 1 ? 'as it is' : `${slowdown} times slower`}`);
  await startWatching(page);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  await reportFrames(page, 'nothing but the crawl');

  await startWatching(page);
  between.flow();
  await waitUntil('all finds', () => between.done(), 120);
  await reportFrames(page, 'while they come in');
  await waitUntil('the last one in the list', async () => (await page.getByText(`Service number ${finds - 1}`, { exact: true }).count()) > 0, 20);

  const list = page.getByRole('group', { name: 'Found' });
  const box = await list.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await startWatching(page);
  for (let n = 0; n < 120; n++) await page.mouse.wheel(0, 400);
  await reportFrames(page, 'scrolling through them');

  await page.mouse.move(700, 200);
  await startWatching(page);
  await page.mouse.down();
  for (let n = 0; n < 120; n++) await page.mouse.move(700 + 150 * Math.sin(n / 8), 200 + 80 * Math.cos(n / 8));
  await page.mouse.up();
  await reportFrames(page, 'moving the map');
  if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: `${process.env.JOURNEY_PICTURES}/frames.png` });
} finally {
  await browser.close();
  between.close();
  await instance.stop();
}
