// SPDX-License-Identifier: Apache-2.0
/** Places of switches on the map, in the drawing's units. Pure functions. */
import { Network } from '../model/network';
import { Point } from './drawing';

/** Mean area of the map for each switch: about that which the forces leave it. */
const AREA = 105 * 105;
const DEGREES_AROUND = 360;

interface Spot extends Point {
  readonly id: string;
}

/** Whether there is a map to draw: at least two switches stand at different places, on the earth or on a grid. */
export function hasMap(network: Network): boolean {
  return isSpread(spotsOf(network));
}

/** Places of the switches that ONOS has positions of, around the origin; those on the earth come before those on a grid. */
export function mapPlaces(network: Network): Map<string, Point> {
  const spots = spotsOf(network);
  const [left, wide] = extent(spots.map(({ x }) => x));
  const [top, high] = extent(spots.map(({ y }) => y));
  // A map that is a line gets some area all the same.
  const longer = Math.max(wide, high, Number.EPSILON);
  const scale = Math.sqrt((AREA * spots.length) / (Math.max(wide, longer / 4) * Math.max(high, longer / 4)));
  return new Map(spots.map(({ id, x, y }) => [id, { x: (x - left - wide / 2) * scale, y: (y - top - high / 2) * scale }]));
}

function spotsOf(network: Network): Spot[] {
  const onEarth = projected(network);
  return isSpread(onEarth) ? onEarth : network.nodes.flatMap(({ id, grid }) => (grid ? [{ id, ...grid }] : []));
}

function isSpread(spots: readonly Spot[]): boolean {
  return new Set(spots.map(({ x, y }) => `${x} ${y}`)).size > 1;
}

/**
 * Switches with coordinates, north above and east to the right. The projection is equirectangular: it shrinks longitudes by the
 * cosine of the middle latitude. A map across the antimeridian stays in one piece.
 */
function projected(network: Network): Spot[] {
  const placed = network.nodes.flatMap(({ id, place }) => (place ? [{ id, ...place }] : []));
  const [south, high] = extent(placed.map(({ latitude }) => latitude));
  const shrink = Math.cos((south + high / 2) * (Math.PI / 180));
  const west = westernmost(placed.map(({ longitude }) => longitude));
  return placed.map(({ id, latitude, longitude }) => (
    { id, x: shrink * ((longitude - west + DEGREES_AROUND) % DEGREES_AROUND), y: -latitude }));
}

/** The least value, and what the largest one is above it. */
function extent(values: readonly number[]): [number, number] {
  const least = Math.min(...values);
  return [least, Math.max(...values) - least];
}

/** The longitude east of the widest gap: the map begins there. */
function westernmost(longitudes: readonly number[]): number {
  const sorted = [...longitudes].sort((a, b) => a - b);
  let west = sorted[0];
  let widest = -1;
  sorted.forEach((longitude, i) => {
    const before = i ? sorted[i - 1] : sorted[sorted.length - 1] - DEGREES_AROUND;
    if (longitude - before > widest) {
      widest = longitude - before;
      west = longitude;
    }
  });
  return west;
}
