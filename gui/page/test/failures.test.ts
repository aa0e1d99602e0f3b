// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmsOf } from '../app/model/failures';
import { networkOf, summary } from '../app/model/network';
import { NO_SAMPLES, wholeAt } from '../app/model/past';
import { EMPTY, withSnapshot } from '../app/model/state';
import { Topology } from '../app/model/wire';
import { linesOf } from '../app/topology/drawing';
import { diamond } from './examples';

const whole = diamond();
const [there, back] = whole.links;
/** Without the first link, and without switch 4 and its links. */
const broken: Topology = {
  ...whole, devices: whole.devices.filter((device) => !device.id.endsWith('4')),
  links: whole.links.filter((link) => ![there, back].includes(link) && ![link.source, link.target].some((port) => port.includes('4/'))),
  failed: {
    devices: whole.devices.filter((device) => device.id.endsWith('4')).map((device) => ({ ...device, sinceMillis: 5000 })),
    links: [{ source: there.source, target: there.target, sourceName: there.sourceName, targetName: there.targetName, capacityMbps: 10, sinceMillis: 5000, moved: ['a'] }],
  },
};

test('what has failed stays in the drawing, and carries nothing', () => {
  const network = networkOf(broken);
  const edge = network.edges.find((one) => one.id === there.source)!;
  assert.equal(edge.failed!.sinceMillis, 5000);
  assert.equal(network.byPort.has(there.source), false, 'no path leads over it');
  assert.equal(network.nodes.find((node) => node.id.endsWith('4'))!.failed, 5000);
  assert.equal(summary(network), '5 switches, 2 hosts, 4 links, 2 failed');
  const line = linesOf(network, new Map(), { pixel: 1, place: () => ({ x: 0, y: 0 }) }).find((one) => one.edge === edge)!;
  assert.match(line.text, /^failed \d\d:\d\d:05$/);
  assert.equal(networkOf(whole).edges.some((one) => one.failed), false);
});

test('a failure that is told of later changes the drawing', () => {
  const snapshot = { version: '1', millis: 1, settings: EMPTY.settings, connections: [], ended: [], bound: null, counters: {}, events: [], samples: NO_SAMPLES };
  const before = withSnapshot(EMPTY, { ...snapshot, topology: broken });
  const moved = { ...broken, failed: { ...broken.failed, links: [{ ...broken.failed.links[0], moved: ['a', 'b'] }] } };
  assert.notEqual(withSnapshot(before, { ...snapshot, topology: moved }).topology, before.topology);
});

test('alarms say what is wrong, and nothing while all is well', () => {
  const network = networkOf(whole);
  const usage = new Map(whole.links.map((link) => [link.source, link]));
  assert.deepEqual(alarmsOf({ counters: { 'flow-tables.full': 0, 'agents.known': 2, 'agents.reporting': 2 }, usage }, network), []);
  usage.set(there.source, { ...there, capacitySource: 'unknown' });
  assert.deepEqual(alarmsOf({ counters: { 'flow-tables.full': 2, 'agents.known': 2, 'agents.reporting': 1 }, usage }, network), [
    '2 switches have full flow tables: new connections there get plain forwarding.',
    '1 agent is silent: rates at its host are not limited, and no subflows opened.',
    'ONOS knows no capacity of 1 direction of links (s1 → s2): state it in the network configuration.']);
});

test('samples of before begin the timelines, with gaps where there is no figure', () => {
  const samples = { ...NO_SAMPLES, millis: [1000], connections: [2], subflows: [6], measuredMbps: [28.5], fairness: [null],
                    meanUtilisation: [0.25], mostUtilisation: [0.5] };
  assert.deepEqual(wholeAt(samples, 0), [['fairness', NaN], ['mean', 25], ['most', 50], ['connections', 2], ['subflows', 6]]);
});
