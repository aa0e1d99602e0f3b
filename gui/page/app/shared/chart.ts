// SPDX-License-Identifier: Apache-2.0
import { afterNextRender, ChangeDetectionStrategy, Component, DestroyRef, effect, ElementRef, inject, input, viewChild } from '@angular/core';
import uPlot from 'uplot';
import { resolved } from '../model/colour';
import { clock } from '../model/format';
import { Theme } from './theme';

export interface Curve {
  readonly label: string;
  /** A colour or one of our CSS variables. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
  /** On the right-hand scale, which goes from 0 to 1. */
  readonly part?: boolean;
}

/** Shortest span of the time axis, so that the first few samples do not fill the whole width. */
const LEAST_SECONDS = 30;

/** Curves over time. `description` gives the figures in words, for people who cannot see the curves. */
@Component({
  selector: 'mptcp-chart',
  template: `<div #frame class="chart" role="img" [attr.aria-label]="description()"></div>`,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Chart {
  readonly times = input.required<readonly number[]>();
  readonly curves = input.required<readonly Curve[]>();
  readonly unit = input('Mbit/s');
  readonly description = input.required<string>();
  readonly height = input(170);

  private readonly frame = viewChild.required<ElementRef<HTMLElement>>('frame');
  private readonly theme = inject(Theme);
  private plot: uPlot | null = null;
  private looks = '';

  constructor() {
    effect(() => this.draw());
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const resized = new ResizeObserver(() => this.resize());
      resized.observe(this.frame().nativeElement);
      destroyed.onDestroy(() => {
        resized.disconnect();
        this.plot?.destroy();
      });
    });
  }

  private draw(): void {
    const frame = this.frame().nativeElement;
    const curves = this.curves();
    const data = [this.times(), ...curves.map((curve) => curve.values)] as uPlot.AlignedData;
    const looks = JSON.stringify([this.theme.dark(), this.unit(), this.height(),
                                  curves.map((c) => [c.label, c.colour, c.dashed, c.part])]);
    if (this.plot && looks === this.looks) {
      this.plot.setData(data);
      return;
    }
    this.plot?.destroy();
    this.looks = looks;
    this.plot = new uPlot(this.options(curves, frame), data, frame);
  }

  private resize(): void {
    const width = this.frame().nativeElement.clientWidth;
    if (this.plot && width && width !== this.plot.width) {
      this.plot.setSize({ width, height: this.height() });
    }
  }

  private options(curves: readonly Curve[], frame: HTMLElement): uPlot.Options {
    const ink = resolved('var(--quiet)', frame);
    const rule = { stroke: resolved('var(--rule)', frame), width: 1 };
    const axis = { stroke: ink, grid: rule, ticks: rule, font: '11px system-ui, sans-serif' };
    const hasPart = curves.some((curve) => curve.part);
    return {
      width: frame.clientWidth || 320, height: this.height(),
      legend: { show: false }, cursor: { drag: { x: false, y: false }, y: false }, padding: [8, 26, 0, 0],
      scales: {
        x: {
          // Set here, because uPlot makes a very long axis from a single sample.
          range: () => {
            const times = this.times();
            const end = times.at(-1) ?? Date.now() / 1000;
            return [Math.min(times[0] ?? end, end - LEAST_SECONDS), end];
          },
        },
        y: { range: (_, __, max) => [0, Math.max(max > 0 ? max * 1.08 : 1, 0.01)] },
        part: { range: () => [0, 1.04] },
      },
      axes: [
        { ...axis, values: (_, splits) => splits.map((second) => clock(second * 1000)), space: 70, size: 28 },
        { ...axis, label: this.unit(), labelSize: 16, labelFont: axis.font, size: 44, space: 28 },
        ...(hasPart ? [{ ...axis, scale: 'part', side: 1 as const, size: 36, grid: { show: false }, space: 28 }] : []),
      ],
      series: [{}, ...curves.map((curve) => ({
        label: curve.label, stroke: resolved(curve.colour, frame), width: curve.dashed ? 1.4 : 2,
        ...(curve.dashed ? { dash: [5, 4] } : {}), points: { show: false }, spanGaps: false,
        scale: curve.part ? 'part' : 'y',
      }))],
    };
  }
}
