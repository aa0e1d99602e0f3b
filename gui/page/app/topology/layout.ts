// SPDX-License-Identifier: Apache-2.0
import { Injectable, signal } from '@angular/core';
import { Simulation } from 'd3-force';
import { Network, NO_NETWORK } from '../model/network';
import { read as readText, write } from '../shared/storage';
import { Point } from './drawing';
import { Place, simulationOf, Spring } from './forces';
import { hasMap, mapPlaces } from './map';
import { tiersOf } from './tiers';

const PINS = 'onos-mptcp.pins';
const MAP = 'onos-mptcp.map';
/** Longest computation of the layout before the first drawing. */
const FIRST_MILLIS = 250;
/** The layout computes for this part of the time while it moves. A page that draws slowly thus redraws less often. */
const COMPUTING_PART = 0.55;

/**
 * Places of nodes: where ONOS says, or in tiers if the network has them, or found by a force simulation, or pinned by the user. The
 * browser's storage keeps the pins, and whether the user does not want ONOS's places.
 */
@Injectable({ providedIn: 'root' })
export class Layout {
  /** Number of movements so far; signals that places have changed. */
  readonly frame = signal(0);
  /** Whether the forces still move nodes. */
  readonly isMoving = signal(false);
  /** Whether switches stand where ONOS says, if it does. */
  readonly isMap = signal(readText(MAP) !== 'false');
  private places = new Map<string, Place>();
  private network: Network = NO_NETWORK;
  private pins = readPins();
  private mapped: ReadonlyMap<string, Point> = new Map();
  private simulation: Simulation<Place, Spring> | null = null;
  private frameRequest = 0;

  /** Lays out a network. Nodes of the network before keep their places. */
  update(network: Network): void {
    if (network === this.network) {
      return;
    }
    const isFirst = this.places.size === 0;
    const old = this.places;
    this.network = network;
    const before = this.mapped;
    this.mapped = this.isMap() && hasMap(network) ? mapPlaces(network) : new Map();
    const tiers: ReadonlyMap<string, Point> = this.mapped.size ? new Map() : tiersOf(network);
    if (tiers.size) {
      this.places = new Map(network.nodes.map(({ id }) => [id, this.newPlace(id, network, old, tiers)]));
      this.rest();
      return;
    }
    this.places = new Map(network.nodes.map((node) => [node.id, old.get(node.id) ?? this.newPlace(node.id, network, old, this.mapped)]));
    const changed = isFirst || JSON.stringify([...before]) !== JSON.stringify([...this.mapped])
      || network.nodes.some((node) => !old.has(node.id));
    if (isFirst) {
      this.spreadByLevels(network);
    }
    this.simulation = this.simulationOf(network);
    this.simulation.alpha(isFirst ? 1 : changed ? 0.3 : 0.02);
    this.run(isFirst ? FIRST_MILLIS : 0);
  }

  place(id: string): Place | undefined {
    return this.places.get(id);
  }

  /** Whether a switch stands on the map: it cannot be moved or pinned. */
  isOnMap(id: string): boolean {
    return this.mapped.has(id);
  }

  isPinned(id: string): boolean {
    return id in this.pins && !this.mapped.has(id);
  }

  /** Moves a node and pins it there. On the map, switches with coordinates stay where they are. */
  pin(id: string, x: number, y: number): void {
    const place = this.places.get(id);
    if (place && !this.mapped.has(id)) {
      place.x = place.fx = x;
      place.y = place.fy = y;
      this.pins[id] = [Math.round(x), Math.round(y)];
      this.moved();
    }
  }

  /** Stores the pins for the next visit. */
  remember(): void {
    write(PINS, JSON.stringify(this.pins));
  }

  /** Removes a node's pin: the forces move it again. */
  unpin(id: string): void {
    const place = this.places.get(id);
    if (place && this.isPinned(id)) {
      place.fx = place.fy = null;
      delete this.pins[id];
      this.remember();
      if (this.simulation) {
        this.simulation.alpha(0.3);
        this.run(0);
      } else {
        this.again();
      }
    }
  }

  /** Forgets all pins and lays out anew. */
  reset(): void {
    this.pins = {};
    this.remember();
    this.again();
  }

  /** Changes between the map and the places that forces find. */
  toggleMap(): void {
    this.isMap.update((isMap) => !isMap);
    write(MAP, String(this.isMap()));
    this.again();
  }

  private again(): void {
    const network = this.network;
    this.network = NO_NETWORK;
    this.places = new Map();
    this.update(network);
  }

  /** The rectangle around all places: left, top, width, height. */
  bounds(): [number, number, number, number] {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { x, y } of this.places.values()) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    return Number.isFinite(left) ? [left, top, right - left, bottom - top] : [0, 0, 1, 1];
  }

  /** `given` are the places that need no forces. */
  private newPlace(id: string, network: Network, old: ReadonlyMap<string, Place>, given: ReadonlyMap<string, Point>): Place {
    const pin = this.mapped.has(id) ? undefined : this.pins[id];
    const place = { id, ...(pin ? { fx: pin[0], fy: pin[1] } : {}) } as Place;
    const known = (network.around.get(id) ?? []).map((edge) => old.get(edge.a === id ? edge.b : edge.a)).find(Boolean);
    const there = given.get(id);
    if (pin) {
      [place.x, place.y] = pin;
    } else if (there) {
      [place.x, place.y] = [there.x, there.y];
    } else if (known) {
      // Near the neighbour, each new node in another direction.
      const angle = old.size + this.network.nodes.findIndex((node) => node.id === id);
      [place.x, place.y] = [known.x + 40 * Math.cos(angle), known.y + 40 * Math.sin(angle)];
    }
    return place;
  }

  /** Puts nodes into columns by their distance from the first host, so that paths run from left to right. */
  private spreadByLevels(network: Network): void {
    let level = network.nodes.filter((node) => node.kind === 'host').slice(0, 1);
    const seen = new Set<string>();
    for (let depth = 0; seen.size < network.nodes.length; depth++) {
      if (!level.length) {
        // The network has another part without a link to the first.
        level = network.nodes.filter((node) => !seen.has(node.id)).slice(0, 1);
      }
      level.forEach((node) => seen.add(node.id));
      level.forEach((node, i) => {
        const place = this.places.get(node.id)!;
        if (this.mapped.has(node.id)) {
          return;
        }
        const [near] = network.around.get(node.id)!.map((e) => this.mapped.get(e.a === node.id ? e.b : e.a)).filter(Boolean);
        if (near) {
          place.x = place.fx ?? near.x + 30;
          place.y = place.fy ?? near.y + 30 * (i % 2 ? -1 : 1);
          return;
        }
        place.x = place.fx ?? (depth * 4000) / (network.nodes.length + 30);
        place.y = place.fy ?? (i - (level.length - 1) / 2) * 60;
      });
      level = [...new Set(level.flatMap((node) => network.around.get(node.id)!.map((e) => (e.a === node.id ? e.b : e.a))))]
        .filter((id) => !seen.has(id)).map((id) => network.byId.get(id)!);
    }
  }

  private simulationOf(network: Network): Simulation<Place, Spring> {
    this.simulation?.stop();
    return simulationOf(network, [...this.places.values()], this.mapped);
  }

  private run(firstMillis: number): void {
    cancelAnimationFrame(this.frameRequest);
    if (firstMillis) {
      this.tick(firstMillis);
      this.moved();
    }
    this.isMoving.set(true);
    let before = performance.now();
    const step = () => {
      const now = performance.now();
      const more = this.tick((now - before) * COMPUTING_PART);
      before = now;
      this.moved();
      if (more) {
        this.frameRequest = requestAnimationFrame(step);
      } else {
        this.isMoving.set(false);
      }
    };
    this.frameRequest = requestAnimationFrame(step);
  }

  /** All nodes stand where they are to stay. */
  private rest(): void {
    cancelAnimationFrame(this.frameRequest);
    this.simulation = null;
    this.isMoving.set(false);
    this.moved();
  }

  /** Runs the simulation for some time; returns whether it still moves nodes. */
  private tick(millis: number): boolean {
    const simulation = this.simulation;
    if (!simulation) {
      return false;
    }
    const end = performance.now() + millis;
    while (simulation.alpha() > simulation.alphaMin()) {
      simulation.tick();
      if (performance.now() >= end) {
        return true;
      }
    }
    return false;
  }

  private moved(): void {
    this.frame.update((frame) => frame + 1);
  }
}

function readPins(): Record<string, [number, number]> {
  try {
    const pins = JSON.parse(readText(PINS) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(Object.entries(pins).filter(
      (entry): entry is [string, [number, number]] => Array.isArray(entry[1]) && entry[1].every(Number.isFinite)));
  } catch {
    // Something else is stored: there are no pins.
    return {};
  }
}
