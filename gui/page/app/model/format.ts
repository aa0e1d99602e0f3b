// SPDX-License-Identifier: Apache-2.0
/** Numbers, times and names as people read them. */

/** Payload of a full-size frame with MPTCP's options, as a part of its size on the wire: 1428 of 1514 bytes. */
export const PAYLOAD_PART = 1428 / 1514;

/** A rate in Mbit/s without its unit: three significant digits; an en dash if it is unknown. */
export function mbps(rate: number | null | undefined): string {
  if (rate === null || rate === undefined || !Number.isFinite(rate)) {
    return '–';
  }
  if (rate !== 0 && Math.abs(rate) < 0.005) {
    return '<0.01';
  }
  const digits = Math.abs(rate) >= 99.95 ? 0 : Math.abs(rate) >= 9.995 ? 1 : 2;
  return rate.toFixed(digits);
}

/** A delay, given in ms: `0.5 ms`, `12 ms`, `1.2 s`; three significant digits, and no line break. */
export function delay(millis: number): string {
  return millis < 1000 ? `${Number(millis.toPrecision(3))}\u00a0ms` : `${Number((millis / 1000).toPrecision(3))}\u00a0s`;
}

/** A ratio in per cent; an en dash if it is not a number. */
export function percent(part: number): string {
  return Number.isFinite(part) ? `${Math.round(part * 100)} %` : '–';
}

/** A span of time: `7 s`, `3 min 05 s`, `2 h 05 min`, `3 d 4 h`. */
export function span(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${two(seconds % 60)} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${two(minutes % 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A span in one unit, for narrow columns: `7 s`, `3 min`, `2 h`, `3 d`. */
export function shortSpan(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const [unit, size] = seconds < 60 ? ['s', 1] : seconds < 3600 ? ['min', 60] : seconds < 86400 ? ['h', 3600] : ['d', 86400];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** The time of day in the browser's zone, `14:05:09`. */
export function clock(millis: number): string {
  const time = new Date(millis);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** The switch of a port `device/port`. */
export function deviceOf(port: string): string {
  const slash = port.lastIndexOf('/');
  return slash < 0 ? port : port.slice(0, slash);
}

/** Natural order: s2 before s10, 10.0.0.9 before 10.0.0.10. */
export const natural: (a: string, b: string) => number = new Intl.Collator('en', { numeric: true }).compare;

/** `1 subflow`, `2 subflows`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
