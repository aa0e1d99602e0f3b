// SPDX-License-Identifier: Apache-2.0
// What is broken stays visible, and the past is there for who comes later.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { shots } from './browser.mjs';
import { row, says, problems, settled, withPage } from './stage.mjs';

test('shows a failed link, the subflow that moved, and why', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').click();
    await page.locator('.way').nth(2).waitFor({ state: 'attached' });
    const lines = await page.locator('line[data-edge]').count();
    await server.control({ fail: [1, 2] });
    await page.waitForFunction((n) => document.querySelectorAll('line[data-edge]').length === n - 1, lines);
    await says(page, 'moved from s1 > s2 > s5');
    await says(page, 'a link of its path went down');
    await page.locator('line.failed[data-failed]').waitFor({ state: 'attached' });
    assert.match(await page.locator('.link-label.failed').textContent(), /^failed \d\d:\d\d:\d\d$/);
    assert.equal((await page.locator('.legend li').allInnerTexts()).at(-1), 'failed');
    await page.locator('line[data-failed]').dispatchEvent('click');
    await says(page, 'Link s1 – s2 has failed');
    assert.match(await page.locator('.inspector').innerText(), /since \d\d:\d\d:\d\d; it had 10.0 Mbit\/s\s+Had to leave it: 10.0.0.1:\d+ → 10.0.0.2:5201, 10.0.0.1:\d+ → 10.0.0.2:5201/);
    await page.getByRole('link', { name: 'Network' }).click();
    assert.match(await page.locator('.links-table tr.failed').innerText(), /^s1 – s2\s+failed since .* had to leave it: 10.0.0.1:\d+ → 10.0.0.2:5201/);
  });
});

test('shows a failed switch, alarms, and what happened before the page was opened', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').click();
    await settled(page);
    mkdirSync(shots, { recursive: true });
    await server.control({ stop: 4, counters: { 'flow-tables.full': 1, 'agents.known': 3, 'agents.reporting': 1 } });
    await page.locator('.node.failed[aria-label="Switch s4, 0 links, failed"]').waitFor();
    await page.getByRole('alert').getByText('1 switch has a full flow table').waitFor();
    await page.getByRole('alert').getByText('2 agents are silent').waitFor();
    await page.screenshot({ path: path.join(shots, 'failed-light.png') });
    assert.deepEqual(await problems(page), []);
    await page.reload();
    await page.locator('.node.failed').waitFor();
    await page.getByRole('link', { name: 'Network' }).click();
    await says(page, 'moved from s1 > s4 > s5');
    await page.locator('.links-table tr.failed').nth(2).waitFor();
    await page.screenshot({ path: path.join(shots, 'failed-network.png') });
    assert.deepEqual(await problems(page), []);
    await server.control({ counters: { 'flow-tables.full': 0, 'agents.reporting': 3 } });
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
  });
});
