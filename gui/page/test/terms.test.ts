// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientEnd, endsText, serverEnd } from '../app/model/ends';
import { filtered, sorted } from '../app/model/table';
import { TERMS } from '../app/model/terms';
import { connection, subflow } from './examples';

test('every term that the page explains is one of the glossary', () => {
  const glossary = readFileSync('../docs/glossary.md', 'utf8');
  for (const { name, meaning } of Object.values(TERMS)) {
    assert.ok(glossary.includes(`| ${name} |`) || glossary.includes(`*${name}*`), name);
    assert.match(meaning, /^[A-Z(].*\.$/, name);
  }
});

test('ports tell connections of the same two hosts apart, whoever opened the first subflow', () => {
  const one = connection('a', [subflow([1, 2, 5]), subflow([1, 3, 5], { src: '10.0.0.1:38131' })]);
  const other = connection('b', [subflow([5, 2, 1], { src: '10.0.0.2:5201', dst: '10.0.0.1:9', fromClient: false })]);
  assert.equal(endsText(one), '10.0.0.1:38130 → 10.0.0.2:5201');
  assert.deepEqual([clientEnd(other), serverEnd(other)], ['10.0.0.1:9', '10.0.0.2:5201']);
  assert.equal(endsText(connection('c', [])), '10.0.0.1 → 10.0.0.2');
  const rows = [one, other, connection('c', [subflow([1, 2, 5], { src: '10.0.0.1:100' })])];
  assert.deepEqual(sorted(rows, { column: 'client', descending: false }).map(({ id }) => id), ['b', 'c', 'a']);
  assert.deepEqual(sorted(rows, { column: 'subflows', descending: true }).map(({ id }) => id)[0], 'a');
  assert.deepEqual(filtered(rows, ':9', (id) => id).map(({ id }) => id), ['b']);
});
