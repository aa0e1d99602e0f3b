// SPDX-License-Identifier: Apache-2.0
import { zoomIdentity, ZoomTransform } from 'd3-zoom';

/** After this pause in a gesture the drawing is redrawn. */
const REST_MILLIS = 120;

/**
 * Shows the drawing through a transform. A browser is too slow to redraw a large network for each frame of a gesture.
 * During the gesture the lens therefore moves and scales the last picture, which costs little.
 */
export class Lens {
  private drawn: ZoomTransform = zoomIdentity;
  private target: ZoomTransform = zoomIdentity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `drew` hears of each transform with which the drawing is drawn anew. */
  constructor(private readonly svg: SVGSVGElement, private readonly viewport: SVGGElement,
              private readonly drew: (transform: ZoomTransform) => void) {}

  /** Shows the drawing through a transform; if `fast`, by moving the last picture. */
  show(transform: ZoomTransform, fast: boolean): void {
    this.target = transform;
    clearTimeout(this.timer);
    if (!fast) {
      this.draw();
      return;
    }
    const { x, y, k } = this.drawn;
    const scale = transform.k / k;
    this.svg.classList.add('moving');
    this.svg.style.transform = `translate(${transform.x - x * scale}px, ${transform.y - y * scale}px) scale(${scale})`;
    this.timer = setTimeout(() => this.draw(), REST_MILLIS);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private draw(): void {
    this.drawn = this.target;
    this.svg.classList.remove('moving');
    this.svg.style.transform = '';
    this.viewport.setAttribute('transform', this.target.toString());
    this.drew(this.target);
  }
}
