// SPDX-License-Identifier: Apache-2.0
import { NgTemplateOutlet } from '@angular/common';
import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { Store } from '../live/store';
import { Testbed } from '../live/testbed';
import { linksCsv } from '../model/csv';
import { called } from '../model/ends';
import { carried, fairness, utilisation } from '../model/fairness';
import { failedText, movedFrom } from '../model/failures';
import { clock, count, delay, mbps, percent } from '../model/format';
import { once } from '../model/legs';
import { labelOf, linkText, load } from '../model/network';
import { latestEvents } from '../model/state';
import { TermKey } from '../model/terms';
import { usageRow } from '../topology/drawing';
import { addressOf } from '../shared/address';
import { Bound } from '../model/wire';
import { Chart, Curve } from '../shared/chart';
import { download } from '../shared/download';
import { Help } from '../shared/help';
import { TestbedCard } from '../testbed/testbed';
import { BackgroundPlan } from './plan';

const MOST_LINKS = 200;
const MOST_EVENTS = 100;
/** Names of counters of refused or malformed input. */
const REFUSED = /malformed|spoofed|refused|dropped|invalid|unknown|overflow|rejected|ignored|bad|full|duplicate|expired/i;

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  /** A term that needs words. */
  readonly term?: TermKey;
}

function aboutBound(bound: Bound | null): string {
  return bound ? `all that is expected ÷ the best of any routing; smallest share ${percent(bound.smallestFraction)}; ${clock(bound.millis)}`
    : 'no connections to compare, or too many';
}

/** The network as a whole: fairness, utilisation, how many connections, counters, links by load. */
@Component({
  selector: 'mptcp-network',
  templateUrl: './network.html',
  imports: [BackgroundPlan, Chart, Help, NgTemplateOutlet, TestbedCard],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class NetworkPage {
  protected readonly store = inject(Store);
  protected readonly testbed = inject(Testbed);
  protected readonly addressOf = addressOf;
  protected readonly clock = clock;

  protected readonly tiles = computed((): Tile[] => {
    const connections = this.store.connections();
    const active = connections.filter((connection) => connection.state === 'active');
    const { mean, most } = utilisation(this.store.usage().values());
    const whole = once(connections);
    const index = fairness(whole);
    const bound = this.store.state().bound;
    return [
      { name: 'Fairness index', value: Number.isFinite(index) ? index.toFixed(3) : '–', about: 'Jain\'s, over what busy connections carry; 1 is equal', term: 'fairness' },
      { name: 'Mean utilisation', value: percent(mean), about: 'carried ÷ capacity, all link directions' },
      { name: 'Busiest link', value: percent(most), about: 'the fullest link direction' },
      { name: 'Carried', value: `${mbps(carried(whole))} Mbit/s`, about: 'by MPTCP, on the wire' },
      { name: 'Of the best routing', value: percent(bound?.sumFraction ?? NaN), about: aboutBound(bound), term: 'best' },
      { name: 'Connections', value: String(active.length), about: `active, of ${connections.length} remembered` },
      { name: 'Subflows', value: String(active.reduce((sum, c) => sum + c.subflows.length, 0)), about: 'of active connections' },
    ];
  });

  protected readonly times = computed(() => {
    this.store.moments();
    return this.store.whole.moments();
  });
  protected readonly shares = computed<Curve[]>(() => this.curves([
    ['mean', 'mean utilisation', 'var(--subflow-0)'], ['most', 'busiest link', 'var(--subflow-1)']]));
  protected readonly fairnessCurve = computed<Curve[]>(() => this.curves([['fairness', 'fairness', 'var(--subflow-2)']]));
  protected readonly numbers = computed<Curve[]>(() => this.curves([
    ['connections', 'active connections', 'var(--subflow-0)'], ['subflows', 'their subflows', 'var(--subflow-1)']]));
  protected readonly text = computed(() => this.tiles().map((tile) => `${tile.name} ${tile.value}`).join(', '));

  protected readonly counters = computed(() => Object.entries(this.store.state().counters)
    .map(([name, value]) => ({ name: name.replace(/[-_.]/g, ' '), value, refused: REFUSED.test(name) })));
  protected readonly refused = computed(() => this.counters().filter((counter) => counter.refused));
  protected readonly refusedText = computed(() => {
    const counted = this.refused().filter((counter) => counter.value > 0).length;
    return counted ? `${count(counted, 'kind')} of refused or malformed input` : 'no refused or malformed input';
  });
  protected readonly others = computed(() => this.counters().filter((counter) => !counter.refused));

  protected readonly links = computed(() => {
    const network = this.store.network();
    const expected = this.store.expected();
    return [...this.store.usage().values()]
      .sort((a, b) => (load(b) || 0) - (load(a) || 0) || b.reservedMbps - a.reservedMbps)
      .slice(0, MOST_LINKS)
      .map((usage) => ({
        id: usage.source, ports: `${usage.source} → ${usage.target}`, subflows: usage.subflows,
        name: linkText(network, usage.source, usage.target),
        cells: usageRow(usage, expected.get(usage.source) ?? 0), source: `capacity by ${usage.capacitySource}`,
        delay: usage.delayMillis === null ? '–' : delay(usage.delayMillis), groups: usage.srlg.length ? `shared risk: ${usage.srlg.join(', ')}` : '',
      }));
  });
  /** Links and switches that have failed, as rows before the others. */
  protected readonly failed = computed(() => {
    const { topology, connections } = this.store.state();
    return [
      ...topology.failed.devices.map((device) => ({
        id: device.id, ports: device.id, name: `Switch ${labelOf(this.store.network(), device.id)}`,
        text: `since ${clock(device.sinceMillis)}`, moved: [] as { id: string; name: string }[],
      })),
      ...topology.failed.links.map((link) => ({
        id: link.source, ports: `${link.source} – ${link.target}`, name: linkText(this.store.network(), link.source, link.target).replace('→', '–'),
        text: failedText(link), moved: movedFrom(link, connections),
      }))];
  });
  /** Whether some link has a delay. */
  protected readonly withDelays = computed(() => [...this.store.usage().values()].some((usage) => usage.delayMillis !== null));
  protected readonly events = computed(() => {
    const connections = this.store.state().connections;
    return latestEvents(this.store.state().events.values(), MOST_EVENTS)
      .map((event) => ({ ...event, name: called([event.connection], connections)[0].name }));
  });
  protected readonly linksText = computed(() => {
    const all = this.store.usage().size;
    return all > MOST_LINKS ? `the ${MOST_LINKS} busiest of ${count(all, 'direction')}` : count(all, 'direction');
  });

  protected save(): void {
    download('mptcp-links.csv', linksCsv([...this.store.usage().values()], this.store.expected()));
  }

  private curves(names: [string, string, string][]): Curve[] {
    this.store.moments();
    return names.map(([name, label, colour]) => ({ label, colour, values: this.store.whole.of(name) }));
  }
}
