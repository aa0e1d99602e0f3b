// SPDX-License-Identifier: Apache-2.0
/** Places of fat trees and of leaves with spines, in tiers: hosts below, core or spine above. Pure functions. */
import { natural } from '../model/format';
import { Network, Node } from '../model/network';
import { Point } from './drawing';

/** Edge, aggregation and core. */
const MOST_TIERS = 3;
const LEAST_LEAVES = 3;
/** Of the links that may be between the leaves of a pod and the tier above, so many are there: a failed one may be forgotten. */
const LEAST_DENSITY = 0.75;

/** Between the middles of neighbours, and the least between tiers. */
const HOST_WIDE = 84;
const HOST_HIGH = 44;
const SWITCH_WIDE = 110;
const POD_GAP = 40;
const TIER_HIGH = 130;
/** Height between tiers as a part of the width of all: wide drawings would be mere lines. */
const HIGH_PART = 0.18;
/** Hosts stand so much nearer to their leaves. */
const HOST_PART = 0.4;
const LEAST_HOST_HIGH = 60;

/** Nodes that share all of the tier above, and their places from left to right. */
interface Pod {
  readonly leaves: readonly string[];
  readonly above: readonly string[];
}

/**
 * Places of all nodes if the network has two or three tiers of switches, of which the lowest has the hosts: links lead from one tier to
 * the next alone, and the leaves of a pod have (nearly) all links to the switches of their pod above them. A map without entries
 * for any other network.
 */
export function tiersOf(network: Network): Map<string, Point> {
  const tier = levelsOf(network);
  const tiers = 1 + Math.max(-1, ...tier.values());
  const switches = network.nodes.filter((node) => node.kind === 'switch');
  const leaves = switches.filter((node) => tier.get(node.id) === 0);
  const isTiered = tiers > 1 && tiers <= MOST_TIERS && leaves.length >= LEAST_LEAVES && switches.every((node) => tier.has(node.id))
    && network.edges.every((edge) => edge.kind !== 'link' || Math.abs(tier.get(edge.a)! - tier.get(edge.b)!) === 1);
  const pods = isTiered ? podsOf(network, leaves, tier) : [];
  const hasUplinks = pods.some((pod) => pod.above.length > 1);
  return pods.every((pod) => isDense(network, pod)) && hasUplinks ? placesOf(network, switches, tier, pods) : new Map<string, Point>();
}

/** How many links each switch is above those with hosts. A switch with the same neighbours as one of these is beside it. */
function levelsOf(network: Network): Map<string, number> {
  const around = (id: string) => network.around.get(id)!;
  const switches = network.nodes.filter((node) => node.kind === 'switch');
  const neighbours = (id: string) => linked(network, id).sort().join(' ');
  const leaves = switches.filter(({ id }) => around(id).some((edge) => edge.kind === 'attachment')).map(({ id }) => id);
  const likeLeaves = new Set(leaves.map(neighbours));
  let level = switches.map(({ id }) => id).filter((id) => leaves.includes(id) || likeLeaves.has(neighbours(id)));
  const levels = new Map<string, number>();
  for (let height = 0; level.length; height++) {
    level.forEach((id) => levels.set(id, height));
    level = [...new Set(level.flatMap((id) => linked(network, id)))].filter((id) => !levels.has(id));
  }
  return levels;
}

function linked(network: Network, id: string): string[] {
  return network.around.get(id)!.filter((edge) => edge.kind === 'link').map((edge) => (edge.a === id ? edge.b : edge.a));
}

/** Leaves that are joined by the tier above them, with that; in the natural order of their names. */
function podsOf(network: Network, leaves: readonly Node[], tier: ReadonlyMap<string, number>): Pod[] {
  const seen = new Set<string>();
  return inOrder(network, leaves.map(({ id }) => id)).flatMap((first) => {
    const pod = new Set<string>();
    for (let more = [first]; more.length && !seen.has(first);) {
      more.forEach((id) => pod.add(id));
      more = [...new Set(more.flatMap((id) => linked(network, id)))].filter((id) => !pod.has(id) && tier.get(id)! <= 1);
    }
    pod.forEach((id) => seen.add(id));
    const of = (height: number) => inOrder(network, [...pod].filter((id) => tier.get(id) === height));
    return pod.size ? [{ leaves: of(0), above: of(1) }] : [];
  });
}

function isDense(network: Network, { leaves, above }: Pod): boolean {
  const links = leaves.reduce((sum, leaf) => sum + new Set(linked(network, leaf)).size, 0);
  return links >= LEAST_DENSITY * leaves.length * above.length;
}

function inOrder(network: Network, ids: readonly string[]): string[] {
  return [...ids].sort((a, b) => natural(network.byId.get(a)!.label, network.byId.get(b)!.label));
}

function placesOf(network: Network, switches: readonly Node[], tier: ReadonlyMap<string, number>, pods: readonly Pod[]): Map<string, Point> {
  const places = new Map<string, Point>();
  const hosts = (leaf: string) => network.around.get(leaf)!.filter((edge) => edge.kind === 'attachment').map((edge) => edge.id);
  const columns = (leaf: string) => Math.ceil(Math.sqrt(hosts(leaf).length));
  const wideOf = (leaf: string) => Math.max(SWITCH_WIDE, columns(leaf) * HOST_WIDE);
  const podWide = ({ leaves, above }: Pod) => Math.max(leaves.reduce((sum, leaf) => sum + wideOf(leaf), 0), above.length * SWITCH_WIDE);
  const wide = pods.reduce((sum, pod) => sum + podWide(pod) + POD_GAP, -POD_GAP);
  const high = Math.max(TIER_HIGH, HIGH_PART * wide);
  let left = -wide / 2;
  for (const pod of pods) {
    const middle = left + podWide(pod) / 2;
    let x = middle - pod.leaves.reduce((sum, leaf) => sum + wideOf(leaf), 0) / 2;
    for (const leaf of pod.leaves) {
      places.set(leaf, { x: x + wideOf(leaf) / 2, y: 0 });
      inOrder(network, hosts(leaf)).forEach((host, i) => places.set(host, {
        x: x + wideOf(leaf) / 2 + ((i % columns(leaf)) - (columns(leaf) - 1) / 2) * HOST_WIDE, y: Math.max(LEAST_HOST_HIGH, HOST_PART * high) + Math.floor(i / columns(leaf)) * HOST_HIGH,
      }));
      x += wideOf(leaf);
    }
    spread(pod.above, middle, podWide(pod), -high, places);
    left += podWide(pod) + POD_GAP;
  }
  const core = switches.filter(({ id }) => tier.get(id) === MOST_TIERS - 1).map(({ id }) => id);
  spread(inOrder(network, core), 0, wide, -2 * high, places);
  return places;
}

/** Puts nodes into a row, evenly over its width. */
function spread(ids: readonly string[], middle: number, wide: number, y: number, places: Map<string, Point>): void {
  ids.forEach((id, i) => places.set(id, { x: middle + ((i + 0.5) / ids.length - 0.5) * wide, y }));
}
