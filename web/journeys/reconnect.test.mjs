// The server goes and comes back while a task is watched.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ground, noFaults, noGround, number, openBrowser, reads, readsNoMore, until } from './ground.mjs';

const skip = noGround();
let ground;
let browser;
before(async () => {
  if (skip) return;
  ground = await Ground.lay({ delay: 150 });
  browser = await openBrowser(ground);
});
after(async () => {
  await browser?.close();
  await ground?.clear();
});

/** Every find of the page's list, walked from top to bottom: it only keeps the rows in view. */
async function shownFinds(page) {
  return page.evaluate(async () => {
    const list = document.querySelector('[data-drawer] [role=group][aria-label="Found"]');
    const seen = [];
    const look = () => {
      for (const link of document.querySelectorAll('[data-drawer] a[href^="/service/"]')) {
        const id = decodeURIComponent(link.getAttribute('href').slice(9));
        const top = Math.round(link.getBoundingClientRect().top + (list?.scrollTop ?? 0));
        if (!seen.some((one) => one.id === id && one.top === top)) seen.push({ id, top });
      }
    };
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    list.scrollTop = 0;
    await frame();
    for (;;) {
      look();
      if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) break;
      list.scrollTop += list.clientHeight / 2;
      await frame();
    }
    return seen.map((one) => one.id);
  });
}

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`reconnect after ${signal}`, { skip }, async () => {
    const spec = { title: `Through ${signal}`, seeds: ground.seeds(), depth: 6, max_pages: 900, scope: 'any', public: true, start: true };
    const task = await ground.api('ada', 'POST', '/tasks', spec);
    const page = await browser.page();
    await page.goto(`${ground.url}/tasks/${task.id}`);
    await reads(page, 'Running', { exact: true });
    await until('some finds', async () => (await number(page, 'Found')) > 3);
    const before = await number(page, 'Pages');

    await ground.stopServer(signal);
    await reads(page, /Catching up; nothing is lost|No connection/);
    assert.equal(await page.getByText('The task could not be loaded').count(), 0);
    assert.ok((await number(page, 'Pages')) >= before, 'numbers stay while nobody answers');
    await ground.serve();

    // It comes back by itself and goes on.
    await readsNoMore(page, /Catching up|No connection/);
    await until('more pages', async () => (await number(page, 'Pages')) > before);
    const ended = await until('the end', async () => {
      const now = await ground.api('ada', 'GET', `/tasks/${task.id}`);
      return ['finished', 'failed', 'stopped'].includes(now.state) ? now : null;
    });
    assert.equal(ended.state, 'finished');
    await reads(page, 'Finished', { exact: true });

    // Every find exactly once.
    const finds = [];
    for (let after = 0; ; ) {
      const answer = await ground.api(null, 'GET', `/tasks/${task.id}/finds?after=${after}&limit=200`);
      finds.push(...answer.results.map((one) => one.id));
      if (!answer.next || answer.results.length === 0) break;
      after = answer.next;
    }
    assert.ok(finds.length > 5);
    await until('every find once', async () => (await shownFinds(page)).toSorted().join() === finds.toSorted().join());
    await page.context().close();
    // The browser notes each attempt that nobody answers.
    noFaults(browser, [/ERR_CONNECTION_REFUSED/, /ERR_INCOMPLETE_CHUNKED_ENCODING/, /ERR_CONNECTION_RESET/, /ERR_EMPTY_RESPONSE/, /ERR_SOCKET/]);
  });
}

test('a base map that cannot be had at first comes by itself', { skip }, async () => {
  const page = await browser.page();
  let refused = 0;
  await page.context().route(/world\.worker/, (route) => (refused++ < 2 ? route.abort() : route.continue()));
  await page.goto(`${ground.url}/`);
  await reads(page, 'The base map could not be loaded.');
  await readsNoMore(page, 'The base map could not be loaded.');
  await page.locator('.map .world canvas').waitFor();
  assert.equal(refused, 3);
  await page.context().close();
  noFaults(browser, [/ERR_FAILED/]);
});
