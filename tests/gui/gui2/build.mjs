// SPDX-License-Identifier: Apache-2.0
// Bundles host.mjs and GUI2's libraries into target/host.js, with the page's esbuild.
import { createRequire } from 'node:module';

const { build } = createRequire(new URL('../../../gui/package.json', import.meta.url))('esbuild');

await build({
  absWorkingDir: import.meta.dirname, entryPoints: ['host.mjs'], outfile: 'target/host.js', bundle: true, format: 'iife',
  target: 'es2019', mainFields: ['es2015', 'module', 'main'], logLevel: 'error',
});
