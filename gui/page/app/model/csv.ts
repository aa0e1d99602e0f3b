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

/** A line for each moment, a column for each curve. Seconds are those of the Unix epoch. */
export function curvesCsv(seconds: readonly number[], curves: readonly { label: string; values: readonly (number | null)[] }[]): string {
  return csv(['time', ...curves.map((curve) => curve.label)],
             seconds.map((second, i) => [time(second * 1000), ...curves.map((curve) => curve.values[i])]));
}

function time(millis: number): string {
  return new Date(millis).toISOString();
}
