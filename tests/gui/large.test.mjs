// SPDX-License-Identifier: Apache-2.0
// Large networks, many connections, and the size of the page itself.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { builtPage } from './browser.mjs';
import { settled, withPage } from './stage.mjs';

/** Processor time per frame: a dozen frames a second on an idle processor. 10 to 20 ms are usual. */
const MOST_MILLIS_PER_FRAME = 80;

test('stays usable with 10,000 connections', { timeout: 120_000 }, async () => {
  await withPage('crowd', async (page) => {
    page.setDefaultTimeout(60_000);
    await page.locator('.table-bar').getByText('10000').waitFor();
    assert.ok(await page.locator('tr[data-id]').count() < 100);
    await page.getByRole('searchbox').fill('0001');
    await page.waitForFunction(() => document.querySelectorAll('tr[data-id]').length < 30);
    await page.locator('tr[data-id]').first().click();
    await page.locator('.detail').waitFor();
    await page.getByRole('searchbox').fill('');
    // The list cannot scroll before its rows are back.
    await page.waitForFunction(() => document.querySelector('.table-bar .count').textContent.trim() === '10000');
    await page.locator('.scroller').evaluate((element) => (element.scrollTop = element.scrollHeight));
    await page.locator('tr[aria-rowindex="10001"]').waitFor();
  }, { server: ['--period', '3'] });
});

test('draws 500 switches, 1,500 links and 1,000 connections quickly, and stays smooth', { timeout: 120_000 }, async (t) => {
  await withPage('big', async (page) => {
    page.setDefaultTimeout(60_000);
    const processorTime = await stopwatch(page);
    await page.locator('.node').nth(599).waitFor({ state: 'attached' });
    const drawn = await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now()))));
    t.diagnostic(`first drawing after ${Math.round(drawn)} ms, of which ${Math.round(await processorTime())} ms on a processor`);
    await settled(page);
    const box = await page.locator('svg.topology').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    const zoom = await smoothness(page, processorTime, async () => {
      for (let i = 0; i < 60; i++) {
        await page.mouse.wheel(0, i < 30 ? -40 : 40);
      }
    });
    t.diagnostic(`zoom: ${zoom.text}`);
    await page.mouse.move(box.x + 8, box.y + box.height - 60);
    await page.mouse.down();
    const pan = await smoothness(page, processorTime, async () => {
      for (let i = 0; i < 60; i++) {
        await page.mouse.move(box.x + 8 + 3 * i, box.y + box.height - 60 - 2 * i);
      }
    });
    await page.mouse.up();
    t.diagnostic(`pan: ${pan.text}`);
    assert.ok(drawn < 15_000, `first drawing after ${drawn} ms`);
    // Processor time, because the frame rate depends on the load by other programs.
    assert.ok(zoom.millisPerFrame < MOST_MILLIS_PER_FRAME, `zoom: ${zoom.text}`);
    assert.ok(pan.millisPerFrame < MOST_MILLIS_PER_FRAME, `pan: ${pan.text}`);
  });
});

/** Returns a function that reads the processor time of the page's process so far, in milliseconds. */
async function stopwatch(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'ProcessTime').value * 1000;
  };
}

/** Measures frames per second during an action, and the processor time of each frame. */
async function smoothness(page, processorTime, act) {
  await page.evaluate(() => {
    globalThis.frameTimes = [];
    const frame = (time) => {
      globalThis.frameTimes.push(time);
      globalThis.frameRequest = requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const before = await processorTime();
  await act();
  const spent = await processorTime() - before;
  const { frames, millis } = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.frameRequest);
    const times = globalThis.frameTimes;
    return { frames: times.length - 1, millis: times[times.length - 1] - times[0] };
  });
  const millisPerFrame = spent / frames;
  return { millisPerFrame, text: `${(frames * 1000 / millis).toFixed(0)} frames/s, ${millisPerFrame.toFixed(0)} ms of a processor each` };
}

test('is at most 150 kB gzipped in all', () => {
  const sizes = readdirSync(builtPage).filter((name) => /\.(html|js|css|svg)$/.test(name))
    .map((name) => gzipSync(readFileSync(path.join(builtPage, name)), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= 150_000, `${total} bytes`);
});
