// SPDX-License-Identifier: Apache-2.0
import { signal } from '@angular/core';
import { wordsOf } from '../live/api';

/** Questions to ONOS, one at a time: whether one is under way, and why the last one failed. */
export class Question {
  readonly busy = signal(false);
  /** For users; empty unless the last question has failed. */
  readonly failure = signal('');

  async ask(question: () => Promise<void>): Promise<void> {
    this.busy.set(true);
    this.failure.set('');
    try {
      await question();
    } catch (failure) {
      this.failure.set(wordsOf(failure));
    } finally {
      this.busy.set(false);
    }
  }
}
