// SPDX-License-Identifier: Apache-2.0
/** Position and style of lines, from places and rates. Pure functions. */
import { loadColour } from '../model/colour';
import { clock, mbps, percent } from '../model/format';
import { Edge, load, Network } from '../model/network';
import { LinkUsage } from '../model/wire';
import { Highlight } from './highlight';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Segment = readonly [Point, Point];

export interface Line {
  readonly edge: Edge;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly colour: string;
  readonly width: number;
  /** Label with rate and capacity, for links without a highlight; empty for attachments. */
  readonly text: string;
}

export interface Way {
  readonly highlight: Highlight;
  readonly d: string;
  readonly width: number;
  readonly segments: readonly Segment[];
  /** Places for the subflow's number, the best first. */
  readonly candidates: readonly Point[];
}

/** Distances in pixels: between subflows on a link, at most from the middle of a switch where a host's lines end, between parallel links. */
const LANE = 7;
const MOST_LANE = 9;
const PARALLEL = 18;
/** Points of a link at which a number may stand. */
const PARTS = [0.5, 0.35, 0.65, 0.25, 0.75];
export const NOWHERE: Point = { x: 0, y: 0 };

/** Where nodes stand, and how many units of the drawing are a pixel. */
export interface Ground {
  readonly place: (id: string) => Point | undefined;
  readonly pixel: number;
}

/** All links as lines: colour by load, width by rate, of the direction that carries more. */
export function linesOf(network: Network, usage: ReadonlyMap<string, LinkUsage>, { place, pixel }: Ground): Line[] {
  return network.edges.map((edge) => {
    const a = place(edge.a) ?? NOWHERE;
    const b = place(edge.b) ?? NOWHERE;
    const [dx, dy] = sideways(a, b, edge.aside * PARALLEL * pixel);
    const at = { edge, x1: round(a.x + dx), y1: round(a.y + dy), x2: round(b.x + dx), y2: round(b.y + dy) };
    if (edge.failed) {
      return { ...at, colour: 'var(--bad)', width: 2, text: `failed ${clock(edge.failed.sinceMillis)}` };
    }
    if (edge.kind === 'attachment') {
      return { ...at, colour: 'var(--attachment)', width: 1.2, text: '' };
    }
    const busier = busierOf(usage.get(edge.there), usage.get(edge.back));
    return {
      ...at, colour: loadColour(load(busier)), width: widthOf(busier?.measuredMbps ?? 0),
      text: busier ? `${mbps(busier.measuredMbps)} / ${mbps(busier.capacityMbps)}` : '',
    };
  });
}

function busierOf(there: LinkUsage | undefined, back: LinkUsage | undefined): LinkUsage | undefined {
  return !there || load(back) > load(there) || Number.isNaN(load(there)) ? back ?? there : there;
}

/** Line width for a rate: grows by its logarithm, so that 1 and 10,000 Mbit/s can both be seen. */
export function widthOf(rate: number): number {
  return Math.round((1.4 + Math.min(6, 1.7 * Math.log10(1 + Math.max(0, rate)))) * 10) / 10;
}

/** A line for each highlighted subflow; lines that share a link run side by side. */
export function waysOf(network: Network, highlights: readonly Highlight[], ground: Ground): Way[] {
  const users = new Map<string, string[]>();
  for (const highlight of highlights) {
    for (const edge of highlight.edges) {
      users.set(edge, [...(users.get(edge) ?? []), highlight.key]);
    }
  }
  return highlights.filter((highlight) => highlight.nodes.length > 1)
    .map((highlight) => wayOf(network, highlight, users, ground));
}

function wayOf(network: Network, highlight: Highlight, users: ReadonlyMap<string, readonly string[]>, ground: Ground): Way {
  const segments = highlight.edges.map((id, i): Segment => {
    const [start, end] = [highlight.nodes[i], highlight.nodes[i + 1]];
    const [from, to] = [ground.place(start) ?? NOWHERE, ground.place(end) ?? NOWHERE];
    const mates = users.get(id) ?? [];
    const lane = (mates.indexOf(highlight.key) - (mates.length - 1) / 2) * LANE;
    const edge = edgeOf(network, id);
    const direction = edge?.a === start ? 1 : -1;
    const isAttached = edge?.kind === 'attachment';
    const aside = isAttached ? Math.sign(lane) * Math.min(Math.abs(lane), MOST_LANE) : lane + (edge?.aside ?? 0) * PARALLEL;
    const shift = sideways(from, to, aside * ground.pixel * direction);
    // A host is a point at which all of its lines end.
    return [isAttached && start === id ? from : moved(from, shift), isAttached && end === id ? to : moved(to, shift)];
  });
  const d = segments.map(([from, to], i) => `${i ? 'L' : 'M'}${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}`).join('');
  return { highlight, d, width: widthOf(highlight.rate) + 1.6, segments, candidates: candidatesOf(segments, highlight.edges, network) };
}

/**
 * The middle of the middle link, of the links around it, then other points of these links. At a host's attachment the numbers
 * of siblings would hide each other.
 */
function candidatesOf(segments: readonly Segment[], edges: readonly string[], network: Network): Point[] {
  const links = segments.filter((_, i) => network.byPort.has(edges[i]));
  const all = links.length ? links : segments;
  const middle = Math.floor((all.length - 1) / 2);
  const nearest = all.map((segment, i) => ({ segment, far: Math.abs(i - middle) })).sort((a, b) => a.far - b.far);
  return PARTS.flatMap((part) => nearest.map(({ segment: [from, to] }) => (
    { x: round(from.x + (to.x - from.x) * part), y: round(from.y + (to.y - from.y) * part) })));
}

/** A point on an edge, a part of the way from one of its ends, and the angle in which it leads from there. */
export function middleOf(edge: Edge, from: string, part: number, { place, pixel }: Ground): { at: Point; degrees: number } {
  const [a, b] = [place(edge.a) ?? NOWHERE, place(edge.b) ?? NOWHERE];
  const [dx, dy] = sideways(a, b, edge.aside * PARALLEL * pixel);
  const [start, end] = edge.a === from ? [a, b] : [b, a];
  return {
    at: { x: round(start.x + (end.x - start.x) * part + dx), y: round(start.y + (end.y - start.y) * part + dy) },
    degrees: round((Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI),
  };
}

function edgeOf(network: Network, id: string): Edge | undefined {
  return network.byPort.get(id) ?? network.around.get(id)?.find((edge) => edge.id === id);
}

function sideways(from: Point, to: Point, distance: number): [number, number] {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length ? [-((to.y - from.y) / length) * distance, ((to.x - from.x) / length) * distance] : [0, 0];
}

/** The nearest node in a direction (unit vector); nodes far to the side count as farther. Null if there is none. */
export function neighbour(places: Iterable<{ id: string } & Point>, from: Point & { id: string }, dx: number,
                          dy: number): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const place of places) {
    const ahead = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy - (place.y - from.y) * dx);
    const cost = ahead + 2 * aside;
    if (place.id !== from.id && ahead > 1e-6 && cost < least) {
      least = cost;
      best = place.id;
    }
  }
  return best;
}

/** Figures of one direction of a link, for the inspector. */
export function usageRow(usage: LinkUsage | undefined, expected: number): string[] {
  return usage ? [mbps(usage.capacityMbps), mbps(usage.reservedMbps), mbps(expected), mbps(usage.measuredMbps),
                  mbps(usage.othersMbps), percent(load(usage))] : ['–', '–', '–', '–', '–', '–'];
}

function moved({ x, y }: Point, [dx, dy]: readonly [number, number]): Point {
  return { x: x + dx, y: y + dy };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
