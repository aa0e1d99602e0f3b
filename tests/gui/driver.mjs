// SPDX-License-Identifier: Apache-2.0
// A browser for tests that are written in Python: one JSON order a line on standard input, one JSON answer a line back.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { axePath, launch, open } from './browser.mjs';

const browser = await launch();
let page;

const orders = {
  open: async ({ address, options }) => {
    await page?.context().close();
    page = await open(browser, address, options);
  },
  click: ({ on }) => page.locator(on).first().click(),
  wait: ({ on, state, millis }) => page.locator(on).first().waitFor({ state: state ?? 'visible', timeout: millis }),
  // Made a function here: the page's policy lets nothing be evaluated there, and Playwright takes a string for an expression.
  until: ({ that, argument, millis }) =>
    page.waitForFunction((0, eval)(`(${that})`), argument, { timeout: millis, polling: 100 }),
  texts: ({ on }) => page.locator(on).allInnerTexts(),
  count: ({ on }) => page.locator(on).count(),
  screenshot: ({ file, whole }) => page.screenshot({ path: file, fullPage: !!whole }),
  complaints: () => ({ complaints: page.complaints, foreign: page.foreign }),
  problems: async () => {
    await page.evaluate(readFileSync(axePath, 'utf8'));
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    return violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes[0].html}`);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { order, ...rest } = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await orders[order](rest)) ?? null };
  } catch (error) {
    answer = { error: String(error.message ?? error) };
  }
  // A handle of the browser has no form in JSON.
  process.stdout.write(`${JSON.stringify(answer, (key, value) => (value?.constructor?.name === 'JSHandle' ? null : value))}\n`);
}
await browser.close();
