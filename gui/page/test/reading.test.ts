// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartSvg } from '../app/model/chart-svg';
import { connectionsCsv, csv, linksCsv, ratesCsv } from '../app/model/csv';
import { arranged, controlConnections } from '../app/model/fold';
import { withState } from '../app/model/past';
import { EMPTY, latestEvents, State } from '../app/model/state';
import { LifeEvent } from '../app/model/wire';
import { addressOf, pageAt, placeOf } from '../app/shared/address';
import { connection, diamond, subflow } from './examples';

const at = (id: string, createdMillis: number, measuredUpMbps: number, more = {}) =>
  connection(id, [subflow([1, 2, 5])], { createdMillis, measuredUpMbps, ...more });

test('a nearly idle connection shortly before a transfer is its control connection', () => {
  const find = (...rows: ReturnType<typeof at>[]) => [...controlConnections(rows)];
  assert.deepEqual(find(at('data', 1000, 20), at('control', 900, 0.01)), [['control', 'data']]);
  assert.deepEqual(find(at('control', 0, 0.2, { state: 'idle' }), at('data', 5000, 20)), [['control', 'data']]);
  assert.deepEqual(find(at('control', 0, 0.01), at('data', 5001, 20)), [], 'too long before');
  assert.deepEqual(find(at('late', 1001, 0.01), at('data', 1000, 20)), [], 'after it');
  assert.deepEqual(find(at('small', 900, 0.3), at('data', 1000, 20)), [], 'carries too much');
  assert.deepEqual(find(at('new', 900, 0, { expectedUpMbps: 9 }), at('data', 1000, 20)), [], 'nobody knows yet that it is idle');
  assert.deepEqual(find(at('control', 900, 0), at('data', 1000, 20, { state: 'idle' })), [], 'the transfer has ended');
  assert.deepEqual(find(at('other', 900, 0, { server: '10.0.0.3' }), at('data', 1000, 20)), [], 'another server');
  const elsewhere = connection('port', [subflow([1, 2, 5], { dst: '10.0.0.2:80' })], { createdMillis: 900 });
  assert.deepEqual(find(elsewhere, at('data', 1000, 20)), [], 'another port');
  const leg = (id: string, created: number, rate: number, dstHost: string) =>
    connection(id, [subflow([1, 2, 5], { dstHost })], { createdMillis: created, measuredUpMbps: rate });
  assert.deepEqual(find(leg('near control', 0, 0, 'r'), leg('far control', 1, 0, 's'), leg('far', 10, 9, 's'), leg('near', 11, 9, 'r')),
                   [['near control', 'near'], ['far control', 'far']], 'each leg on its side of the router');
  assert.deepEqual(find(at('control', 0, 0), at('first', 10, 9), at('second', 20, 9)), [['control', 'first']]);
});

test('control connections stand below their transfers, or not at all', () => {
  const rows = [at('control', 0, 0), at('other', 0, 0), at('data', 1, 9)];
  const names = (isOpen: boolean) => arranged(rows, new Map([['control', 'data']]), () => isOpen).map((row) => row.id);
  assert.deepEqual(names(false), ['other', 'data']);
  assert.deepEqual(names(true), ['other', 'data', 'control']);
});

test('comma-separated values quote what they must, and no name becomes a formula', () => {
  assert.equal(csv(['a', 'b'], [['x,y', 'say "no"'], ['two\nlines', null]]), 'a,b\r\n"x,y","say ""no"""\r\n"two\nlines",\r\n');
  assert.equal(csv(['a'], [['=1+1'], ['@x'], ['-x'], [-1.5], [NaN], [true]]), "a\r\n'=1+1\r\n'@x\r\n'-x\r\n-1.5\r\n\r\ntrue\r\n");
});

test('files have the figures of REST, unrounded', () => {
  const [headings, line] = connectionsCsv([at('data', 0, 20.123456)]).split('\r\n').map((text) => text.split(','));
  const cell = (name: string) => line[headings.indexOf(name)];
  assert.deepEqual(['id', 'created', 'measuredUpMbps', 'policy', 'subflows', 'deniesJoins', 'srcHost'].map(cell),
                   ['data', '1970-01-01T00:00:00.000Z', '20.123456', '', '1', 'false', '00:00:00:00:00:01/None']);
  const [link] = diamond().links;
  const told = { ...link, delayMillis: 2.5, srlg: ['duct-7', 'bridge'] };
  assert.match(linksCsv([told], new Map([[link.source, 9.5]])), /,10,portSpeed,2\.5,0,0,0,0,9\.5,duct-7 bridge\r\n$/);
  assert.equal(ratesCsv('data', [0, 1.5], [{ subflow: 'a>b', measuredMbps: [null, 2], expectedMbps: [3, 3] }]),
               'time,connection,subflow,measuredMbps,expectedMbps\r\n'
               + '1970-01-01T00:00:00.000Z,data,a>b,,3\r\n1970-01-01T00:00:01.500Z,data,a>b,2,3\r\n');
});

test('a chart is a file of its own: a scale from 0, gaps where nothing was measured, and names that cannot leave their place', () => {
  const text = chartSvg([10, 11, 12, 13], [{ label: '1 <b> & "so"', colour: '#0068b4', values: [0, 9, null, 12] },
                                           { label: '1 expected', colour: '#0068b4', values: [10, 10, 10, 10], dashed: true }], 'Mbit/s');
  assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /);
  assert.deepEqual([...text.matchAll(/text-anchor="end">([\d.]+)</g)].map(([, level]) => Number(level)), [0, 2.5, 5, 7.5, 10, 12.5]);
  assert.match(text, /<path d="M54 206L238 67\.8M606 21\.7" fill="none" stroke="#0068b4" stroke-width="2"\/>/);
  assert.match(text, /stroke-dasharray="5 4"/);
  assert.ok(text.includes('1 &lt;b> &amp; &quot;so&quot;') && !text.includes('<b>'));
  assert.ok(!/NaN|Infinity/.test(chartSvg([], [], 'Mbit/s') + chartSvg([1], [{ label: 'a', colour: '#000', values: [null] }], 'Mbit/s')));
});

test('an address names a view, and the connections that are selected in it', () => {
  assert.deepEqual(placeOf(addressOf('a/b c').split('/onos/mptcp/')[1]), { view: 'connections', connections: ['a/b c'] });
  assert.deepEqual(placeOf(addressOf('a,b', 'c').split('/onos/mptcp/')[1]).connections, ['a,b', 'c']);
  assert.deepEqual(placeOf(addressOf().split('/onos/mptcp/')[1]), { view: 'connections', connections: [] });
  assert.deepEqual(placeOf('#network'), { view: 'network', connections: [] });
  assert.deepEqual(placeOf('#network/x'), { view: 'network', connections: [] });
  assert.deepEqual(placeOf('#connections/%E0%A4%A'), { view: 'connections', connections: [] });
  assert.equal(pageAt('10.0.0.2', 'https://10.0.0.1:8443/onos/mptcp/#network'), 'https://10.0.0.2:8443/onos/mptcp/#network');
  assert.equal(pageAt('fd00::2', 'http://onos:8181/onos/mptcp/'), 'http://[fd00::2]:8181/onos/mptcp/');
  assert.deepEqual(placeOf(''), { view: 'connections', connections: [] });
});

test('the newest events of all connections come first', () => {
  const event = (millis: number) => ({ millis }) as LifeEvent;
  assert.deepEqual(latestEvents([[event(1), event(4)], [event(2), event(3)]], 3).map((one) => one.millis), [4, 3, 2]);
});

test('the past is bounded in states and in connections, and always has the newest', () => {
  const state = (millis: number, connections: number): State => ({
    ...EMPTY, millis, connections: new Map([...Array(connections).keys()].map((i) => [String(i), at(String(i), 0, 0)])) });
  let past: State[] = [];
  for (let i = 0; i < 302; i++) {
    past = withState(past, state(i, 1));
  }
  assert.deepEqual([past.length, past[0].millis, past[299].millis], [300, 2, 301]);
  past = withState(past, state(302, 19_990));
  assert.deepEqual([past.length, past[10].millis], [11, 302]);
  assert.equal(withState(past, state(303, 30_000)).length, 1);
});
