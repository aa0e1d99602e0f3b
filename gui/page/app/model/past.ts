// SPDX-License-Identifier: Apache-2.0
/** What the page has seen, as far back as there is room for it. Pure functions. */
import { State } from './state';
import { Samples } from './wire';

const MOST_STATES = 300;
/** Of all states together: with many connections the past is short, and the browser's memory bounded. */
const MOST_CONNECTIONS = 20_000;

/** The past with one state more, oldest first. The newest state is always in it. */
export function withState(past: readonly State[], state: State): State[] {
  const kept = [state];
  let connections = state.connections.size;
  for (let i = past.length - 1; i >= 0 && kept.length < MOST_STATES; i--) {
    connections += past[i].connections.size;
    if (connections > MOST_CONNECTIONS) {
      break;
    }
    kept.push(past[i]);
  }
  return kept.reverse();
}

export const NO_SAMPLES: Samples = {
  millis: [], connections: [], subflows: [], measuredMbps: [], fairness: [], meanUtilisation: [], mostUtilisation: [], rates: [],
};

/** The figures of the whole network in a sample, by their names in the page's timeline. */
export function wholeAt(samples: Samples, index: number): [string, number][] {
  return [
    ['fairness', samples.fairness[index] ?? NaN], ['mean', (samples.meanUtilisation[index] ?? NaN) * 100],
    ['most', (samples.mostUtilisation[index] ?? NaN) * 100], ['connections', samples.connections[index]],
    ['subflows', samples.subflows[index]],
  ];
}
