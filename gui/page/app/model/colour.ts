// SPDX-License-Identifier: Apache-2.0
/**
 * Colours that people with any colour vision can tell apart. A subflow also has a number and a dash pattern; loads differ
 * in lightness. Each colour is a CSS variable, so that the light and the dark theme have their own.
 */

const SUBFLOW_COLOURS = 8;
const DASHES = ['none', '9 3', '3 3', '12 3 3 3', '6 6', '2 5', '14 4', '9 3 2 3 2 3'];
const LOAD_STEPS = 5;

/** The colour of a subflow, by its place in its connection. */
export function subflowColour(index: number): string {
  return `var(--subflow-${index % SUBFLOW_COLOURS})`;
}

/** Its dash pattern. */
export function subflowDash(index: number): string {
  return DASHES[index % DASHES.length];
}

/** The colour of a load, 0 to 1 and more; NaN if it is not known. */
export function loadColour(load: number): string {
  return Number.isNaN(load) ? 'var(--attachment)' : `var(--load-${loadStep(load)})`;
}

/** The step of a load, 0 to 4: idle, up to 40, 70, 90 %, above. */
export function loadStep(load: number): number {
  const step = [0.02, 0.4, 0.7, 0.9].findIndex((limit) => load < limit);
  return step < 0 ? LOAD_STEPS - 1 : step;
}

/** Words for the steps of the legend. */
export const LOAD_LEGEND = ['idle', '< 40 %', '< 70 %', '< 90 %', '≥ 90 %'];

/** The present value of one of our CSS variables, for drawings on a canvas. */
export function resolved(colour: string, element: Element): string {
  const name = /^var\((--[\w-]+)\)$/.exec(colour)?.[1];
  return name ? getComputedStyle(element).getPropertyValue(name).trim() : colour;
}
