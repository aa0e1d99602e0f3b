// SPDX-License-Identifier: Apache-2.0
/** The drawn network: switches and hosts as nodes, both directions of a link as one edge. Pure functions. */
import { count, deviceLabel, deviceOf, natural } from './format';
import { Connection, LinkUsage, Subflow, Topology } from './wire';

export interface Node {
  readonly id: string;
  readonly kind: 'switch' | 'host';
  readonly label: string;
  /** Identifier or addresses, for the inspector. */
  readonly about: string;
  /** Degrees; null for hosts, and for switches of which ONOS knows no place. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
}

export interface Edge {
  readonly id: string;
  readonly kind: 'link' | 'attachment';
  readonly a: string;
  readonly b: string;
  /** Source port of the direction a → b, and of b → a; empty for a host's attachment. */
  readonly there: string;
  readonly back: string;
}

export interface Network {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  readonly byId: ReadonlyMap<string, Node>;
  /** Edge by the source port of either direction. */
  readonly byPort: ReadonlyMap<string, Edge>;
  /** Edges of a node. */
  readonly around: ReadonlyMap<string, readonly Edge[]>;
}

const LONGEST_LABEL = 24;

export const NO_NETWORK: Network = {
  nodes: [], edges: [], byId: new Map(), byPort: new Map(), around: new Map(),
};

/** Builds the drawn network. Links whose switches are unknown and hosts without a switch are left out. */
export function networkOf(topology: Topology): Network {
  const nodes: Node[] = topology.devices.map((device) => ({
    id: device.id, kind: 'switch', label: shortened(deviceLabel(device.id, device.name)),
    about: [device.name, device.id].filter(Boolean).join(', '),
    place: device.latitude === null || device.longitude === null ? null : { latitude: device.latitude, longitude: device.longitude },
  }));
  const byId = new Map<string, Node>(nodes.map((node) => [node.id, node]));
  const edges: Edge[] = [];
  const byPort = new Map<string, Edge>();
  for (const link of topology.links) {
    const a = deviceOf(link.source);
    const b = deviceOf(link.target);
    if (byPort.has(link.source) || !byId.has(a) || !byId.has(b)) {
      continue;
    }
    const edge: Edge = { id: link.source, kind: 'link', a, b, there: link.source, back: link.target };
    edges.push(edge);
    byPort.set(link.source, edge);
    byPort.set(link.target, edge);
  }
  for (const host of topology.hosts) {
    if (!byId.has(host.device) || byId.has(host.id)) {
      continue;
    }
    const node: Node = {
      id: host.id, kind: 'host', label: shortened(host.name || host.ips[0] || host.mac),
      about: [host.name, ...host.ips, host.mac].filter(Boolean).join(', '), place: null,
    };
    nodes.push(node);
    byId.set(host.id, node);
    edges.push({ id: host.id, kind: 'attachment', a: host.id, b: host.device, there: '', back: '' });
  }
  const around = new Map<string, Edge[]>(nodes.map((node) => [node.id, []]));
  for (const edge of edges) {
    around.get(edge.a)!.push(edge);
    around.get(edge.b)!.push(edge);
  }
  return { nodes, edges, byId, byPort, around };
}

/** Cuts a name to what fits into the drawing; `about` has the whole name. */
function shortened(name: string): string {
  return name.length > LONGEST_LABEL ? `${name.slice(0, LONGEST_LABEL - 1)}…` : name;
}

/** Whether two topologies have the same nodes and links, whatever their usage. */
export function sameShape(a: Topology, b: Topology): boolean {
  return shape(a) === shape(b);
}

function shape(topology: Topology): string {
  return JSON.stringify([
    topology.devices.map((d) => [d.id, d.name, d.latitude, d.longitude]),
    topology.hosts.map((h) => [h.id, h.name, h.device, h.ips]),
    topology.links.map((l) => [l.source, l.target]),
  ]);
}

/** The name of a switch or host as drawn; its identifier if it is not part of the network. */
export function labelOf(network: Network, id: string): string {
  return network.byId.get(id)?.label ?? deviceLabel(id, null);
}

/** `s1 → s2 → s5`. */
export function pathText(network: Network, path: readonly string[]): string {
  return path.length ? path.map((device) => labelOf(network, device)).join(' → ') : 'no path';
}

/** Expected throughput of each direction of a link, summed over subflows: Mbit/s by source port. */
export function expectedByPort(network: Network, connections: Iterable<Connection>): Map<string, number> {
  const expected = new Map<string, number>();
  const add = (port: string, rate: number) => expected.set(port, (expected.get(port) ?? 0) + rate);
  for (const connection of connections) {
    for (const subflow of connection.subflows) {
      if (!subflow.expectedUpMbps && !subflow.expectedDownMbps) {
        continue;
      }
      const [forward, backward] = subflow.fromClient
        ? [subflow.expectedUpMbps, subflow.expectedDownMbps] : [subflow.expectedDownMbps, subflow.expectedUpMbps];
      for (const { port, back } of hops(network, subflow)) {
        add(port, forward);
        add(back, backward);
      }
    }
  }
  return expected;
}

/** The directed links of a subflow's path, with their opposite directions. */
export function hops(network: Network, subflow: Pick<Subflow, 'links'>): { edge: Edge; port: string; back: string }[] {
  const found: { edge: Edge; port: string; back: string }[] = [];
  for (const port of subflow.links) {
    const edge = network.byPort.get(port);
    if (edge) {
      found.push({ edge, port, back: edge.there === port ? edge.back : edge.there });
    }
  }
  return found;
}

/** Identifier of the host with an address; null if there is none. */
export function hostWith(topology: Topology, address: string): string | null {
  return topology.hosts.find((host) => host.ips.includes(address))?.id ?? null;
}

/** Measured rate ÷ capacity of a direction: from 0 to 1, or slightly more; 0 without capacity. */
export function load(usage: LinkUsage | undefined): number {
  return usage && usage.capacityMbps > 0 ? usage.measuredMbps / usage.capacityMbps : 0;
}

/** `5 switches, 2 hosts, 6 links`: the drawing's description for screen readers. */
export function summary(network: Network): string {
  const switches = network.nodes.filter((node) => node.kind === 'switch').length;
  const links = network.edges.filter((edge) => edge.kind === 'link').length;
  return [count(switches, 'switch', 'switches'), count(network.nodes.length - switches, 'host'), count(links, 'link')]
    .join(', ');
}

/** Switches, then hosts, each in natural order of their labels. */
export function sortedNodes(network: Network): Node[] {
  return [...network.nodes].sort((a, b) => a.kind === b.kind ? natural(a.label, b.label) : a.kind < b.kind ? 1 : -1);
}
