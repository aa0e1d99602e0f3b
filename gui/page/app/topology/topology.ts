// SPDX-License-Identifier: Apache-2.0
import { afterNextRender, ChangeDetectionStrategy, Component, computed, DestroyRef, effect, ElementRef, inject, input,
         signal, untracked, viewChild } from '@angular/core';
import { LOAD_LEGEND } from '../model/colour';
import { Edge, Node, sortedNodes, summary } from '../model/network';
import { Store } from '../live/store';
import { Testbed } from '../live/testbed';
import { ShareLimits } from '../model/wire';
import { addressOf } from '../shared/address';
import { download } from '../shared/download';
import { svgFile } from '../shared/svg';
import { TestbedLink } from '../testbed/link';
import { TestbedTransfer } from '../testbed/transfer';
import { Camera } from './camera';
import { Captions } from './captions';
import { Ground, linesOf, neighbour, NOWHERE, waysOf } from './drawing';
import { LARGE, Place } from './forces';
import { Highlight } from './highlight';
import { describe, inspection } from './inspection';
import { isInside } from './labels';
import { Layout } from './layout';
import { hasMap } from './map';
import { MARK_LEGEND, marksOf } from './marks';

/** Largest movement of the pointer, in pixels, that still counts as a click. */
const CLICK_SLACK = 4;
/** Distance, in screen pixels, by which Shift and an arrow key move a node. */
const KEY_STEP = 14;

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** The drawn network with zoom, drag, keyboard control and an inspector of one node or link. */
@Component({
  selector: 'mptcp-topology',
  templateUrl: './topology.html',
  imports: [TestbedLink, TestbedTransfer],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TopologyView {
  readonly highlights = input<readonly Highlight[]>([]);
  /** What limits a connection, to be marked; null for nothing. */
  readonly limits = input<ShareLimits | null>(null);
  /** Small, without buttons, legend and inspector. */
  readonly compact = input(false);
  readonly name = input('Topology');

  private readonly store = inject(Store);
  private readonly testbed = inject(Testbed);
  protected readonly layout = inject(Layout);
  protected readonly camera = new Camera({
    bounds: () => this.layout.bounds(), isLarge: () => this.network().nodes.length > LARGE,
    isNode: (target) => nodeOf(target) !== null,
  });
  private readonly stage = viewChild.required<ElementRef<HTMLElement>>('stage');
  private readonly svg = viewChild.required<ElementRef<SVGSVGElement>>('svg');
  private readonly viewport = viewChild.required<ElementRef<SVGGElement>>('viewport');

  protected readonly addressOf = addressOf;
  protected readonly network = this.store.network;
  protected readonly legend = LOAD_LEGEND;
  protected readonly summary = computed(() => summary(this.network()));
  private readonly ground = computed((): Ground => {
    this.layout.frame();
    return { place: (id) => this.layout.place(id), pixel: this.camera.sight().pixel };
  });

  protected readonly lines = computed(() => linesOf(this.network(), this.store.usage(), this.ground()));
  protected readonly ways = computed(() => waysOf(this.network(), this.highlights(), this.ground()));
  protected readonly marks = computed(() => marksOf(this.network(), this.limits(), this.ground()));
  protected readonly hasFailed = computed(() => [...this.network().nodes, ...this.network().edges].some((one) => one.failed));
  protected readonly markLegend = computed(() => [...new Set(this.marks().map((mark) => mark.kind))]
    .map((kind) => ({ kind, text: MARK_LEGEND[kind] })));
  protected readonly isMappable = computed(() => hasMap(this.network()));
  protected readonly nodes = computed(() => {
    const { place } = this.ground();
    const { pixel, symbol } = this.camera.sight();
    const names = this.captions.names();
    return this.network().nodes.map((node) => {
      const { x, y } = place(node.id) ?? NOWHERE;
      const name = names.get(node.id);
      return {
        node, at: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, symbol: `scale(${symbol.toFixed(3)})`, isInside: isInside(node, this.camera.sight()),
        name: name && `translate(${name.x.toFixed(1)} ${name.y.toFixed(1)}) scale(${pixel.toFixed(3)})`,
      };
    });
  });
  private readonly onWays = computed(() => ({
    nodes: new Set(this.highlights().flatMap((highlight) => highlight.nodes)),
    edges: new Set(this.highlights().flatMap((highlight) => highlight.edges)),
  }));
  protected readonly captions = new Captions({
    network: this.network, sight: this.camera.sight, lines: this.lines, ways: this.ways, marks: this.marks,
    place: (id) => this.ground().place(id) ?? NOWHERE, isWordy: () => !this.compact(),
    isOnWay: (node) => this.isOnWay(node), isUnder: (edge) => this.isUnder(edge),
  });

  /** The node with the tab stop, and what the inspector shows. */
  protected readonly active = signal<string | null>(null);
  protected readonly inspected = signal<{ node?: string; edge?: string } | null>(null);
  protected readonly tabStop = computed(() => {
    const active = this.active();
    return active && this.network().byId.has(active) ? active : sortedNodes(this.network())[0]?.id;
  });

  protected readonly inspector = computed(() => inspection(this.network(), this.inspected(), {
    usage: this.store.usage(), expected: this.store.expected(), connections: this.store.state().connections,
    isOnMap: (id) => this.layout.isOnMap(id),
  }));

  /** What a demonstration's testbed calls the link or the host that is inspected; undefined where it has none. */
  protected readonly ofTestbed = computed(() => {
    const { node, edge } = this.inspected() ?? {};
    const label = this.network().byId.get(node ?? '')?.label;
    return { link: edge && this.testbed.linkAt(edge), host: this.testbed.hosts().find((host) => host === label) };
  });

  /** The dragged node, its offset from the pointer (dx, dy), and the event that began the drag. */
  private drag: { id: string; pointer: number; dx: number; dy: number; from: PointerEvent; moved: boolean } | null = null;

  constructor() {
    effect(() => {
      const network = this.network();
      untracked(() => this.layout.update(network));
    });
    effect(() => {
      this.layout.frame();
      untracked(() => this.camera.follow());
    });
    const destroyed = inject(DestroyRef);
    afterNextRender(() => destroyed.onDestroy(
      this.camera.attach(this.stage().nativeElement, this.svg().nativeElement, this.viewport().nativeElement)));
  }

  protected isDimmed(edge: Edge): boolean {
    return this.highlights().length > 0 && !this.onWays().edges.has(edge.id);
  }

  protected isUnder(edge: Edge): boolean {
    return this.onWays().edges.has(edge.id);
  }

  protected isOnWay(id: string): boolean {
    return this.onWays().nodes.has(id);
  }

  protected nodeName(node: Node): string {
    return describe(this.network(), node) + (this.layout.isPinned(node.id) ? ', pinned' : '');
  }

  protected toggleMap(): void {
    this.layout.toggleMap();
    this.camera.fit();
  }

  protected save(): void {
    download('mptcp-network.svg', svgFile(this.svg().nativeElement));
  }

  protected reset(): void {
    this.layout.reset();
    this.camera.fit();
  }

  protected pressed(event: PointerEvent): void {
    const id = nodeOf(event.target);
    if (id && event.button === 0) {
      const place = this.layout.place(id)!;
      const { x, y } = this.camera.pointed(event);
      this.drag = { id, pointer: event.pointerId, dx: place.x - x, dy: place.y - y, from: event, moved: false };
    }
  }

  protected dragged(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag || drag.pointer !== event.pointerId) {
      return;
    }
    const isFar = Math.hypot(event.clientX - drag.from.clientX, event.clientY - drag.from.clientY) > CLICK_SLACK;
    if (drag.moved || isFar) {
      if (!drag.moved) {
        // Not when it is pressed: of a captured pointer, browsers give the click to the stage, which would close the inspector.
        this.stage().nativeElement.setPointerCapture(event.pointerId);
      }
      drag.moved = true;
      this.camera.hold();
      const { x, y } = this.camera.pointed(event);
      this.layout.pin(drag.id, drag.dx + x, drag.dy + y);
    }
  }

  protected released(event: PointerEvent): void {
    const drag = this.drag;
    if (drag && drag.pointer === event.pointerId) {
      this.drag = null;
      if (drag.moved) {
        this.layout.remember();
      } else {
        this.choose(drag.id);
      }
    }
  }

  protected clicked(event: MouseEvent): void {
    const edge = (event.target as Element).getAttribute('data-edge') ?? (event.target as Element).getAttribute('data-failed');
    if (edge) {
      this.inspected.set({ edge });
    } else if (!nodeOf(event.target) && (event.target as Element).matches('svg, .stage') && !event.defaultPrevented) {
      this.inspected.set(null);
    }
  }

  protected unpinned(event: Event): void {
    const id = nodeOf(event.target);
    if (id) {
      this.layout.unpin(id);
    }
  }

  protected focused(event: FocusEvent): void {
    const id = nodeOf(event.target);
    if (id) {
      this.active.set(id);
    }
  }

  protected key(event: KeyboardEvent): void {
    const id = nodeOf(event.target);
    const arrow = ARROWS[event.key];
    if (arrow && id) {
      this.arrow(id, arrow, event.shiftKey);
    } else if ((event.key === 'Enter' || event.key === ' ') && id) {
      this.choose(id);
    } else if (event.key === 'p' && id) {
      this.togglePin(id);
    } else if (event.key === '+' || event.key === '-') {
      this.camera.zoomBy(event.key === '+' ? 1.3 : 1 / 1.3);
    } else if (event.key === '0') {
      this.camera.fit();
    } else if (event.key === 'Escape') {
      this.inspected.set(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  protected togglePin(id: string): void {
    if (this.layout.isPinned(id)) {
      this.layout.unpin(id);
    } else {
      const place = this.layout.place(id)!;
      this.layout.pin(id, place.x, place.y);
      this.layout.remember();
    }
  }

  private arrow(id: string, [dx, dy]: [number, number], move: boolean): void {
    const place = this.layout.place(id)!;
    if (move) {
      const step = KEY_STEP / this.camera.scale();
      this.camera.hold();
      this.layout.pin(id, place.x + dx * step, place.y + dy * step);
      this.layout.remember();
      return;
    }
    const places = this.network().nodes.map((node) => this.layout.place(node.id)).filter((p): p is Place => !!p);
    const next = neighbour(places, place, dx, dy);
    if (next) {
      this.choose(next);
      this.svg().nativeElement.querySelector<SVGGElement>(`[data-node="${CSS.escape(next)}"]`)?.focus();
    }
  }

  private choose(id: string): void {
    this.active.set(id);
    this.inspected.set({ node: id });
  }
}

function nodeOf(target: EventTarget | null): string | null {
  return (target as Element | null)?.closest?.('[data-node]')?.getAttribute('data-node') ?? null;
}
