// SPDX-License-Identifier: Apache-2.0
/** The forces that lay out a network. */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, Simulation, SimulationLinkDatum,
         SimulationNodeDatum } from 'd3-force';
import { Edge, Network } from '../model/network';
import { Point } from './drawing';

/** A place in the drawing; `fx`, `fy` are set while it is pinned. */
export interface Place extends SimulationNodeDatum {
  readonly id: string;
  x: number;
  y: number;
}

export type Spring = SimulationLinkDatum<Place> & { edge: Edge };

/** Networks with more nodes are laid out more densely. */
export const LARGE = 150;
/** Pulls a switch to its place on the map. Switches of one town still push each other aside. */
const MAP_STRENGTH = 0.7;

/** Makes the simulation of a network, stopped. Switches in `mapped` stay near their places there. */
export function simulationOf(network: Network, places: Place[], mapped: ReadonlyMap<string, Point>): Simulation<Place, Spring> {
  const isLarge = places.length > LARGE;
  const isFree = (edge: Edge) => !mapped.has(edge.a) || !mapped.has(edge.b);
  const springs: Spring[] = network.edges.filter(isFree).map((edge) => ({ source: edge.a, target: edge.b, edge }));
  const spread = isLarge ? 55 : 95;
  // Stronger towards the horizontal axis, because screens are wider than high.
  const [toMiddleX, toMiddleY] = [mapped.size ? 0 : 0.03, mapped.size ? 0 : isLarge ? 0.05 : 0.08];
  return forceSimulation<Place, Spring>(places)
    .force('link', forceLink<Place, Spring>(springs).id((place) => place.id)
      .distance((spring) => (spring.edge.kind === 'link' ? spread : spread * 0.6)))
    // On the map it only keeps hosts apart.
    .force('charge', forceManyBody<Place>().strength((isLarge ? -140 : -420) / (mapped.size ? 6 : 1)).theta(isLarge ? 1.1 : 0.8).distanceMax(mapped.size ? 200 : 900))
    .force('collide', forceCollide<Place>(isLarge ? 12 : 26))
    .force('x', forceX<Place>((place) => mapped.get(place.id)?.x ?? 0).strength((place) => (mapped.has(place.id) ? MAP_STRENGTH : toMiddleX)))
    .force('y', forceY<Place>((place) => mapped.get(place.id)?.y ?? 0).strength((place) => (mapped.has(place.id) ? MAP_STRENGTH : toMiddleY)))
    .alphaDecay(isLarge ? 0.035 : 0.0228)
    .stop();
}
