// Checks every page, wide and narrow, light and dark: axe reports nothing serious, no console errors, no horizontal
// overflow.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { TestInstance, logIn, isWellBehaved, assertNoErrors, missingTools, openBrowser, waitUntil } from './test-instance.mjs';

const skip = missingTools();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let instance;
let browser;
let record;
let ended;
let running;
let kept;
before(async () => {
  if (skip) return;
  instance = await TestInstance.start({ delay: 150, checks: true });
  ended = await instance.api('ada', 'POST', '/tasks', { title: 'Ended', seeds: instance.seeds(), depth: 4, max_pages: 250, scope: 'any', public: true, start: true });
  await waitUntil('the task', async () => (await instance.api('ada', 'GET', `/tasks/${ended.id}`)).state === 'finished');
  record = await waitUntil('the index', async () => (await instance.api(null, 'GET', '/search?limit=50&kind=wms')).results.find(isWellBehaved));
  await instance.api('ben', 'POST', `/records/${record.id}/report`, { text: 'This is no map service.' });
  running = await instance.api('ada', 'POST', '/tasks', { title: 'Running', seeds: instance.seeds(), depth: 9, scope: 'any', public: true, start: true });
  kept = instance.seeds()[0];
  await instance.api('ada', 'POST', '/collections', { acronym: 'KEPT', title: 'Kept', pages: [kept], depth: 1, max_pages: 5, run: true });
  await waitUntil('the archive', async () => (await instance.api('ada', 'GET', '/collections/KEPT')).last_run?.state === 'finished');
  await instance.api('ada', 'POST', '/collections/KEPT/notes', { text: 'Look again in spring.' });
  browser = await openBrowser(instance);
});
after(async () => {
  await browser?.close();
  await instance?.stop();
});

/** Path, selector that shows that the page is loaded, and user. */
const pages = () => [
  ['/', '[data-row]'],
  ['/?filters=open&q=wms&bbox=-20,30,40,70', '#facets fieldset'],
  ['/?q=zzzunheardof', '.nothing'],
  ...['layers', 'quality', 'uptime', 'changes', 'found', 'raw'].map((tab) => [`/service/${record.id}?tab=${tab}`, `#tab-${tab}[aria-selected=true]`]),
  ['/service/nosuchservice', '[data-drawer] h2, [data-drawer] [role=alert]'],
  ['/tasks', 'a[href^="/tasks/"]'],
  [`/tasks/${ended.id}`, 'dl.big'],
  [`/tasks/${running.id}`, 'dl.big'],
  [`/tasks/${running.id}?tab=focus`, '[role=group] tbody tr'],
  [`/tasks/${ended.id}?tab=focus`, '[role=group] tbody tr'],
  ['/tasks/new', 'form textarea', 'ada'],
  ['/statistics', 'dl.totals'],
  ['/monitor', 'dl.totals, h2'],
  ['/providers', 'a[href^="/providers/"], h2'],
  [`/providers/${record.host.name}`, 'dl.facts'],
  ['/collections', 'a[href^="/collections/"]'],
  ['/collections/KEPT', '.bars a'],
  ['/collections/KEPT', 'button[aria-busy]', 'ada'],
  ['/collections/KEPT?tab=results', '.ranked li'],
  ['/collections/KEPT?tab=items', 'tbody tr'],
  ['/collections/KEPT?tab=notes', '.notes li', 'ada'],
  [`/collections/KEPT/item?url=${encodeURIComponent(kept)}`, 'iframe', 'ada'],
  ['/collections/nosuchthing', 'h2'],
  ['/collections/new', 'form textarea', 'ada'],
  ['/collections/KEPT/edit', 'form textarea', 'ada'],
  ['/help', 'table'],
  ['/login', 'input[type=password]'],
  ['/nothing/here', 'h1'],
  ['/account', 'input[type=password]', 'ada'],
  ...['people', 'settings', 'audit', 'reports', 'system'].map((tab) => [tab === 'people' ? '/admin' : `/admin/${tab}`, '[role=tabpanel] :is(li, table, form, dl)', 'ada']),
];

for (const [name, viewport] of [['wide', { width: 1440, height: 900 }], ['narrow', { width: 390, height: 844 }]]) {
  test(`every page, ${name}`, { skip }, async () => {
    const guest = await browser.page({ viewport, colorScheme: 'light', hasTouch: name === 'narrow' });
    const ada = await browser.page({ viewport, colorScheme: 'light', hasTouch: name === 'narrow' });
    await logIn(ada, instance, 'ada');
    const found = [];
    for (const [path, there, person] of pages()) {
      const page = person ? ada : guest;
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(instance.url + path);
      await page.locator(there).first().waitFor({ state: 'attached' }).catch((error) => found.push(`${path}: not there (${error.message.split('\n')[0]})`));
      await page.evaluate(axe);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        // Wait for colour transitions to end before contrast is measured.
        await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => {}))));
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
        for (const one of violations.filter((violation) => ['serious', 'critical'].includes(violation.impact))) {
          found.push(`${path} ${colorScheme}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
        }
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wider > 0) found.push(`${path}: ${wider} px wider than the window`);
    }
    await guest.context().close();
    await ada.context().close();
    assert.deepEqual(found, []);
    // Missing resources of an archived page are not our errors.
    assertNoErrors(browser, [/404 .*nosuch/, /KEPT\/item.*(Framing|chrome-error|\/replay\/)/]);
  });
}
