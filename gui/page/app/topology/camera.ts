// SPDX-License-Identifier: Apache-2.0
import { signal } from '@angular/core';
import { select } from 'd3-selection';
import { zoom, ZoomBehavior, zoomIdentity, ZoomTransform, zoomTransform } from 'd3-zoom';
import { Box, Point } from './drawing';
import { Lens } from './lens';

const LEAST_SCALE = 0.03;
const MOST_SCALE = 6;
/** Largest scale at which the whole network is shown by itself: a small network stays small. */
const MOST_FITTED_SCALE = 1.8;
const MARGIN_X = 64;
const MARGIN_Y = 40;
/** Text and symbols are at most so much larger than their nominal size on the screen, however far the user zooms in. */
const MOST_SIZE = 1.25;
/** Symbols shrink with the drawing down to this part of their size; text keeps its own. */
const LEAST_SYMBOL = 0.3;

/** What the camera needs to know of the drawing. */
export interface Scenery {
  /** The rectangle around all nodes: left, top, width, height. */
  bounds(): [number, number, number, number];
  /** Whether the network is too large to be drawn anew for every frame. */
  isLarge(): boolean;
  /** Whether an event's target is a node: nodes are dragged one by one and do not pan the drawing. */
  isNode(target: EventTarget | null): boolean;
}

/** What the window shows, and how large things are drawn: zooming in makes room for more, and does not make them larger. */
export interface Sight {
  /** Units of the drawing for each pixel of text, and of what keeps lines apart. */
  readonly pixel: number;
  /** Scale of the symbols of nodes, in units of the drawing. */
  readonly symbol: number;
  /** Symbols on the screen as a part of their nominal size. */
  readonly shrunk: number;
  /** The part of the drawing in the window. */
  readonly window: Box;
}

const EVERYTHING: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/** Shows a part of the drawing at some scale: the whole drawing until the user zooms or pans. */
export class Camera {
  /** As the drawing was drawn last. */
  readonly sight = signal<Sight>({ pixel: 1, symbol: 1, shrunk: 1, window: EVERYTHING });
  private stage: HTMLElement | null = null;
  private zoom!: ZoomBehavior<HTMLElement, unknown>;
  private isHeld = false;

  constructor(private readonly scenery: Scenery) {}

  /** Connects the camera with the page; returns a function that disconnects it. */
  attach(stage: HTMLElement, svg: SVGSVGElement, viewport: SVGGElement): () => void {
    const lens = new Lens(svg, viewport, (transform) => this.drew(transform));
    this.stage = stage;
    this.zoom = zoom<HTMLElement, unknown>()
      .scaleExtent([LEAST_SCALE, MOST_SCALE])
      .filter((event: Event) => !this.scenery.isNode(event.target) && !(event as MouseEvent).button)
      .on('zoom', (event: { transform: ZoomTransform; sourceEvent: unknown }) => {
        lens.show(event.transform, !!event.sourceEvent && this.scenery.isLarge());
        this.isHeld ||= !!event.sourceEvent;
      });
    select(stage).call(this.zoom).on('dblclick.zoom', null);
    const resized = new ResizeObserver(() => {
      this.follow();
      this.drew(zoomTransform(stage));
    });
    resized.observe(stage);
    return () => {
      resized.disconnect();
      lens.close();
    };
  }

  private drew({ x, y, k }: ZoomTransform): void {
    const { clientWidth: width, clientHeight: height } = this.stage!;
    const shrunk = Math.min(Math.max(k, LEAST_SYMBOL), MOST_SIZE);
    this.sight.set({
      pixel: Math.min(Math.max(k, 1), MOST_SIZE) / k, symbol: shrunk / k, shrunk,
      window: { left: -x / k, top: -y / k, right: (width - x) / k, bottom: (height - y) / k },
    });
  }

  zoomBy(factor: number): void {
    this.hold();
    if (this.stage) {
      this.zoom.scaleBy(select(this.stage), factor);
    }
  }

  /** Keeps the present view when the drawing grows or moves. */
  hold(): void {
    this.isHeld = true;
  }

  /** Shows the whole drawing, also when it grows or moves. */
  fit(): void {
    this.isHeld = false;
    this.follow();
  }

  /** Shows the whole drawing, unless the view is to be kept. */
  follow(): void {
    if (this.isHeld || !this.stage?.clientWidth || !this.stage.clientHeight) {
      return;
    }
    const { clientWidth: width, clientHeight: height } = this.stage;
    const [left, top, wide, high] = this.scenery.bounds();
    const scale = Math.min((width - 2 * MARGIN_X) / Math.max(wide, 1), (height - 2 * MARGIN_Y) / Math.max(high, 1),
                           MOST_FITTED_SCALE);
    const fitted = zoomIdentity.translate(width / 2, height / 2).scale(Math.max(scale, LEAST_SCALE))
      .translate(-left - wide / 2, -top - high / 2);
    this.zoom.transform(select(this.stage), fitted);
  }

  /** Screen pixels per unit of the drawing. */
  scale(): number {
    return this.stage ? zoomTransform(this.stage).k : 1;
  }

  /** The pointer's position in the drawing. */
  pointed(event: PointerEvent): Point {
    if (!this.stage) {
      return { x: 0, y: 0 };
    }
    const box = this.stage.getBoundingClientRect();
    const [x, y] = zoomTransform(this.stage).invert([event.clientX - box.left, event.clientY - box.top]);
    return { x, y };
  }
}
