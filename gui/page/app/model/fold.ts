// SPDX-License-Identifier: Apache-2.0
/** Control connections, such as that of iperf3, under the transfers that they control. Pure functions. */
import { expected, measured } from './fairness';
import { Connection } from './wire';

/** A control connection carries and expects at most this part of what its transfer does. */
const MOST_PART = 0.01;
/** A client opens its control connection first, and the transfer at most so much later. */
const MOST_MILLIS_BEFORE = 5_000;

/**
 * Finds control connections: nearly idle, and opened shortly before an active transfer of the same client to the same port of the
 * same server.
 *
 * @returns the control connection's name → the transfer's: the one that followed first
 */
export function controlConnections(connections: readonly Connection[]): Map<string, string> {
  const groups = new Map<string, Connection[]>();
  for (const connection of connections) {
    const { dst, srcHost, dstHost } = connection.subflows[0] ?? { dst: '' };
    // With the hosts, so that each leg is put under the transfer's on the same side of a router.
    const key = [connection.client, connection.server, dst.slice(dst.lastIndexOf(':')), srcHost, dstHost].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), connection]);
  }
  const found = new Map<string, string>();
  for (const group of groups.values()) {
    const ordered = group.sort((a, b) => a.createdMillis - b.createdMillis);
    ordered.forEach((control, i) => {
      const transfer = transferAfter(ordered, i);
      if (transfer) {
        found.set(control.id, transfer.id);
      }
    });
  }
  return found;
}

function transferAfter(ordered: readonly Connection[], at: number): Connection | null {
  const control = ordered[at];
  const most = control.createdMillis + MOST_MILLIS_BEFORE;
  for (let i = at + 1; i < ordered.length && ordered[i].createdMillis <= most; i++) {
    if (ordered[i].state === 'active' && rate(control) <= MOST_PART * rate(ordered[i])) {
      return ordered[i];
    }
  }
  return null;
}

function rate(connection: Connection): number {
  return Math.max(measured(connection) ?? 0, expected(connection));
}

/**
 * Puts rows of control connections below those of their transfers, or leaves them out.
 *
 * @param isOpen whether a control connection is to be seen; the transfer's name and its own
 */
export function arranged(rows: readonly Connection[], transfers: ReadonlyMap<string, string>,
                         isOpen: (transfer: string, control: string) => boolean): Connection[] {
  const below = new Map<string, Connection[]>();
  for (const row of rows) {
    const transfer = transfers.get(row.id);
    if (transfer && isOpen(transfer, row.id)) {
      below.set(transfer, [...(below.get(transfer) ?? []), row]);
    }
  }
  return rows.filter((row) => !transfers.has(row.id)).flatMap((row) => [row, ...(below.get(row.id) ?? [])]);
}
