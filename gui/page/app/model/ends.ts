// SPDX-License-Identifier: Apache-2.0
/** How a connection is called: by the ends of its first subflow, which tell connections of the same hosts apart. Pure functions. */
import { Connection } from './wire';

/** The client's address and port; the address alone without subflows. */
export function clientEnd({ client, subflows: [first] }: Connection): string {
  return first ? (first.fromClient ? first.src : first.dst) : client;
}

/** The server's likewise. */
export function serverEnd({ server, subflows: [first] }: Connection): string {
  return first ? (first.fromClient ? first.dst : first.src) : server;
}

/** `10.0.0.1:38130 → 10.0.0.2:5201`. */
export function endsText(connection: Connection): string {
  return `${clientEnd(connection)} → ${serverEnd(connection)}`;
}

/** Connections by their ends as far as they are known, else by their names. */
export function called(ids: readonly string[], connections: ReadonlyMap<string, Connection>): { id: string; name: string }[] {
  return ids.map((id) => {
    const connection = connections.get(id);
    return { id, name: connection ? endsText(connection) : id };
  });
}
