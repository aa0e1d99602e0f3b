// SPDX-License-Identifier: Apache-2.0
// Where things stand in the drawing: positions by ONOS, tiers, lines and text.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { networkOf, Node } from '../app/model/network';
import { Device, Topology } from '../app/model/wire';
import { Ground, Line, Way, waysOf } from '../app/topology/drawing';
import { highlightsOf } from '../app/topology/highlight';
import { crosses, labelsOf, linkLabelsOf, namePlace, Room, symbolBox } from '../app/topology/labels';
import { hasMap, mapPlaces } from '../app/topology/map';
import { tiersOf } from '../app/topology/tiers';
import { connection, diamond, subflow } from './examples';

const TOPOLOGIES = '../mininet/mptcplab/topologies';
const SIGHT = { pixel: 1, symbol: 1, shrunk: 1, window: { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 } };

function mapOf(key: 'geo' | 'grid', ...positions: [number, number][]) {
  const topology = diamond();
  const at = ([a, b]: [number, number]): Partial<Device> => (key === 'geo' ? { latitude: a, longitude: b } : { gridX: a, gridY: b });
  return networkOf({ ...topology, devices: topology.devices.map((device, i) => (
    positions[i] ? { ...device, ...at(positions[i]) } : device)) });
}

test('the map has north above and east to the right, also across the antimeridian', () => {
  const [fiji, samoa, auckland] = [...mapPlaces(mapOf('geo', [-18, 178], [-14, -171], [-37, 175])).values()];
  assert.ok(auckland.x < fiji.x && fiji.x < samoa.x);
  assert.ok(samoa.y < fiji.y && fiji.y < auckland.y);
  assert.ok(samoa.x - auckland.x < 600, 'in one piece');
  const places = [...mapPlaces(mapOf('geo', [60, 0], [60, 10], [50, 0])).values()];
  const [wide, high] = [places[1].x - places[0].x, places[2].y - places[0].y];
  assert.ok(Math.abs(wide / high - Math.cos((55 * Math.PI) / 180)) < 1e-9, 'ten degrees of longitude are shorter there');
});

test('there is a map if two switches stand at different places', () => {
  assert.ok(!hasMap(mapOf('geo')));
  assert.ok(!hasMap(mapOf('geo', [1, 2], [1, 2])));
  assert.ok(hasMap(mapOf('geo', [1, 2], [1, 3])));
  const line = [...mapPlaces(mapOf('geo', [10, 5], [20, 5])).values()];
  assert.ok(line.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)) && line[0].y > line[1].y);
});

test('a grid is drawn as ONOS has it: to the right and down, all steps equal', () => {
  assert.ok(!hasMap(mapOf('grid', [1, 1])));
  const [a, b, c] = [...mapPlaces(mapOf('grid', [0, 0], [300, 0], [0, 300])).values()];
  assert.ok(b.x > a.x && b.y === a.y && c.y > a.y && c.x === a.x);
  assert.ok(Math.abs((b.x - a.x) - (c.y - a.y)) < 1e-9);
});

/** A topology of the testbed, as REST would tell it, without the links between `lost`. */
function testbed(name: string, lost = ''): Topology {
  const file = JSON.parse(readFileSync(`${TOPOLOGIES}/${name}.json`, 'utf8')) as {
    nodes: { id: string }[]; links: { source: string; target: string }[]; pairs?: (string | string[])[][] };
  const links = file.links.filter(({ source, target }) => `${source} ${target}` !== lost)
    .map(({ source, target }, i) => ({ ...diamond().links[0], source: `${source}/${i}`, target: `${target}/${i}` }));
  const [host] = diamond().hosts;
  const ends = (file.pairs ?? []).flat().flat();
  return { ...diamond(), links, devices: file.nodes.map(({ id }) => ({ ...diamond().devices[0], id, name: id })),
           hosts: ends.map((device, i) => ({ ...host, id: `host${i}`, ips: [`10.0.0.${i}`], device })) };
}

test('fat trees stand in tiers, also leaves with spines such as fig2b, and no other network of the testbed does', () => {
  const tiered = readdirSync(TOPOLOGIES).map((file) => file.replace('.json', '')).filter((name) => tiersOf(networkOf(testbed(name))).size);
  assert.deepEqual(tiered.sort(), ['fattree4', 'fattree4-dual', 'fig2b']);
});

test('hosts are below edge switches, these below those of their pod, and the core is above all', () => {
  const places = tiersOf(networkOf(testbed('fattree4')));
  const at = (id: string) => places.get(id)!;
  const rows = (...names: string[]) => names.map((name) => at(name).y);
  assert.ok(rows('core1', 'pod1agg1', 'pod1edge1', 'host0').every((y, i, all) => !i || y > all[i - 1]));
  assert.deepEqual(new Set(rows('core1', 'core2', 'core3', 'core4')).size, 1);
  assert.ok(at('pod1edge1').x < at('pod1edge2').x && at('pod1edge2').x < at('pod2edge1').x);
  assert.equal(at('pod1agg1').x + at('pod1agg2').x, at('pod1edge1').x + at('pod1edge2').x, 'pods are symmetrical');
  const all = [...places.values()].map(({ x, y }) => `${x} ${y}`);
  assert.equal(new Set(all).size, all.length, 'nothing stands on anything else');
  assert.ok(tiersOf(networkOf(testbed('fattree4', 'pod1agg1 pod1edge1'))).size, 'also with a link that ONOS has forgotten');
  const whole = testbed('fattree4');
  const quiet = { ...whole, hosts: whole.hosts.filter((host) => host.device !== 'pod1edge2') };
  assert.equal(tiersOf(networkOf(quiet)).get('pod1edge2')!.y, at('pod1edge1').y, 'an edge switch whose hosts are not known yet');
});

/** Switch 1 at 100, switch 2 at 200, …; hosts at the ends. */
const ground: Ground = { pixel: 1, place: (id) => ({ x: id.startsWith('host') ? (id === 'host1' ? 0 : 600) : 100 * Number(id.slice(-1)), y: 0 }) };

test('siblings on one link run beside each other and end at their hosts, and a path with a lost link is not drawn', () => {
  const topology = diamond();
  const network = networkOf(topology);
  const one = (port: number) => subflow([1, 2, 5], { src: `10.0.0.1:${port}`, srcHost: 'host1', dstHost: 'host2' });
  const ways = waysOf(network, highlightsOf(network, topology, [connection('a', [one(1), one(2), one(3), one(4)])]), ground);
  assert.equal(new Set(ways.map(({ d }) => d)).size, 4);
  for (const { segments } of ways) {
    assert.deepEqual([segments[0][0], segments.at(-1)![1]], [{ x: 0, y: 0 }, { x: 600, y: 0 }]);
    assert.ok(Math.abs(segments[0][1].y) < 10, 'and do not miss the switch');
  }
  const lost = connection('a', [{ ...subflow([1, 2, 5]), links: ['of:0000000000000001/1', 'gone/1'] }]);
  assert.equal(waysOf(network, highlightsOf(network, topology, [lost]), ground).length, 0);
});

test('a line crosses a box, or passes it', () => {
  const box = { left: 0, top: 0, right: 10, bottom: 10 };
  const line = (x1: number, y1: number, x2: number, y2: number) => crosses([{ x: x1, y: y1 }, { x: x2, y: y2 }], box);
  assert.deepEqual([line(-5, 5, 15, 5), line(-5, -5, 15, 15), line(2, 2, 3, 3), line(5, -5, 5, 1)], [true, true, true, true]);
  assert.deepEqual([line(-5, 11, 15, 11), line(-5, 5, -1, 5), line(-5, 8, 8, 21), line(11, -5, 11, 15)], [false, false, false, false]);
});

const way = (key: string, candidates: Way['candidates'], segments: Way['segments'] = []): Way => ({
  highlight: { key, number: 1, colour: '', dash: '', nodes: [], edges: [], label: '1.03 of 1.07', rate: 1 }, d: '', width: 1, segments, candidates });
const host: Node = { id: 'h', kind: 'host', label: '10.0.0.10', about: '', place: null, grid: null, failed: null };

test('a subflow is labelled where nothing else is, and without its rate if there is no room', () => {
  const free = labelsOf([way('a', [{ x: 0, y: 0 }])], new Room(), 1)[0];
  assert.ok(free.rate && free.rate.y < 0, 'above, if nothing is there');
  const named = () => {
    const room = new Room([symbolBox(host, { x: 0, y: -36 }, SIGHT)]);
    namePlace(host, { x: 0, y: -36 }, [], SIGHT, room);
    return room;
  };
  const below = labelsOf([way('a', [{ x: 0, y: 0 }])], named(), 1)[0];
  assert.ok(below.rate && below.rate.y > 0, 'a name is above');
  const further = labelsOf([way('a', [{ x: 0, y: -30 }, { x: 200, y: 0 }])], named(), 1)[0];
  assert.equal(further.at.x, 200, 'the number would lie on the name');
  const everywhere = new Room([{ left: -500, right: 500, top: -500, bottom: 500 }]);
  assert.equal(labelsOf([way('a', [{ x: 0, y: 0 }])], everywhere, 1)[0].rate, null);
  const [one, two] = labelsOf([way('a', [{ x: 0, y: 0 }]), way('b', [{ x: 0, y: 0 }, { x: 90, y: 90 }])], new Room(), 1);
  assert.deepEqual([one.at.x, two.at.x], [0, 90]);
});

test('a rate stands where no line crosses it', () => {
  const upright = [{ x: 0, y: -100 }, { x: 0, y: 100 }] as const;
  const [label] = labelsOf([way('a', [{ x: 0, y: 0 }])], new Room([], [upright]), 1);
  assert.ok(label.rate && label.rate.y === 4 && label.rate.x > 0, 'beside a line that leads up and down');
  const line = (x2: number, y2: number) => ({ edge: { id: `${x2}` }, x1: 0, y1: 0, x2, y2, colour: '', width: 2, text: '5.00 / 10.0' }) as unknown as Line;
  const all = [line(200, 0), line(200, 150), line(0, 200), line(-200, 90)];
  const segments = all.map(({ x1, y1, x2, y2 }) => [{ x: x1, y: y1 }, { x: x2, y: y2 }] as const);
  const placed = linkLabelsOf(all, new Room([], segments), 1);
  assert.equal(placed.length, 4);
  placed.forEach(({ at }) => assert.ok(!segments.some((segment) => crosses(segment, { left: at.x - 33, right: at.x + 33, top: at.y - 10, bottom: at.y + 3 }))));
});

test('a name stands where none of the lines of its node leads, and is left out where there is no room', () => {
  const down = [{ x: 0, y: 0 }, { x: 0, y: 100 }] as const;
  const at = { x: 0, y: 0 };
  assert.ok(namePlace(host, at, [], SIGHT, new Room())!.y > 0, 'below');
  assert.ok(namePlace(host, at, [down], SIGHT, new Room())!.y < 0, 'above');
  assert.equal(namePlace(host, at, [], SIGHT, new Room([{ left: -500, right: 500, top: -500, bottom: 500 }])), null);
  const near = { ...SIGHT, pixel: 0.25, symbol: 0.25 };
  assert.equal(namePlace(host, at, [], near, new Room())!.y, namePlace(host, at, [], SIGHT, new Room())!.y / 4, 'no larger when the user zooms in');
});
