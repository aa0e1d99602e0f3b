// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legText, once, otherLegs, routersOf } from '../app/model/legs';
import { networkOf } from '../app/model/network';
import { Connection, Host, Topology } from '../app/model/wire';
import { highlightsOf } from '../app/topology/highlight';
import { connection, diamond, subflow } from './examples';

const CLIENT = '00:00:00:00:00:01/None';
const ROUTER = '00:00:00:00:00:FE/None';
const SERVER = '00:00:00:00:00:02/None';

/** The diamond with a router at switch 2 between the client at 1 and the server at 5. */
function routed(): Topology {
  const topology = diamond();
  const [client, server] = topology.hosts;
  return { ...topology, hosts: [
    { ...client, id: CLIENT }, { ...server, id: SERVER },
    { ...client, id: ROUTER, ips: ['10.0.255.254', '10.1.255.254'], device: topology.devices[1].id },
  ] };
}

const hostsOf = ({ hosts }: Topology) => new Map<string, Host>(hosts.map((host) => [host.id, host]));
const leg = (id: string, path: number[], srcHost: string | null, dstHost: string | null, more: Partial<Connection> = {}) =>
  connection(id, [subflow(path, { srcHost, dstHost })], { clientToken: 'c', serverToken: 's', ...more });

const near = leg('near', [1, 2], CLIENT, ROUTER);
const far = leg('far', [2, 5], ROUTER, SERVER);

test('a leg is told by its ends', () => {
  const hosts = hostsOf(routed());
  assert.deepEqual(routersOf(hosts, near), { client: null, server: ROUTER });
  assert.deepEqual(routersOf(hosts, far), { client: ROUTER, server: null });
  assert.equal(legText(hosts, near), 'from the client to router 10.0.255.254');
  assert.equal(legText(hosts, far), 'from router 10.0.255.254 to the server');
});

test('a host is no router as long as ONOS knows no address of it, or no frame has shown it', () => {
  const topology = routed();
  const forgotten = { ...topology, hosts: topology.hosts.map((host) => (host.id === ROUTER ? { ...host, ips: [] } : host)) };
  const none = { client: null, server: null };
  assert.deepEqual(routersOf(hostsOf(forgotten), near), none);
  assert.deepEqual(routersOf(hostsOf(topology), leg('straight', [1, 2, 5], CLIENT, SERVER)), none);
  assert.deepEqual(routersOf(hostsOf(topology), leg('unseen', [1, 2, 5], null, null)), none);
  assert.deepEqual(routersOf(hostsOf(topology), connection('empty', [])), none);
});

test('legs of a connection find each other, and others do not', () => {
  const other = leg('tenant', [1, 2, 5], '00:00:00:00:00:01/10', '00:00:00:00:00:02/10', { serverToken: 't' });
  assert.deepEqual(otherLegs(near, [other, near, far]).map(({ id }) => id), ['far']);
  assert.deepEqual(otherLegs(other, [other, near, far]), []);
  assert.deepEqual(once([other, near, far]).map(({ id }) => id), ['tenant', 'near']);
});

test('a leg is drawn to the router, not to a host that is elsewhere', () => {
  const topology = routed();
  const [there, back] = highlightsOf(networkOf(topology), topology, [near, far]).map(({ nodes }) => nodes);
  assert.deepEqual([there[0], there[there.length - 1]], [CLIENT, ROUTER]);
  assert.deepEqual([back[0], back[back.length - 1]], [ROUTER, SERVER]);
});

test('a backup is called so on its path, where it has no rates', () => {
  const topology = routed();
  const [subflow] = near.subflows;
  const standby = { ...near, subflows: [subflow, { ...subflow, state: 'backup' as const, expectedUpMbps: 0 }] };
  const labels = highlightsOf(networkOf(topology), topology, [standby]).map(({ label }) => label);
  assert.match(labels[0], / of /);
  assert.equal(labels[1], 'backup');
});
