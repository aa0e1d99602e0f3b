// SPDX-License-Identifier: Apache-2.0
// What the tests of the page share: a browser, and a page on a replayed scenario.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { axePath, launch, open, replay } from './browser.mjs';

const PATIENCE = 15_000;

/** The browser of this file's tests; there is one from the first test on. */
export let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Runs `body` with a page on a replayed scenario; in the end the page must not have complained or asked anyone else. */
export async function withPage(scenario, body, { server: options = [], complaints = false, ...window } = {}) {
  const server = await replay(scenario, ...options);
  let page;
  try {
    page = await open(browser, server.address, window);
    page.setDefaultTimeout(PATIENCE);
    await body(page, server);
    assert.deepEqual(page.foreign, [], 'requests to other origins');
    if (!complaints) {
      assert.deepEqual(page.complaints, [], 'errors in the console');
    }
  } finally {
    await page?.context().close();
    await server.stop();
  }
}

/** A connection's row in the table. */
export const row = (page, id) => page.locator(`tr[data-id="${id}"]`);
/** Waits until the page shows a text. */
export const says = (page, text) => page.getByText(text).first().waitFor();

/** Waits until the forces have come to rest: on a busy machine nodes may stand still for a while before that. */
export const settled = (page) => page.locator('svg.topology[data-layout="settled"]').first().waitFor();

/** What axe-core finds that keeps people out. */
export async function seriousProblems(page) {
  // Injected by the debugger, not by the page: its policy stays as it is.
  await page.evaluate(readFileSync(axePath, 'utf8'));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.filter((v) => ['serious', 'critical'].includes(v.impact))
    .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | ')}`);
}
