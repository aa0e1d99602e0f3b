// SPDX-License-Identifier: Apache-2.0
// What the compiler lets pass: promises that nobody waits for, templates that keep people out, code that nobody uses.
// `npm run lint` runs it in the folder above, so that it reaches the browser tests as well.
import angular from '@angular-eslint/eslint-plugin';
import template from '@angular-eslint/eslint-plugin-template';
import templateParser from '@angular-eslint/template-parser';
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const NODE = ['process', 'fetch', 'URL', 'TextDecoderStream', 'btoa'];
/** Functions in the browser tests that run in the page. */
const BROWSER = ['document', 'performance', 'requestAnimationFrame', 'cancelAnimationFrame', 'innerWidth', 'getComputedStyle',
                 'location', 'window', 'console', 'ng'];

const readable = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default tseslint.config(
  {
    ignores: ['tests/gui/gui2/target/'],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    files: ['gui/page/**/*.ts'],
    extends: [eslint.configs.recommended, ...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: 'tsconfig.test.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { '@angular-eslint': angular },
    rules: {
      ...angular.configs.recommended.rules,
      '@angular-eslint/component-selector': ['error', { type: 'element', prefix: 'mptcp', style: 'kebab-case' }],
      '@angular-eslint/prefer-on-push-component-change-detection': 'error',
      '@angular-eslint/prefer-signals': 'error',
      'eqeqeq': 'error',
      'max-lines': ['error', 300],
    },
  },
  {
    files: ['gui/page/test/**/*.ts'],
    rules: {
      // Node's test runner takes care of what test() returns.
      '@typescript-eslint/no-floating-promises': 'off',
      // What tests put in a service's place has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['gui/page/**/*.html'],
    languageOptions: { parser: templateParser },
    plugins: { '@angular-eslint/template': template },
    rules: { ...template.configs.recommended.rules, ...template.configs.accessibility.rules },
  },
  {
    files: ['gui/page/app/topology/topology.html'],
    rules: {
      // The frame around the drawing takes the pointer; keys go to the nodes in it.
      '@angular-eslint/template/click-events-have-key-events': 'off',
      '@angular-eslint/template/interactive-supports-focus': 'off',
    },
  },
  {
    files: ['gui/*.mjs', 'gui/scripts/*.mjs', 'tests/gui/**/*.mjs'],
    extends: [eslint.configs.recommended],
    languageOptions: { globals: readable([...NODE, ...BROWSER]) },
    rules: { 'eqeqeq': 'error', 'max-lines': ['error', 300] },
  },
);
