// SPDX-License-Identifier: Apache-2.0
// How networks are drawn: in tiers, where ONOS says, with more to read when the user zooms in; and what words mean.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { shots } from './browser.mjs';
import { row, problems, settled, withPage } from './stage.mjs';

/** Where nodes are in the window, by their names. */
async function places(page) {
  const all = await page.locator('.node').evaluateAll((nodes) => nodes.map((node) => {
    const { x, y, width, height } = node.querySelector('rect, circle').getBoundingClientRect();
    return [node.getAttribute('aria-label').replace(/^(Switch|Host) /, '').replace(/,.*/, ''), { x: x + width / 2, y: y + height / 2, width }];
  }));
  return Object.fromEntries(all);
}

test('draws a fat tree in tiers: hosts below, core above', async () => {
  await withPage('fattree', async (page) => {
    await row(page, 'across').click();
    await page.locator('.way').nth(1).waitFor({ state: 'attached' });
    await settled(page);
    const at = await places(page);
    const heights = ['10.0.0.2', 'pod1edge1', 'pod1agg1', 'core1'].map((name) => at[name].y);
    assert.ok(heights.every((y, i) => !i || y < heights[i - 1] - 20), `${heights}`);
    assert.deepEqual([1, 2, 3, 4].map((n) => Math.round(at[`core${n}`].y)), Array(4).fill(Math.round(at.core1.y)));
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: path.join(shots, 'fattree.png') });
    assert.deepEqual(await problems(page), []);
  });
});

test('puts switches on the grid that ONOS has for them', async () => {
  await withPage('gridded', async (page) => {
    await row(page, 'mptcp-data').waitFor();
    await settled(page);
    const at = await places(page);
    assert.ok(Math.abs(at.s1.y - at.s3.y) < 8 && Math.abs(at.s3.y - at.s5.y) < 8, JSON.stringify(at));
    assert.ok(Math.abs(at.s2.x - at.s3.x) < 8 && at.s2.y < at.s3.y && at.s3.y < at.s4.y);
    assert.equal(await page.getByRole('button', { name: 'Map' }).getAttribute('aria-pressed'), 'true');
  });
});

test('shows more names when the user zooms in, and no larger ones', async () => {
  await withPage('big', async (page) => {
    await page.locator('.node').nth(599).waitFor({ state: 'attached' });
    await settled(page);
    const seen = () => page.locator('.node text').evaluateAll((all) => {
      const stage = document.querySelector('.stage').getBoundingClientRect();
      const boxes = all.map((one) => one.getBoundingClientRect())
        .filter((box) => box.left > stage.left && box.right < stage.right && box.top > stage.top && box.bottom < stage.bottom);
      const nodes = [...document.querySelectorAll('.node > g')].map((one) => one.getBoundingClientRect())
        .filter((box) => box.left > stage.left && box.right < stage.right && box.top > stage.top && box.bottom < stage.bottom);
      return { part: boxes.length / nodes.length, height: Math.max(...boxes.map((box) => box.height)), wide: Math.max(...nodes.map((box) => box.width)) };
    });
    const far = await seen();
    const box = await page.locator('svg.topology').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (let i = 0; i < 6; i++) {
      await page.mouse.wheel(0, -200);
    }
    await page.waitForFunction(() => !document.querySelector('svg.moving'));
    const near = await seen();
    assert.ok(near.part > 0.9 && near.part > 2 * far.part, `${near.part} of the nodes have names, before ${far.part}`);
    assert.ok(near.height < 1.4 * far.height && near.wide < 60, JSON.stringify({ far, near }));
  });
});

test('tells twenty connections of two hosts apart, and sorts them by subflows and what is measured', async () => {
  await withPage('twins', async (page) => {
    await row(page, 'mptcp-data').waitFor();
    const cells = (column) => page.locator(`tr[data-id] td:nth-child(${column})`).allInnerTexts();
    await page.waitForFunction(() => document.querySelectorAll('tr[data-id]').length >= 20);
    const clients = await cells(2);
    assert.equal(new Set(clients.map((text) => /:(\d+)/.exec(text)[1])).size, clients.length);
    await page.getByRole('columnheader', { name: 'Subflows' }).getByRole('button').click();
    await page.waitForFunction(() => document.querySelector('tr[data-id] td:nth-child(6)').innerText === '3');
    await page.getByRole('columnheader', { name: 'Measured' }).getByRole('button').click();
    await page.waitForFunction(() => {
      const rates = [...document.querySelectorAll('tr[data-id] td:nth-child(7)')].map((cell) => Number(cell.innerText));
      return rates.every((rate, i) => !i || rate <= rates[i - 1]);
    });
    const hidden = await page.locator('.scroller').evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(hidden <= 0, `the table is ${hidden} px wider than its place`);
  });
});

test('says what a word means, in a bubble that Escape closes', async () => {
  await withPage('diamond', async (page) => {
    await row(page, 'mptcp-data').click();
    const mark = page.locator('.facts').getByRole('button', { name: 'What is attainable rate, ζ?' }).first();
    await mark.focus();
    await page.keyboard.press('Enter');
    const bubble = page.locator('.bubble:popover-open');
    await bubble.getByText('The largest rate that a connection could attain').waitFor();
    const [at, below] = [await mark.boundingBox(), await bubble.boundingBox()];
    assert.ok(Math.abs(below.y - at.y) < 140 && below.x >= 0 && below.x + below.width <= 1280, JSON.stringify([at, below]));
    assert.deepEqual(await problems(page), []);
    await page.keyboard.press('Escape');
    await bubble.waitFor({ state: 'detached' });
  });
});
