// SPDX-License-Identifier: Apache-2.0
/** Networks and connections for tests. */
import { Connection, Subflow, Topology } from '../app/model/wire';

const PAIRS = [[1, 2], [1, 3], [1, 4], [2, 5], [3, 5], [4, 5]];

function device(number: number): string {
  return `of:${number.toString(16).padStart(16, '0')}`;
}

function portName(port: string): string {
  return port.replace(/^of:0*/, 's');
}

function ports(): Map<string, [string, string]> {
  const next = new Map<number, number>();
  const port = (number: number) => {
    next.set(number, (next.get(number) ?? 0) + 1);
    return `${device(number)}/${next.get(number)}`;
  };
  return new Map(PAIRS.map(([a, b]) => [`${a}-${b}`, [port(a), port(b)]]));
}

/** Three disjoint paths between 1 and 5, a host at each end. */
export function diamond(): Topology {
  const usage = { state: 'up' as const, capacityMbps: 10, capacitySource: 'portSpeed', delayMillis: null, srlg: [], reservedMbps: 0, measuredMbps: 0, othersMbps: 0, subflows: 0 };
  return {
    devices: [1, 2, 3, 4, 5].map((number) => ({ id: device(number), name: `s${number}`, latitude: null, longitude: null, gridX: null, gridY: null })),
    hosts: [1, 5].map((number, index) => ({
      id: `host${index + 1}`, name: null, mac: `00:00:00:00:00:0${index + 1}`, ips: [`10.0.0.${index + 1}`],
      device: device(number), deviceName: `s${number}`, port: '9',
    })),
    failed: { devices: [], links: [] },
    links: [...ports().values()].flatMap((both) => [both, [both[1], both[0]]]).map(([source, target]) => (
      { source, target, sourceName: portName(source), targetName: portName(target), ...usage })),
  };
}

/** A subflow along switches of the diamond. */
export function subflow(path: number[], more: Partial<Subflow> = {}): Subflow {
  const links = path.slice(1).map((to, i) => {
    const [a, b] = [path[i], to];
    return ports().get(`${a}-${b}`)?.[0] ?? ports().get(`${b}-${a}`)![1];
  });
  return {
    src: '10.0.0.1:38130', dst: '10.0.0.2:5201', srcHost: '00:00:00:00:00:01/None', dstHost: '00:00:00:00:00:02/None',
    srcHostName: null, dstHostName: null,
    state: 'active', backup: false, join: false, fromClient: true, path: path.map(device), pathNames: path.map((number) => `s${number}`),
    links, bottleneckMbps: 10, expectedMbps: 0, expectedUpMbps: 0, expectedDownMbps: 0, measuredUpMbps: 0,
    measuredDownMbps: 0, ratio: null, delayMillis: null, ...more,
  };
}

export function connection(id: string, subflows: Subflow[], more: Partial<Connection> = {}): Connection {
  return {
    id, client: '10.0.0.1', server: '10.0.0.2', version: 1, clientToken: null, deniesJoins: false, serverToken: null, state: 'active',
    policy: null, strategy: 'widest-disjoint', agent: false, awaitedUntilMillis: null, createdMillis: 0, lastActiveMillis: 0,
    expectedUpMbps: 0, expectedDownMbps: 0,
    demandUpMbps: null, demandDownMbps: null, availableUpMbps: 0, availableDownMbps: 0, fairUpMbps: 0, fairDownMbps: 0,
    measuredUpMbps: 0, measuredDownMbps: 0,
    ratio: null, disjointIn: [], subflows, ...more,
  };
}
