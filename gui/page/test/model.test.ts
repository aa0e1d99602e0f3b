// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carried, fairness, jain, measured, utilisation } from '../app/model/fairness';
import { clock, count, delay, deviceOf, mbps, natural, percent, shortSpan, span } from '../app/model/format';
import { expectedByPort, hops, linkFacts, load, networkOf, pathText, sameShape, summary } from '../app/model/network';
import { Timeline } from '../app/model/series';
import { filtered, sorted } from '../app/model/table';
import { loadStep } from '../app/model/colour';
import { linesOf, usageRow } from '../app/topology/drawing';
import { connection, subflow, diamond } from './examples';

test('rates have three digits that matter and never a false zero', () => {
  assert.deepEqual([0, 0.001, 0.5, 9.994, 9.996, 28.04, 99.96, 1234.5].map(mbps),
                   ['0.00', '<0.01', '0.50', '9.99', '10.0', '28.0', '100', '1235']);
  assert.deepEqual([null, undefined, NaN, Infinity].map(mbps), ['–', '–', '–', '–']);
});

test('spans, parts and counts read as people write them', () => {
  assert.deepEqual([-5, 999, 59_999, 60_000, 3_599_000, 3_600_000, 90_000_000].map(span),
                   ['0 s', '0 s', '59 s', '1 min 00 s', '59 min 59 s', '1 h 00 min', '1 d 1 h']);
  assert.deepEqual([5_000, 300_000, 7_200_000, 200_000_000].map(shortSpan), ['5 s', '5 min', '2 h', '2 d']);
  assert.equal(percent(0.126), '13 %');
  assert.equal(percent(NaN), '–');
  assert.equal(count(1, 'switch', 'switches'), '1 switch');
  assert.equal(count(2, 'switch', 'switches'), '2 switches');
  assert.match(clock(0), /^\d\d:\d\d:\d\d$/);
});

test('delays and what else a link has are told in a few words', () => {
  assert.deepEqual([0, 0.25, 12, 1234.5, 86_400_000].map(delay), ['0 ms', '0.25 ms', '12 ms', '1.23 s', '86400 s'].map((text) => text.replace(' ', '\u00a0')));
  const [link] = diamond().links;
  assert.equal(linkFacts(link), 'capacity by portSpeed');
  assert.equal(linkFacts({ ...link, delayMillis: 5, capacitySource: 'unknown', srlg: ['duct-7', 'bridge'] }),
               '5\u00a0ms · capacity unknown · shared risk: duct-7, bridge');
});

test('parallel links stand beside each other, on the same sides whichever way they run', () => {
  const topology = diamond();
  const [{ source: a, target: b }] = topology.links;
  const more = { ...topology.links[0], source: b.replace('/1', '/77'), target: a.replace('/1', '/77') };
  const sides = (links: typeof topology.links) => networkOf({ ...topology, links }).edges.filter((edge) => edge.kind === 'link').map((edge) => edge.aside);
  assert.deepEqual(sides(topology.links), [0, 0, 0, 0, 0, 0]);
  // Against the first one's direction, so that its other side is meant.
  assert.deepEqual(sides([...topology.links, more]), [-0.5, 0, 0, 0, 0, 0, -0.5]);
});

test('the switch of a port is what stands before its number', () => {
  assert.equal(deviceOf('of:0000000000000001/12'), 'of:0000000000000001');
});

test('numbers inside names count as numbers', () => {
  assert.deepEqual(['s10', 's9', '10.0.0.10', '10.0.0.9'].sort(natural), ['10.0.0.9', '10.0.0.10', 's9', 's10']);
});

test('both directions of a link are one edge, hosts hang on their switches', () => {
  const network = networkOf(diamond());
  assert.equal(summary(network), '5 switches, 2 hosts, 6 links');
  assert.equal(network.byPort.get('of:0000000000000001/1'), network.byPort.get('of:0000000000000002/1'));
  assert.equal(network.around.get('of:0000000000000001')!.length, 4);
});

test('links to switches that are not there are left out, also their hosts', () => {
  const topology = diamond();
  const network = networkOf({ ...topology, devices: topology.devices.slice(0, 4) });
  assert.equal(network.edges.filter((edge) => edge.kind === 'link').length, 3);
  assert.equal(network.nodes.filter((node) => node.kind === 'host').length, 1);
});

test('a change of usage is no change of shape, a lost link is', () => {
  const topology = diamond();
  const busier = { ...topology, links: topology.links.map((link) => ({ ...link, measuredMbps: 9 })) };
  assert.ok(sameShape(topology, busier));
  assert.ok(!sameShape(topology, { ...topology, links: topology.links.slice(2) }));
});

test('what links should carry is the sum over subflows, direction by direction', () => {
  const network = networkOf(diamond());
  const there = connection('a', [subflow([1, 2, 5], { expectedUpMbps: 9, expectedDownMbps: 0.5 })]);
  const back = connection('b', [subflow([5, 2, 1], { fromClient: false, expectedUpMbps: 2, expectedDownMbps: 1 })]);
  const expected = expectedByPort(network, [there, back]);
  // The second one's subflow was opened by the server: its path runs with the connection's downward direction.
  assert.equal(expected.get('of:0000000000000001/1'), 9 + 2);
  assert.equal(expected.get('of:0000000000000002/1'), 0.5 + 1);
  assert.equal(expected.get('of:0000000000000001/2'), undefined);
});

test('a path is a row of links, each with its way back', () => {
  const network = networkOf(diamond());
  const there = hops(network, subflow([1, 3, 5]));
  const back = hops(network, subflow([5, 3, 1]));
  assert.deepEqual(there.map((hop) => hop.edge.id), ['of:0000000000000001/2', 'of:0000000000000003/2']);
  assert.deepEqual(there.map((hop) => hop.port), back.map((hop) => hop.back).reverse());
  assert.equal(pathText(network, subflow([1, 3, 5]).path), 's1 → s3 → s5');
  assert.equal(pathText(network, []), 'no path');
});

test('Jain: 1 if equal, 1/n if one has all, whatever the scale', () => {
  assert.equal(jain([3, 3, 3]), 1);
  assert.equal(jain([5, 0, 0, 0]), 0.25);
  assert.ok(Math.abs(jain([1, 2, 3]) - jain([10, 20, 30])) < 1e-12);
  assert.ok(Number.isNaN(jain([])));
});

test('an idle connection does not spoil the fairness of the busy ones', () => {
  const rate = (id: string, measuredUpMbps: number) => ({ ...connection(id, [subflow([1, 2, 5])]), measuredUpMbps, measuredDownMbps: 0 });
  assert.equal(fairness([rate('a', 10), rate('b', 10), rate('c', 0.01)]), 1);
});

test('utilisation leaves links without capacity out', () => {
  const link = (capacityMbps: number, measuredMbps: number) => ({ ...diamond().links[0], capacityMbps, measuredMbps });
  assert.deepEqual(utilisation([link(10, 5), link(30, 15), link(0, 7)]), { mean: 0.5, most: 0.5 });
  assert.ok(Number.isNaN(utilisation([]).mean));
});

test('without a reading there is no rate, no load and no part of 100 %', () => {
  const unread = connection('a', [subflow([1, 2, 5])], { measuredUpMbps: null, measuredDownMbps: null });
  assert.equal(measured(unread), null);
  assert.equal(measured({ ...unread, measuredDownMbps: 0 }), 0);
  assert.ok(Number.isNaN(fairness([unread])));
  assert.deepEqual([carried([unread]), carried([]), carried([unread, { ...unread, measuredUpMbps: 3 }])], [null, 0, 3]);
  const [link] = diamond().links;
  assert.deepEqual([load({ ...link, measuredMbps: null }), load(undefined), load({ ...link, capacityMbps: 0 })].map(percent), ['–', '–', '–']);
  assert.equal(percent(load({ ...link, measuredMbps: 0 })), '0 %');
  assert.ok(Number.isNaN(utilisation([{ ...link, measuredMbps: null }]).mean));
  assert.deepEqual(usageRow({ ...link, measuredMbps: null }, 0).slice(3, 6), ['–', '0.00', '–']);
  const [line] = linesOf(networkOf(diamond()), new Map([[link.source, { ...link, measuredMbps: null }]]), { pixel: 1, place: () => ({ x: 0, y: 0 }) });
  assert.deepEqual([line.text, line.colour], ['– / 10.0', 'var(--attachment)']);
});

test('loads have five steps', () => {
  assert.deepEqual([0, 0.3, 0.5, 0.8, 0.95, 7].map(loadStep), [0, 1, 2, 3, 4, 4]);
});

test('rows are sorted by number or name, and equal ones keep one order', () => {
  const rows = [connection('c10', [], { client: '10.0.0.10' }), connection('c9', [], { client: '10.0.0.9' }),
                connection('c2', [], { client: '10.0.0.9' })];
  assert.deepEqual(sorted(rows, { column: 'client', descending: false }).map((row) => row.id), ['c2', 'c9', 'c10']);
  assert.deepEqual(sorted(rows, { column: 'client', descending: true }).map((row) => row.id), ['c10', 'c2', 'c9']);
});

test('a filter looks for all of its words, in addresses, ports, states and switches', () => {
  const rows = [connection('a', [subflow([1, 2, 5])]), connection('b', [subflow([1, 3, 5])], { state: 'idle' })];
  const find = (text: string) => filtered(rows, text, (id) => id.replace(/^of:0*/, 's')).map((row) => row.id);
  assert.deepEqual(find(''), ['a', 'b']);
  assert.deepEqual(find('S2'), ['a']);
  assert.deepEqual(find('10.0.0.1 idle'), ['b']);
  assert.deepEqual(find('nothing of the kind'), []);
});

test('a timeline keeps the newest moments, with gaps where nothing was said', () => {
  const line = new Timeline(3, 10);
  line.add(1, [['a', 10]]);
  line.add(2, [['b', 20]]);
  line.add(3, [['a', 30]]);
  line.add(4, [['a', 40]]);
  assert.deepEqual(line.moments(), [2, 3, 4]);
  assert.deepEqual(line.of('a'), [null, 30, 40]);
  assert.deepEqual(line.of('b'), [20, null, null]);
  assert.deepEqual(line.of('never'), [null, null, null]);
  line.add(5, []);
  assert.deepEqual(line.of('b'), [null, null, null], 'what stood in the place of the newest has gone');
});

test('a timeline takes no more names than it has room for, and forgets those that it need not keep', () => {
  const line = new Timeline(3, 2);
  line.add(1, [['a', 1], ['b', 1], ['c', 1]]);
  assert.equal(line.size, 2);
  line.add(2, [['c', 1]], (name) => name === 'b');
  assert.deepEqual(line.of('c'), [null, 1]);
  assert.deepEqual(line.of('a'), [null, null]);
});
