// Takes screenshots for the guide on a simulated web: writes docs/images/*.webp.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestInstance, logIn, readNumber, openBrowser, waitForSettledMap, waitUntil } from './test-instance.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'images');
mkdirSync(folder, { recursive: true });
const instance = await TestInstance.start({ hosts: 60, seed: 3, delay: 100 });
const browser = await openBrowser(instance);
const wide = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function picture(page, name, quality = 72) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  const bytes = Buffer.from(data, 'base64');
  writeFileSync(join(folder, `${name}.webp`), bytes);
  console.log(`${name}.webp ${Math.round(bytes.length / 1000)} KB`);
}

/** Waits until the world map is drawn in light or dark colours; pulses may continue. */
function world(page, dark = false) {
  return waitUntil('the world', () => page.evaluate((dark) => {
    const drawn = document.querySelector('.world canvas');
    if (!drawn || drawn.style.visibility || !drawn.width) return false;
    const copy = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d');
    copy.drawImage(drawn, 0, 0);
    const { data } = copy.getImageData(0, 0, drawn.width, drawn.height);
    let [sum, count] = [0, 0];
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) [sum, count] = [sum + data[at], count + 1];
    return count > 0 && (sum / count < 100) === dark;
  }, dark));
}

try {
  const task = await instance.api('ada', 'POST', '/tasks', { title: 'Flood and soil maps of Europe', keywords: ['flood', 'soil'], seeds: instance.seeds(), depth: 8, width: 5, max_pages: 4000, scope: 'any', public: true, start: true });
  const live = await browser.page(wide);
  await logIn(live, instance, 'ada');
  await live.goto(`${instance.url}/tasks/${task.id}`);
  await waitUntil('finds', async () => (await live.locator('dl.big').count()) > 0 && (await readNumber(live, 'Found')) >= 40, 120);
  await world(live);
  await picture(live, 'task');
  await live.getByRole('tab', { name: 'Focus' }).click();
  await live.getByRole('group', { name: 'Focus' }).locator('tbody tr').first().waitFor();
  await picture(live, 'task-focus');
  await live.goBack();
  await live.emulateMedia({ colorScheme: 'dark' });
  await waitUntil('more finds', async () => (await readNumber(live, 'Found')) >= 60, 120);
  await world(live, true);
  await picture(live, 'task-dark');
  await live.emulateMedia({ colorScheme: 'light' });
  await waitUntil('the end', async () => (await instance.api('ada', 'GET', `/tasks/${task.id}`)).state === 'finished', 240);
  await waitUntil('the index', async () => (await instance.api('ada', 'GET', '/system')).index.behind === 0);

  const page = await browser.page(wide);
  await page.goto(instance.url);
  await page.locator('[data-row]').first().waitFor();
  await waitForSettledMap(page);
  await picture(page, 'search');
  await page.goto(`${instance.url}/?q=wms&bbox=2,46,20,56&at=9,50,4.4&filters=open`);
  await page.locator('#facets fieldset').first().waitFor();
  await waitForSettledMap(page);
  await picture(page, 'search-box');

  const { results } = await instance.api(null, 'GET', '/search?kind=wms&status=alive&limit=100');
  let one, layers;
  for (const record of results.filter((each) => each.url.startsWith('http:') && each.bbox && each.provider && !each.url.includes('hostile'))) {
    ({ results: layers } = await instance.api(null, 'GET', `/records/${record.id}/layers?limit=4`));
    one = record;
    if (layers.length > 2 && [...(record.crs ?? []), ...(layers[1].crs ?? [])].some((crs) => /3857|900913/.test(crs))) break;
  }
  await page.goto(`${instance.url}/service/${one.id}?tab=found`);
  await page.locator('[data-drawer] .chain').first().waitFor();
  await waitForSettledMap(page);
  await picture(page, 'service');
  await page.goto(`${instance.url}/service/${one.id}`);
  await page.getByRole('button', { name: `Add ${layers[0].title || layers[0].name} to the map`, exact: true }).first().click();
  await page.getByRole('button', { name: 'Zoom to', exact: false }).first().click();
  await waitForSettledMap(page);
  await picture(page, 'layers');
  await page.goto(`${instance.url}/statistics`);
  await page.locator('dl.totals').waitFor();
  await waitForSettledMap(page);
  await picture(page, 'statistics');

  // Monitored services and archived pages.
  for (const record of results.slice(0, 25)) await instance.api('ada', 'POST', `/records/${record.id}/check`).catch((refused) => console.log(`${record.url}: ${refused.message}`));
  const kept = instance.seeds()[0];
  await instance.api('ada', 'POST', '/collections', { acronym: 'KEPT', title: 'Portals of the simulated web', pages: instance.seeds(), depth: 1, max_pages: 40, public: true, run: true });
  await waitUntil('the archive', async () => (await instance.api('ada', 'GET', '/collections/KEPT')).last_run?.state === 'finished', 120);
  const others = [
    ['service-quality', `/service/${one.id}?tab=quality`, '[data-drawer] .components'],
    ['service-uptime', `/service/${one.id}?tab=uptime`, '[data-drawer] .strip'],
    ['tasks', '/tasks', 'a[href^="/tasks/"]'],
    ['monitor', '/monitor', 'dl.totals, h2'],
    ['providers', '/providers', 'a[href^="/providers/"]'],
    ['provider', `/providers/${one.host.name}`, 'dl.facts'],
    ['collections', '/collections', 'a[href^="/collections/"]'],
    ['collection', '/collections/KEPT?tab=items', 'tbody tr'],
    ['collection-item', `/collections/KEPT/item?url=${encodeURIComponent(kept)}`, 'iframe'],
    ['account', '/account', 'h2'],
    ['help', '/help', 'h2'],
  ];
  for (const [name, path, there] of others) {
    await live.goto(instance.url + path);
    await live.locator(there).first().waitFor();
    await waitForSettledMap(live);
    await picture(live, name);
  }
  await page.goto(`${instance.url}/login`);
  await page.getByLabel('Password').first().waitFor();
  await waitForSettledMap(page);
  await picture(page, 'login');

  await live.goto(`${instance.url}/tasks/new?keywords=flood&area=2,46,20,56`);
  const held = live.getByRole('region', { name: 'Already in the catalogue' });
  await held.getByRole('link').or(held.getByText('No results yet')).first().waitFor();
  await live.getByLabel('Title').fill('Flood maps of central Europe');
  await live.getByLabel('Starting pages').fill(instance.seeds().join('\n'));
  await waitForSettledMap(live);
  await picture(live, 'task-form');
  await live.goto(`${instance.url}/admin`);
  await live.locator('[role=tabpanel] li, [role=tabpanel] table').first().waitFor();
  await waitForSettledMap(live);
  await picture(live, 'administration');

  const small = await browser.page(phone);
  await small.goto(instance.url);
  await small.locator('[data-row]').first().waitFor();
  await world(small);
  await picture(small, 'phone-search');
  await small.goto(`${instance.url}/tasks/${task.id}`);
  await small.locator('dl.big').first().waitFor();
  await world(small);
  await picture(small, 'phone-task');
  if (browser.pageErrors.length) {
    console.error(browser.pageErrors.join('\n'));
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await instance.stop();
}
