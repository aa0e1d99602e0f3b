// SPDX-License-Identifier: Apache-2.0
import { computed, Injectable, signal } from '@angular/core';
import { fairness, sendsUp, utilisation } from '../model/fairness';
import { once } from '../model/legs';
import { expectedByPort, networkOf, NO_NETWORK } from '../model/network';
import { wholeAt, withState } from '../model/past';
import { Timeline } from '../model/series';
import { EMPTY, State, withDelta, withSnapshot } from '../model/state';
import { Connection, Delta, Samples, Snapshot } from '../model/wire';
import { probe, REST, snapshot } from './api';
import { Contact, Feed } from './feed';

const MOMENTS = 300;
const MOST_SERIES = 4_000;
const WHOLE_SERIES = 16;

/** The live state for all parts of the page, the selection, and time series. */
@Injectable({ providedIn: 'root' })
export class Store {
  private readonly newest = signal<State>(EMPTY);
  /** What the page has seen, oldest first. */
  readonly past = signal<readonly State[]>([]);
  /** The moment that the user looks at; null for the newest. */
  readonly moment = signal<State | null>(null);
  /** What all parts of the page show: the newest state, or that of the moment that the user looks at. */
  readonly state = computed(() => this.moment() ?? this.newest());
  readonly contact = signal<Contact>('connecting');
  /** Whether a first snapshot has arrived. */
  readonly started = signal(false);
  /** Time of the last message by this machine's clock, milliseconds of the Unix epoch. */
  readonly heard = signal(0);
  /** Whether the application's version has changed since the page was loaded: the page is out of date. */
  readonly outdated = signal(false);

  readonly topology = computed(() => this.state().topology);
  readonly usage = computed(() => this.state().usage);
  readonly hosts = computed(() => new Map(this.topology().hosts.map((host) => [host.id, host])));
  readonly network = computed(() => (this.started() ? networkOf(this.topology()) : NO_NETWORK));
  readonly connections = computed(() => [...this.state().connections.values()]);
  private readonly connectionMap = computed(() => this.state().connections);
  readonly expected = computed(() => expectedByPort(this.network(), this.connectionMap().values()));

  /** Names of the selected connections. The details show the last one. */
  readonly selection = signal<readonly string[]>([]);
  /** Connections that have ended, as ONOS remembers them; none while the user looks at a moment before. */
  readonly ended = computed(() => (this.moment() ? EMPTY.ended : this.newest().ended));
  readonly selected = computed(() => this.selection()
    .map((id) => this.connectionMap().get(id) ?? this.newest().ended.get(id)?.connection)
    .filter((connection) => connection !== undefined));

  /** Selected names that are none of a connection, or of one that ended before this page was opened. */
  readonly unknown = computed(() => (this.started() ? this.selection()
    .filter((id) => !this.newest().connections.has(id) && !this.newest().ended.has(id)) : []));

  /** Rates of subflows, by {@link measuredName} and {@link expectedName}. */
  readonly rates = new Timeline(MOMENTS, MOST_SERIES);
  /** Figures of the whole network: `fairness`, `mean`, `most`, `connections`, `subflows`. */
  readonly whole = new Timeline(MOMENTS, WHOLE_SERIES);
  /** Number of samples so far; signals that the timelines have changed. */
  readonly moments = signal(0);

  private readonly feed = new Feed({
    snapshot: (message) => this.takeSnapshot(message),
    delta: (message) => this.take(withDelta(this.newest(), message), message),
    contact: (contact) => this.contact.set(contact),
  }, {
    stream: () => new EventSource(`${REST}/stream`),
    snapshot, probe,
    after: (millis, task) => {
      const timer = setTimeout(task, millis);
      return () => clearTimeout(timer);
    },
  });

  start(): void {
    this.feed.start();
  }

  /** Estimate of the controller's clock, milliseconds of the Unix epoch. */
  now(): number {
    return this.newest().millis + (this.heard() ? Date.now() - this.heard() : 0);
  }

  select(ids: readonly string[]): void {
    this.selection.set(ids);
  }

  /** Adds a connection to the selection, or takes it out. */
  toggle(id: string): void {
    const selection = this.selection();
    this.select(selection.includes(id) ? selection.filter((other) => other !== id) : [...selection, id]);
  }

  private takeSnapshot(message: Snapshot): void {
    const version = this.newest().version;
    if (version && message.version !== version) {
      this.outdated.set(true);
    }
    if (!this.started()) {
      this.recall(message.samples);
    }
    this.take(withSnapshot(this.newest(), message));
    this.started.set(true);
  }

  /** Begins the timelines with what was before this page was opened. */
  private recall(samples: Samples): void {
    samples.millis.forEach((millis, i) => {
      this.whole.add(millis / 1000, wholeAt(samples, i));
      this.rates.add(millis / 1000, samples.rates.flatMap(({ connection, subflow, measuredMbps, expectedMbps }): [string, number][] => [
        [measuredName(connection, subflow), measuredMbps[i] ?? NaN], [expectedName(connection, subflow), expectedMbps[i] ?? NaN]]));
    });
  }

  private take(next: State, message?: Delta): void {
    const before = this.newest();
    this.newest.set(next);
    this.heard.set(Date.now());
    if (!message || message.millis - before.millis >= MINIMAL_STEP_MILLIS) {
      this.remember(next);
    }
  }

  private remember(state: State): void {
    const seconds = state.millis / 1000;
    const connections = [...state.connections.values()];
    this.rates.add(seconds, seriesOf(connections, this.selection()), keptNames(state, this.selection()));
    const busy = connections.filter((connection) => connection.state === 'active');
    const { mean, most } = utilisation(state.usage.values());
    this.whole.add(seconds, [
      ['fairness', fairness(once(connections))], ['mean', mean * 100], ['most', most * 100],
      ['connections', busy.length], ['subflows', busy.reduce((sum, c) => sum + c.subflows.length, 0)],
    ]);
    this.past.update((past) => withState(past, state));
    this.moments.update((moments) => moments + 1);
  }
}

/** Messages within a shorter time make one sample. */
const MINIMAL_STEP_MILLIS = 500;

/** Name of a subflow's measured rate in the timeline, in the direction that carries more of the connection's data. */
export function measuredName(connection: string, subflow: string): string {
  return `${connection} ${subflow} measured`;
}

export function expectedName(connection: string, subflow: string): string {
  return `${connection} ${subflow} expected`;
}

function* seriesOf(connections: readonly Connection[], selection: readonly string[]): Generator<[string, number]> {
  const first = new Set(selection);
  // The selected connections come first, because the timeline takes a limited number of names.
  const order = [...connections.filter((c) => first.has(c.id)), ...connections.filter((c) => !first.has(c.id))];
  for (const connection of order) {
    const up = sendsUp(connection);
    for (const subflow of connection.subflows) {
      yield [measuredName(connection.id, subflow.src), (up ? subflow.measuredUpMbps : subflow.measuredDownMbps) ?? NaN];
      yield [expectedName(connection.id, subflow.src), up ? subflow.expectedUpMbps : subflow.expectedDownMbps];
    }
  }
}

function keptNames(state: State, selection: readonly string[]): (name: string) => boolean {
  const selected = new Set(selection);
  return (name) => {
    const id = name.slice(0, name.indexOf(' '));
    return state.connections.has(id) || selected.has(id);
  };
}
