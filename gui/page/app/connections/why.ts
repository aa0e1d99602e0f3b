// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, DestroyRef, effect, inject, input, signal, untracked } from '@angular/core';
import { limitsOf } from '../live/api';
import { Reasons } from '../live/reasons';
import { Store } from '../live/store';
import { called } from '../model/ends';
import { expected } from '../model/fairness';
import { clock, count, mbps } from '../model/format';
import { linkText } from '../model/network';
import { Connection, FullLink } from '../model/wire';
import { addressOf } from '../shared/address';
import { Question } from '../shared/question';

/** Of one link; a number stands for the others. */
const MOST_OTHERS = 6;

/** Why a connection gets what it gets. It asks when it is opened, and shows the links in the drawing while it is open. */
@Component({
  selector: 'mptcp-why',
  templateUrl: './why.html',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Why {
  readonly connection = input.required<Connection>();

  private readonly store = inject(Store);
  private readonly reasons = inject(Reasons);
  protected readonly addressOf = addressOf;
  protected readonly open = signal(false);
  private readonly asked = new Question();
  protected readonly busy = this.asked.busy;
  protected readonly failure = this.asked.failure;
  private readonly id = computed(() => this.connection().id);
  protected readonly question = computed(() => `Why ${mbps(expected(this.connection()))} Mbit/s?`);

  protected readonly answer = computed(() => {
    const told = this.reasons.told();
    if (told?.connection !== this.id()) {
      return null;
    }
    const { direction, limitedByDemand, limitedBy, minimumCut } = told.limits;
    return {
      at: clock(told.millis),
      way: direction === 'up' ? 'from the client to the server' : 'from the server to the client',
      byDemand: limitedByDemand,
      links: onceEach(limitedBy).map((link) => ({
        ...this.named(link), capacity: mbps(link.capacityMbps), gain: mbps(link.gainMbps), others: this.others(link) })),
      cut: minimumCut.map((link) => this.named(link)),
      paths: count(minimumCut.length, 'disjoint path'), most: minimumCut.length === 1 ? 'one link' : 'one of these links',
    };
  });

  constructor() {
    effect(() => {
      this.id();
      untracked(() => this.close());
    });
    inject(DestroyRef).onDestroy(() => this.close());
  }

  protected toggle(): void {
    if (this.open()) {
      this.close();
    } else {
      this.open.set(true);
      void this.ask();
    }
  }

  protected async ask(): Promise<void> {
    const id = this.id();
    if (!this.connection().subflows.some((subflow) => subflow.links.length)) {
      this.reasons.told.set(null);
      this.failure.set('It has no path between two switches now.');
      return;
    }
    await this.asked.ask(() => limitsOf(id), (limits) => this.reasons.told.set({ connection: id, limits, millis: this.store.now() }));
    if (this.failure()) {
      this.reasons.told.set(null);
    }
  }

  private close(): void {
    this.open.set(false);
    this.asked.forget();
    this.reasons.told.set(null);
  }

  private named({ source, target }: { source: string; target: string }): { id: string; name: string; ports: string } {
    return { id: source, name: linkText(this.store.network(), source, target), ports: `${source} → ${target}` };
  }

  /** Who else is on a link. */
  private others({ connections }: FullLink): { known: { id: string; name: string }[]; more: number } {
    const others = connections.filter((id) => id !== this.id());
    return {
      known: called(others.slice(0, MOST_OTHERS), this.store.state().connections),
      more: Math.max(0, others.length - MOST_OTHERS),
    };
  }
}

/** Two subflows may be on the same link. */
function onceEach(links: readonly FullLink[]): FullLink[] {
  return [...new Map(links.map((link) => [link.source, link])).values()];
}
