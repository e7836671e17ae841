// Focus settings of a task, and how the page shows its focus.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { engines, focus, orderings } from './focus-data.mjs';
import { TestInstance, logIn, assertNoErrors, missingTools, openBrowser, waitForText, waitUntil } from './test-instance.mjs';

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

/** Stubs a server with search engines; records what the form submits. */
async function withEngines(page) {
  const sent = [];
  await page.route('**/api/v1/meta', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), engines, orderings } });
  });
  await page.route('**/api/v1/tasks', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push(route.request().postDataJSON());
    await route.fulfill({ status: 422, contentType: 'application/problem+json', json: { title: 'Not acceptable', status: 422, detail: 'house is not asked in tests.', parameter: 'engines' } });
  });
  return sent;
}

test('a task with orderings, a width, budgets and patience', { skip }, async () => {
  const page = await browser.page();
  await logIn(page, instance, 'ben');
  await page.goto(`${instance.url}/tasks/new`);
  await page.getByLabel('Title').fill('Ways to look');
  await page.getByLabel('Starting pages').fill(instance.seeds().join('\n'));
  // The choices come from the server, default first; without configuration the only engine is the catalogue itself.
  const { orderings: real } = await instance.api(null, 'GET', '/meta');
  const order = page.getByLabel('Order', { exact: true });
  await waitUntil('the default order', async () => (await order.inputValue()) === real[0].name);
  assert.deepEqual(await order.locator('option').evaluateAll((all) => all.map((one) => one.value)), real.map((one) => one.name));
  assert.equal(await page.getByRole('group', { name: 'Search engines' }).getByRole('button').count(), 1);
  await order.selectOption('fifo');
  await waitForText(page, 'In the order in which links are found');
  await page.getByLabel('Stay on').selectOption('any');
  await page.getByLabel('Width', { exact: true }).fill('2');
  await page.getByLabel('Total pages').fill('300');
  await page.getByLabel('Minutes').fill('30');
  await page.getByText('Languages:').click();
  await page.getByRole('button', { name: 'German' }).click();
  await page.getByRole('button', { name: 'Dutch' }).click();
  await page.getByRole('button', { name: 'Dutch' }).click();

  // An invalid number is reported at once, even in a collapsed section.
  await page.getByText('More options:').click();
  await page.getByLabel('Patience').fill('some');
  await waitForText(page, 'Enter a whole number (0 = never)');
  await page.getByLabel('Patience').fill('400');
  await page.getByLabel('Links per page').fill('60');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('heading', { name: 'Ways to look' }).waitFor();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  const { spec } = await instance.api('ben', 'GET', `/tasks/${id}`);
  const { ordering, width, max_pages, max_minutes, languages, patience, links_per_page, engines: none } = spec;
  assert.deepEqual({ ordering, width, max_pages, max_minutes, languages, patience, links_per_page, none }, { ordering: 'fifo', width: 2, max_pages: 300, max_minutes: 30, languages: ['de'], patience: 400, links_per_page: 60, none: [] });

  // The task describes the settings in words, and the form loads them again.
  const said = page.getByRole('region', { name: 'Settings' });
  for (const text of ['up to 2 groups of ten seeds', 'up to 300 pages, 30 minutes', 'after 400 pages without a result', 'up to 60 links per page', 'in order of discovery']) await waitForText(said, text);
  await page.getByRole('link', { name: 'Edit' }).or(page.getByRole('button', { name: 'Edit' })).first().click();
  await waitUntil('the width again', async () => (await page.getByLabel('Width', { exact: true }).inputValue()) === '2');
  assert.equal(await page.getByLabel('Order', { exact: true }).inputValue(), 'fifo');
  await page.context().close();
  assertNoErrors(browser);
});

test('a task that search engines name seeds for', { skip }, async () => {
  const page = await browser.page();
  const sent = await withEngines(page);
  await logIn(page, instance, 'ben');
  await page.goto(`${instance.url}/tasks/new`);
  await page.getByLabel('Title').fill('Floods, searched for');
  await waitForText(page, '61 left today');
  await page.getByRole('button', { name: 'Start now' }).click();
  await waitForText(page, 'Enter at least one address, or choose a saved list or a search engine.');
  await page.getByRole('button', { name: 'house' }).click();
  await page.getByRole('button', { name: 'brave' }).click();
  assert.equal(await page.getByLabel('Width', { exact: true }).inputValue(), '5');
  await waitForText(page, 'May be empty: the search engines provide some.');
  // Search engines need keywords.
  await page.getByRole('button', { name: 'Start now' }).click();
  await waitForText(page, 'Search engines need keywords');
  await page.getByLabel('Keywords').fill('flood');
  await page.getByLabel('Keywords').press('Enter');
  assert.equal(await page.getByLabel('Order', { exact: true }).inputValue(), 'learned');
  // A ranking without a translation shows its name and the server's description.
  await page.getByLabel('Order', { exact: true }).selectOption('newest');
  await waitForText(page, 'An order this page has no words for');
  await page.getByLabel('Order', { exact: true }).selectOption('learned');
  await page.getByRole('button', { name: 'Start now' }).click();
  await waitForText(page, 'house is not asked in tests.');
  const [{ engines: asked, seeds, keywords, width, ordering, start }] = sent;
  assert.deepEqual({ asked, seeds, keywords, width, ordering, start }, { asked: ['house', 'brave'], seeds: [], keywords: ['flood'], width: 5, ordering: 'learned', start: true });
  await page.context().close();
  assertNoErrors(browser, [/422/]);
});

test('the focus of a task, as it was told', { skip }, async () => {
  const task = await instance.api('ada', 'POST', '/tasks', { title: 'Groups of seeds', seeds: instance.seeds(), depth: 3, width: 5, scope: 'any', public: true, start: true });
  for (const [name, viewport] of [['wide', { width: 1440, height: 900 }], ['narrow', { width: 390, height: 844 }]]) {
    const page = await browser.page({ viewport, hasTouch: name === 'narrow' });
    let asked = 0;
    await page.route(`**/api/v1/tasks/${task.id}/focus`, (route) => {
      asked += 1;
      return route.fulfill({ json: focus });
    });
    await page.goto(`${instance.url}/tasks/${task.id}`);
    await page.locator('dl.big').first().waitFor();
    assert.equal(asked, 0, 'asked for when it is looked at, not before');
    await page.getByRole('tab', { name: 'Focus' }).click();
    const shown = page.getByRole('group', { name: 'Focus' });
    await shown.getByRole('heading', { name: 'Next pages and why' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('tab'), 'focus');
    for (const text of ['12 services on 40 pages of this host', 'about 31 results per 100 such requests', 'Looks like a service: requested before pages', '3 of up to 5 opened', 'It gave nothing new for 500 pages in a row', 'given up', '10 seeds · 733 pages · 4 results', 'geoportal', 'impressum', 'overstromingsgevaar']) await waitForText(shown, text);
    assert.deepEqual(await shown.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.innerText.trim().split(/[ \t\n]+/))), [['0', '30', '2', '6.7'], ['1', '410', '37', '9'], ['2', '1\u202f709', '35', '2']]);
    // The address leads back to the tab, and the back button leaves it.
    await page.reload();
    await shown.getByRole('heading', { name: 'Learned words' }).waitFor();
    assert.ok(await page.getByRole('tab', { name: 'Focus' }).isVisible());
    await page.goBack();
    await waitUntil('the first tab', async () => (await page.getByRole('tab').first().getAttribute('aria-selected')) === 'true');
    await page.context().close();
  }
  assertNoErrors(browser);
});

test('the focus of a task, as the server tells it', { skip }, async () => {
  const task = await instance.api('ada', 'POST', '/tasks', { title: 'Really looked at', seeds: instance.seeds(), depth: 6, scope: 'any', public: true, start: true });
  const page = await browser.page();
  await page.goto(`${instance.url}/tasks/${task.id}?tab=focus`);
  const shown = page.getByRole('group', { name: 'Focus' });
  // While it runs there is a next, and each has its reason.
  await waitUntil('what is next', async () => (await shown.locator('ol > li').count()) > 0);
  await shown.locator('ol > li').filter({ hasText: /its seed|Looks like|sitemap|catalogue|results per 100|In order of discovery/ }).first().waitFor();
  await waitUntil('pages by depth', async () => (await shown.locator('tbody tr').count()) > 0);
  await instance.api('ada', 'POST', `/tasks/${task.id}/stop`);
  await waitForText(page, 'Stopped', { exact: true });
  await waitUntil('no next', async () => (await shown.getByRole('heading', { name: 'Next pages and why' }).count()) === 0);
  const { depths } = await instance.api('ada', 'GET', `/tasks/${task.id}/focus`);
  await waitUntil('the last numbers', async () => (await shown.locator('tbody tr').count()) === depths.length);
  await page.context().close();
  assertNoErrors(browser);
});
