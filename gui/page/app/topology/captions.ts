// SPDX-License-Identifier: Apache-2.0
import { computed, Signal } from '@angular/core';
import { Edge, Network, Node, sortedNodes } from '../model/network';
import { Sight } from './camera';
import { Box, Line, Point, Segment, Way } from './drawing';
import { isInside, Label, labelsOf, linkLabelsOf, meet, namePlace, Room, symbolBox } from './labels';
import { boxOf, Mark } from './marks';

/** With more links in the window, rates of links are not drawn, and text minds the lines of subflows alone. */
const MOST_LABELLED_LINKS = 60;

/** What is drawn. */
export interface Drawn {
  network(): Network;
  place(id: string): Point;
  sight(): Sight;
  lines(): readonly Line[];
  ways(): readonly Way[];
  marks(): readonly Mark[];
  /** Whether a subflow is shown that leads over a node, or over a link. */
  isOnWay(node: string): boolean;
  isUnder(edge: Edge): boolean;
  /** Whether rates of links are wanted. */
  isWordy(): boolean;
}

/** Text of the drawing: names of nodes first, then subflows' numbers and rates, then rates of links. */
export class Captions {
  /** Where names stand beside their nodes. */
  readonly names: Signal<ReadonlyMap<string, Point>>;
  readonly labels: Signal<readonly Label[]>;
  readonly linkLabels: Signal<readonly { line: Line; at: Point }[]>;

  constructor(drawn: Drawn) {
    const seen = computed(() => drawn.lines().filter((line) => meet(around(line), drawn.sight().window)));
    const named = computed(() => namesOf(drawn));
    const numbered = computed(() => {
      const { pixel } = drawn.sight();
      const few = seen().length <= MOST_LABELLED_LINKS ? seen() : [];
      const room = new Room([...named().boxes, ...drawn.marks().map((mark) => boxOf(mark, pixel))],
                            [...drawn.ways().flatMap((way) => way.segments), ...few.map(segmentOf)]);
      const labels = labelsOf(drawn.ways(), room, pixel);
      const links = drawn.isWordy() ? few.filter((line) => line.text && !drawn.isUnder(line.edge)) : [];
      return { labels, links: linkLabelsOf(links, room, pixel) };
    });
    this.names = computed(() => named().names);
    this.labels = computed(() => numbered().labels);
    this.linkLabels = computed(() => numbered().links);
  }
}

/** Names of nodes, those of the shown paths first and then hosts, off their own lines and off subflows; and what nodes and names cover. */
function namesOf(drawn: Drawn): { names: Map<string, Point>; boxes: readonly Box[] } {
  const { window } = drawn.sight();
  const nodes = drawn.network().nodes.map((node) => ({ node, at: drawn.place(node.id), box: symbolBox(node, drawn.place(node.id), drawn.sight()) }))
    .filter(({ box }) => meet(box, window));
  const room = new Room(nodes.map(({ box }) => box));
  const lines = new Map(drawn.lines().map((line) => [line.edge.id, segmentOf(line)]));
  const ways = drawn.ways().flatMap((way) => way.segments);
  const names = new Map<string, Point>();
  const rank = ({ node }: { node: Node }) => (drawn.isOnWay(node.id) ? 0 : 1);
  const order = new Map(sortedNodes(drawn.network()).map((node, i) => [node.id, i]));
  nodes.filter(({ node }) => !isInside(node, drawn.sight()))
    .sort((a, b) => rank(a) - rank(b) || order.get(b.node.id)! - order.get(a.node.id)!)
    .forEach(({ node, at }) => {
      const own = drawn.network().around.get(node.id)!.map((edge) => lines.get(edge.id)!);
      const place = namePlace(node, at, [...own, ...ways], drawn.sight(), room);
      if (place) {
        names.set(node.id, place);
      }
    });
  return { names, boxes: room.covered() };
}

function segmentOf({ x1, y1, x2, y2 }: Line): Segment {
  return [{ x: x1, y: y1 }, { x: x2, y: y2 }];
}

function around({ x1, y1, x2, y2 }: Line): Box {
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}
