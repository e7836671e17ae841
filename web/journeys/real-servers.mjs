// Shows layers of real servers on the map: crawls the given addresses, adds layers of every drawable service and reports
// the results. For local test servers; not part of the tests, which need none.
//
//     node journeys/real-servers.mjs http://127.0.0.1:8080/ [...]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { geotrawlBinary, browserPath, countLayerPixels, waitUntil } from './test-instance.mjs';

const seeds = process.argv.slice(2);
if (!seeds.length) throw new Error('no addresses given; usage: node journeys/real-servers.mjs http://127.0.0.1:8080/');
const layersEach = 2;
const pictures = process.env.JOURNEY_PICTURES;
const data = mkdtempSync(join(tmpdir(), 'geotrawl-real-'));
const port = 18_700;
const url = `http://127.0.0.1:${port}`;
const person = { name: 'ada', password: 'ada-has-a-password' };
const here = ['--data', join(data, 'store'), '--allow-net', '127.0.0.0/8', '--delay', '20'];
writeFileSync(join(data, 'geotrawl.toml'), '[serve]\nproxy = true\nguest_rate = 100000\nuser_rate = 100000\n');

spawnSync(geotrawlBinary, [...here, 'crawl', '--depth', '3', '--max-pages', '300', '--max-seconds', '60', ...seeds], { stdio: ['ignore', 'ignore', 'inherit'] });
spawnSync(geotrawlBinary, [...here, 'user', 'add', person.name, '--password-stdin', '--admin'], { input: `${person.password}\n` });
const server = spawn(geotrawlBinary, [...here, '--config', join(data, 'geotrawl.toml'), '--quiet', 'serve', '--role', 'web', '--listen', `127.0.0.1:${port}`], { stdio: ['ignore', 'ignore', 'inherit'] });
const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
try {
  await waitUntil('the server', () => fetch(`${url}/readyz`).then((answer) => answer.ok).catch(() => false));
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en' })).newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((at) => !at.pathname.startsWith('/login'));
  // With JOURNEY_WHY, print failed requests and console errors.
  if (process.env.JOURNEY_WHY) page.on('response', (answer) => answer.status() >= 400 && console.log(`         ${answer.status()} ${answer.url()}`));
  if (process.env.JOURNEY_WHY) page.on('console', (message) => message.type() === 'error' && console.log(`         ${message.text()}`));
  const records = [];
  await waitUntil('the index', async () => (await (await fetch(`${url}/api/v1/search?limit=0&status=any`)).json()).total > 0);
  for (let offset = 0; ; offset += 100) {
    const { results, total } = await (await fetch(`${url}/api/v1/search?limit=100&offset=${offset}&status=any`)).json();
    records.push(...results);
    if (records.length >= total || !results.length) break;
  }
  const sums = {};
  for (const record of records.sort((a, b) => (a.kind < b.kind ? -1 : 1))) {
    const { results: layers } = await (await fetch(`${url}/api/v1/records/${record.id}/layers?limit=${layersEach}`)).json();
    for (const layer of layers.length ? layers : [null]) {
      const result = await tryLayer(page, record, layer);
      if (result === null) break;
      console.log(`${result.outcome.padEnd(8)} ${record.kind.padEnd(24)} ${record.status.padEnd(10)} ${(result.whole ? '(whole)' : layer.name).slice(0, 30).padEnd(31)} ${record.url}  ${result.words ?? ''}`);
      ((sums[record.kind] ??= {})[result.outcome] ??= []).push(record.url);
      if (result.whole) break;
    }
  }
  console.log(JSON.stringify(sums, (_, value) => (Array.isArray(value) ? value.length : value)));
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}

/** Adds a layer on the page of its service; returns null if its kind is not drawn. */
async function tryLayer(page, record, layer) {
  const [w, s, e, n] = layer?.bbox ?? record.bbox ?? [-180, -60, 180, 75];
  const zoom = Math.max(1, Math.min(13, Math.log2((300 * 360) / 256 / Math.max(0.01, e - w)), Math.log2((250 * 360) / 256 / Math.max(0.01, n - s) / 1.6)));
  await page.goto(`${url}/service/${record.id}?at=${(w + e) / 2},${(s + n) / 2},${zoom.toFixed(2)}`);
  const drawer = page.getByRole('complementary', { name: 'Service' });
  await drawer.getByRole('heading', { level: 1 }).waitFor();
  await drawer.getByRole('button', { name: 'Report an error' }).waitFor();
  const whole = drawer.getByRole('button', { name: 'Add to map', exact: true });
  const one = layer && drawer.getByRole('button', { name: `Add ${layer.title || layer.name} to the map`, exact: true }).first();
  const isWhole = (await whole.count()) > 0;
  if (!isWhole && !(one && (await one.count()))) return null;
  await page.mouse.move(700, 899);
  await (isWhole ? whole : one).press('Enter');
  const card = page.getByRole('region', { name: 'Layers on the map' });
  const alert = card.getByRole('alert');
  let proxied = false;
  let outcome = 'blank';
  let words;
  const end = Date.now() + 25_000;
  while (Date.now() < end) {
    if (await alert.count()) {
      words = (await alert.innerText()).split('\n')[0];
      const through = alert.getByRole('button', { name: 'Load through this server' });
      if (!proxied && (await through.count())) {
        proxied = true;
        await through.click();
        await alert.waitFor({ state: 'detached' }).catch(() => {});
        continue;
      }
      outcome = 'refused';
      break;
    }
    if ((await card.getByText('Asking the service').count()) === 0 && (await countLayerPixels(page)) > 20) {
      outcome = proxied ? 'proxied' : 'drawn';
      words = undefined;
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  if (pictures) await page.screenshot({ path: join(pictures, `${outcome}-${record.kind}-${record.id}.png`) });
  return { outcome, words, whole: isWhole };
}
