// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, inject, signal } from '@angular/core';
import { backgroundPlan } from '../live/api';
import { Store } from '../live/store';
import { called } from '../model/ends';
import { mbps } from '../model/format';
import { pathText } from '../model/network';
import { PlannedMove } from '../model/wire';
import { addressOf } from '../shared/address';
import { Question } from '../shared/question';

/** A dry run of the background plan: how several connections would move, beside what they have now. */
@Component({
  selector: 'mptcp-background-plan',
  templateUrl: './plan.html',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class BackgroundPlan {
  private readonly store = inject(Store);
  protected readonly addressOf = addressOf;
  private readonly question = new Question();
  protected readonly busy = this.question.busy;
  protected readonly failure = this.question.failure;
  protected readonly moves = signal<readonly PlannedMove[] | null>(null);

  protected readonly rows = computed(() => (this.moves() ?? []).map((move) => {
    const now = this.store.state().connections.get(move.id);
    const network = this.store.network();
    const present = new Map(now?.subflows.map((subflow) => [`${subflow.src}>${subflow.dst}`, subflow.path]));
    return {
      ...called([move.id], this.store.state().connections)[0],
      paths: move.subflows
        .map((subflow) => ({
          then: pathText(network, subflow.path), now: pathText(network, present.get(`${subflow.src}>${subflow.dst}`) ?? []),
        }))
        .filter((path) => path.then !== path.now),
      now: now ? `${mbps(now.expectedUpMbps)} / ${mbps(now.expectedDownMbps)}` : '–',
      then: `${mbps(move.expectedUpMbps)} / ${mbps(move.expectedDownMbps)}`,
    };
  }));

  protected async ask(): Promise<void> {
    this.moves.set(null);
    await this.question.ask(backgroundPlan, (moves) => this.moves.set(moves));
  }
}
