// SPDX-License-Identifier: Apache-2.0
import { Injectable, signal } from '@angular/core';
import { read, write } from './storage';

const KEY = 'onos-mptcp.hint';
const SEEN = 'seen';

/** Whether to tell a first-time user what to look at: until the first click in this browser. */
@Injectable({ providedIn: 'root' })
export class Hint {
  readonly isNeeded = signal(read(KEY) !== SEEN);

  constructor() {
    if (this.isNeeded()) {
      // While it is on its way down: some elements keep their clicks to themselves.
      addEventListener('click', () => {
        this.isNeeded.set(false);
        write(KEY, SEEN);
      }, { once: true, capture: true });
    }
  }
}
