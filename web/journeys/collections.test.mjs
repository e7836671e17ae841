// Archive collections: create, run, view as of a moment, replay without scripts, roll back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ChangingSite, siteUrl } from './changing-site.mjs';
import { TestInstance, logIn, assertNoErrors, missingTools, openBrowser, waitForText, waitUntil } from './test-instance.mjs';

const skip = missingTools();
let instance;
let site;
let browser;
before(async () => {
  if (skip) return;
  instance = await TestInstance.start({ hosts: 12 });
  site = await ChangingSite.start();
  await site.connectTo(instance);
  browser = await openBrowser(instance);
});
after(async () => {
  await browser?.close();
  await instance?.stop();
  site?.close();
});

/** Waits until the requested run has ended, and returns the collection. */
function ended(acronym, runs) {
  return waitUntil(`run ${runs} of ${acronym}`, async () => {
    const collection = await instance.api('ben', 'GET', `/collections/${acronym}`);
    const { results } = await instance.api('ben', 'GET', `/collections/${acronym}/runs`);
    return !collection.queued && results.length === runs && results[0].state === 'finished' && collection;
  }, 90);
}

test('a collection of the simulated web: form, run, list, history, replay', { skip }, async () => {
  const seeds = instance.seeds().slice(0, 2);
  const page = await browser.page();
  await logIn(page, instance, 'ben');
  await page.goto(`${instance.url}/collections`);
  await waitForText(page, 'No collections yet');
  await page.getByRole('link', { name: 'New collection' }).first().click();
  await page.waitForURL(/\/collections\/new/);

  // Missing input is reported at its field.
  await page.getByRole('button', { name: 'Save and run' }).click();
  await waitForText(page, 'Enter a title.');
  await waitForText(page, '1 to 40 letters');
  await waitForText(page, 'otherwise there is nothing to archive');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')), 'true');

  await page.getByLabel('Title').fill('The simulated web');
  await page.getByLabel('Acronym').fill('SIM');
  // Errors that only the server detects are shown at their field too.
  await page.getByLabel('Pages to archive').fill('http://ben:secret@diary.example/');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const refusal = page.getByText('carry no password');
  await refusal.waitFor();
  assert.equal(await page.getByLabel('Pages to archive').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Pages to archive').fill(seeds.join('\n'));
  await page.getByLabel('Depth').fill('1');
  await page.getByLabel('Pages', { exact: true }).fill('25');
  await page.getByRole('button', { name: 'Save and run' }).click();

  // The ranked list grows; polling stops when the run is over.
  await page.waitForURL(/\/collections\/SIM/);
  const ranked = page.getByRole('list', { name: 'Ranked list' });
  await ranked.getByRole('listitem').first().waitFor();
  const collection = await ended('SIM', 1);
  await waitForText(page, 'Finished', { exact: true });
  assert.equal(await ranked.getByRole('listitem').count(), seeds.length);
  await waitForText(ranked, 'Archived');
  let asked = 0;
  page.on('request', (request) => (asked += request.url().includes('/api/v1/collections/') ? 1 : 0));
  // (The last requests may still be in flight.)
  await waitUntil('a collection at rest that is not asked for', async () => {
    const before = asked;
    await page.waitForTimeout(2500);
    return asked === before;
  });

  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.locator('.bars a').first().waitFor();
  await page.getByRole('tab', { name: /Pages/ }).click();
  const rows = page.getByRole('table', { name: 'Pages of the collection' }).locator('tbody tr');
  await waitUntil('all items', async () => (await rows.count()) === Math.min(100, collection.items));

  // An item, its history, its replay.
  await rows.first().getByRole('link').click();
  await page.waitForURL(/\/item\?/);
  const url = new URL(page.url()).searchParams.get('url');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await waitForText(page, 'first version');
  const frame = page.locator('iframe');
  assert.equal(await frame.getAttribute('sandbox'), '');
  await waitForText(page, `Archived copy of ${new URL(url).host}`);
  const { versions } = await instance.api(null, 'GET', `/collections/SIM/history?url=${encodeURIComponent(url)}`);
  await waitForText(page.frameLocator('iframe').locator('body'), versions[0].title.slice(0, 20));
  // The page's own script would have added a class.
  assert.doesNotMatch((await page.frameLocator('iframe').locator('html').getAttribute('class')) ?? '', /\bjs\b/);
  assertNoErrors(browser, [/422/, /\/replay\//]);
});

test('versions of a changing site: as of, replay of each, no script, rollback, notes, delete', { skip }, async () => {
  const page = await browser.page();
  await logIn(page, instance, 'ben');
  let ran = false;
  await page.exposeFunction('aScriptRan', () => (ran = true));
  await page.addInitScript(() => addEventListener('message', (event) => event.data === 'ran' && window.aScriptRan()));

  // With a search engine: scores, documents, off-topic results.
  await page.goto(`${instance.url}/collections/new`);
  await page.getByLabel('Title').fill('The river');
  await page.getByLabel('Acronym').fill('RIVER');
  await page.getByRole('group', { name: 'Search engines' }).getByRole('button', { name: /house/ }).click();
  await page.getByLabel('Queries').fill('river diary');
  await page.getByLabel('Reference pages').fill(siteUrl);
  await page.getByRole('button', { name: 'Weekly' }).click();
  await page.getByRole('list', { name: /next/i }).or(page.locator('form ol')).first().waitFor();
  await page.getByRole('button', { name: 'Save and run' }).click();
  const ranked = page.getByRole('list', { name: 'Ranked list' });
  await ranked.getByRole('listitem').first().waitFor();
  const first = await ended('RIVER', 1);
  await waitForText(ranked, 'it is off topic');
  const top = ranked.getByRole('listitem').first();
  await waitForText(top, 'Diary of the river');
  await waitForText(top, 'house: rank 1');
  assert.equal(await top.locator('.weight').innerText(), '10');

  // Two more days.
  for (const day of [2, 3]) {
    site.day = day;
    await page.getByRole('button', { name: 'Run now' }).click();
    await ended('RIVER', day);
    await waitForText(page, 'Finished', { exact: true });
  }
  await page.getByRole('tab', { name: 'Overview' }).click();
  await waitUntil('three bars', async () => (await page.locator('.bars a').count()) === 3);

  // As of: boats are gone now, and were there after the first run.
  await page.getByRole('tab', { name: /Pages/ }).click();
  const table = page.getByRole('table', { name: 'Pages of the collection' });
  await table.getByRole('link', { name: 'Gauges' }).waitFor();
  assert.equal(await table.getByRole('link', { name: 'Boats' }).count(), 0);
  const choice = page.getByLabel('As of');
  await choice.selectOption({ index: 3 });
  await table.getByRole('link', { name: 'Boats' }).waitFor();
  const { results: runs } = await instance.api(null, 'GET', '/collections/RIVER/runs');
  assert.equal(new URL(page.url()).searchParams.get('as_of'), runs[2].ended);
  await waitUntil('as many as then', async () => (await table.locator('tbody tr').count()) === first.items);
  await page.reload();
  await table.getByRole('link', { name: 'Boats' }).waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await waitUntil('boats gone', async () => (await table.getByRole('link', { name: 'Boats' }).count()) === 0);

  // Each version of the first page shows its own day, with styles and without scripts.
  await table.getByRole('link', { name: 'Diary of the river' }).click();
  const frame = page.frameLocator('iframe');
  const pageErrors = browser.pageErrors.length;
  for (const [version, day] of [[3, 3], [1, 1], [2, 2]]) {
    await page.getByRole('button', { name: `Show version ${version}` }).click();
    await waitForText(frame, `Day ${day}.`);
    assert.equal(await frame.locator('h1').innerText(), 'Diary of the river');
    assert.equal(await frame.locator('html').getAttribute('data-ran'), null);
    await waitUntil('the style', async () => (await frame.locator('h1').evaluate((one) => getComputedStyle(one).color)) === 'rgb(12, 80, 120)');
    await waitUntil('the picture', async () => frame.locator('img').first().evaluate((one) => one.complete && one.naturalWidth > 0));
  }
  // Links lead to copies of the same time, and the banner no longer describes the first page.
  await frame.getByRole('link', { name: 'Boats' }).click();
  await frame.getByRole('heading', { name: 'Boats' }).waitFor();
  await waitForText(page, 'You followed a link inside the copy');
  await page.getByRole('button', { name: 'Back to diary.example' }).click();
  await waitForText(frame, 'Day 2.');
  await waitForText(page, 'Archived copy of diary.example');
  assert.equal(ran, false, 'no script of an archived page runs');
  assert.equal(await page.locator('iframe').getAttribute('sandbox'), '');
  // Requests blocked by the frame are not errors of the page.
  browser.pageErrors.length = pageErrors;

  // The replay is sandboxed outside the frame as well.
  const shown = await page.locator('iframe').getAttribute('src');
  const alone = await browser.page();
  const answer = await alone.goto(instance.url + shown);
  assert.match(answer.headers()['content-security-policy'], /^sandbox;/);
  await waitForText(alone, 'Day 2.');
  assert.equal(await alone.locator('html').getAttribute('data-ran'), null);
  await alone.close();

  // A user rolls back, with a reason.
  await page.locator('li', { has: page.getByRole('button', { name: 'Show version 1' }) }).getByRole('button', { name: 'Make current' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The first day is the true one.');
  await dialog.getByRole('button', { name: 'Make current' }).click();
  await waitForText(page, 'ben made version 1 current');
  await waitForText(page, 'The first day is the true one.');
  const history = await instance.api(null, 'GET', `/collections/RIVER/history?url=${encodeURIComponent(siteUrl)}`);
  assert.equal(history.current, 1);

  // A note on the item, also visible on the page of the collection.
  await page.getByLabel('Note').fill('Compare with the gauges.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await waitForText(page, 'Compare with the gauges.');
  await page.goto(`${instance.url}/collections/RIVER?tab=notes`);
  await waitForText(page, 'Compare with the gauges.');

  // Content that a frame cannot show is offered as a download.
  await page.goto(`${instance.url}/collections/RIVER/item?url=${encodeURIComponent(`${siteUrl}report.pdf`)}`);
  await waitForText(page, 'This cannot be shown here');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download', exact: true }).click()]);
  assert.match(file.suggestedFilename(), /pdf/);

  // Edit and delete.
  await page.goto(`${instance.url}/collections/RIVER/edit`);
  await waitUntil('the spec', async () => (await page.getByLabel('Title').inputValue()) === 'The river');
  assert.equal(await page.getByLabel('Acronym').count(), 0);
  await page.getByLabel('Similarity threshold').fill('2');
  await waitForText(page, 'Enter a number from 0 to 1.');
  await page.getByLabel('Similarity threshold').fill('0.8');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'The river' }).waitFor();
  assert.equal((await instance.api(null, 'GET', '/collections/RIVER')).spec.likeness, 0.8);
  const [object] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'MPEG-21 DIDL object' }).click()]);
  assert.equal(object.suggestedFilename(), 'RIVER.xml');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete collection' }).click();
  await page.waitForURL((at) => at.pathname === '/collections');
  await waitForText(page, 'The simulated web');
  await assert.rejects(instance.api('ben', 'GET', '/collections/RIVER'), /404/);
  assertNoErrors(browser, [/\/replay\//]);
});

test('guests see public collections only, and make none; others change nothing', { skip }, async () => {
  const spec = { pages: [siteUrl], depth: 0 };
  await instance.api('ben', 'POST', '/collections', { ...spec, acronym: 'OPEN', title: 'For everyone' });
  await instance.api('ben', 'POST', '/collections', { ...spec, acronym: 'SECRET', title: 'For Ben alone', public: false, run: true });
  await ended('SECRET', 1);
  const guest = await browser.page();
  await guest.goto(`${instance.url}/collections`);
  await waitForText(guest, 'For everyone');
  assert.equal(await guest.getByText('For Ben alone').count(), 0);
  assert.equal(await guest.getByRole('link', { name: 'New collection' }).count(), 0);
  await waitForText(guest, 'Anyone can view public collections');
  await guest.goto(`${instance.url}/collections/new`);
  await waitForText(guest, 'Log in to create a collection');
  assert.equal(await guest.locator('form textarea').count(), 0);
  await guest.goto(`${instance.url}/collections/SECRET`);
  await waitForText(guest, 'This collection is not public');
  await guest.goto(`${instance.url}/collections/OPEN`);
  await waitForText(guest, 'Not run yet');
  for (const name of ['Run now', 'Delete']) assert.equal(await guest.getByRole('button', { name }).count(), 0, name);
  await guest.getByRole('tab', { name: 'Notes' }).click();
  await waitForText(guest, 'No notes yet');
  assert.equal(await guest.getByRole('button', { name: 'Add note' }).count(), 0);
  await assert.rejects(instance.api(null, 'POST', '/collections', { ...spec, acronym: 'X', title: 'X' }), /401/);

  const cleo = await browser.page();
  await logIn(cleo, instance, 'cleo');
  await cleo.goto(`${instance.url}/collections/OPEN/edit`);
  await waitForText(cleo, 'Only the owner or an administrator');
  await cleo.goto(`${instance.url}/collections/SECRET`);
  await waitForText(cleo, 'Collection not found');

  // The owner sees the content, and why it is not replayed.
  const ben = await browser.page();
  await logIn(ben, instance, 'ben');
  await ben.goto(`${instance.url}/collections/SECRET/item?url=${encodeURIComponent(siteUrl)}`);
  await waitForText(ben, 'Private collections cannot be replayed');
  assert.equal(await ben.locator('iframe').count(), 0);
  assertNoErrors(browser, [/40[134].*\/collections\//]);
});
