// SPDX-License-Identifier: Apache-2.0
// Starts the distribution's Chromium, headless, by Playwright, and the replaying server.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.join(here, '../../gui/package.json'));
const { chromium } = require('playwright-core');

export const axePath = require.resolve('axe-core/axe.min.js');
export const builtPage = path.join(here, '../../gui/target/page');
/** Golden files: the answers of REST. */
export const goldenFolder = path.join(here, '../../app/controller/src/test/resources/golden');
/** Of the replaying server. */
export const LOGIN = { username: 'onos', password: 'rocks' };
export const shots = process.env.SHOTS ?? path.join(here, '../../gui/target/screenshots');

/** Starts the browser without its own requests, with a profile that Playwright removes. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
           '--disable-component-update', '--disable-sync'],
  });
}

/** Opens a fresh page, with the replaying server's login unless the options have another. `page.complaints` collects errors, `page.foreign` requests to other origins. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 }, httpCredentials: { ...LOGIN, send: 'unauthorized' }, ...options,
  });
  const page = await context.newPage();
  page.complaints = [];
  page.foreign = [];
  page.on('console', (message) => message.type() === 'error' && page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('request', (request) => new URL(request.url()).origin !== new URL(address).origin && page.foreign.push(request.url()));
  await page.goto(address);
  return page;
}

/** Starts the replaying server: `address` of its page, `control` sends an order, `stop` ends it. */
export async function replay(scenario, ...options) {
  const server = spawn('/usr/bin/python3', [path.join(here, 'replay.py'), '--scenario', scenario, ...options],
                       { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()));
    server.once('exit', (status) => reject(new Error(`replay.py ended with status ${status}`)));
  });
  return {
    address,
    control: async (order) => fetch(new URL('/control', address), { method: 'POST', body: JSON.stringify(order) }),
    stop: () => new Promise((resolve) => (server.exitCode !== null ? resolve() : (server.once('exit', resolve), server.kill()))),
  };
}
