// SPDX-License-Identifier: Apache-2.0
/** Places of switches on the map, in the drawing's units. Pure functions. */
import { Network } from '../model/network';
import { Point } from './drawing';

/** Mean area of the map for each switch: about that which the forces leave it. */
const AREA = 105 * 105;
const DEGREES_AROUND = 360;

/** Whether there is a map to draw: at least two switches stand at different places. */
export function hasMap(network: Network): boolean {
  return new Set(network.nodes.filter((node) => node.place).map(({ place }) => `${place!.latitude} ${place!.longitude}`)).size > 1;
}

/**
 * Places of the switches that have coordinates, north above and east to the right, around the origin. The projection is
 * equirectangular: it shrinks longitudes by the cosine of the middle latitude. A map across the antimeridian stays in one piece.
 */
export function mapPlaces(network: Network): Map<string, Point> {
  const placed = network.nodes.filter((node) => node.place);
  const latitudes = placed.map((node) => node.place!.latitude);
  const north = Math.max(...latitudes);
  const south = Math.min(...latitudes);
  const shrink = Math.cos(((north + south) / 2) * (Math.PI / 180));
  const west = westernmost(placed.map((node) => node.place!.longitude));
  const flat = placed.map(({ id, place }) => ({
    id, x: shrink * ((place!.longitude - west + DEGREES_AROUND) % DEGREES_AROUND), y: north - place!.latitude,
  }));
  const wide = Math.max(0, ...flat.map(({ x }) => x));
  const high = north - south;
  // A map that is a line gets some area all the same.
  const longer = Math.max(wide, high, Number.EPSILON);
  const scale = Math.sqrt((AREA * placed.length) / (Math.max(wide, longer / 4) * Math.max(high, longer / 4)));
  return new Map(flat.map(({ id, x, y }) => [id, { x: (x - wide / 2) * scale, y: (y - high / 2) * scale }]));
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
