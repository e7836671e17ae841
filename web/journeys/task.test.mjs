// The whole life of a task, through the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dragOnMap, Ground, logIn, noFaults, noGround, number, openBrowser, reads, until } from './ground.mjs';

const skip = noGround();
let ground;
let browser;
before(async () => {
  if (skip) return;
  ground = await Ground.lay({ delay: 120 });
  browser = await openBrowser(ground);
});
after(async () => {
  await browser?.close();
  await ground?.clear();
});

test('the whole life of a task', { skip }, async () => {
  const page = await browser.page();
  await logIn(page, ground, 'ben');

  // The catalogue holds something, so that the form can say so.
  const first = await ground.api('ada', 'POST', '/tasks', { title: 'Before', seeds: ground.seeds(), depth: 3, max_pages: 60, scope: 'any', start: true });
  await until('the first task', async () => (await ground.api('ada', 'GET', `/tasks/${first.id}`)).state === 'finished');
  const word = await until('the index', async () => {
    const { results } = await ground.api(null, 'GET', '/search?limit=20');
    return results.flatMap((one) => (one.title ?? '').split(/\P{L}+/u)).find((part) => part.length > 4);
  });

  await page.goto(`${ground.url}/tasks`);
  await page.getByRole('link', { name: 'New task' }).first().click();
  await page.getByRole('heading', { name: 'New task' }).waitFor();

  // Nothing starts half-filled: the form says what is missing, where it is missing.
  await page.getByRole('button', { name: 'Start now' }).click();
  await reads(page, 'Enter a title.');
  await reads(page, 'Enter at least one address');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')), 'true');

  await page.getByLabel('Title').fill('Flood maps of the simulated web');
  const held = page.getByRole('region', { name: 'Already in the catalogue' });
  await page.getByLabel('Keywords').fill(word);
  await page.getByLabel('Keywords').press('Enter');
  await held.getByRole('listitem').first().waitFor();
  await page.getByRole('button', { name: `Remove ${word}` }).waitFor();

  await page.getByRole('button', { name: 'Draw on map' }).click();
  await reads(page, 'Drag a rectangle, or click two corners');
  await dragOnMap(page, [620, 200], [1300, 640]);
  const area = await until('an area', async () => (await page.getByLabel('Area').inputValue()) || null);
  assert.equal(area.split(',').length, 4, area);
  await page.getByRole('button', { name: 'Clear' }).click();
  assert.equal(await page.getByLabel('Area').inputValue(), '');
  await page.getByRole('button', { name: 'Use map view' }).click();
  assert.equal((await page.getByLabel('Area').inputValue()).split(',').length, 4);
  await page.getByLabel('Area').fill('Lappland');
  await page.getByRole('button', { name: /^Lapland/ }).click();
  assert.equal(await page.getByLabel('Area').inputValue(), '19, 65.8, 31.6, 70.1');
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.getByLabel('Starting pages').fill(ground.seeds().join('\n'));
  await page.getByLabel('Depth').fill('12');
  await page.getByLabel('Stay on').selectOption('any');
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.waitForURL(/\/tasks\/\d+/);
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));

  // It runs: rows come, numbers move, the map has hosts.
  await reads(page, 'Running', { exact: true });
  const found = page.getByRole('complementary', { name: 'Live activity' }).locator('a[href^="/service/"]');
  await found.first().waitFor();
  const pages = () => number(page, 'Pages');
  const early = await pages();
  await until('more pages', async () => (await pages()) > early);
  await until('addresses being fetched', async () => (await page.getByRole('group', { name: 'Now fetching' }).locator('li').count()) > 0);
  assert.match(await page.title(), /^Flood maps of the simulated web · /);

  // Pause, resume.
  await page.getByRole('button', { name: 'Pause' }).click();
  await reads(page, 'Paused', { exact: true });
  const resting = await ground.api('ben', 'GET', `/tasks/${id}`);
  assert.equal(resting.state, 'paused');
  await until('the number at rest', async () => (await pages()) === resting.counters.pages);
  await page.getByRole('button', { name: 'Resume' }).click();
  await reads(page, 'Running', { exact: true });
  await until('more pages after the rest', async () => (await pages()) > resting.counters.pages);

  // Stop asks first.
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Keep it running' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await reads(page, 'Stopped', { exact: true });

  // What the page shows at the end is what the server has.
  const { counters } = await ground.api('ben', 'GET', `/tasks/${id}`);
  await until('the last numbers', async () => (await pages()) === counters.pages && (await number(page, 'Found')) === counters.resources);

  // Clone, edit, delete.
  await page.getByRole('button', { name: 'Clone' }).click();
  await page.waitForURL(/\/tasks\/\d+\/edit/);
  const copy = Number(new URL(page.url()).pathname.split('/')[2]);
  assert.notEqual(copy, id);
  await until('the copied seeds', async () => (await page.getByLabel('Starting pages').inputValue()).includes(ground.seeds()[0]));
  await page.getByLabel('Title').fill('A copy, changed');
  await page.getByLabel('Depth').fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'A copy, changed' }).waitFor();
  assert.equal((await ground.api('ben', 'GET', `/tasks/${copy}`)).spec.depth, 2);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL((url) => url.pathname === '/tasks');
  await page.getByRole('link', { name: /Flood maps of the simulated web/ }).waitFor();
  await assert.rejects(ground.api('ben', 'GET', `/tasks/${copy}`), /404/);
  noFaults(browser);
});
