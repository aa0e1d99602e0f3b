// SPDX-License-Identifier: Apache-2.0
/** Sorting and filtering of connections. */
import { clientEnd, serverEnd } from './ends';
import { attainableFair, expected, measured } from './fairness';
import { natural } from './format';
import { Connection } from './wire';

export type Column = 'client' | 'server' | 'age' | 'state' | 'measured' | 'expected' | 'attainable' | 'strategy' | 'subflows';

export interface Order {
  readonly column: Column;
  readonly descending: boolean;
}

const KEYS: Record<Column, (connection: Connection) => number | string> = {
  client: clientEnd,
  server: serverEnd,
  age: (c) => -c.createdMillis,
  state: (c) => c.state,
  measured: (c) => measured(c) ?? -1,
  expected,
  attainable: attainableFair,
  strategy: (c) => c.strategy,
  subflows: (c) => c.subflows.length,
};

/** Sorts connections; equal ones by their names, so that rows do not change places. */
export function sorted(connections: readonly Connection[], order: Order): Connection[] {
  const key = KEYS[order.column];
  const sign = order.descending ? -1 : 1;
  return connections
    .map((connection) => ({ connection, value: key(connection) }))
    .sort((a, b) => sign * compare(a.value, b.value) || natural(a.connection.id, b.connection.id))
    .map((entry) => entry.connection);
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : natural(String(a), String(b));
}

/** The connections that contain every word: in an address, port, host, state, strategy, name or a switch of a path. */
export function filtered(connections: readonly Connection[], text: string,
                         label: (device: string) => string): Connection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length ? connections.filter((c) => matches(c, words, label)) : [...connections];
}

function matches(connection: Connection, words: readonly string[], label: (device: string) => string): boolean {
  const { id, client, server, state, strategy, subflows } = connection;
  const fields = [id, client, server, state, strategy];
  for (const subflow of subflows) {
    fields.push(subflow.src, subflow.dst, subflow.srcHost ?? '', subflow.dstHost ?? '', subflow.state, ...subflow.path.map(label));
  }
  const text = fields.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
