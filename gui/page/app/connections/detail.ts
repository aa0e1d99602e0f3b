// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { life, overlay, setOverlay } from '../live/api';
import { expectedName, measuredName, Store } from '../live/store';
import { chartSvg } from '../model/chart-svg';
import { resolved, subflowColour } from '../model/colour';
import { ratesCsv } from '../model/csv';
import { endsText } from '../model/ends';
import { attainableAvailable, attainableFair, expected, measured, sendsUp } from '../model/fairness';
import { clock, delay, mbps, PAYLOAD_PART, percent, span } from '../model/format';
import { legText, otherLegs, routersOf } from '../model/legs';
import { pathText } from '../model/network';
import { mergedEvents } from '../model/state';
import { TermKey } from '../model/terms';
import { Connection, LifeEvent, Subflow } from '../model/wire';
import { addressOf } from '../shared/address';
import { Chart, Curve } from '../shared/chart';
import { download } from '../shared/download';
import { Help } from '../shared/help';
import { Why } from './why';

const MOST_CHARTED = 8;

/** Its name, what it is, and a term that needs words. */
type Fact = readonly [name: string, value: string, term?: TermKey];

/** One connection: its subflows, expected against measured over time, and its life. */
@Component({
  selector: 'mptcp-connection',
  templateUrl: './detail.html',
  imports: [Chart, Help, Why],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ConnectionDetail {
  readonly connection = input.required<Connection>();
  /** The number of its first subflow in the drawing. */
  readonly firstNumber = input(0);

  protected readonly store = inject(Store);
  protected readonly clock = clock;
  protected readonly mbps = mbps;
  protected readonly addressOf = addressOf;
  /** When it ended, unless the user looks at a moment before. */
  protected readonly ended = computed(() => (
    this.store.state().connections.has(this.connection().id) ? undefined : this.store.state().ended.get(this.connection().id)));
  private readonly id = computed(() => this.connection().id);
  private readonly remembered = signal<readonly LifeEvent[]>([]);
  protected readonly lifeFailure = signal('');

  protected readonly up = computed(() => sendsUp(this.connection()));
  protected readonly title = computed(() => endsText(this.connection()));
  protected readonly facts = computed((): Fact[] => {
    const connection = this.connection();
    const age = (this.ended()?.endedMillis ?? this.store.state().millis) - connection.createdMillis;
    const rate = measured(connection);
    const ratio = rate !== null && expected(connection) > 0 ? ` (${percent(rate / expected(connection))})` : '';
    return [
      ['Name', connection.id], ['Age', span(age)], ['Strategy', connection.strategy, 'strategy'],
      ['MPTCP', `version ${connection.version}`],
      ['Direction', this.up() ? 'client to server' : 'server to client'],
      ['Measured', `${mbps(rate)} Mbit/s${ratio}`, 'measured'],
      ['Goodput ≈', `${mbps(rate === null ? null : rate * PAYLOAD_PART)} Mbit/s`, 'goodput'],
      ['Expected', `${mbps(expected(connection))} Mbit/s`, 'expected'],
      ['Attainable ζ', `${mbps(attainableAvailable(connection))} Mbit/s`, 'available'],
      ['Fair ζ', `${mbps(attainableFair(connection))} Mbit/s`, 'fair'],
      ...pathFacts(connection),
      ...(connection.deniesJoins ? [['Joins', 'not to this address and port (flag C)'] as const] : []),
    ];
  });
  /** Which leg of a connection it is, and the others; null if it crosses no router. */
  protected readonly leg = computed(() => {
    const hosts = this.store.hosts();
    const others = otherLegs(this.connection(), this.store.connections());
    const routers = routersOf(hosts, this.connection());
    return others.length || routers.client || routers.server ? {
      text: legText(hosts, this.connection()), others: others.map((other) => ({ id: other.id, text: legText(hosts, other) })),
    } : null;
  });
  protected readonly subflows = computed(() => this.connection().subflows.map((subflow, index) => {
    const number = this.firstNumber() + index;
    return {
      subflow, number: number + 1, colour: subflowColour(number), path: pathText(this.store.network(), subflow.path),
      measured: this.up() ? subflow.measuredUpMbps : subflow.measuredDownMbps,
      expected: this.up() ? subflow.expectedUpMbps : subflow.expectedDownMbps,
      more: more(subflow), frames: framesOf(subflow),
      began: subflow.join ? `joined by the ${subflow.fromClient ? 'client' : 'server'}` : 'first',
    };
  }));

  /** The hosts between which all subflows run; empty if the subflows differ, as with several interfaces. */
  protected readonly frames = computed(() => {
    const all = new Set(this.connection().subflows.filter((subflow) => subflow.srcHost || subflow.dstHost)
      .map((subflow) => framesOf(subflow, subflow.fromClient)));
    return all.size > 1 ? '' : [...all][0] ?? 'No frame has shown its hosts yet';
  });

  protected readonly times = computed(() => {
    this.store.moments();
    return this.store.rates.moments();
  });
  protected readonly curves = computed<Curve[]>(() => {
    this.store.moments();
    return this.subflows().slice(0, MOST_CHARTED).flatMap(({ subflow, number, colour }) => {
      const of = (name: (connection: string, src: string) => string) =>
        this.store.rates.of(name(this.id(), subflow.src));
      return [
        { label: `${number} expected`, colour, values: of(expectedName), dashed: true },
        { label: `${number} measured`, colour, values: of(measuredName) },
      ];
    });
  });
  protected readonly chartText = computed(() => 'Rates over time. Now: ' + this.subflows().map((s) =>
    `subflow ${s.number} ${mbps(s.measured)} of ${mbps(s.expected)} Mbit/s expected`).join('; '));

  /** Connections on ONOS's own topology view; null until that is known. */
  private readonly overlaid = signal<readonly string[] | null>(null);
  protected readonly isOverlaid = computed(() => this.overlaid()?.includes(this.id()) ?? false);

  protected readonly events = computed(() => {
    const seen = this.store.state().events.get(this.id()) ?? [];
    return mergedEvents(this.remembered(), seen).reverse();
  });

  constructor() {
    // A click during the request has already set the newer value.
    overlay().then((ids) => this.overlaid.update((now) => now ?? ids), () => undefined);
    effect((onCleanup) => {
      const id = this.id();
      let current = true;
      onCleanup(() => (current = false));
      untracked(() => {
        this.remembered.set([]);
        this.lifeFailure.set('');
      });
      life(id).then(
        (events) => current && this.remembered.set(events),
        () => current && this.lifeFailure.set('ONOS did not give the events from before this page was opened.'));
    });
  }

  protected subflowOf(event: LifeEvent): { number: number; colour: string } | undefined {
    return this.subflows().find(({ subflow }) => event.subflow === `${subflow.src}>${subflow.dst}`);
  }

  protected async toggleOverlay(): Promise<void> {
    const id = this.id();
    try {
      const shown = this.overlaid() ?? await overlay();
      const next = shown.includes(id) ? shown.filter((other) => other !== id) : [...shown, id];
      await setOverlay(next);
      this.overlaid.set(next);
    } catch {
      this.lifeFailure.set('ONOS did not switch its topology view: is it still there?');
    }
  }

  protected save(): void {
    download(`mptcp-${this.id()}.csv`, ratesCsv(this.id(), this.store.rates.moments(), this.subflows().map(({ subflow }) => ({
      subflow: `${subflow.src}>${subflow.dst}`, measuredMbps: this.store.rates.of(measuredName(this.id(), subflow.src)),
      expectedMbps: this.store.rates.of(expectedName(this.id(), subflow.src)),
    }))));
  }

  protected saveChart(): void {
    const curves = this.curves().map((curve) => ({ ...curve, colour: resolved(curve.colour, document.body) }));
    download(`mptcp-${this.id()}.svg`, chartSvg(this.times(), curves, 'Mbit/s'));
  }

  protected tuple(subflow: Subflow): string {
    return `${subflow.src} → ${subflow.dst}`;
  }
}

/** What there is to say of a subflow besides its path and how it began. */
function more(subflow: Subflow): string {
  const delayed = subflow.delayMillis === null ? '' : ` · ${delay(subflow.delayMillis)}`;
  return delayed + (subflow.backup ? ' · its hosts want it as a backup' : '');
}

/** The hosts of a subflow's frames, in the direction of its SYN or against it: their names, else MAC address/VLAN. */
function framesOf({ srcHost, srcHostName, dstHost, dstHostName }: Subflow, forward = true): string {
  const ends = [srcHostName ?? srcHost ?? 'an unknown host', dstHostName ?? dstHost ?? 'an unknown host'];
  return `Frames of ${(forward ? ends : ends.reverse()).join(' to ')}`;
}

/** In what the paths are disjoint, and how long they take. */
function pathFacts({ subflows, disjointIn }: Connection): Fact[] {
  const paths = subflows.filter((subflow) => subflow.state === 'active' && subflow.path.length);
  const delays = paths.map((subflow) => subflow.delayMillis).filter((millis) => millis !== null);
  const [least, most] = [Math.min(...delays), Math.max(...delays)];
  return [
    ...(paths.length > 1 ? [['Disjoint in', disjointIn.join(', ') || 'nothing', 'disjoint'] as const] : []),
    ...(delays.length ? [['Delay', least === most ? delay(least) : `${delay(least)} to ${delay(most)}`] as const] : []),
  ];
}
