// SPDX-License-Identifier: Apache-2.0
import { computed, Injectable, signal } from '@angular/core';
import { fairness, measured, utilisation } from '../model/fairness';
import { expectedByPort, networkOf, NO_NETWORK } from '../model/network';
import { Timeline } from '../model/series';
import { EMPTY, State, withDelta, withSnapshot } from '../model/state';
import { Connection, Delta, Snapshot } from '../model/wire';
import { probe, REST, snapshot } from './api';
import { Contact, Feed } from './feed';

const MOMENTS = 300;
const MOST_SERIES = 4_000;
const WHOLE_SERIES = 16;

/** A connection that was selected when it ended, as it was last seen. */
export interface Ended {
  readonly connection: Connection;
  readonly millis: number;
}

/** The live state for all parts of the page, the selection, and what was seen over time. */
@Injectable({ providedIn: 'root' })
export class Store {
  readonly state = signal<State>(EMPTY);
  readonly contact = signal<Contact>('connecting');
  /** Whether any state has come yet. */
  readonly started = signal(false);
  /** When the last message came, by this machine's clock. */
  readonly heard = signal(0);
  /** The application's version when the page was loaded and now differ: the page is older than its server. */
  readonly outdated = signal(false);

  readonly topology = computed(() => this.state().topology);
  readonly usage = computed(() => this.state().usage);
  readonly network = computed(() => (this.started() ? networkOf(this.topology()) : NO_NETWORK));
  readonly connections = computed(() => [...this.state().connections.values()]);
  private readonly connectionMap = computed(() => this.state().connections);
  readonly expected = computed(() => expectedByPort(this.network(), this.connectionMap().values()));

  /** Selected connections by name, the one whose details are shown last. */
  readonly selection = signal<readonly string[]>([]);
  readonly ended = signal<ReadonlyMap<string, Ended>>(new Map());
  readonly selected = computed(() => this.selection()
    .map((id) => this.connectionMap().get(id) ?? this.ended().get(id)?.connection)
    .filter((connection) => connection !== undefined));

  /** Rates of subflows, by {@link measuredName} and {@link expectedName}. */
  readonly rates = new Timeline(MOMENTS, MOST_SERIES);
  /** The whole network: `fairness`, `mean`, `most`, `connections`, `subflows`, `goodput`. */
  readonly whole = new Timeline(MOMENTS, WHOLE_SERIES);
  /** Grows whenever the timelines do. */
  readonly moments = signal(0);

  private readonly feed = new Feed({
    snapshot: (message) => this.takeSnapshot(message),
    delta: (message) => this.take(withDelta(this.state(), message), message),
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

  /** Controller's clock now, as far as the page can tell. */
  now(): number {
    return this.state().millis + (this.heard() ? Date.now() - this.heard() : 0);
  }

  select(ids: readonly string[]): void {
    this.selection.set(ids);
    const wanted = new Set(ids);
    this.ended.update((ended) => new Map([...ended].filter(([id]) => wanted.has(id))));
  }

  /** Adds a connection to the selection, or takes it out. */
  toggle(id: string): void {
    const selection = this.selection();
    this.select(selection.includes(id) ? selection.filter((other) => other !== id) : [...selection, id]);
  }

  private takeSnapshot(message: Snapshot): void {
    const version = this.state().version;
    if (version && message.version !== version) {
      this.outdated.set(true);
    }
    this.take(withSnapshot(this.state(), message));
    this.started.set(true);
  }

  private take(next: State, message?: Delta): void {
    const before = this.state();
    for (const id of this.selection()) {
      const last = before.connections.get(id);
      if (last && !next.connections.has(id)) {
        this.ended.update((ended) => new Map(ended).set(id, { connection: last, millis: next.millis }));
      }
    }
    this.state.set(next);
    this.heard.set(Date.now());
    if (!message || message.millis - before.millis >= MINIMAL_STEP_MILLIS) {
      this.remember(next);
    }
  }

  private remember(state: State): void {
    const seconds = state.millis / 1000;
    const connections = [...state.connections.values()];
    this.rates.add(seconds, seriesOf(connections, this.selection()), wantedNames(state, this.ended()));
    const busy = connections.filter((connection) => connection.state === 'active');
    const { mean, most } = utilisation(state.usage.values());
    this.whole.add(seconds, [
      ['fairness', fairness(connections)], ['mean', mean * 100], ['most', most * 100],
      ['connections', busy.length], ['subflows', busy.reduce((sum, c) => sum + c.subflows.length, 0)],
      ['rate', connections.reduce((sum, c) => sum + measured(c), 0)],
    ]);
    this.moments.update((moments) => moments + 1);
  }
}

/** Several messages within less than that make one moment. */
const MINIMAL_STEP_MILLIS = 500;

/** The name of a subflow's measured rate in the timeline; the direction is that of the connection's data. */
export function measuredName(connection: string, subflow: string): string {
  return `${connection} ${subflow} measured`;
}

export function expectedName(connection: string, subflow: string): string {
  return `${connection} ${subflow} expected`;
}

function* seriesOf(connections: readonly Connection[], selection: readonly string[]): Generator<[string, number]> {
  const first = new Set(selection);
  // The timeline has room for so many names only: the selected ones come first.
  const order = [...connections.filter((c) => first.has(c.id)), ...connections.filter((c) => !first.has(c.id))];
  for (const connection of order) {
    const up = connection.measuredUpMbps >= connection.measuredDownMbps;
    for (const subflow of connection.subflows) {
      yield [measuredName(connection.id, subflow.src), up ? subflow.measuredUpMbps : subflow.measuredDownMbps];
      yield [expectedName(connection.id, subflow.src), up ? subflow.expectedUpMbps : subflow.expectedDownMbps];
    }
  }
}

function wantedNames(state: State, ended: ReadonlyMap<string, Ended>): (name: string) => boolean {
  return (name) => {
    const id = name.slice(0, name.indexOf(' '));
    return state.connections.has(id) || ended.has(id);
  };
}
