// SPDX-License-Identifier: Apache-2.0
// Screenshots and accessibility of every view.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { shots } from './browser.mjs';
import { row, problems, settled, withPage } from './stage.mjs';

before(() => mkdirSync(shots, { recursive: true }));

for (const [name, window] of [
  ['light', {}], ['dark', { colorScheme: 'dark' }], ['narrow', { viewport: { width: 390, height: 844 }, hasTouch: true }]]) {
  test(`has no accessibility problem and looks as it should: ${name}`, async () => {
    await withPage('diamond', async (page) => {
      await row(page, 'mptcp-data').click();
      await page.locator('.way').nth(2).waitFor({ state: 'attached' });
      await page.waitForFunction(() => document.querySelectorAll('.life li').length > 2);
      await page.getByRole('button', { name: /^Why / }).click();
      await page.locator('.why tbody tr').first().waitFor();
      await settled(page);
      for (const [view, link] of [['connections', null], ['what-if', 'What if'], ['network', 'Network']]) {
        if (link) {
          await page.getByRole('link', { name: link }).click();
        }
        if (view === 'what-if') {
          await page.getByRole('button', { name: 'Show' }).click();
          await page.locator('.side-by-side article').nth(1).waitFor();
        }
        if (view === 'network') {
          await page.getByRole('button', { name: 'Dry run' }).click();
          await page.locator('.planned tbody tr').nth(1).waitFor();
        }
        const file = path.join(shots, `${view}-${name}.png`);
        await page.screenshot({ path: file, fullPage: name === 'narrow' });
        assert.deepEqual(await problems(page), [], view);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${view} is ${wide} px wider than the window`);
      }
    }, window);
  });
}

for (const [name, window] of [['light', {}], ['dark', { colorScheme: 'dark' }], ['narrow', { viewport: { width: 390, height: 844 }, hasTouch: true }]]) {
  test(`has no accessibility problem with legs, delays and shared risk: ${name}`, async () => {
    await withPage('routed', async (page) => {
      await row(page, 'mptcp-near').click();
      await page.locator('.legs a').waitFor();
      await page.locator('line[data-edge="of:0000000000000001/3"]').dispatchEvent('click');
      await page.getByText('shared risk').first().waitFor();
      await settled(page);
      await page.screenshot({ path: path.join(shots, `routed-${name}.png`), fullPage: name === 'narrow' });
      assert.deepEqual(await problems(page), []);
      // On a phone the table scrolls.
      const wide = await page.evaluate((names) => names.map((found) => document.querySelector(found))
        .map((element) => element.scrollWidth - element.clientWidth), name === 'narrow' ? ['html'] : ['html', '.scroller']);
      assert.ok(Math.max(...wide) <= 0, `${wide} px wider than there is room`);
    }, window);
  });
}
