// SPDX-License-Identifier: Apache-2.0
import { zoomIdentity, ZoomTransform } from 'd3-zoom';

/** So long a gesture may rest before the drawing is made sharp again. */
const REST_MILLIS = 120;

/**
 * Shows the drawing through a transform. Drawing a large network anew for every frame of a gesture would make it
 * stutter: until the gesture rests, its last picture is moved and stretched instead.
 */
export class Lens {
  private drawn: ZoomTransform = zoomIdentity;
  private wanted: ZoomTransform = zoomIdentity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly svg: SVGSVGElement, private readonly viewport: SVGGElement) {}

  /** Shows the drawing so; by its last picture for the moment, if `fast`. */
  show(transform: ZoomTransform, fast: boolean): void {
    this.wanted = transform;
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
    this.drawn = this.wanted;
    this.svg.classList.remove('moving');
    this.svg.style.transform = '';
    this.viewport.setAttribute('transform', this.wanted.toString());
  }
}
