// SPDX-License-Identifier: Apache-2.0
/**
 * Legs: the parts of a connection between two hosts of the network, of which one may be a router. Each is a connection in
 * REST, with the same addresses, ports and tokens, and other hosts. Pure functions.
 */
import { Connection, Host } from './wire';

export type Hosts = ReadonlyMap<string, Host>;

interface Ends {
  readonly client: string | null;
  readonly server: string | null;
}

/** The hosts between which a connection's frames run; null where no frame has shown them. */
function endsOf({ subflows: [first] }: Connection): Ends {
  return !first ? { client: null, server: null }
    : first.fromClient ? { client: first.srcHost, server: first.dstHost } : { client: first.dstHost, server: first.srcHost };
}

/** The routers between which a connection runs; null at an end that is no router, or of which ONOS does not know that it is. */
export function routersOf(hosts: Hosts, connection: Connection): Ends {
  const { client, server } = endsOf(connection);
  return { client: isRouter(hosts, client, connection.client) ? client : null,
           server: isRouter(hosts, server, connection.server) ? server : null };
}

/** Whether a host sends frames for an address that is not its own, as far as ONOS knows the host's addresses. */
function isRouter(hosts: Hosts, id: string | null, address: string): boolean {
  const ips = (id && hosts.get(id)?.ips) || [];
  return ips.length > 0 && !ips.includes(address);
}

/** The other legs of the same connection. */
export function otherLegs(connection: Connection, all: Iterable<Connection>): Connection[] {
  const key = keyOf(connection);
  return [...all].filter((other) => other.id !== connection.id && keyOf(other) === key);
}

/** Each connection once, of whose legs the first counts. */
export function once(connections: Iterable<Connection>): Connection[] {
  const found = new Map<string, Connection>();
  for (const connection of connections) {
    const key = keyOf(connection);
    if (!found.has(key)) {
      found.set(key, connection);
    }
  }
  return [...found.values()];
}

/** Same addresses and ports at hosts of other VLANs are another connection, which has keys of its own. */
function keyOf({ id, clientToken, serverToken, subflows: [first] }: Connection): string {
  return first ? [first.src, first.dst, clientToken, serverToken].join(' ') : id;
}

/** `from the client to router 10.0.255.254`. */
export function legText(hosts: Hosts, connection: Connection): string {
  const routers = routersOf(hosts, connection);
  const ends = endsOf(connection);
  const end = (side: 'client' | 'server') =>
    routers[side] ? `router ${hostLabel(hosts, routers[side])}` : hosts.has(ends[side] ?? '') ? `the ${side}` : ends[side] ?? `the ${side}`;
  return `from ${end('client')} to ${end('server')}`;
}

/** A host's name, else its first address, else its identifier. */
export function hostLabel(hosts: Hosts, id: string): string {
  const host = hosts.get(id);
  return host?.name || host?.ips[0] || id;
}
