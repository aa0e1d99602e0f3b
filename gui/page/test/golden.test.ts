// SPDX-License-Identifier: Apache-2.0
// The golden files are what REST and the stream answer: app/controller's GoldenJsonTest compares them with the real
// answers. Here they are compared with wire.ts, both ways.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { WireCheck } from './wire-check';

const GOLDEN = '../app/controller/src/test/resources/golden';

/** Golden file → its type. */
const TYPES: Record<string, string> = {
  'connections': '{ connections: Connection[]; ended: EndedConnection[] }',
  'connection': 'Connection',
  'events': '{ events: LifeEvent[] }',
  'limits': 'ShareLimits',
  'links': '{ links: LinkUsage[]; failed: FailedLink[] }',
  'topology': 'Topology',
  'settings': 'AllSettings',
  'agents': '{ agents: Agent[] }',
  'bound': '{ bound: Bound | null }',
  'background-plan': '{ moves: PlannedMove[] }',
  'counters': '{ counters: Counters }',
  'overlay': 'Overlay',
  'whatif-question': 'WhatIfQuestion',
  'whatif': '{ answers: WhatIfAnswer[] }',
  'error': 'Failure',
  'stream-snapshot': 'Snapshot',
  'stream-delta': 'Delta',
  'stream-delta-topology': 'Delta',
  'stream-attainable': 'AttainableChange',
};

function golden(name: string): unknown {
  return JSON.parse(readFileSync(`${GOLDEN}/${name}.json`, 'utf8'));
}

function wire(): WireCheck {
  return new WireCheck(['wire', 'wire-parts'].map((name) => readFileSync(`page/app/model/${name}.ts`, 'utf8')).join('\n'));
}

test('every answer has the fields that wire.ts declares for it, and no others', () => {
  const check = wire();
  for (const [name, type] of Object.entries(TYPES)) {
    assert.deepEqual(check.differences(golden(name), type), [], `${name}.json as ${type}`);
  }
});

test('every field that wire.ts declares is in some answer', () => {
  const check = wire();
  Object.entries(TYPES).forEach(([name, type]) => check.differences(golden(name), type));
  assert.deepEqual(check.fields().filter((field) => !check.seen.has(field)), []);
});

test('states and kinds of events are called the same on both sides', () => {
  const check = wire();
  for (const [alias, words] of Object.entries(golden('words') as Record<string, string[]>)) {
    assert.deepEqual(check.words(alias).sort(), [...words].sort(), alias);
  }
});

test('no golden file is left out', () => {
  const files = readdirSync(GOLDEN).map((file) => file.replace('.json', ''));
  assert.deepEqual(files.sort(), [...Object.keys(TYPES), 'words'].sort());
});

test('the comparison finds what differs', () => {
  const check = new WireCheck(`
    interface Named { readonly id: string }
    interface Thing extends Named { size?: number; kind: Kind; parts: readonly Thing[]; more: null | Named }
    type Kind = 'big' | 'small';`);
  const thing = { id: 'a', kind: 'big', parts: [], more: null };
  assert.deepEqual(check.differences(thing, 'Thing'), []);
  assert.deepEqual(check.fields().filter((field) => !check.seen.has(field)), ['Thing.size']);
  assert.deepEqual(check.differences({ ...thing, parts: [{ ...thing, weight: 1 }] }, 'Thing'), ['/parts/0/weight is not declared']);
  assert.deepEqual(check.differences({ ...thing, id: undefined, size: '1' }, 'Thing').length, 2);
  assert.deepEqual(check.differences({ kind: 'big', parts: [], more: null }, 'Thing'), ['/id is missing']);
  assert.deepEqual(check.differences({ ...thing, kind: 'huge' }, 'Thing').length, 1);
  assert.deepEqual(check.differences({ ...thing, more: {} }, 'Thing').length, 1);
});
