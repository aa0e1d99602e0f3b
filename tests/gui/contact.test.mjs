// SPDX-License-Identifier: Apache-2.0
// The page without ONOS, with an updated ONOS, without a stream, and with a login that ONOS refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, replay } from './browser.mjs';
import { browser, row, says, problems, withPage } from './stage.mjs';

test('says that ONOS has gone, keeps what was seen, and recovers by itself', async () => {
  const server = await replay('diamond');
  const page = await open(browser, server.address);
  await row(page, 'mptcp-data').waitFor();
  await server.stop();
  await says(page, 'ONOS does not answer');
  assert.equal(await page.locator('.node').count(), 7);
  const again = await replay('diamond', '--port', new URL(server.address).port);
  await page.locator('.contact.up').waitFor();
  await page.getByText('ONOS does not answer').waitFor({ state: 'detached' });
  await page.context().close();
  await again.stop();
});

test('tells a missing application and a refused login apart', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').waitFor();
    await server.control({ status: 404 });
    await says(page, 'is starting, or not activated');
    await server.control({ status: 403 });
    await says(page, 'refused the login');
    await server.control({ status: 0 });
    await page.locator('.contact.up').waitFor();
  }, { complaints: true });
});

test('says that no ONOS node decides, and why', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').waitFor();
    await server.control({ undecided: 'the storage nodes do not answer this node' });
    await says(page, 'In ONOS the storage nodes do not answer this node.');
    await server.control({ undecided: '' });
    await page.getByText('the storage nodes do not answer').waitFor({ state: 'detached' });
  });
});

test('leads to the other nodes of the cluster when its own one has gone', async () => {
  const server = await replay('diamond');
  const page = await open(browser, `${server.address}#network`);
  const port = new URL(server.address).port;
  await server.control({ others: ['127.0.0.2', '::1'] });
  await page.waitForResponse(async (answer) => answer.url().endsWith('/cluster') && (await answer.text()).includes('127.0.0.2'));
  assert.equal(await page.locator('.elsewhere').count(), 0);
  await server.stop();
  await says(page, 'Other nodes of the cluster');
  const links = await page.locator('.elsewhere').evaluateAll((all) => all.map((one) => one.href));
  const { pathname } = new URL(server.address);
  assert.deepEqual(links, ['127.0.0.2', '[::1]'].map((node) => `http://${node}:${port}${pathname}#network`));
  assert.deepEqual(await problems(page), []);
  await page.context().close();
});

test('polls where the stream does not come through', async () => {
  await withPage('diamond', async (page, server) => {
    await page.locator('.contact').getByText('polling').waitFor();
    await row(page, 'mptcp-data').click();
    await page.locator('.way').nth(2).waitFor({ state: 'attached' });
    await server.control({ fail: [1, 3] });
    await page.waitForFunction(() => document.querySelectorAll('line[data-edge]').length === 5);
  }, { server: ['--no-stream'], complaints: true });
});

test('asks to be reloaded after the application was updated', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').waitFor();
    await server.control({ version: '0.2.0', stream: false });
    await says(page, 'was updated since this page was loaded');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    // As long as the banner is there, the old page is still shown.
    await page.getByText('was updated since').waitFor({ state: 'detached' });
    await row(page, 'mptcp-data').waitFor();
    assert.equal(await page.getByText('was updated since').count(), 0);
  }, { complaints: true });
});

test('lets nobody in with a wrong password', async () => {
  const server = await replay('diamond');
  const context = await browser.newContext({ httpCredentials: { username: 'onos', password: 'wrong' } });
  const page = await context.newPage();
  assert.equal((await page.goto(server.address)).status(), 401);
  await context.close();
  await server.stop();
});
