// SPDX-License-Identifier: Apache-2.0
import { signal } from '@angular/core';
import { wordsOf } from '../live/api';

/** Questions to ONOS, one at a time: whether one is under way, and why the last one failed. */
export class Question {
  readonly busy = signal(false);
  /** For users; empty unless the last question has failed. */
  readonly failure = signal('');
  /** Number of questions so far; the answer to an older one is not waited for. */
  private asked = 0;

  /** Asks, and gives the answer to `take` unless it is not wanted any more by then. */
  async ask<T>(question: () => Promise<T>, take: (answer: T) => void = () => undefined): Promise<void> {
    const number = ++this.asked;
    this.busy.set(true);
    this.failure.set('');
    let told: () => void;
    try {
      const answer = await question();
      told = () => take(answer);
    } catch (failure) {
      told = () => this.failure.set(wordsOf(failure));
    }
    if (number === this.asked) {
      this.busy.set(false);
      told();
    }
  }

  /** Wants no answer any more. */
  forget(): void {
    this.asked++;
    this.busy.set(false);
    this.failure.set('');
  }
}
