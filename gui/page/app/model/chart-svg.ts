// SPDX-License-Identifier: Apache-2.0
/** Curves over time as an SVG file, for papers and slides: on white, whatever the page looks like. Pure functions. */
import { clock } from './format';

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 54;
const RIGHT = 606;
const TOP = 14;
const BOTTOM = 206;
const LEGEND_ROW = 18;
const LEGEND_COLUMNS = 4;
const TICKS = 5;

export interface DrawnCurve {
  readonly label: string;
  /** Any colour of CSS, no variable. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
}

/** `seconds` of the Unix epoch, one for each value of a curve; `unit` of the values. */
export function chartSvg(seconds: readonly number[], curves: readonly DrawnCurve[], unit: string): string {
  const first = seconds[0] ?? 0;
  const span = Math.max((seconds.at(-1) ?? 0) - first, 1);
  const step = tickStep(Math.max(0, ...curves.flatMap((curve) => curve.values.filter((value) => value !== null))));
  const x = (second: number) => LEFT + ((second - first) / span) * (RIGHT - LEFT);
  const y = (value: number) => BOTTOM - (value / (step * TICKS)) * (BOTTOM - TOP);
  const levels = Array.from({ length: TICKS + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  const moments = Array.from({ length: TICKS }, (_, i) => first + (i * span) / (TICKS - 1));
  const height = HEIGHT + Math.ceil(curves.length / LEGEND_COLUMNS) * LEGEND_ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="11" fill="#333">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...levels.map((level) => `<path d="M${LEFT} ${round(y(level))}H${RIGHT}" stroke="#ddd"/>`
                             + `<text x="${LEFT - 6}" y="${round(y(level) + 4)}" text-anchor="end">${level}</text>`),
    ...moments.map((moment) => `<text x="${round(x(moment))}" y="${BOTTOM + 18}" text-anchor="middle">${clock(moment * 1000)}</text>`),
    `<text transform="translate(12 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escaped(unit)}</text>`,
    ...curves.map((curve) => `<path d="${path(seconds, curve.values, x, y)}" fill="none" ${paint(curve)}/>`),
    ...curves.map((curve, i) => legend(curve, LEFT + (i % LEGEND_COLUMNS) * ((RIGHT - LEFT) / LEGEND_COLUMNS),
                                       HEIGHT + Math.floor(i / LEGEND_COLUMNS) * LEGEND_ROW)),
    '</svg>',
  ].join('\n');
}

/** The least of 1, 2, 2.5 and 5 times a power of ten, TICKS of which are as much as a value. */
function tickStep(most: number): number {
  const least = most > 0 ? most / TICKS : 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 2.5, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9))!;
}

/** A line through all values, with gaps where there is none. */
function path(seconds: readonly number[], values: readonly (number | null)[], x: (second: number) => number,
              y: (value: number) => number): string {
  let isOpen = false;
  return values.map((value, i) => {
    if (value === null) {
      isOpen = false;
      return '';
    }
    const command = isOpen ? 'L' : 'M';
    isOpen = true;
    return `${command}${round(x(seconds[i]))} ${round(y(value))}`;
  }).join('');
}

function legend(curve: DrawnCurve, x: number, y: number): string {
  return `<path d="M${round(x)} ${y - 4}h22" ${paint(curve)}/><text x="${round(x + 28)}" y="${y}">${escaped(curve.label)}</text>`;
}

function paint(curve: DrawnCurve): string {
  return `stroke="${escaped(curve.colour)}" stroke-width="${curve.dashed ? 1.4 : 2}"${curve.dashed ? ' stroke-dasharray="5 4"' : ''}`;
}

function round(pixels: number): string {
  return String(Number(pixels.toFixed(1)));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
