// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, effect, inject, signal } from '@angular/core';
import { ConnectionDetail } from './connections/detail';
import { ConnectionTable } from './connections/table';
import { cluster } from './live/api';
import { Contact } from './live/feed';
import { Reasons } from './live/reasons';
import { Store } from './live/store';
import { Testbed } from './live/testbed';
import { ManagePage } from './manage/manage';
import { alarmsOf } from './model/failures';
import { clock, count } from './model/format';
import { NetworkPage } from './network/network';
import { addressOf, pageAt, placeOf, View } from './shared/address';
import { Hint } from './shared/hint';
import { Slider } from './shared/slider';
import { Theme } from './shared/theme';
import { highlightsOf } from './topology/highlight';
import { TopologyView } from './topology/topology';
import { WhatIf } from './whatif/whatif';

const VIEWS: readonly { id: View; name: string }[] = [
  { id: 'connections', name: 'Connections' }, { id: 'what-if', name: 'What if' }, { id: 'network', name: 'Network' },
  { id: 'manage', name: 'Manage' },
];

const CONTACT: Record<Contact, { short: string; long: string }> = {
  connecting: { short: 'connecting', long: 'Connecting to ONOS …' },
  live: { short: 'live', long: '' },
  polling: { short: 'polling', long: '' },
  gone: { short: 'ONOS is gone', long: 'ONOS does not answer. This page tries again by itself; it shows what was last seen.' },
  refused: { short: 'login refused', long: 'ONOS refused the login. Reload the page to log in again.' },
  absent: { short: 'not active', long: 'ONOS answers, but the application org.subflow.mptcp does not: it is starting, or not activated (app activate org.subflow.mptcp). This page tries again by itself.' },
};

const CLUSTER_MILLIS = 3_000;

/** The frame: choice of the view, state of the contact with ONOS, light or dark colours. */
@Component({
  selector: 'mptcp-page',
  templateUrl: './page.html',
  imports: [Slider, TopologyView, ConnectionTable, ConnectionDetail, WhatIf, NetworkPage, ManagePage],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Page {
  protected readonly store = inject(Store);
  private readonly reasons = inject(Reasons);
  protected readonly testbed = inject(Testbed);
  protected readonly theme = inject(Theme);
  /** The views with their addresses; that of the connections has those that are selected. */
  protected readonly views = computed(() => VIEWS.map((view) => ({
    ...view, address: view.id === 'connections' ? addressOf(...this.store.selection()) : `/onos/mptcp/#${view.id}` })));
  protected readonly hint = inject(Hint);
  protected readonly view = signal<View>('connections');
  protected readonly contact = computed(() => CONTACT[this.store.contact()]);
  protected readonly isUp = computed(() => ['live', 'polling'].includes(this.store.contact()));
  /** Why no ONOS node decides; empty while one does. */
  protected readonly undecided = signal('');
  /** The addresses of the other ONOS nodes, as this one told last. */
  private readonly others = signal<readonly string[]>([]);
  /** The same view at each of them, while this node does not answer. */
  protected readonly elsewhere = computed(() => (this.store.contact() !== 'gone' ? [] : this.others().map(
    (node) => ({ node, address: pageAt(node, location.href) }))));
  protected readonly seen = computed(() => clock(this.store.state().millis));
  protected readonly lastSeen = computed(() => (this.store.heard() ? clock(this.store.heard()) : ''));

  protected readonly highlights = computed(() =>
    highlightsOf(this.store.network(), this.store.topology(), this.store.selected()));
  protected readonly alarms = computed(() => (this.store.started() ? alarmsOf(this.store.state(), this.store.network()) : []));
  /** What limits the connection that is asked about; of the newest moment alone. */
  protected readonly limits = computed(() => (this.store.moment() ? null : this.reasons.told()?.limits ?? null));
  /** The connection that was selected last, and the number of its first subflow in the drawing. */
  protected readonly detail = computed(() => {
    const selected = this.store.selected();
    const connection = selected[selected.length - 1];
    return connection && {
      connection, first: selected.slice(0, -1).reduce((sum, other) => sum + other.subflows.length, 0),
    };
  });
  protected readonly headline = computed(() => {
    const { strategy, allocator } = this.store.state().settings;
    const active = this.store.connections().filter((connection) => connection.state === 'active').length;
    return this.store.started() ? `${count(active, 'active connection')} · ${[strategy, allocator].filter(Boolean).join(' · ')}` : '';
  });

  constructor() {
    this.store.start();
    this.follow();
    addEventListener('hashchange', () => this.follow());
    // What is selected is an address: a link for others, and the browser's way back.
    effect(() => {
      const { view, connections } = placeOf(location.hash);
      const chosen = this.store.selection();
      if (view === 'connections' && connections.join() !== chosen.join()) {
        history.pushState(null, '', addressOf(...chosen));
      }
    });
    setInterval(() => void this.askCluster(), CLUSTER_MILLIS);
  }

  private async askCluster(): Promise<void> {
    if (this.isUp()) {
      try {
        const { message, others } = await cluster();
        this.undecided.set(message ?? '');
        this.others.set(others);
      } catch {
        // The contact says whether ONOS answers.
      }
    }
  }

  private follow(): void {
    const { view, connections } = placeOf(location.hash);
    this.view.set(view);
    if (view === 'connections') {
      this.store.select(connections);
    }
  }

  protected reload(): void {
    location.reload();
  }
}
