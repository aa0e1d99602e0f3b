// SPDX-License-Identifier: Apache-2.0
// A browser for the tests in Python. Each line of standard input is an order in JSON, each line of output its answer.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { axePath, launch, open } from './browser.mjs';
import { openTopologyView, shownLinks } from './gui2.mjs';

const browser = await launch();
let page;

const orders = {
  open: async ({ address, options }) => {
    await page?.context().close();
    page = await open(browser, address, options);
  },
  gui2: async (where) => {
    await page?.context().close();
    page = await openTopologyView(browser, where);
  },
  links: () => page.evaluate(shownLinks),
  asked: () => page.asked,
  receive: ({ event, payload }) => page.receive(event, payload),
  view: ({ name }) => page.evaluate((where) => { globalThis.location.hash = where; }, name),
  reload: () => page.reload({ waitUntil: 'commit' }),
  press: ({ key }) => page.keyboard.press(key),
  click: ({ on }) => page.locator(on).first().click(),
  fill: ({ on, text }) => page.locator(on).first().fill(text),
  dispatch: ({ on, event }) => page.locator(on).first().dispatchEvent(event),
  wait: ({ on, state, millis }) => page.locator(on).first().waitFor({ state: state ?? 'visible', timeout: millis }),
  // The page's Content-Security-Policy forbids evaluation there, so the text becomes a function here.
  until: ({ that, argument, millis }) =>
    page.waitForFunction((0, eval)(`(${that})`), argument, { timeout: millis, polling: 100 }),
  texts: ({ on }) => page.locator(on).allInnerTexts(),
  count: ({ on }) => page.locator(on).count(),
  screenshot: ({ file, whole }) => page.screenshot({ path: file, fullPage: !!whole }),
  complaints: () => ({ complaints: page.complaints, foreign: page.foreign }),
  problems: async () => {
    await page.evaluate(readFileSync(axePath, 'utf8'));
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    return violations.map((v) => `${v.id}: ${v.nodes[0].html}`);
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
  // Playwright's handles cannot be written as JSON.
  process.stdout.write(`${JSON.stringify(answer, (key, value) => (value?.constructor?.name === 'JSHandle' ? null : value))}\n`);
}
await browser.close();
