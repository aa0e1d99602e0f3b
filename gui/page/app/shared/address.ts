// SPDX-License-Identifier: Apache-2.0
/** The page's own addresses: a view, and the connections that are chosen in it. Pure functions. */

export type View = 'connections' | 'what-if' | 'network' | 'manage';

const VIEWS: readonly View[] = ['connections', 'what-if', 'network', 'manage'];

/** The address of connections on this page. */
export function addressOf(...connections: readonly string[]): string {
  return `/onos/mptcp/#${['connections', ...(connections.length ? [connections.map(encodeURIComponent).join(',')] : [])].join('/')}`;
}

/** The address of what a page shows (`here`) at another node of the cluster, with the same scheme and port; IPv6 without brackets. */
export function pageAt(node: string, here: string): string {
  const there = new URL(here);
  there.hostname = node.includes(':') ? `[${node}]` : node;
  return there.href;
}

/** What the part of an address after its path stands for. */
export function placeOf(hash: string): { view: View; connections: readonly string[] } {
  const [name, ...rest] = hash.replace(/^#/, '').split('/');
  const view = VIEWS.find((each) => each === name) ?? 'connections';
  return { view, connections: view === 'connections' ? rest.join('/').split(',').map(decoded).filter(Boolean) : [] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
