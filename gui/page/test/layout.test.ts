// SPDX-License-Identifier: Apache-2.0
import '@angular/compiler';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../app/model/network';
import { Layout } from '../app/topology/layout';
import { diamond } from './examples';

/** What a step of the forces takes on this machine, and what all else takes between two of the layout's turns: ms. */
const STEP = 5;

for (const [drawing, most] of [[11, 3], [2000, 3]]) {
  test(`a drawing that takes ${drawing} ms does not hold up the layout for more than its own time`, (context) => {
    let now = 0;
    const turns: (() => void)[] = [];
    context.mock.method(performance, 'now', () => (now += STEP));
    Object.assign(globalThis, { requestAnimationFrame: (turn: () => void) => turns.push(turn), cancelAnimationFrame: () => undefined });
    const layout = new Layout();
    layout.update(networkOf(diamond()));
    const begun = now;
    let drawings = 0;
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      now += drawing;
      drawings++;
      turn();
    }
    assert.equal(layout.isMoving(), false);
    const computed = now - begun - drawings * drawing;
    assert.ok(now - begun < most * computed + 2 * drawing, `${now - begun} ms for ${computed} ms of computing, ${drawings} drawings`);
  });
}
