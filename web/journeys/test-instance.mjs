// Test environment of journeys: the built binary, a simulated web and a browser. Everything uses loopback, free ports and
// a temporary directory. With GEOTRAWL_JOURNEY_STORE=postgres the catalogue is in a temporary
// database.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { missingDatabase, usesPostgres, skipOrFail, startDatabase } from './database.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const geotrawlBinary = process.env.GEOTRAWL_BIN ?? join(root, 'target', 'debug', 'geotrawl');
const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

export function browserPath() {
  const paths = (process.env.PATH ?? '').split(':');
  return browserNames.flatMap((name) => paths.map((path) => join(path, name))).find((path) => existsSync(path));
}

/** Returns why journeys are skipped, or false. Throws if a tool is missing, unless GEOTRAWL_ALLOW_SKIPS=1. */
export function missingTools() {
  return browserPath() ? missingDatabase() : skipOrFail('Chromium', 'run `make browser`');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Repeats `ask` until it returns a truthy value, for up to `seconds`. */
export async function waitUntil(what, ask, seconds = 120) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const visibleText = (scope, text, options) => scope.getByText(text, options).filter({ visible: true }).first();

/** Waits until a text is visible, once or several times: a notice may repeat what a list says. */
export const waitForText = (scope, text, options) => visibleText(scope, text, options).waitFor();

/** Waits until a text is no longer visible anywhere. */
export const waitForTextGone = (scope, text) => visibleText(scope, text).waitFor({ state: 'detached' });

async function waitForAnswer(url) {
  await waitUntil(`an answer of ${url}`, async () => {
    try {
      return (await fetch(url)).ok;
    } catch {
      return false;
    }
  });
}

// Locations of the simulated hosts: local addresses that the test assigns to cities.
const cities = [
  ['DE', 'Bonn', 50.73, 7.1],
  ['NL', 'Utrecht', 52.09, 5.12],
  ['PL', 'Kraków', 50.06, 19.94],
  ['FI', 'Oulu', 65.01, 25.47],
  ['ES', 'Valencia', 39.47, -0.38],
  ['US', 'Denver', 39.74, -104.99],
  ['BR', 'Recife', -8.05, -34.88],
  ['ZA', 'Durban', -29.86, 31.02],
  ['IN', 'Pune', 18.52, 73.86],
  ['AU', 'Perth', -31.95, 115.86],
];
const addressOf = (city) => `127.77.${city}.1`;

/** A simulated web, a catalogue directory with people in it, and a server that can be stopped and started. */
export class TestInstance {
  /**
   * `others` are hosts beside the simulated web: patterns of names with their ports on this machine. Unless it `checks`,
   * the server lets the catalogue rest after a crawl: each check of a service may change the order of what is found, and
   * with it what a page shows that is loaded a little later.
   */
  static async start({ hosts = 40, seed = 7, delay = 15, others = {}, checks = false } = {}) {
    const instance = new TestInstance();
    instance.delay = delay;
    instance.roles = ['web', 'worker', ...(checks ? ['monitor'] : [])];
    instance.others = others;
    instance.data = mkdtempSync(join(tmpdir(), 'geotrawl-journey-'));
    instance.webPort = await freePort();
    instance.port = await freePort();
    if (usesPostgres) instance.database = await startDatabase(await freePort());
    instance.url = `http://127.0.0.1:${instance.port}`;
    instance.truth = join(instance.data, 'truth.json');
    const listen = ['--listen', `127.0.0.1:${instance.webPort}`];
    instance.simulated = instance.spawnBinary(['simweb', '--seed', `${seed}`, '--hosts', `${hosts}`, ...listen, '--truth', instance.truth]);
    await waitUntil('the simulated web', () => {
      if (instance.simulated.exitCode !== null) throw new Error('the simulated web ended at once (see above)');
      return existsSync(instance.truth) && instance.seeds().length > 0;
    });
    await instance.placeHosts();
    for (const [name, admin] of [['ada', true], ['ben', false], ['cleo', false]]) instance.addUser(name, admin);
    await instance.startServer();
    return instance;
  }

  /** Returns the environment of the binary, which selects the store. */
  env() {
    const { GEOTRAWL_STORE: _, ...others } = process.env;
    return this.database ? { ...others, GEOTRAWL_STORE: this.database.url } : others;
  }

  spawnBinary(args) {
    const child = spawn(geotrawlBinary, ['--data', join(this.data, 'store'), '--quiet', ...args], { env: this.env(), stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      const said = text.split('\n').filter((line) => line.trim() && !/^(The simulated web answers|  geotrawl crawl)/.test(line));
      if (said.length) process.stderr.write(`${said.join('\n')}\n`);
    });
    child.once('error', (error) => console.error(`${geotrawlBinary} cannot be started: ${error.message}; run \`cargo build\` first`));
    return child;
  }

  /** Gives the hosts locations: each domain also responds at the address of a city (on Linux, where 127/8 is local). */
  async placeHosts() {
    this.gates = [];
    for (const city of cities.keys()) {
      const gate = createServer((caller) => {
        const web = connect(this.webPort, '127.0.0.1');
        caller.on('error', () => web.destroy());
        web.on('error', () => caller.destroy());
        caller.pipe(web).pipe(caller);
      });
      this.gates.push(gate);
      await new Promise((resolve) => gate.once('error', resolve).listen(this.webPort, addressOf(city), resolve));
    }
    const hosts = new Set([...readFileSync(this.truth, 'utf8').matchAll(/"https?:\/\/([^/:"?]+)/g)].map((found) => found[1]));
    const domains = [...new Set([...hosts].map((host) => host.split('.').slice(-2).join('.')))].sort();
    this.pins = domains.flatMap((domain, at) => (this.gates[at % cities.length].listening ? ['--resolve', `*.${domain}=${addressOf(at % cities.length)}:${this.webPort}`] : []));
    const table = join(this.data, 'places.csv');
    writeFileSync(table, cities.map(([country, name, lat, lon], city) => `${addressOf(city)}/32,${country},${name},${lat},${lon}\n`).join(''));
    this.config = join(this.data, 'geotrawl.toml');
    // The simulated web is on this machine, so the proxy of the server can load its layers.
    writeFileSync(this.config, `[serve]\nproxy = true\nguest_rate = 100000\nuser_rate = 100000\nplace_table = ${JSON.stringify(table)}\n`);
  }

  seeds() {
    try {
      return JSON.parse(readFileSync(this.truth, 'utf8')).seeds;
    } catch {
      return [];
    }
  }

  /** Returns the password of a user, which is derived from the name. */
  password(name) {
    return `${name}-has-a-password`;
  }

  addUser(name, admin) {
    const args = ['--data', join(this.data, 'store'), 'user', 'add', name, '--password-stdin', ...(admin ? ['--admin'] : [])];
    const done = spawnSync(geotrawlBinary, args, { env: this.env(), input: `${this.password(name)}\n` });
    if (done.status !== 0) throw new Error(`user add: ${done.stderr}`);
  }

  async startServer() {
    const others = Object.entries(this.others).flatMap(([names, port]) => ['--resolve', `${names}=127.0.0.1:${port}`]);
    const web = [...others, ...this.pins, '--resolve', `*=127.0.0.1:${this.webPort}`, '--delay', `${this.delay}`, '--timeout', '8'];
    this.server = this.spawnBinary(['--config', this.config, ...web, 'serve', '--role', this.roles.join(','), '--listen', `127.0.0.1:${this.port}`]);
    await waitForAnswer(`${this.url}/healthz`);
  }

  async stopServer(signal = 'SIGTERM') {
    await end(this.server, signal);
  }

  /** Returns the API session of a user, one per user: a new one for each request would displace those of the pages. */
  async session(name) {
    this.sessions ??= {};
    this.sessions[name] ??= fetch(`${this.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, password: this.password(name) }),
    }).then(async (login) => ({ cookie: login.headers.get('set-cookie').split(';')[0], 'x-csrf-token': (await login.json()).csrf }));
    return this.sessions[name];
  }

  /** Calls the API directly as a user (or as a guest). */
  async api(name, method, path, body) {
    const headers = { 'content-type': 'application/json', ...(name ? await this.session(name) : {}) };
    const answer = await fetch(`${this.url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  /** Crawls nearly all of the simulated web (the last pages never respond) and waits until the results are indexed. */
  async crawlAll() {
    const max_pages = Math.round(JSON.parse(readFileSync(this.truth, 'utf8')).reachable_pages * 0.95);
    return this.crawl({ title: 'Maps of the simulated web', seeds: this.seeds(), depth: 12, max_pages });
  }

  /** Runs a task to its end and waits until the results are indexed. */
  async crawl(wanted) {
    const spec = { scope: 'any', public: true, start: true, ...wanted };
    const task = await this.api('ada', 'POST', '/tasks', spec);
    await waitUntil('the end of the crawl', async () => {
      const { state } = await this.api(null, 'GET', `/tasks/${task.id}`);
      return ['finished', 'failed', 'stopped'].includes(state);
    }, 240);
    await waitUntil('the index', async () => {
      const { index } = await this.api('ada', 'GET', '/system');
      return index.behind === 0 && (await this.api(null, 'GET', '/search?limit=0')).total > 0;
    });
    return task;
  }

  async stop() {
    await end(this.server, 'SIGTERM');
    for (const gate of this.gates ?? []) gate.close();
    await end(this.simulated, 'SIGTERM');
    await this.database?.stop();
    rmSync(this.data, { recursive: true, force: true });
  }
}

function end(child, signal) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
}

/** Opens a browser whose pages record every error. */
export async function openBrowser(instance) {
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--force-color-profile=srgb',
      // Hosts of the simulated web resolve here; everything else is this machine or fails.
      `--host-resolver-rules=${Object.entries(instance.others ?? {}).map(([names, port]) => `MAP ${names} 127.0.0.1:${port},`).join('')}MAP * 127.0.0.1:${instance.webPort},EXCLUDE 127.0.0.1`,
    ],
  });
  const pageErrors = [];
  return {
    pageErrors,
    async page(options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        locale: 'en',
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('console', (message) => {
        if (message.type() === 'error') pageErrors.push(`${page.url()}: ${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => pageErrors.push(`${page.url()}: ${error.message}`));
      return page;
    },
    /** Closes the browser. With JOURNEY_PICTURES set to a folder, saves a last screenshot of every page for debugging. */
    async close() {
      const folder = process.env.JOURNEY_PICTURES;
      const pages = folder ? browser.contexts().flatMap((context) => context.pages()) : [];
      for (const [at, page] of pages.entries()) await page.screenshot({ path: join(folder, `last-${at}.png`) }).catch(() => {});
      await browser.close();
    },
  };
}

export async function logIn(page, instance, name) {
  await page.goto(`${instance.url}/login`);
  await page.getByLabel('Name', { exact: false }).first().fill(name);
  await page.getByLabel('Password', { exact: false }).first().fill(instance.password(name));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/** Drags with the mouse from one pixel of the window to another. */
export async function dragOnMap(page, [fromX, fromY], [toX, toY]) {
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move((fromX + toX) / 2, (fromY + toY) / 2);
  await page.mouse.move(toX, toY);
  await page.mouse.up();
}

/** Reads one of the main counters of a page by its name. */
export async function readNumber(page, name) {
  const text = await page.locator('dl div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) }).locator('dd').first().innerText();
  return Number(text.replace(/[^\d.]/g, ''));
}

/** Checks that a record is of an ordinary host: the order of others depends on how fast their hosts were. */
export const isWellBehaved = (record) => !record.host.name.endsWith('.hostile.test');

/** Asserts that no page reported an error, except those that match `allowed`. */
export function assertNoErrors(browser, allowed = []) {
  const left = browser.pageErrors.filter((error) => !allowed.some((one) => one.test(error)));
  browser.pageErrors.length = 0;
  assert.deepEqual(left, []);
}

/** Waits until the map reports that everything is loaded, and two screenshots in a row are equal. */
export async function waitForSettledMap(page) {
  const busy = page.locator('.map[aria-busy=true]');
  await page.locator('.map canvas').first().waitFor({ state: 'attached' });
  let last = null;
  await waitUntil('a map at rest', async () => {
    const now = (await busy.count()) === 0 ? await mapScreenshot(page) : null;
    const same = now !== null && last !== null && now.equals(last);
    last = now;
    return same;
  });
}

/** Takes a screenshot of the map between the panel and the drawer; `y` excludes a covered upper part. */
export function mapScreenshot(page, y = 60) {
  return page.screenshot({ clip: { x: 520, y, width: 360, height: 760 - y } });
}

/** Waits until two pages show the same map; with JOURNEY_PICTURES set, saves both if they stay different. */
export async function waitForSameMap(what, page, other) {
  // Remove hover and focus, which highlight things.
  for (const one of [page, other]) {
    await one.mouse.move(700, 899);
    await one.evaluate(() => document.activeElement?.blur());
  }
  await waitForSettledMap(page);
  try {
    await waitUntil(what, async () => (await countDifferentPixels(page, await mapScreenshot(page), await mapScreenshot(other))) < 500);
  } catch (error) {
    const folder = process.env.JOURNEY_PICTURES;
    for (const [name, one] of Object.entries({ page, other })) if (folder) await one.screenshot({ path: join(folder, `different-${name}.png`) });
    throw new Error(`${error.message}: ${page.url()} and ${other.url()}`);
  }
}

/** Counts the pixels that a layer paints, by making the only layer on the map invisible. */
export async function countLayerPixels(page) {
  // The list of layers covers the upper part of the map.
  const look = () => mapScreenshot(page, 290);
  const slider = page.getByRole('region', { name: 'Layers on the map' }).getByRole('slider');
  await waitForSettledMap(page);
  const shown = await look();
  await slider.fill('0');
  const hidden = await look();
  await slider.fill('100');
  return countDifferentPixels(page, shown, hidden);
}

/** Counts the pixels that differ between two screenshots. */
export function countDifferentPixels(page, one, other) {
  return page.evaluate(async (pictures) => {
    const pixels = [];
    for (const picture of pictures) {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      pixels.push(context.getImageData(0, 0, image.width, image.height).data);
    }
    let different = 0;
    for (let at = 0; at < pixels[0].length; at += 4) {
      if ([0, 1, 2].some((channel) => Math.abs(pixels[0][at + channel] - pixels[1][at + channel]) > 8)) different += 1;
    }
    return different;
  }, [one.toString('base64'), other.toString('base64')]);
}
