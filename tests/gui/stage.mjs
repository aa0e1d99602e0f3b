// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the page: a browser, and a page on a replayed scenario.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { axePath, launch, open, replay } from './browser.mjs';

const TIMEOUT_MILLIS = 15_000;

/** The browser of all tests of a file; undefined before the first test. */
export let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Runs `body` with a page on a replayed scenario; fails if the page logs an error or sends a request to another origin. */
export async function withPage(scenario, body, { server: options = [], complaints = false, ...window } = {}) {
  const server = await replay(scenario, ...options);
  let page;
  try {
    page = await open(browser, server.address, window);
    page.setDefaultTimeout(TIMEOUT_MILLIS);
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

/** Waits until the layout is at rest. Nodes that stand still are no proof of it: on a busy machine they may only wait. */
export const settled = (page) => page.locator('svg.topology[data-layout="settled"]').first().waitFor();

/** Accessibility problems that axe-core finds. */
export async function problems(page) {
  // The debugger injects it, which the page's Content-Security-Policy allows.
  await page.evaluate(readFileSync(axePath, 'utf8'));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | ')}`);
}
