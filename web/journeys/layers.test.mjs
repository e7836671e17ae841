// Shows a layer of every drawable kind: from a server that allows cross-origin requests, and through the proxy from one
// that does not.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { usesPostgres } from './database.mjs';
import { TestInstance, logIn, assertNoErrors, missingTools, openBrowser, countLayerPixels, waitForText, waitUntil } from './test-instance.mjs';
import { corsHost, noCorsHost, startLayerServer } from './layers/layer-server.mjs';

// Kinds with the layers to add; an empty name is the whole service.
const drawn = {
  'arcgis-featureserver': ['Areas'],
  'arcgis-imageserver': [''],
  'arcgis-mapserver': [''],
  'arcgis-vectortileserver': [''],
  cog: [''],
  geojson: [''],
  gpx: [''],
  kml: [''],
  kmz: [''],
  'ogcapi-features': ['Areas'],
  'ogcapi-tiles': ['Areas', 'Relief'],
  pmtiles: [''],
  tilejson: [''],
  tms: [''],
  topojson: [''],
  wfs: ['Areas'],
  wms: ['Areas'],
  wmts: ['Areas'],
  xyz: [''],
};

const skip = usesPostgres ? 'layers are drawn alike, whatever the store' : missingTools();
let instance;
let server;
let browser;
before(async () => {
  if (skip) return;
  server = await startLayerServer();
  instance = await TestInstance.start({ hosts: 10, others: { '*.layers.test': server.address().port } });
  await instance.crawl({ title: 'Every kind of layer', seeds: [`http://${corsHost}/`, `http://${noCorsHost}/`], depth: 6 });
  browser = await openBrowser(instance);
});
after(async () => {
  await browser?.close();
  await instance?.stop();
  server?.close();
});

async function recordsOf(host) {
  const { results } = await instance.api(null, 'GET', `/search?q=${encodeURIComponent(`host:${host}`)}&status=any&limit=100`);
  const kinds = new Set(results.map((one) => one.kind));
  assert.deepEqual(Object.keys(drawn).filter((kind) => !kinds.has(kind)), [], 'kinds that were not found');
  return results.filter((one) => one.kind in drawn);
}

/** Adds a layer of a service and waits until it paints some pixels of the map. */
async function add(page, record, layer, refused) {
  const what = `${record.kind} ${layer} (${record.url})`;
  await page.goto(`${instance.url}/service/${record.id}?at=5,38,3`);
  const drawer = page.getByRole('complementary', { name: 'Service' });
  const button = layer ? drawer.getByRole('button', { name: `Add ${layer} to the map`, exact: true }) : drawer.getByRole('button', { name: 'Add to map', exact: true });
  await button.waitFor();
  // Move the pointer where it highlights nothing.
  await page.mouse.move(700, 899);
  await button.press('Enter');
  const card = page.getByRole('region', { name: 'Layers on the map' });
  const alert = card.getByRole('alert');
  await card.waitFor();
  await waitUntil(`${what} on the map`, async () => {
    if (await alert.count()) {
      assert.ok(refused, `${what}: ${await alert.innerText()}`);
      await refused(alert);
    }
    return (await card.getByText('Requesting data from the service').count()) === 0 && (await countLayerPixels(page)) > 800;
  });
  assert.deepEqual(await card.getByRole('alert').allInnerTexts(), [], what);
  // Without stretching, elevations would be uniformly grey.
  if (record.kind === 'cog') await waitForText(card, /^Black: 4\d\d, white: 6\d\d\.$/);
}

test('a layer of every kind is drawn', { skip }, async () => {
  const page = await browser.page();
  for (const record of await recordsOf(corsHost)) for (const layer of drawn[record.kind]) await add(page, record, layer);
  await page.context().close();
  assertNoErrors(browser);
});

test('what the browser may not read comes through this server', { skip }, async () => {
  const page = await browser.page();
  await logIn(page, instance, 'ben');
  let proxied = 0;
  for (const record of await recordsOf(noCorsHost)) {
    for (const layer of drawn[record.kind].map((name) => ({ Areas: 'Zones', Relief: 'Slopes' })[name] ?? name)) {
      await add(page, record, layer, async (alert) => {
        assert.match(await alert.innerText(), /CORS/, record.kind);
        proxied += 1;
        await alert.getByRole('button', { name: 'Load through this server' }).click();
        await alert.waitFor({ state: 'detached' });
      });
    }
  }
  // Images in the map's own system need no CORS permission; everything else does.
  assert.ok(proxied >= 14, `${proxied} through this server`);
  await page.context().close();
  assertNoErrors(browser, [/CORS policy/, /net::ERR_FAILED/, /source image cannot be decoded/]);
});
