// SPDX-License-Identifier: Apache-2.0
/** What the inspector tells of a switch, a host or a link. Pure functions. */
import { failedText, movedFrom } from '../model/failures';
import { clock, count } from '../model/format';
import { Edge, labelOf, linkFacts, Network, Node } from '../model/network';
import { Connection, LinkUsage } from '../model/wire';
import { usageRow } from './drawing';

export interface Inspection {
  readonly title: string;
  readonly about: string;
  /** The node that may be pinned; null if none may. */
  readonly pinnable: string | null;
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
  readonly notes: readonly string[];
  /** Connections that had to leave a failed link. */
  readonly moved: readonly { readonly id: string; readonly name: string }[];
}

export interface Known {
  readonly usage: ReadonlyMap<string, LinkUsage>;
  readonly expected: ReadonlyMap<string, number>;
  readonly connections: ReadonlyMap<string, Connection>;
  isOnMap(id: string): boolean;
}

export function inspection(network: Network, inspected: { node?: string; edge?: string } | null, known: Known): Inspection | null {
  const node = inspected?.node && network.byId.get(inspected.node);
  if (node) {
    return {
      title: describe(network, node), about: node.about, pinnable: known.isOnMap(node.id) ? null : node.id, moved: [],
      rows: network.around.get(node.id)!.flatMap((edge) => rows(network, edge, node.id, known)),
      notes: node.failed ? [`ONOS does not reach it since ${clock(node.failed)}`] : [],
    };
  }
  const edge = inspected?.edge && (network.byPort.get(inspected.edge) ?? network.edges.find((one) => one.failed && [one.there, one.back].includes(inspected.edge!)));
  return edge ? {
    title: `Link ${labelOf(network, edge.a)} – ${labelOf(network, edge.b)}${edge.failed ? ' has failed' : ''}`,
    about: `${edge.there} – ${edge.back}`, pinnable: null, rows: rows(network, edge, edge.a, known),
    notes: edge.failed ? [failedText(edge.failed)] : notes(network, edge, known),
    moved: edge.failed ? movedFrom(edge.failed, known.connections) : [],
  } : null;
}

/** `Switch s1, 3 links`. */
export function describe(network: Network, node: Node): string {
  const links = network.around.get(node.id)!.filter((edge) => edge.kind === 'link' && !edge.failed).length;
  return node.kind === 'switch' ? `Switch ${node.label}, ${count(links, 'link')}${node.failed ? ', failed' : ''}` : `Host ${node.label}`;
}

/** What is known of a link besides its rates: a line, or one for each direction if they differ. */
function notes(network: Network, edge: Edge, { usage }: Known): string[] {
  const [there, back] = [edge.there, edge.back].map((port) => usage.get(port)).map((one) => one && linkFacts(one));
  return there === back || !there || !back ? [there ?? back ?? ''].filter(Boolean)
    : [`${labelOf(network, edge.a)} → ${labelOf(network, edge.b)}: ${there}`, `${labelOf(network, edge.b)} → ${labelOf(network, edge.a)}: ${back}`];
}

function rows(network: Network, edge: Edge, from: string, { usage, expected }: Known): { name: string; cells: string[] }[] {
  if (edge.kind === 'attachment' || edge.failed) {
    return [];
  }
  const ports: [string, string, string][] = [[edge.there, edge.a, edge.b], [edge.back, edge.b, edge.a]];
  return (edge.a === from ? ports : ports.reverse()).map(([port, a, b]) => ({
    name: `${labelOf(network, a)} → ${labelOf(network, b)}`, cells: usageRow(usage.get(port), expected.get(port) ?? 0),
  }));
}
