// SPDX-License-Identifier: Apache-2.0
// What the page of a demonstration does to its testbed, and that no other page does any of it.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { shots } from './browser.mjs';
import { row, says, problems, settled, withPage } from './stage.mjs';

const S1_S2 = 'of:0000000000000001/1';

/** Runs `body` with the page of a demonstration. */
const withTestbed = (body, options) => withPage('demonstration', async (page, server) => {
  await server.control({ testbed: 'answers' });
  await page.reload();
  await row(page, 'mptcp-data').waitFor();
  await body(page, server);
}, options);
const inspect = async (page, line = `line[data-edge="${S1_S2}"]`) => {
  await settled(page);
  await page.locator(line).dispatchEvent('click');
};
const commands = async (server) => (await fetch(new URL('/control', server.address))).json();
const link = (page, name) => page.getByRole('form', { name: `Link ${name} of the testbed` });

test('takes a link of the drawing down and up, and gives it a capacity', async () => {
  await withTestbed(async (page, server) => {
    await inspect(page);
    await link(page, 's1-s2').getByRole('button', { name: 'Take down' }).click();
    await says(page, 'Link s1-s2 is down.');
    await page.locator('line[data-failed]').waitFor({ state: 'attached' });
    await says(page, 'Link s1 – s2 has failed');
    await link(page, 's1-s2').getByRole('button', { name: 'Bring up' }).click();
    await says(page, 'Link s1-s2 is up.');
    await page.locator('line[data-failed]').waitFor({ state: 'detached' });
    await link(page, 's1-s2').getByLabel('Capacity').fill('7.5');
    await page.keyboard.press('Enter');
    await says(page, 'Link s1-s2 has 7.5 Mbit/s in each direction.');
    // What was said is of that link.
    await page.locator('line[data-edge="of:0000000000000001/2"]').dispatchEvent('click');
    await link(page, 's1-s3').waitFor();
    assert.equal(await page.getByText('Link s1-s2 has').count(), 0);
    assert.deepEqual(await commands(server), [
      { action: 'link', place: 's1-s2', what: 'down' }, { action: 'link', place: 's1-s2', what: 'up' },
      { action: 'link', place: 's1-s2', what: '7.5' }]);
  });
});

test('says what the testbed refuses, and that it does not answer', async () => {
  await withTestbed(async (page, server) => {
    await inspect(page);
    await link(page, 's1-s2').getByLabel('Capacity').fill('much');
    await link(page, 's1-s2').getByRole('button', { name: 'Set' }).click();
    await page.getByRole('alert').getByText('much is neither down nor up, nor a capacity from 0.1 to 1000 Mbit/s').waitFor();
    await page.locator('.node[aria-label="Host h1"]').press('Enter');
    const form = page.getByRole('form', { name: 'Transfer between hosts' });
    await form.getByRole('combobox', { name: 'to' }).selectOption('h1');
    await form.getByRole('button', { name: 'Start a transfer' }).click();
    await page.getByRole('alert').getByText('h1 cannot transfer to itself: give two hosts').waitFor();
    await server.control({ testbed: 'silent' });
    await form.getByRole('button', { name: 'Start a transfer' }).click();
    await says(page, 'The demonstration has ended, or does not answer.');
    await server.control({ testbed: 'answers' });
    await form.waitFor();
  }, { complaints: true });
});

test('starts a transfer from a host, and its connection is listed', async () => {
  await withTestbed(async (page, server) => {
    await settled(page);
    await page.locator('.node[aria-label="Host h2"] circle').click();
    const form = page.getByRole('form', { name: 'Transfer between hosts' });
    assert.deepEqual([await form.getByRole('combobox', { name: 'From' }).inputValue(), await form.getByRole('combobox', { name: 'to' }).inputValue()], ['h2', 'h1']);
    await form.getByLabel('seconds').fill('30');
    await form.getByLabel('plain TCP').check();
    await form.getByRole('button', { name: 'Start a transfer' }).click();
    await says(page, 'A transfer from h2 to h1 runs for 30 s.');
    await row(page, 'begun-1').waitFor();
    assert.deepEqual(await commands(server), [{ action: 'transfer', source: 'h2', target: 'h1', seconds: 30, tcp: true }]);
  });
});

test('is nowhere on the page of another ONOS, which is asked nothing', async () => {
  await withPage('demonstration', async (page) => {
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await row(page, 'mptcp-data').waitFor();
    await inspect(page);
    await page.locator('.inspector tbody tr').first().waitFor();
    await page.locator('.node[aria-label="Host h1"]').press('Enter');
    await says(page, 'Host h1');
    await page.getByRole('link', { name: 'Network' }).click();
    await page.locator('.links-table tbody tr').nth(11).waitFor();
    assert.equal(await page.locator('mptcp-testbed-link, mptcp-testbed-transfer, .testbed, .links-table th button:not(.help)').count(), 0);
    assert.deepEqual(asked.filter((each) => /testbed/.test(each)), []);
    assert.equal(await page.getByText('demonstration').count(), 0);
  });
});

test('goes away with a word when the demonstration has ended, and comes back with it', async () => {
  await withTestbed(async (page, server) => {
    await inspect(page);
    await link(page, 's1-s2').waitFor();
    // Another ONOS has taken its place.
    await server.control({ testbed: '' });
    await says(page, 'The demonstration has ended, or does not answer.');
    await link(page, 's1-s2').waitFor({ state: 'detached' });
    await server.control({ testbed: 'answers' });
    await link(page, 's1-s2').waitFor();
    assert.equal(await page.getByText('The demonstration has ended').count(), 0);
  });
});

for (const [name, window] of [
  ['light', {}], ['dark', { colorScheme: 'dark' }], ['narrow', { viewport: { width: 390, height: 844 }, hasTouch: true }]]) {
  test(`of a testbed has no accessibility problem and looks as it should: ${name}`, async () => {
    mkdirSync(shots, { recursive: true });
    await withTestbed(async (page) => {
      await inspect(page);
      await link(page, 's1-s2').getByRole('button', { name: 'Take down' }).click();
      await says(page, 'Link s1-s2 is down.');
      await page.screenshot({ path: path.join(shots, `testbed-link-${name}.png`) });
      assert.deepEqual(await problems(page), []);
      await page.getByRole('link', { name: 'Network' }).click();
      // By the keyboard alone: a link of the table, its choice in the card, and what can be done to it.
      await page.locator('.links-table th').getByRole('button', { name: 's1 – s2' }).press('Enter');
      assert.equal(await page.evaluate(() => globalThis.document.activeElement.value), 's1-s2');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await says(page, 'Link s1-s2 is up.');
      await page.screenshot({ path: path.join(shots, `testbed-network-${name}.png`), fullPage: name === 'narrow' });
      assert.deepEqual(await problems(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth) <= 0, 'wider than the window');
    }, window);
  });
}
