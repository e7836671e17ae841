// The life cycle of a task in the interface.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dragOnMap, TestInstance, logIn, assertNoErrors, missingTools, readNumber, openBrowser, waitForText, waitUntil } from './test-instance.mjs';

const skip = missingTools();
let instance;
let browser;
before(async () => {
  if (skip) return;
  instance = await TestInstance.start({ delay: 120 });
  browser = await openBrowser(instance);
});
after(async () => {
  await browser?.close();
  await instance?.stop();
});

test('the whole life of a task', { skip }, async () => {
  const page = await browser.page();
  await logIn(page, instance, 'ben');

  // The catalogue must have content, so that the form can point to it.
  const first = await instance.api('ada', 'POST', '/tasks', { title: 'Before', seeds: instance.seeds(), depth: 3, max_pages: 60, scope: 'any', start: true });
  await waitUntil('the first task', async () => (await instance.api('ada', 'GET', `/tasks/${first.id}`)).state === 'finished');
  const word = await waitUntil('the index', async () => {
    const { results } = await instance.api(null, 'GET', '/search?limit=20');
    return results.flatMap((one) => (one.title ?? '').split(/\P{L}+/u)).find((part) => part.length > 4);
  });

  await page.goto(`${instance.url}/tasks`);
  await page.getByRole('link', { name: 'New task' }).first().click();
  await page.getByRole('heading', { name: 'New task' }).waitFor();

  // An incomplete form cannot be submitted: errors are shown at the fields.
  await page.getByRole('button', { name: 'Start now' }).click();
  await waitForText(page, 'Enter a title.');
  await waitForText(page, 'Enter at least one address');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')), 'true');

  await page.getByLabel('Title').fill('Flood maps of the simulated web');
  const held = page.getByRole('region', { name: 'Already in the catalogue' });
  await page.getByLabel('Keywords').fill(word);
  await page.getByLabel('Keywords').press('Enter');
  await held.getByRole('listitem').first().waitFor();
  await page.getByRole('button', { name: `Remove ${word}` }).waitFor();

  await page.getByRole('button', { name: 'Draw on map' }).click();
  await waitForText(page, 'Drag a rectangle, or click two corners');
  await dragOnMap(page, [620, 200], [1300, 640]);
  const area = await waitUntil('an area', async () => (await page.getByLabel('Area').inputValue()) || null);
  assert.equal(area.split(',').length, 4, area);
  await page.getByRole('button', { name: 'Clear' }).click();
  assert.equal(await page.getByLabel('Area').inputValue(), '');
  await page.getByRole('button', { name: 'Use map view' }).click();
  assert.equal((await page.getByLabel('Area').inputValue()).split(',').length, 4);
  await page.getByLabel('Area').fill('Lappland');
  await page.getByRole('button', { name: /^Lapland/ }).click();
  assert.equal(await page.getByLabel('Area').inputValue(), '19, 65.8, 31.6, 70.1');
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.getByLabel('Starting pages').fill(instance.seeds().join('\n'));
  await page.getByLabel('Depth').fill('12');
  await page.getByLabel('Stay on').selectOption('any');
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.waitForURL(/\/tasks\/\d+/);
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));

  // The task runs: rows appear, counters change, the map shows hosts.
  await waitForText(page, 'Running', { exact: true });
  const found = page.getByRole('complementary', { name: 'Live activity' }).locator('a[href^="/service/"]');
  await found.first().waitFor();
  const pages = () => readNumber(page, 'Pages');
  const early = await pages();
  await waitUntil('more pages', async () => (await pages()) > early);
  await waitUntil('addresses being fetched', async () => (await page.getByRole('group', { name: 'Now fetching' }).locator('li').count()) > 0);
  assert.match(await page.title(), /^Flood maps of the simulated web · /);

  // Pause, resume.
  await page.getByRole('button', { name: 'Pause' }).click();
  await waitForText(page, 'Paused', { exact: true });
  const resting = await instance.api('ben', 'GET', `/tasks/${id}`);
  assert.equal(resting.state, 'paused');
  await waitUntil('the number at rest', async () => (await pages()) === resting.counters.pages);
  await page.getByRole('button', { name: 'Resume' }).click();
  await waitForText(page, 'Running', { exact: true });
  await waitUntil('more pages after the rest', async () => (await pages()) > resting.counters.pages);

  // Stop asks for confirmation.
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Keep it running' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await waitForText(page, 'Stopped', { exact: true });

  // The final counters of the page match the server.
  const { counters } = await instance.api('ben', 'GET', `/tasks/${id}`);
  await waitUntil('the last numbers', async () => (await pages()) === counters.pages && (await readNumber(page, 'Found')) === counters.resources);

  // Clone, edit, delete.
  await page.getByRole('button', { name: 'Clone' }).click();
  await page.waitForURL(/\/tasks\/\d+\/edit/);
  const copy = Number(new URL(page.url()).pathname.split('/')[2]);
  assert.notEqual(copy, id);
  await waitUntil('the copied seeds', async () => (await page.getByLabel('Starting pages').inputValue()).includes(instance.seeds()[0]));
  await page.getByLabel('Title').fill('A copy, changed');
  await page.getByLabel('Depth').fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'A copy, changed' }).waitFor();
  assert.equal((await instance.api('ben', 'GET', `/tasks/${copy}`)).spec.depth, 2);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL((url) => url.pathname === '/tasks');
  await page.getByRole('link', { name: /Flood maps of the simulated web/ }).waitFor();
  await assert.rejects(instance.api('ben', 'GET', `/tasks/${copy}`), /404/);
  assertNoErrors(browser);
});
