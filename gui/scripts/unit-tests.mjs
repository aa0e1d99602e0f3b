// SPDX-License-Identifier: Apache-2.0
// Bundles page/**/*.test.ts, which need no browser, and runs them with Node's own test runner.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const out = 'target/unit';
const tests = readdirSync('page', { recursive: true }).filter((name) => name.endsWith('.test.ts'));

rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => `page/${name}`), outdir: out, outExtension: { '.js': '.mjs' },
  bundle: true, platform: 'node', target: 'node20', format: 'esm', logLevel: 'error', external: ['node:*', 'typescript'],
});
const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.mjs')).map((name) => `${out}/${name}`);
process.exit(spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1);
