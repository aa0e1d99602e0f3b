// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { Store } from '../live/store';
import { clock } from '../model/format';

/** Chooses a moment of what the page has seen; all its parts show that moment then. */
@Component({
  selector: 'mptcp-slider',
  templateUrl: './slider.html',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Slider {
  protected readonly store = inject(Store);
  protected readonly last = computed(() => this.store.past().length - 1);
  /** The first one if the moment lies further back than the page remembers. */
  protected readonly position = computed(() => {
    const moment = this.store.moment();
    return moment ? Math.max(0, this.store.past().indexOf(moment)) : this.last();
  });
  protected readonly text = computed(() => clock(this.store.state().millis));

  protected choose(position: number): void {
    this.store.moment.set(position < this.last() ? this.store.past()[position] : null);
  }

  protected live(): void {
    this.store.moment.set(null);
  }
}
