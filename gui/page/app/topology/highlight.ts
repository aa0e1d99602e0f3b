// SPDX-License-Identifier: Apache-2.0
/** Highlighted subflows of the drawing. Pure functions. */
import { subflowColour, subflowDash } from '../model/colour';
import { sendsUp } from '../model/fairness';
import { mbps } from '../model/format';
import { hops, hostWith, Network } from '../model/network';
import { Connection, Subflow, Topology, WhatIfResult } from '../model/wire';

export interface Highlight {
  readonly key: string;
  readonly number: number;
  readonly colour: string;
  readonly dash: string;
  /** Nodes in order, hosts included where they are drawn. */
  readonly nodes: readonly string[];
  /** Edges between them, in order. */
  readonly edges: readonly string[];
  readonly label: string;
  readonly rate: number;
}

/** Addresses without their ports. */
function address(endpoint: string): string {
  return endpoint.slice(0, endpoint.lastIndexOf(':')).replace(/^\[|\]$/g, '');
}

/** The subflows of the selected connections, numbered over all of them. They begin and end at the hosts of their frames, as at a router. */
export function highlightsOf(network: Network, topology: Topology, connections: readonly Connection[]): Highlight[] {
  const highlights: Highlight[] = [];
  for (const connection of connections) {
    const up = sendsUp(connection);
    for (const subflow of connection.subflows) {
      const index = highlights.length;
      const rate = up ? subflow.measuredUpMbps : subflow.measuredDownMbps;
      const expected = up ? subflow.expectedUpMbps : subflow.expectedDownMbps;
      highlights.push({
        key: `${connection.id} ${subflow.src} ${subflow.dst}`,
        number: index + 1, colour: subflowColour(index), dash: subflowDash(index), rate: rate ?? 0,
        label: subflow.state === 'backup' ? 'backup' : `${mbps(rate)} of ${mbps(expected)}`,
        ...route(network, subflow, subflow.srcHost ?? hostWith(topology, address(subflow.src)),
                 subflow.dstHost ?? hostWith(topology, address(subflow.dst))),
      });
    }
  }
  return highlights;
}

/** The paths that a strategy would take. */
export function highlightsOfResult(network: Network, result: WhatIfResult, client: string, server: string): Highlight[] {
  return result.subflows.map((subflow, index) => ({
    key: String(index), number: index + 1, colour: subflowColour(index), dash: subflowDash(index),
    rate: subflow.expectedUpMbps, label: mbps(subflow.expectedUpMbps),
    ...route(network, subflow, client, server),
  }));
}

function route(network: Network, subflow: Subflow, from: string | null, to: string | null): Pick<Highlight, 'nodes' | 'edges'> {
  if (!subflow.path.length) {
    return { nodes: [], edges: [] };
  }
  const nodes = [...subflow.path];
  const edges = hops(network, subflow).map((hop) => hop.edge.id);
  if (edges.length !== nodes.length - 1) {
    // A link of the path is gone: a line through the other nodes would show links that do not exist.
    return { nodes: [], edges: [] };
  }
  if (from && network.byId.has(from)) {
    nodes.unshift(from);
    edges.unshift(from);
  }
  if (to && network.byId.has(to)) {
    nodes.push(to);
    edges.push(to);
  }
  return { nodes, edges };
}
