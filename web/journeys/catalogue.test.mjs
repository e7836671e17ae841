// Search for services and show their layers on the map.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countDifferentPixels, dragOnMap, TestInstance, logIn, mapScreenshot, isWellBehaved, assertNoErrors, missingTools, openBrowser, waitForText, waitForSameMap, waitForSettledMap, waitUntil } from './test-instance.mjs';

const skip = missingTools();
let instance;
let browser;
before(async () => {
  if (skip) return;
  instance = await TestInstance.start();
  await instance.crawlAll();
  browser = await openBrowser(instance);
});
after(async () => {
  await browser?.close();
  await instance?.stop();
});

const total = async (page) => Number((await page.locator('.head [role=status] b').innerText()).replace(/\D/g, ''));

test('the first load is small and nothing blocks it', { skip }, async () => {
  const page = await browser.page();
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const heavy = [];
  session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  session.on('Network.responseReceived', (event) => heavy.push([event.response.url.replace(instance.url, ''), event.response.encodedDataLength]));
  await page.goto(instance.url);
  await page.locator('[data-row]').first().waitFor();
  await waitForSettledMap(page);
  assert.ok(bytes > 50_000 && bytes < 600_000, `${bytes} bytes: ${JSON.stringify(heavy)}`);
  console.log(`first load: ${Math.round(bytes / 1000)} KB`);
  await page.context().close();
  assertNoErrors(browser);
});

test('what lacks a word and what was spelled otherwise says so', { skip }, async () => {
  const page = await browser.page();
  const { results } = await instance.api(null, 'GET', '/search?limit=20&kind=wms');
  // A common word with a nonsense word: partial matches are offered.
  const word = results.flatMap((one) => (one.title ?? '').split(/\P{L}+/u)).find((part, at, all) => part.length > 5 && all.lastIndexOf(part) > at);
  await page.goto(`${instance.url}/?q=${encodeURIComponent(`${word} qqqqqqqqqqqq`)}`);
  await page.locator('[data-row]').first().waitFor();
  await waitForText(page, 'none match all words');
  assert.equal(await page.locator('li.row').first().locator('.missing s').innerText(), 'qqqqqqqqqqqq');

  // A doubled letter: no match, so the corrected query is used without a click.
  const slip = `${word.slice(0, 3)}${word.slice(2)}`;
  const answer = await instance.api(null, 'GET', `/search?limit=1&q=${encodeURIComponent(slip)}`);
  assert.ok(answer.corrected && answer.total > 0, `${slip}: ${JSON.stringify(answer.did_you_mean)}`);
  await page.goto(`${instance.url}/?q=${encodeURIComponent(slip)}`);
  await waitForText(page, 'No exact matches. Showing results for');
  await page.locator('.meant b', { hasText: answer.did_you_mean }).waitFor();
  assert.equal(await total(page), answer.total);
  await page.context().close();
  assertNoErrors(browser);
});

test('a place by its name', { skip }, async () => {
  const page = await browser.page();
  await page.goto(instance.url);
  await page.locator('[data-row]').first().waitFor();
  const field = page.getByRole('combobox', { name: 'Search services and layers' });

  // Typed: the words before the name stay in the query, and the place becomes the area filter.
  await field.pressSequentially('wms in Bavar');
  const offered = page.getByRole('option', { name: /Bavaria/ });
  await offered.waitFor();
  await offered.click();
  const { places } = await instance.api(null, 'GET', '/gazetteer?q=bavaria&limit=1');
  assert.equal(places[0].kind, 'region');
  const shown = () => new URL(page.url()).searchParams;
  await waitUntil('the box of Bavaria', () => shown().get('bbox') !== null);
  assert.deepEqual([shown().get('q'), shown().get('place')], ['wms', 'Bavaria']);
  await page.getByRole('button', { name: 'Choose a place: Bavaria' }).waitFor();
  const there = await instance.api(null, 'GET', `/search?limit=1&q=wms&bbox=${shown().get('bbox')}`);
  await waitUntil('what lies there', async () => (await total(page)) === there.total);

  // Named in the query: offered, and applied with a click.
  await page.goto(`${instance.url}/?q=${encodeURIComponent('wfs Deutschland')}`);
  await page.getByRole('button', { name: 'Germany country' }).click();
  await page.waitForURL(/bbox=/);
  assert.deepEqual([shown().get('q'), shown().get('place')], ['wfs', 'Germany']);

  // Typed into the area field, with the keyboard only.
  await page.getByRole('button', { name: /^Choose a place/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Enter a place or box' }).press('Enter');
  await page.keyboard.type('mer du nord');
  await page.getByRole('list', { name: 'Places with this name' }).getByRole('button', { name: /North Sea/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/place=North/);
  await page.keyboard.press('Escape');
  await page.context().close();
  assertNoErrors(browser);
});

test('search with words, a drawn box and filters', { skip }, async () => {
  const page = await browser.page();
  await page.goto(instance.url);
  await page.locator('[data-row]').first().waitFor();
  const all = await total(page);
  const whole = await instance.api(null, 'GET', '/search?limit=1');
  assert.equal(all, whole.total);

  // A box drawn on the map.
  await waitForSettledMap(page);
  await page.getByRole('button', { name: /^Choose a place/ }).click();
  await page.getByRole('menuitem', { name: 'Draw a rectangle' }).click();
  await waitForText(page, 'Drag a rectangle, or click two corners');
  await dragOnMap(page, [930, 260], [1060, 420]);
  await page.waitForURL(/bbox=/);
  const box = new URL(page.url()).searchParams.get('bbox');
  const inBox = await instance.api(null, 'GET', `/search?limit=1&bbox=${box}`);
  assert.ok(inBox.total > 0 && inBox.total < all, `${inBox.total} of ${all} in ${box}`);
  await waitUntil('the answer for the box', async () => (await total(page)) === inBox.total);

  // Add words.
  const word = (await instance.api(null, 'GET', `/search?limit=50&kind=wms&bbox=${box}`)).results.find(isWellBehaved).title.split(/\P{L}+/u).find((part) => part.length > 4);
  await page.getByRole('combobox', { name: 'Search services and layers' }).fill(word);
  await page.getByRole('combobox').press('Enter');
  const both = await instance.api(null, 'GET', `/search?limit=1&bbox=${box}&q=${encodeURIComponent(word)}`);
  await waitUntil('the answer for words and box', async () => (await total(page)) === both.total);
  await page.locator('[data-row] mark').first().waitFor();

  // A facet.
  await page.getByRole('button', { name: 'Filters' }).click();
  const kind = page.locator('fieldset', { hasText: 'Kind' }).first().getByRole('checkbox').first();
  const count = Number(await page.locator('fieldset', { hasText: 'Kind' }).first().locator('.count').first().innerText());
  await kind.check();
  await page.waitForURL(/kind=/);
  await waitUntil('the answer for the kind', async () => (await total(page)) === count);

  // The link contains all filters.
  const link = page.url();
  const other = await browser.page();
  await other.goto(link);
  await other.locator('[data-row]').first().waitFor();
  assert.equal(await total(other), count);
  assert.equal(await other.getByRole('combobox').inputValue(), word);
  assert.deepEqual(await rows(other), await rows(page));

  // The back button undoes one step at a time.
  await page.goBack();
  await waitUntil('the kind undone', async () => (await total(page)) === both.total);
  await page.goBack();
  await waitUntil('the words undone', async () => (await total(page)) === inBox.total && (await page.getByRole('combobox').inputValue()) === '');
  await page.goBack();
  await waitUntil('the box undone', async () => (await total(page)) === all);
  assertNoErrors(browser);
});

const rows = (page) => page.locator('[data-row]').evaluateAll((links) => links.map((link) => link.dataset.id));

test('a list of layers: all of a service, page after page, each opened and put on the map', { skip }, async () => {
  const page = await browser.page();
  await page.goto(`${instance.url}/?by=layers&kind=wms`);
  await page.locator('[data-row]').first().waitFor();
  const answer = await instance.api(null, 'GET', '/search?by=layers&kind=wms&limit=50');
  assert.equal(await total(page), answer.total);
  assert.match(await page.locator('.head [role=status]').innerText(), /^[\d\s]+ layers$/);
  const wanted = answer.results.map((one) => `${one.id} ${one.hit.layers[0].name}`);
  assert.ok(new Set(answer.results.map((one) => one.id)).size < wanted.length, 'no service has two layers here');
  const shown = () => page.locator('[data-row]').evaluateAll((links) => links.map((link) => `${link.dataset.id} ${link.dataset.layer}`));
  await waitUntil('fifty layers', async () => {
    const list = page.getByRole('region', { name: 'Search' }).locator('[data-row]').last();
    await list.scrollIntoViewIfNeeded();
    return (await shown()).length >= 50;
  });
  assert.deepEqual((await shown()).slice(0, 50), wanted);

  // The row links to its service with the layer in view, and m adds it to the map.
  const at = answer.results.findIndex(isWellBehaved);
  const { name } = answer.results[at].hit.layers[0];
  const row = page.locator('[data-row]').nth(at);
  await row.focus();
  await page.keyboard.press('m');
  await page.waitForURL(/map=/);
  assert.ok(decodeURIComponent(page.url()).includes(name), page.url());
  await row.press('Enter');
  await waitForText(page.getByRole('complementary', { name: 'Service' }), name, { exact: true });
  await page.context().close();
  assertNoErrors(browser);
});

test('nothing found: what emptied it is said, lifted, and a task is offered', { skip }, async () => {
  const page = await browser.page();
  const kinds = (await instance.api(null, 'GET', '/search?limit=0&facets=true')).facets.kind;
  const wms = kinds.find((one) => one.value === 'wms');
  await page.goto(`${instance.url}/?kind=wms&bbox=-160,-60,-150,-50&relation=within`);
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  const task = page.getByRole('link', { name: 'Create a task for this search' });
  assert.match(await task.getAttribute('href'), /\/tasks\/new\?area=-160,-60,-150,-50/);
  const lift = page.getByRole('listitem').filter({ hasText: 'Place:' }).getByRole('button');
  assert.equal(await lift.innerText(), `Remove (${wms.count} results)`);
  await lift.click();
  await waitUntil('the lifted answer', async () => (await total(page)) === wms.count);

  // A guest who wants to create the task is asked to log in, and returns to the filled form.
  await page.goto(`${instance.url}/?q=zzzunheardof&bbox=5,45,11,48`);
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  await page.getByRole('link', { name: 'Create a task for this search' }).click();
  await page.getByRole('region', { name: 'New task' }).getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Name').fill('ben');
  await page.getByLabel('Password').fill(instance.password('ben'));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Remove zzzunheardof' }).waitFor();
  assert.equal((await page.getByLabel('Area').inputValue()).replaceAll(' ', ''), '5,45,11,48');
  await page.context().close();
  assertNoErrors(browser);
});

/** Finds a service with two layers in the map's own system, which need no CORS permission. */
async function simpleWms() {
  const { results } = await instance.api(null, 'GET', '/search?kind=wms&status=alive&limit=100');
  for (const one of results.filter((record) => record.url.startsWith('http:') && record.dataset_count > 1 && record.bbox)) {
    const { results: layers } = await instance.api(null, 'GET', `/records/${one.id}/layers?limit=3`);
    if (layers.length > 1 && [...(one.crs ?? []), ...(layers[0].crs ?? [])].some((crs) => /3857|900913/.test(crs))) return { one, layers };
  }
  throw new Error('the simulated web has no WMS for this');
}

test('add to map: pixels change; opacity, order, removal, link', { skip }, async () => {
  const { one, layers } = await simpleWms();
  const [w, s, e, n] = layers[0].bbox ?? one.bbox;
  const page = await browser.page();
  await page.goto(`${instance.url}/service/${one.id}?at=${(w + e) / 2},${(s + n) / 2},5`);
  const drawer = page.getByRole('complementary', { name: 'Service' });
  await drawer.getByRole('heading', { level: 1 }).waitFor();
  await waitForSettledMap(page);
  const before = await mapScreenshot(page);
  const name = (at) => layers[at].title || layers[at].name;
  await drawer.getByRole('button', { name: `Add ${name(0)} to the map`, exact: true }).first().click();
  const card = page.getByRole('region', { name: 'Layers on the map' });
  await waitForText(card, name(0));
  const drawn = await waitUntil('the layer drawn', async () => {
    const now = await mapScreenshot(page);
    return (await countDifferentPixels(page, before, now)) > 2000 ? now : null;
  });

  // Half the opacity changes pixels; then restore it.
  const opacity = card.getByRole('slider').first();
  await opacity.fill('20');
  await page.waitForURL(/~20/);
  await waitUntil('a fainter layer', async () => (await countDifferentPixels(page, drawn, await mapScreenshot(page))) > 2000);
  await opacity.fill('100');

  // Add a second layer on top, then move it below the first.
  await drawer.getByRole('button', { name: `Add ${name(1)} to the map`, exact: true }).first().click();
  const order = () => card.getByRole('listitem').locator('.name').allInnerTexts();
  // Each layer shows its title as soon as it is known.
  await waitUntil('two layers with their titles', async () => {
    const shown = await order();
    return shown.length === 2 && [name(0), name(1)].every((title) => shown.some((one) => one.includes(title)));
  });
  const first = await order();
  await card.getByRole('button', { name: /^Move .* down$/ }).first().click();
  await waitUntil('the other order', async () => (await order()).join() === [...first].reverse().join());

  // The link shows the same map; the pointer highlights nothing.
  await page.mouse.move(700, 899);
  await waitForSettledMap(page);
  const same = await browser.page();
  await same.goto(page.url());
  const sameCard = same.getByRole('region', { name: 'Layers on the map' });
  await waitUntil('the same list', async () => (await sameCard.getByRole('listitem').locator('.name').allInnerTexts()).join() === (await order()).join());
  await waitForSameMap('the same picture', page, same);
  await same.context().close();

  // Without the layers, the map is as before.
  const full = await mapScreenshot(page);
  await card.getByRole('button', { name: /^Remove (?!all)/ }).first().click();
  await card.getByRole('button', { name: /^Remove (?!all)/ }).last().click();
  await waitUntil('an empty list', async () => (await card.getByRole('listitem').count()) === 0);
  await page.getByRole('button', { name: /^Layers on the map/ }).click();
  await page.mouse.move(700, 899);
  await waitUntil('the layers gone', async () => (await countDifferentPixels(page, full, await mapScreenshot(page))) > 2000);
  await page.context().close();
  assertNoErrors(browser);
});

test('a link shows the same map whichever of its panels comes first', { skip }, async () => {
  const { one } = await simpleWms();
  const link = `${instance.url}/service/${one.id}?at=9,48,5`;
  const drawer = (page) => page.getByRole('complementary', { name: 'Service' }).getByRole('heading', { level: 1 });
  const first = await browser.page();
  await first.goto(link);
  await drawer(first).waitFor();
  await waitForSettledMap(first);

  // Hold back the drawer until the map is ready.
  const second = await browser.page();
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  await second.route(/\/assets\/Service-/, (route) => opened.then(() => route.continue()));
  await second.goto(link);
  await waitForSettledMap(second);
  open();
  await drawer(second).waitFor();
  await waitForSameMap('the same picture', first, second);

  // The view stays when the user closes the drawer, and the link is updated.
  await second.getByRole('button', { name: 'Close', exact: true }).click();
  await drawer(second).waitFor({ state: 'detached' });
  await waitUntil('the new middle of the map in the link', () => second.url() !== link && !new URL(second.url()).searchParams.get('at').startsWith('9,48,'));
  await first.goto(second.url());
  await first.locator('[data-row]').first().waitFor();
  await waitForSameMap('the same picture again', first, second);
  await first.context().close();
  await second.context().close();
  assertNoErrors(browser);
});

test('where the browser may not ask, the server is offered', { skip }, async () => {
  const { one, layers } = await simpleWms();
  const [layer] = layers;
  const link = `${instance.url}/service/${one.id}`;

  // Simulate a server that blocks this browser.
  const shut = (page) => page.route(/REQUEST=GetMap/, (route) => (new URL(route.request().url()).origin === instance.url ? route.continue() : route.abort()));
  const guest = await browser.page();
  await shut(guest);
  await guest.goto(link);
  await guest.getByRole('button', { name: `Add ${layer.title || layer.name} to the map` }).first().click();
  const said = guest.getByRole('region', { name: 'Layers on the map' }).getByRole('alert');
  await waitForText(said, 'CORS');
  await said.getByRole('link', { name: 'Log in to load it through this server' }).waitFor();
  await guest.context().close();

  const page = await browser.page();
  await logIn(page, instance, 'ben');
  await shut(page);
  await page.goto(link);
  await page.getByRole('button', { name: `Add ${layer.title || layer.name} to the map` }).first().click();
  const card = page.getByRole('region', { name: 'Layers on the map' });
  const asked = page.waitForResponse((response) => response.url().includes('/api/v1/proxy/'));
  await card.getByRole('button', { name: 'Load through this server' }).click();
  const answer = await asked;
  assert.equal(answer.status(), 200, answer.url());
  assert.match(answer.headers()['content-type'], /image\/png/);
  await waitForText(card, 'Loaded through this server');
  assert.equal(await card.getByRole('alert').count(), 0);
  await page.context().close();
  // The browser logs the failed requests, as intended.
  assertNoErrors(browser, [/net::ERR_FAILED/, /source image cannot be decoded/]);
});

test('hostile words are shown as words', { skip }, async () => {
  const answer = await fetch(instance.url);
  const policy = answer.headers.get('content-security-policy');
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.match(policy, /object-src 'none'/);
  const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
  const task = await instance.api('ben', 'POST', '/tasks', { title: hostile, seeds: ['http://example.org/'], keywords: [hostile], public: true });
  const record = (await instance.api(null, 'GET', '/search?limit=1')).results[0];
  await instance.api('ben', 'POST', `/records/${record.id}/report`, { text: hostile });

  const page = await browser.page();
  await logIn(page, instance, 'ada');
  for (const path of ['/tasks', `/tasks/${task.id}`, '/admin/reports']) {
    await page.goto(instance.url + path);
    await waitForText(page, 'onerror="window.ran=1"');
    assert.equal(await page.evaluate(() => [window.ran, document.querySelectorAll('img[src="x"]').length].join()), ',0', path);
  }
  // Results contain marks as HTML: only marks may survive, whatever the server sends.
  await page.route('**/api/v1/search?*', async (route) => {
    const got = await route.fetch();
    const body = await got.json();
    for (const one of body.results) one.hit.title_html = `<mark>a</mark>${hostile}`;
    await route.fulfill({ response: got, json: body });
  });
  await page.goto(`${instance.url}/?q=hostile&status=any`);
  await page.goto(`${instance.url}/`);
  await page.locator('[data-row] mark').first().waitFor();
  assert.match(await page.locator('[data-row]').first().innerText(), /<img src=x/);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  await page.context().close();
  assertNoErrors(browser);
});
