// SPDX-License-Identifier: Apache-2.0
import { Connection, LinkUsage } from './wire';

/** Jain's fairness index, (Σx)² ÷ (n·Σx²): 1 if all values are equal, 1/n if one has all; NaN without values. */
export function jain(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return squares > 0 ? (sum * sum) / (values.length * squares) : NaN;
}

/** Measured rate of a connection in the direction that carries more, Mbit/s; null if nothing has been measured. */
export function measured({ measuredUpMbps: up, measuredDownMbps: down }: Connection): number | null {
  return up === null && down === null ? null : Math.max(up ?? 0, down ?? 0);
}

/** What connections carry together, Mbit/s; null if there are some, and nothing of them has been measured. */
export function carried(connections: readonly Connection[]): number | null {
  const rates = connections.map(measured).filter((rate) => rate !== null);
  return connections.length && !rates.length ? null : rates.reduce((sum, rate) => sum + rate, 0);
}

/** Whether a connection's client sends at least as much as its server. */
export function sendsUp({ measuredUpMbps: up, measuredDownMbps: down }: Connection): boolean {
  return (up ?? 0) >= (down ?? 0);
}

/** Expected throughput in the direction that carries more, Mbit/s; the larger one if both carry the same. */
export function expected(connection: Connection): number {
  return busierWay(connection, connection.expectedUpMbps, connection.expectedDownMbps);
}

/** Attainable rate (ζ), fair: at most the max-min fair share over all paths; Mbit/s, in the same direction. */
export function attainableFair(connection: Connection): number {
  return busierWay(connection, connection.fairUpMbps, connection.fairDownMbps);
}

/** Attainable rate (ζ), available: with every other connection at its expected throughput; Mbit/s, in the same direction. */
export function attainableAvailable(connection: Connection): number {
  return busierWay(connection, connection.availableUpMbps, connection.availableDownMbps);
}

function busierWay(connection: Connection, ofUp: number, ofDown: number): number {
  if (connection.measuredUpMbps === connection.measuredDownMbps) {
    return Math.max(ofUp, ofDown);
  }
  return sendsUp(connection) ? ofUp : ofDown;
}

/** Connections below this rate, in Mbit/s, do not count for fairness: they carry control messages or ACKs only. */
const BUSY_MBPS = 0.1;

/** Fairness index of the measured rates of busy connections. */
export function fairness(connections: Iterable<Connection>): number {
  return jain([...connections].map((one) => measured(one) ?? 0).filter((rate) => rate > BUSY_MBPS));
}

/** Mean and largest load of the links' directions that have capacity and a reading, 0 to 1 and more. */
export function utilisation(links: Iterable<LinkUsage>): { mean: number; most: number } {
  let carried = 0;
  let capacity = 0;
  let most = 0;
  for (const link of links) {
    if (link.capacityMbps > 0 && link.measuredMbps !== null) {
      carried += link.measuredMbps;
      capacity += link.capacityMbps;
      most = Math.max(most, link.measuredMbps / link.capacityMbps);
    }
  }
  return { mean: capacity > 0 ? carried / capacity : NaN, most: capacity > 0 ? most : NaN };
}
