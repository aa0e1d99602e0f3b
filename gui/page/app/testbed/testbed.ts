// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, ElementRef, inject, signal, viewChild } from '@angular/core';
import { Store } from '../live/store';
import { Testbed } from '../live/testbed';
import { deviceOf } from '../model/format';
import { labelOf } from '../model/network';
import { TestbedLink } from './link';
import { TestbedTransfer } from './transfer';

/** What can be done to the testbed of a demonstration; nothing where there is none. */
@Component({
  selector: 'mptcp-testbed',
  template: `
    @if (testbed.links().length) {
      <div class="planned testbed">
        <h2>Testbed <span class="count">links and transfers of this demonstration</span></h2>
        <div class="commands">
          <label>Link <select #box (change)="link.set(box.value)">
            @for (one of links(); track one.name) { <option [value]="one.name" [selected]="one.name === chosen()">{{ one.text }}</option> }
          </select></label>
        </div>
        <mptcp-testbed-link [link]="chosen()" />
        <mptcp-testbed-transfer />
      </div>
    }`,
  imports: [TestbedLink, TestbedTransfer],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TestbedCard {
  private readonly store = inject(Store);
  protected readonly testbed = inject(Testbed);
  /** The name of the link that is chosen; empty for the first. */
  protected readonly link = signal('');
  protected readonly chosen = computed(() => (this.testbed.links().includes(this.link()) ? this.link() : this.testbed.links()[0] ?? ''));
  /** Names, and with them what ONOS calls the ends where that differs. */
  protected readonly links = computed(() => this.testbed.links().map((name) => {
    const ends = this.testbed.portsOf(name).map((port) => labelOf(this.store.network(), deviceOf(port))).join('-');
    return { name, text: name.startsWith(ends) ? name : `${ends} (${name})` };
  }));
  private readonly box = viewChild<ElementRef<HTMLSelectElement>>('box');

  /** Chooses a link, and leads there. */
  choose(name: string): void {
    this.link.set(name);
    this.box()?.nativeElement.focus();
  }
}
