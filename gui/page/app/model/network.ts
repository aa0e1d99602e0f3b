// SPDX-License-Identifier: Apache-2.0
/** The drawn network: switches and hosts as nodes, both directions of a link as one edge. Pure functions. */
import { count, delay, deviceOf, natural } from './format';
import { Connection, FailedLink, LinkEnds, LinkUsage, Subflow, Topology } from './wire';

export interface Node {
  readonly id: string;
  readonly kind: 'switch' | 'host';
  readonly label: string;
  /** Identifier or addresses, for the inspector. */
  readonly about: string;
  /** Degrees; null for hosts, and for switches of which ONOS knows no place. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  /** Where it stands in a drawing by ONOS's word, to the right and down; null as above. */
  readonly grid: { readonly x: number; readonly y: number } | null;
  /** Since when it has failed, milliseconds of the Unix epoch; null if it has not. */
  readonly failed: number | null;
}

export interface Edge {
  readonly id: string;
  readonly kind: 'link' | 'attachment';
  readonly a: string;
  readonly b: string;
  /** Source port of the direction a → b, and of b → a; empty for a host's attachment. */
  readonly there: string;
  readonly back: string;
  /** How far it stands beside the line between its ends, so that parallel links can be told apart: 0, or -0.5 and 0.5, … */
  readonly aside: number;
  /** Set if the link has failed. Its ports are not in `byPort`. */
  readonly failed: FailedLink | null;
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
  const failedDevices = new Map(topology.failed.devices.map((device) => [device.id, device.sinceMillis]));
  const nodes: Node[] = [...topology.devices, ...topology.failed.devices].map((device) => ({
    id: device.id, kind: 'switch', label: shortened(device.name),
    about: `${device.name}, ${device.id}`,
    place: device.latitude === null || device.longitude === null ? null : { latitude: device.latitude, longitude: device.longitude },
    grid: device.gridX === null || device.gridY === null ? null : { x: device.gridX, y: device.gridY },
    failed: failedDevices.get(device.id) ?? null,
  }));
  const byId = new Map<string, Node>(nodes.map((node) => [node.id, node]));
  const links: Edge[] = [];
  const seen = new Set<string>();
  const add = ({ source, target }: LinkEnds, failed: FailedLink | null) => {
    const a = deviceOf(source);
    const b = deviceOf(target);
    if (!seen.has(source) && byId.has(a) && byId.has(b)) {
      links.push({ id: source, kind: 'link', a, b, there: source, back: target, aside: 0, failed });
      seen.add(source).add(target);
    }
  };
  topology.links.forEach((link) => add(link, null));
  topology.failed.links.forEach((link) => add(link, link));
  const edges = apart(links);
  const byPort = new Map(edges.filter((edge) => !edge.failed).flatMap((edge) => [[edge.there, edge], [edge.back, edge]] as const));
  for (const host of topology.hosts) {
    if (!byId.has(host.device) || byId.has(host.id)) {
      continue;
    }
    const node: Node = {
      id: host.id, kind: 'host', label: shortened(host.name || host.ips[0] || host.mac),
      about: [host.name, ...host.ips, host.mac].filter(Boolean).join(', '), place: null, grid: null, failed: null,
    };
    nodes.push(node);
    byId.set(host.id, node);
    edges.push({ id: host.id, kind: 'attachment', a: host.id, b: host.device, there: '', back: '', aside: 0, failed: null });
  }
  const around = new Map<string, Edge[]>(nodes.map((node) => [node.id, []]));
  for (const edge of edges) {
    around.get(edge.a)!.push(edge);
    around.get(edge.b)!.push(edge);
  }
  return { nodes, edges, byId, byPort, around };
}

/** The same links, parallel ones beside each other. */
function apart(links: readonly Edge[]): Edge[] {
  const ends = ({ a, b }: Edge) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const groups = new Map<string, string[]>();
  for (const link of links) {
    groups.set(ends(link), [...(groups.get(ends(link)) ?? []), link.id]);
  }
  return links.map((link) => {
    const mates = groups.get(ends(link))!;
    // The side is meant in the direction from a to b, which parallel links need not have in common.
    const aside = (mates.indexOf(link.id) - (mates.length - 1) / 2) * (link.a < link.b ? 1 : -1);
    return mates.length > 1 ? { ...link, aside } : link;
  });
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
    topology.devices.map((d) => [d.id, d.name, d.latitude, d.longitude, d.gridX, d.gridY]),
    topology.hosts.map((h) => [h.id, h.name, h.device, h.ips]),
    topology.links.map((l) => [l.source, l.target]),
    topology.failed,
  ]);
}

/** The name of a switch or host as drawn; its identifier if it is not part of the network. */
export function labelOf(network: Network, id: string): string {
  return network.byId.get(id)?.label ?? id;
}

/** A directed link by its ports: `s1 → s2`. */
export function linkText(network: Network, source: string, target: string): string {
  return `${labelOf(network, deviceOf(source))} → ${labelOf(network, deviceOf(target))}`;
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

/** Measured rate ÷ capacity of a direction: from 0 to 1, or slightly more; NaN without capacity or reading. */
export function load(usage: LinkUsage | undefined): number {
  return usage && usage.capacityMbps > 0 && usage.measuredMbps !== null ? usage.measuredMbps / usage.capacityMbps : NaN;
}

/** What is known of a direction of a link besides its rates: `5 ms · capacity by portSpeed · shared risk: duct-7`. */
export function linkFacts({ delayMillis, capacitySource, srlg }: LinkUsage): string {
  return [delayMillis === null ? '' : delay(delayMillis),
          capacitySource === 'unknown' ? 'capacity unknown' : `capacity by ${capacitySource}`,
          srlg.length ? `shared risk: ${srlg.join(', ')}` : ''].filter(Boolean).join(' · ');
}

/** `5 switches, 2 hosts, 6 links`: the drawing's description for screen readers. */
export function summary(network: Network): string {
  const switches = network.nodes.filter((node) => node.kind === 'switch');
  const links = network.edges.filter((edge) => edge.kind === 'link');
  const failed = [...switches, ...links].filter((one) => one.failed).length;
  return [count(switches.length, 'switch', 'switches'), count(network.nodes.length - switches.length, 'host'),
          count(links.length, 'link'), ...(failed ? [`${failed} failed`] : [])].join(', ');
}

/** Switches, then hosts, each in natural order of their labels. */
export function sortedNodes(network: Network): Node[] {
  return [...network.nodes].sort((a, b) => a.kind === b.kind ? natural(a.label, b.label) : a.kind < b.kind ? 1 : -1);
}
