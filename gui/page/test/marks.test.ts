// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../app/model/network';
import { LinkEnds } from '../app/model/wire';
import { marksOf } from '../app/topology/marks';
import { diamond } from './examples';

const network = networkOf(diamond());
/** Switch 1 at 100, switch 2 at 200, …: links lead to the right. */
const ground = { pixel: 1, place: (id: string) => ({ x: 100 * Number(id.slice(-1)), y: 0 }) };
const [there, back] = diamond().links;
const ends = ({ source, target, sourceName, targetName }: LinkEnds): LinkEnds => ({ source, target, sourceName, targetName });
const full = (link: LinkEnds) => ({ ...ends(link), capacityMbps: 10, gainMbps: 1, connections: ['a'] });
const limits = { direction: 'up', limitedByDemand: false } as const;

test('a full link has a triangle in the direction that is full, beside the bar of the minimum cut', () => {
  const marks = marksOf(network, { ...limits, limitedBy: [full(there), full(back)], minimumCut: [ends(there)] }, ground);
  assert.deepEqual(marks.map(({ kind, transform }) => [kind, transform]), [
    ['full', 'translate(136 0) rotate(0) scale(1.000)'], ['full', 'translate(164 0) rotate(180) scale(1.000)'], ['cut', 'translate(164 0) rotate(0) scale(1.000)']]);
});

test('a link that two subflows fill is marked once, one that has gone not at all', () => {
  const gone = { ...ends(there), source: 'of:0000000000000009/1' };
  const marks = marksOf(network, { ...limits, limitedBy: [full(there), full(there), full(gone)], minimumCut: [gone] }, ground);
  assert.deepEqual(marks.map((mark) => mark.key), [`full ${there.source}`]);
  assert.deepEqual(marksOf(network, null, ground), []);
});
