// SPDX-License-Identifier: Apache-2.0
/**
 * Where names of nodes, subflows' numbers and rates, and rates of links stand: beside what is drawn, and not across lines. What
 * finds no room is left out until the user zooms in. Pure functions; sizes are pixels, times `pixel` units of the drawing.
 */
import { Node } from '../model/network';
import { Sight } from './camera';
import { Box, Line, Point, Segment, Way } from './drawing';

export interface Label {
  readonly way: Way;
  /** Position of the subflow's number. */
  readonly at: Point;
  /** Middle of the rate's base line, relative to `at` and in pixels; null if there is no room for it. */
  readonly rate: Point | null;
}

/** Radius of a number's circle, and widths of a character of 10, 11 and 12 px text, upper bounds for digits. */
const RADIUS = 10;
const LINK_WIDTH = 6;
const RATE_WIDTH = 6.6;
const NAME_WIDTH = 7.4;
const ASCENT = 10;
const DESCENT = 3;
/** What text keeps from circles, symbols and lines. */
const GAP = 2;
/** With more subflows their rates are not drawn. */
const MOST_RATES = 12;
/** Longest name inside of a switch's symbol, and how far that may shrink for it. */
const MOST_INSIDE = 4;
const LEAST_INSIDE = 0.6;
/** Points of a link at which its rate may stand. */
const PARTS = [0.5, 0.36, 0.64];

/** What is drawn so far: text keeps off its boxes, and off these lines. */
export class Room {
  private readonly boxes: Box[];

  constructor(boxes: readonly Box[] = [], private readonly lines: readonly Segment[] = []) {
    this.boxes = [...boxes];
  }

  take(...boxes: readonly Box[]): void {
    this.boxes.push(...boxes);
  }

  /** All boxes that are taken. */
  covered(): readonly Box[] {
    return this.boxes;
  }

  /** By how much of its own area a box lies on others, 0 if on none. */
  hidden(box: Box): number {
    const area = (box.right - box.left) * (box.bottom - box.top);
    return this.boxes.reduce((sum, other) => {
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      return wide > 0 && high > 0 ? sum + (wide * high) / area : sum;
    }, 0);
  }

  /** Whether nothing is there: no box, and none of the lines, which are all unless they are given. */
  isFree(box: Box, lines = this.lines): boolean {
    return !this.boxes.some((other) => meet(box, other)) && !lines.some((line) => crosses(line, box));
  }
}

/** Whether a switch's name stands inside of its symbol. */
export function isInside(node: Node, { shrunk }: Sight): boolean {
  return node.kind === 'switch' && node.label.length <= MOST_INSIDE && shrunk >= LEAST_INSIDE;
}

/** What the symbol of a node covers. */
export function symbolBox(node: Node, at: Point, { symbol }: Sight): Box {
  const [wide, high] = halves(node, symbol);
  return { left: at.x - wide, top: at.y - high, right: at.x + wide, bottom: at.y + high };
}

/** Half the width and the height of a node's symbol in topology.html, with its edge. */
function halves(node: Node, symbol: number): [number, number] {
  return node.kind === 'switch' ? [18 * symbol, 11 * symbol] : [9 * symbol, 9 * symbol];
}

/**
 * Places the name of a node, and takes its room: below, above, right or left of the symbol, or between these, where none of the
 * lines leads; if they lead everywhere, where there is room otherwise.
 *
 * @return the middle of the name's base line, relative to the node; null if there is no room
 */
export function namePlace(node: Node, at: Point, lines: readonly Segment[], sight: Sight, room: Room): Point | null {
  const { pixel, symbol } = sight;
  const [wide, high] = halves(node, symbol);
  const aside = wide + (GAP + (node.label.length * NAME_WIDTH) / 2) * pixel;
  const [below, above] = [high + (ASCENT + GAP) * pixel, -high - (DESCENT + GAP) * pixel];
  const places = [{ x: 0, y: below }, { x: 0, y: above }, { x: aside, y: 4 * pixel }, { x: -aside, y: 4 * pixel },
                  ...[below, above].flatMap((y) => [{ x: aside, y }, { x: -aside, y }])];
  const box = ({ x, y }: Point) => textBox({ x: at.x + x, y: at.y + y }, node.label, NAME_WIDTH, pixel);
  const found = places.find((place) => room.isFree(box(place), lines)) ?? places.find((place) => room.isFree(box(place), []));
  if (found) {
    room.take(box(found));
  }
  return found ?? null;
}

/**
 * Places labels of subflows one after the other, and takes their room. Each number takes the first candidate on its path where it
 * and its rate have room. If there is none, it takes the place that covers least, and the rate is left out where it would cover
 * anything or a line would cross it.
 *
 * @param pixel units of the drawing for each pixel, as labels keep their size on the screen
 */
export function labelsOf(ways: readonly Way[], room: Room, pixel: number): Label[] {
  return ways.map((way) => {
    const label = best(way, room, pixel, ways.length <= MOST_RATES);
    room.take(numberBox(label.at, pixel), ...(label.rate ? [rateBox(way, label.at, label.rate, pixel)] : []));
    return label;
  });
}

function best(way: Way, room: Room, pixel: number, hasRate: boolean): Label {
  let found: Label = { way, at: way.candidates[0], rate: null };
  let least = Infinity;
  for (const at of way.candidates) {
    const hidden = room.hidden(numberBox(at, pixel));
    const rate = hasRate ? sides(way.highlight.label).find((side) => room.isFree(rateBox(way, at, side, pixel))) ?? null : null;
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

/** Above, below, right and left of the number, then between these. */
function sides(text: string): Point[] {
  const aside = RADIUS + GAP + (text.length * RATE_WIDTH) / 2;
  const [above, below] = [-RADIUS - GAP - 1, RADIUS + ASCENT];
  return [{ x: 0, y: above }, { x: 0, y: below }, { x: aside, y: 4 }, { x: -aside, y: 4 },
          ...[above, below].flatMap((y) => [{ x: aside, y }, { x: -aside, y }])];
}

/**
 * Places the rates of links on either side of their lines, and takes their room.
 *
 * @return the middle of each base line; without those that have no room, but with all that have failed
 */
export function linkLabelsOf(lines: readonly Line[], room: Room, pixel: number): { line: Line; at: Point }[] {
  const placed: { line: Line; at: Point }[] = [];
  for (const line of [...lines].sort((a, b) => Number(!!b.edge.failed) - Number(!!a.edge.failed))) {
    const places = besideLine(line, pixel);
    const box = (at: Point) => textBox(at, line.text, LINK_WIDTH, pixel);
    const at = places.find((place) => room.isFree(box(place))) ?? (line.edge.failed ? places[0] : undefined);
    if (at) {
      room.take(box(at));
      placed.push({ line, at });
    }
  }
  return placed;
}

/** Base lines of a text as near to a line as it gets without touching it, on the upper side first. */
function besideLine({ x1, y1, x2, y2, text, width }: Line, pixel: number): Point[] {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [nx, ny] = y2 === y1 || x2 > x1 ? [(y2 - y1) / length, -(x2 - x1) / length] : [-(y2 - y1) / length, (x2 - x1) / length];
  const far = (Math.abs(nx) * text.length * LINK_WIDTH + Math.abs(ny) * (ASCENT + DESCENT)) / 2 + GAP + width / 2;
  return PARTS.flatMap((part) => [1, -1].map((side) => ({
    x: x1 + (x2 - x1) * part + nx * side * far * pixel,
    y: y1 + (y2 - y1) * part + (ny * side * far + (ASCENT - DESCENT) / 2) * pixel,
  })));
}

function numberBox(at: Point, pixel: number): Box {
  const radius = RADIUS * pixel;
  return { left: at.x - radius, top: at.y - radius, right: at.x + radius, bottom: at.y + radius };
}

function rateBox(way: Way, at: Point, rate: Point, pixel: number): Box {
  return textBox({ x: at.x + rate.x * pixel, y: at.y + rate.y * pixel }, way.highlight.label, RATE_WIDTH, pixel);
}

function textBox(base: Point, text: string, width: number, pixel: number): Box {
  const half = (text.length * width * pixel) / 2;
  return { left: base.x - half, top: base.y - ASCENT * pixel, right: base.x + half, bottom: base.y + DESCENT * pixel };
}

export function meet(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

/** Whether a part of a line lies inside of a box (the clipping of Liang and Barsky). */
export function crosses([from, to]: Segment, box: Box): boolean {
  let [enters, leaves] = [0, 1];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  for (const [towards, room] of [[-dx, from.x - box.left], [dx, box.right - from.x], [-dy, from.y - box.top], [dy, box.bottom - from.y]]) {
    if (towards === 0) {
      if (room < 0) {
        return false;
      }
    } else if (towards < 0) {
      enters = Math.max(enters, room / towards);
    } else {
      leaves = Math.min(leaves, room / towards);
    }
  }
  return enters < leaves;
}
