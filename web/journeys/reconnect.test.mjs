// Tests that pages recover when the server restarts while a task is open.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestInstance, assertNoErrors, missingTools, readNumber, openBrowser, waitForText, waitForTextGone, waitUntil } from './test-instance.mjs';

const skip = missingTools();
let instance;
let browser;
before(async () => {
  if (skip) return;
  instance = await TestInstance.start({ delay: 150 });
  browser = await openBrowser(instance);
});
after(async () => {
  await browser?.close();
  await instance?.stop();
});

/** Collects all finds of the list by scrolling through it: it renders only the visible rows. */
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
    const spec = { title: `Through ${signal}`, seeds: instance.seeds(), depth: 6, max_pages: 900, scope: 'any', public: true, start: true };
    const task = await instance.api('ada', 'POST', '/tasks', spec);
    const page = await browser.page();
    await page.goto(`${instance.url}/tasks/${task.id}`);
    await waitForText(page, 'Running', { exact: true });
    await waitUntil('some finds', async () => (await readNumber(page, 'Found')) > 3);
    const before = await readNumber(page, 'Pages');

    await instance.stopServer(signal);
    await waitForText(page, /Catching up; nothing is lost|No connection/);
    assert.equal(await page.getByText('The task could not be loaded').count(), 0);
    assert.ok((await readNumber(page, 'Pages')) >= before, 'numbers stay while nobody answers');
    await instance.startServer();

    // The page reconnects by itself and continues.
    await waitForTextGone(page, /Catching up|No connection/);
    await waitUntil('more pages', async () => (await readNumber(page, 'Pages')) > before);
    const ended = await waitUntil('the end', async () => {
      const now = await instance.api('ada', 'GET', `/tasks/${task.id}`);
      return ['finished', 'failed', 'stopped'].includes(now.state) ? now : null;
    });
    assert.equal(ended.state, 'finished');
    await waitForText(page, 'Finished', { exact: true });

    // Each find is listed exactly once.
    const finds = [];
    for (let after = 0; ; ) {
      const answer = await instance.api(null, 'GET', `/tasks/${task.id}/finds?after=${after}&limit=200`);
      finds.push(...answer.results.map((one) => one.id));
      if (!answer.next || answer.results.length === 0) break;
      after = answer.next;
    }
    assert.ok(finds.length > 5);
    await waitUntil('every find once', async () => (await shownFinds(page)).toSorted().join() === finds.toSorted().join());
    await page.context().close();
    // The browser logs every failed connection attempt.
    assertNoErrors(browser, [/ERR_CONNECTION_REFUSED/, /ERR_INCOMPLETE_CHUNKED_ENCODING/, /ERR_CONNECTION_RESET/, /ERR_EMPTY_RESPONSE/, /ERR_SOCKET/]);
  });
}

test('a base map that cannot be had at first comes by itself', { skip }, async () => {
  const page = await browser.page();
  let refused = 0;
  await page.context().route(/world\.worker/, (route) => (refused++ < 2 ? route.abort() : route.continue()));
  await page.goto(`${instance.url}/`);
  await waitForText(page, 'The base map could not be loaded.');
  await waitForTextGone(page, 'The base map could not be loaded.');
  await page.locator('.map .world canvas').waitFor();
  assert.equal(refused, 3);
  await page.context().close();
  assertNoErrors(browser, [/ERR_FAILED/]);
});
