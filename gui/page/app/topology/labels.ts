// SPDX-License-Identifier: Apache-2.0
/** Where subflows' numbers and rates stand: on their paths, beside what is written at nodes and at other subflows. Pure functions. */
import { Node } from '../model/network';
import { Point, Way } from './drawing';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Label {
  readonly way: Way;
  /** Position of the subflow's number. */
  readonly at: Point;
  /** Middle of the rate's base line, relative to `at` and in units of the label's scale; null if there is no room for it. */
  readonly rate: Point | null;
}

/** Radius of a number's circle, and sizes of 11 and 12 px text, in units of the drawing. Widths are upper bounds for digits. */
const RADIUS = 10;
const RATE_WIDTH = 6.6;
const NAME_WIDTH = 7.4;
const ASCENT = 10;
const DESCENT = 3;
/** What the rate keeps from the number's circle. */
const GAP = 2;
/** With more subflows their rates are not drawn. */
const MOST_RATES = 12;

/** What a node covers: its symbol, and its name below it or inside of it. Sizes are those of topology.html. */
export function boxesOf(node: Node, at: Point): Box[] {
  const [wide, high] = node.kind === 'switch' ? [16, 11] : [9, 9];
  const symbol = { left: at.x - wide, top: at.y - high, right: at.x + wide, bottom: at.y + high };
  if (node.kind === 'switch' && node.label.length <= 4) {
    return [symbol];
  }
  return [symbol, textBox({ x: at.x, y: at.y + (node.kind === 'switch' ? 24 : 22) }, node.label, NAME_WIDTH, 1)];
}

/**
 * Places labels one after the other. Each number takes the first candidate on its path where it and its rate have room. If
 * there is none, it takes the place that covers least, and the rate is left out where it would cover anything.
 *
 * @param scale of the labels, as they keep their size on the screen when the drawing is small
 */
export function labelsOf(ways: readonly Way[], covered: readonly Box[], scale: number): Label[] {
  const taken = [...covered];
  return ways.map((way) => {
    const label = best(way, taken, scale, ways.length <= MOST_RATES);
    taken.push(numberBox(label.at, scale));
    if (label.rate) {
      taken.push(rateBox(way, label.at, label.rate, scale));
    }
    return label;
  });
}

function best(way: Way, taken: readonly Box[], scale: number, hasRate: boolean): Label {
  let found: Label = { way, at: way.candidates[0], rate: null };
  let least = Infinity;
  for (const at of way.candidates) {
    const hidden = overlap(numberBox(at, scale), taken);
    const rate = hasRate ? sides(way.highlight.label).find((side) => !overlap(rateBox(way, at, side, scale), taken)) ?? null : null;
    if (!hidden && (rate || !hasRate)) {
      return { way, at, rate };
    }
    // A number that can be read counts more than a rate, which the tables have as well.
    const cost = hidden * 4 + (rate ? 0 : 1);
    if (cost < least) {
      least = cost;
      found = { way, at, rate };
    }
  }
  return found;
}

/** Above, below, right and left of the number. */
function sides(text: string): Point[] {
  const aside = RADIUS + GAP + (text.length * RATE_WIDTH) / 2;
  return [{ x: 0, y: -RADIUS - GAP - 1 }, { x: 0, y: RADIUS + ASCENT }, { x: aside, y: 4 }, { x: -aside, y: 4 }];
}

function numberBox(at: Point, scale: number): Box {
  const radius = RADIUS * scale;
  return { left: at.x - radius, top: at.y - radius, right: at.x + radius, bottom: at.y + radius };
}

function rateBox(way: Way, at: Point, rate: Point, scale: number): Box {
  return textBox({ x: at.x + rate.x * scale, y: at.y + rate.y * scale }, way.highlight.label, RATE_WIDTH, scale);
}

function textBox(base: Point, text: string, width: number, scale: number): Box {
  const half = (text.length * width * scale) / 2;
  return { left: base.x - half, top: base.y - ASCENT * scale, right: base.x + half, bottom: base.y + DESCENT * scale };
}

/** By how much of its own area a box lies on others, 0 if on none. */
function overlap(box: Box, others: readonly Box[]): number {
  const area = (box.right - box.left) * (box.bottom - box.top);
  return others.reduce((sum, other) => {
    const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
    const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
    return wide > 0 && high > 0 ? sum + (wide * high) / area : sum;
  }, 0);
}
