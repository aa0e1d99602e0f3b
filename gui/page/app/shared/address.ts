// SPDX-License-Identifier: Apache-2.0
/** The page's own addresses: a view, and a connection that is chosen in it. Pure functions. */

export type View = 'connections' | 'what-if' | 'network' | 'manage';

const VIEWS: readonly View[] = ['connections', 'what-if', 'network', 'manage'];

/** The address of a connection on this page. */
export function addressOf(connection: string): string {
  return `/onos/mptcp/#connections/${encodeURIComponent(connection)}`;
}

/** The address of what a page shows (`here`) at another node of the cluster, with the same scheme and port; IPv6 without brackets. */
export function pageAt(node: string, here: string): string {
  const there = new URL(here);
  there.hostname = node.includes(':') ? `[${node}]` : node;
  return there.href;
}

/** What the part of an address after its path stands for; the connection is null if it names none. */
export function placeOf(hash: string): { view: View; connection: string | null } {
  const [name, ...rest] = hash.replace(/^#/, '').split('/');
  const view = VIEWS.find((each) => each === name) ?? 'connections';
  return { view, connection: view === 'connections' ? decoded(rest.join('/')) : null };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text) || null;
  } catch {
    return null;
  }
}
