// Pages about monitoring: status overview, quality with its evidence, uptime, changes, successors, report cards, alerts.
// The API is a stub, so that states are available that would take days to come about.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { usesPostgres } from './database.mjs';
import { assertNoErrors, missingTools, openBrowser, waitForText, waitUntil } from './test-instance.mjs';
import { StubServer } from './stub-server.mjs';

const skip = usesPostgres ? 'no store takes part' : missingTools();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let stub;
let browser;
before(async () => {
  if (skip) return;
  stub = await StubServer.start();
  browser = await openBrowser({ webPort: 9 });
});
after(async () => {
  await browser?.close();
  await stub?.close();
});

test('a check is read point by point, repeated, and its difference is told', { skip }, async () => {
  const page = await browser.page();
  await page.goto(`${stub.url}/service/lakes?tab=quality`);
  const drawer = page.locator('[data-drawer]');
  await waitForText(drawer, 'Limited to 70: the scored operation failed');
  await drawer.locator('summary', { hasText: 'Operation' }).first().click();
  await waitForText(drawer, 'Look at the configuration of the layer');
  await drawer.locator('details[open] details.evidence > summary').first().click();
  await waitForText(drawer, 'Timing: 1.5');
  assert.match(await drawer.locator('pre').filter({ visible: true }).first().innerText(), /^curl .*GetMap/);
  await drawer.getByRole('button', { name: 'Check again' }).click();
  await waitForText(drawer, 'Check requested');
  const told = drawer.locator('.note', { hasText: 'Checked again. Changes' });
  await told.waitFor();
  const words = await told.innerText();
  assert.match(words, /64 → 89/);
  assert.match(words, /Degraded → Alive/);
  assert.match(words, /A map is drawn/);
  await page.context().close();
  assertNoErrors(browser);
});

test('uptime, changes and a move are told', { skip }, async () => {
  const page = await browser.page();
  await page.goto(`${stub.url}/service/lakes?tab=uptime`);
  const drawer = page.locator('[data-drawer]');
  await waitForText(drawer, '98.27');
  const strip = drawer.getByRole('slider', { name: 'Daily availability' });
  await strip.focus();
  await page.keyboard.press('ArrowLeft');
  assert.match(await strip.getAttribute('aria-valuetext'), /4 of 4 checks successful/);
  await waitForText(drawer, 'Nobody answers at 192.0.2.7');
  await drawer.getByRole('tab', { name: 'Changes' }).click();
  await drawer.locator('ins', { hasText: 'and rivers' }).waitFor();
  await waitForText(drawer, 'lk:catchments, lk:wetlands');
  await page.goto(`${stub.url}/service/soils`);
  await waitForText(drawer, '94 % sure');
  await drawer.getByRole('button', { name: 'No, another service' }).click();
  await waitForText(drawer, 'This will not be suggested again.');
  assert.equal(stub.successors[0].state, 'rejected');
  stub.successors[0].state = 'proposed';
  await page.context().close();
  assertNoErrors(browser);
});

test('news are filtered, and the feeds with them', { skip }, async () => {
  const page = await browser.page();
  await page.goto(`${stub.url}/monitor`);
  const news = page.getByRole('region', { name: 'Events' });
  await waitUntil('all news', async () => (await news.getByRole('listitem').count()) === 5);
  await news.getByRole('button', { name: 'Died', exact: true }).click();
  await waitUntil('one death', async () => (await news.getByRole('listitem').count()) === 1);
  assert.match(page.url(), /news=died/);
  assert.match(await news.getByRole('link', { name: 'Atom' }).getAttribute('href'), /feeds\/notices\.atom\?kind=died/);
  await page.getByRole('link', { name: 'maps.lakeland.example' }).click();
  await page.getByRole('heading', { name: 'What is missing and how to fix it' }).waitFor();
  assert.equal(await page.locator('.problems > li').count(), 3);
  await page.emulateMedia({ media: 'print' });
  for (const frame of ['.stage', '.rail', '.side > header']) assert.equal(await page.locator(frame).isVisible(), false, frame);
  assert.equal(await page.getByText('Created by Geotrawl').isVisible(), true);
  await page.context().close();
  assertNoErrors(browser);
});

test('an alert is made, tested, paused and deleted', { skip }, async () => {
  const page = await browser.page();
  await page.goto(`${stub.url}/account?alert=maps.lakeland.example`);
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByLabel('Hosts').inputValue(), 'maps.lakeland.example');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await waitForText(dialog, 'This is not an http or https address.');
  await dialog.getByLabel('Send by').selectOption('email');
  assert.equal(await dialog.getByLabel('E-mail address').inputValue(), 'ada@lakeland.example');
  await dialog.getByLabel('How often').selectOption('daily');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await waitForText(page, 'daily digest');
  assert.deepEqual(stub.alerts.at(-1).hosts, ['maps.lakeland.example']);
  await page.getByRole('button', { name: 'Test: Deaths' }).click();
  await waitForText(page, 'Test message sent to https://hooks.lakeland.example/geo.');
  await page.getByRole('button', { name: 'Edit: Deaths' }).click();
  await dialog.getByLabel('Active').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, 'paused');
  await page.getByRole('button', { name: 'Delete: Deaths' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await waitUntil('its end', () => stub.alerts.length === 1);
  await page.context().close();
  assertNoErrors(browser);
});

const pages = [
  ['/', '[data-row]'],
  ['/?filters=open', '#facets fieldset'],
  ['/service/lakes?tab=quality', '.components'],
  ['/service/lakes?tab=uptime', '.strip'],
  ['/service/lakes?tab=changes', 'ins'],
  ['/service/soils', '.moved'],
  ['/monitor', '#news-title'],
  ['/providers', 'a[href^="/providers/"]'],
  ['/providers/maps.lakeland.example', '.problems'],
  ['/providers/nobody.example', 'h2'],
  ['/account', 'button'],
  ['/statistics', 'dl.totals'],
];
for (const [name, viewport] of [['wide', { width: 1440, height: 900 }], ['narrow', { width: 390, height: 844 }]]) {
  for (const state of ['full', 'empty', 'broken']) {
    test(`every page, ${name}, ${state}`, { skip }, async () => {
      const page = await browser.page({ viewport, hasTouch: name === 'narrow' });
      const found = [];
      stub.empty = state === 'empty';
      stub.broken = new Set(state === 'broken' ? ['/quality', '/uptime', '/changes', '/monitoring', '/notices', '/providers', '/alerts', '/providers/maps.lakeland.example'] : []);
      // Empty or failed responses change only the pages that show them.
      for (const [path, there] of pages.filter(([one]) => state === 'full' || /quality|uptime|changes|monitor|providers|account/.test(one))) {
        await page.goto(stub.url + path);
        await page.locator(state === 'full' ? there : 'h1, [data-drawer] h2').first().waitFor({ state: 'attached' }).catch((error) => found.push(`${path}: not there (${error.message.split('\n')[0]})`));
        if (path.includes('quality') && state === 'full') for (const one of await page.locator('.components > details > summary').all()) await one.click();
        await page.evaluate(axe);
        for (const colorScheme of state === 'full' ? ['light', 'dark'] : ['light']) {
          await page.emulateMedia({ colorScheme });
          await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished.catch(() => {}))));
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
          for (const one of violations.filter((violation) => ['serious', 'critical'].includes(violation.impact))) found.push(`${path} ${colorScheme}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
          if (process.env.JOURNEY_PICTURES) await page.screenshot({ path: `${process.env.JOURNEY_PICTURES}/${name}-${state}-${path.replaceAll(/\W+/g, '-')}-${colorScheme}.png` });
        }
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wider > 0) found.push(`${path}: ${wider} px wider than the window`);
      }
      stub.empty = false;
      stub.broken = new Set();
      await page.context().close();
      assert.deepEqual(found, []);
      assertNoErrors(browser, [/nobody\.example/, ...(state === 'broken' ? [/503/] : [])]);
    });
  }
}
