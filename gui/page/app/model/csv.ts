// SPDX-License-Identifier: Apache-2.0
/** What the page shows, as comma-separated values (RFC 4180). Rates are Mbit/s, unrounded. Pure functions. */
import { Connection, LinkUsage } from './wire';

export type Cell = string | number | boolean | null | undefined;

/** A table with a heading line. */
export function csv(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [headings, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** Spreadsheets take a text that begins with one of =+-@ for a formula; names may come from anybody. */
function field(cell: Cell): string {
  if (typeof cell !== 'string') {
    return cell === null || cell === undefined || Number.isNaN(cell) ? '' : String(cell);
  }
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const CONNECTION = ['id', 'client', 'server', 'created', 'state', 'policy', 'strategy', 'agent', 'measuredUpMbps', 'measuredDownMbps',
                    'expectedUpMbps', 'expectedDownMbps', 'fairUpMbps', 'fairDownMbps', 'availableUpMbps', 'availableDownMbps'] as const;

/** A line for each connection; headings are the fields of REST. The hosts are those of the first subflow. */
export function connectionsCsv(connections: readonly Connection[]): string {
  return csv([...CONNECTION, 'subflows', 'disjointIn', 'deniesJoins', 'srcHost', 'dstHost'], connections.map((connection) => [
    ...CONNECTION.map((name) => (name === 'created' ? time(connection.createdMillis) : connection[name])), connection.subflows.length,
    connection.disjointIn.join(' '), connection.deniesJoins, connection.subflows[0]?.srcHost, connection.subflows[0]?.dstHost]));
}

const LINK = ['source', 'target', 'capacityMbps', 'capacitySource', 'delayMillis', 'reservedMbps', 'measuredMbps', 'othersMbps', 'subflows'] as const;

/** A line for each direction of a link, with its expected throughput. */
export function linksCsv(links: readonly LinkUsage[], expected: ReadonlyMap<string, number>): string {
  return csv([...LINK, 'expectedMbps', 'srlg'], links.map((link) => [
    ...LINK.map((name) => link[name]), expected.get(link.source) ?? 0, link.srlg.join(' ')]));
}

/** Rates of a subflow over time, one value for each moment. */
export interface SubflowRates {
  readonly subflow: string;
  readonly measuredMbps: readonly (number | null)[];
  readonly expectedMbps: readonly (number | null)[];
}

/** A line for each moment and subflow: columns do not depend on what is saved. Seconds are those of the Unix epoch. */
export function ratesCsv(connection: string, seconds: readonly number[], rates: readonly SubflowRates[]): string {
  return csv(['time', 'connection', 'subflow', 'measuredMbps', 'expectedMbps'], seconds.flatMap((second, i) => rates.map((one) => [
    time(second * 1000), connection, one.subflow, one.measuredMbps[i], one.expectedMbps[i]])));
}

function time(millis: number): string {
  return new Date(millis).toISOString();
}
