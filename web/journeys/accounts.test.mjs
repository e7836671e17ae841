// Permissions, and two users at once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestInstance, logIn, assertNoErrors, missingTools, readNumber, openBrowser, waitForText, waitUntil } from './test-instance.mjs';

const skip = missingTools();
let instance;
let browser;
let open;
let secret;
before(async () => {
  if (skip) return;
  instance = await TestInstance.start({ delay: 60 });
  const spec = { seeds: instance.seeds(), depth: 3, max_pages: 120, scope: 'any', start: true };
  open = await instance.api('ben', 'POST', '/tasks', { ...spec, title: 'For everyone', public: true });
  secret = await instance.api('ben', 'POST', '/tasks', { ...spec, title: 'For Ben alone', public: false });
  await waitUntil('both tasks', async () => (await instance.api('ben', 'GET', '/tasks?state=finished')).total === 2);
  await waitUntil('the index', async () => (await instance.api(null, 'GET', '/search?limit=0')).total > 0);
  browser = await openBrowser(instance);
});
after(async () => {
  await browser?.close();
  await instance?.stop();
});

test('a guest looks, but starts and downloads nothing, and is told so', { skip }, async () => {
  const page = await browser.page();
  await page.goto(`${instance.url}/tasks`);
  await waitForText(page, 'For everyone');
  assert.equal(await page.getByText('For Ben alone').count(), 0);
  assert.equal(await page.getByRole('link', { name: 'New task' }).count(), 0);
  await waitForText(page, 'Anyone can watch public tasks');
  await page.goto(`${instance.url}/tasks/${open.id}`);
  await waitForText(page, 'Finished', { exact: true });
  for (const name of ['Start again', 'Clone', 'Delete', 'Edit']) assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  await page.goto(`${instance.url}/tasks/${secret.id}`);
  await waitForText(page, 'This task is not public');
  await page.goto(`${instance.url}/tasks/new`);
  await waitForText(page, 'Log in to start a task');
  await page.goto(instance.url);
  await page.getByRole('button', { name: 'Download results' }).click();
  await waitForText(page, 'You need an account to download results');
  await page.goto(`${instance.url}/admin`);
  await page.getByRole('region', { name: 'Administration' }).getByRole('link', { name: 'Log in' }).waitFor();
  // Not only hidden: the API refuses it too.
  for (const [method, path] of [['POST', '/tasks'], ['GET', '/downloads/csv'], ['GET', '/users'], ['DELETE', `/tasks/${open.id}`]]) {
    await assert.rejects(instance.api(null, method, path, method === 'POST' ? { title: 'x', seeds: instance.seeds() } : undefined), /: 40[13] /, `${method} ${path}`);
  }
  await page.context().close();
  assertNoErrors(browser, [new RegExp(`404 .*/tasks/${secret.id}`)]);
});

test('a user has their own and the public ones; administration is not theirs', { skip }, async () => {
  const page = await browser.page();
  await logIn(page, instance, 'cleo');
  await page.goto(`${instance.url}/tasks`);
  await waitForText(page, 'For everyone');
  assert.equal(await page.getByText('For Ben alone').count(), 0);
  await page.goto(`${instance.url}/tasks/${secret.id}`);
  await waitForText(page, 'Task not found');
  await page.goto(`${instance.url}/admin`);
  await page.getByText('Administration is for administrators').or(page.getByText(/administrator/i)).first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'Admin' }).count(), 0);
  const download = page.waitForEvent('download');
  await page.goto(instance.url);
  await page.getByRole('button', { name: 'Download results' }).click();
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  assert.match((await download).suggestedFilename(), /\.csv$/);
  await page.context().close();
  assertNoErrors(browser, [new RegExp(`404 .*/tasks/${secret.id}`)]);
});

test('an admin sees everything and everyone', { skip }, async () => {
  const page = await browser.page();
  await logIn(page, instance, 'ada');
  await page.goto(`${instance.url}/tasks`);
  await waitForText(page, 'For Ben alone');
  await page.getByRole('link', { name: 'Admin' }).click();
  for (const name of ['ada', 'ben', 'cleo']) await waitForText(page.getByRole('region', { name: 'Administration' }), name, { exact: true });
  for (const [tab, words] of [['Settings', 'Save'], ['Audit log', 'login'], ['Reports', 'No open reports'], ['System', 'Search index']]) {
    await page.getByRole('tab', { name: tab }).click();
    await waitForText(page.getByRole('tabpanel'), words);
  }
  await page.context().close();
  assertNoErrors(browser);
});

test('two people at once, each with their own task, live', { skip }, async () => {
  const watch = async (name) => {
    const page = await browser.page();
    await logIn(page, instance, name);
    const spec = { title: `Of ${name}`, seeds: instance.seeds(), depth: 8, scope: 'any', public: false, start: true };
    const task = await instance.api(name, 'POST', '/tasks', spec);
    await page.goto(`${instance.url}/tasks/${task.id}`);
    await waitForText(page, 'Running', { exact: true });
    return { name, page, task };
  };
  const both = [await watch('ben'), await watch('cleo')];
  for (const { page, name } of both) {
    await page.getByRole('heading', { name: `Of ${name}` }).waitFor();
    const early = await readNumber(page, 'Pages');
    await waitUntil(`pages of ${name}`, async () => (await readNumber(page, 'Pages')) > early + 3);
    await page.locator('a[href^="/service/"]').first().waitFor();
  }
  // Both tasks still run; neither user sees the other's.
  for (const [at, { page, name, task }] of both.entries()) {
    assert.equal((await instance.api(name, 'GET', `/tasks/${task.id}`)).state, 'running');
    const other = both[1 - at];
    await assert.rejects(instance.api(name, 'GET', `/tasks/${other.task.id}`), /: 404 /);
    await page.goto(`${instance.url}/tasks`);
    await waitForText(page, `Of ${name}`);
    assert.equal(await page.getByText(`Of ${other.name}`).count(), 0);
  }
  for (const { name, task, page } of both) {
    await instance.api(name, 'POST', `/tasks/${task.id}/stop`);
    // The list updates by itself.
    await waitForText(page.getByRole('link', { name: new RegExp(`Of ${name}`) }), 'Stopped');
    await page.context().close();
  }
  assertNoErrors(browser);
});
