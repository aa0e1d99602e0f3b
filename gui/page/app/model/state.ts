// SPDX-License-Identifier: Apache-2.0
/** The controller's state as the page knows it, and how messages change it. Pure functions on immutable values. */
import { Bound, Connection, Counters, Delta, EndedConnection, LifeEvent, LinkUsage, Settings, Snapshot, Topology } from './wire';
import { sameShape } from './network';

export interface State {
  readonly version: string;
  /** The controller's clock at the last message, milliseconds of the Unix epoch. */
  readonly millis: number;
  readonly settings: Settings;
  /** Changes its identity only when nodes, names or links change; usage is in `usage`. */
  readonly topology: Topology;
  /** By source port. */
  readonly usage: ReadonlyMap<string, LinkUsage>;
  readonly connections: ReadonlyMap<string, Connection>;
  /** Those that have ended, by their names, oldest end first. */
  readonly ended: ReadonlyMap<string, EndedConnection>;
  readonly bound: Bound | null;
  readonly counters: Counters;
  /** Events of connections: the newest from before the page was open, and those since; by connection, oldest first. */
  readonly events: ReadonlyMap<string, readonly LifeEvent[]>;
}

const MOST_EVENTS = 200;
/** As many as ONOS keeps. */
const MOST_ENDED = 1000;

export const EMPTY: State = {
  version: '',
  millis: 0,
  settings: { strategy: '', allocator: '', subflows: 3, retentionSeconds: 0, strategies: [] },
  topology: { devices: [], hosts: [], links: [], failed: { devices: [], links: [] } },
  usage: new Map(),
  connections: new Map(),
  ended: new Map(),
  bound: null,
  counters: {},
  events: new Map(),
};

/** The state after a snapshot. The events that the page has collected stay; what it tells of the past is added. */
export function withSnapshot(old: State, snapshot: Snapshot): State {
  return {
    version: snapshot.version,
    millis: snapshot.millis,
    settings: snapshot.settings ?? old.settings,
    topology: sameShape(old.topology, snapshot.topology) ? old.topology : snapshot.topology,
    usage: byPort(snapshot.topology.links),
    connections: new Map(snapshot.connections.map((connection) => [connection.id, connection])),
    ended: new Map(snapshot.ended.map((one) => [one.connection.id, old.ended.get(one.connection.id) ?? one])),
    bound: snapshot.bound ?? null,
    counters: snapshot.counters,
    events: withEvents(old.events, snapshot.events),
  };
}

/** The state after a delta. */
export function withDelta(old: State, delta: Delta): State {
  let { topology, usage, connections, events } = old;
  if (delta.topology) {
    topology = sameShape(topology, delta.topology) ? topology : delta.topology;
    usage = byPort(delta.topology.links);
  }
  if (delta.links?.length) {
    usage = new Map([...usage, ...byPort(delta.links)]);
  }
  if (delta.connections?.length || delta.closed?.length) {
    const changed = new Map(connections);
    delta.connections?.forEach((connection) => changed.set(connection.id, connection));
    delta.closed?.forEach((id) => changed.delete(id));
    connections = changed;
  }
  const settings = delta.settings ?? old.settings;
  const ended = endedSince(old, connections, delta.millis, settings.retentionSeconds);
  if (delta.events?.length) {
    events = withEvents(events, delta.events);
  }
  return {
    version: old.version,
    millis: delta.millis,
    settings, topology, usage, connections, ended, events,
    bound: delta.bound === undefined ? old.bound : delta.bound,
    counters: delta.counters ? { ...old.counters, ...delta.counters } : old.counters,
  };
}

/** Connections that have ended, with those of `old` that are not in `connections` any more; for the time that ONOS keeps them. */
function endedSince(old: State, connections: State['connections'], millis: number, retentionSeconds: number): State['ended'] {
  const over = [...old.connections.values()].filter(({ id, state }) => !connections.has(id) && state !== 'idle')
    .map((connection) => ({ connection, endedMillis: millis }));
  const isLate = ({ connection, endedMillis }: EndedConnection) => (
    connections.has(connection.id) || millis - endedMillis > retentionSeconds * 1000);
  const first = [...old.ended.values()].find(isLate);
  return !over.length && !first ? old.ended
    : new Map([...old.ended.values(), ...over].filter((one) => !isLate(one)).slice(-MOST_ENDED).map((one) => [one.connection.id, one]));
}

function byPort(links: readonly LinkUsage[]): Map<string, LinkUsage> {
  return new Map(links.map((link) => [link.source, link]));
}

function withEvents(old: State['events'], added: readonly LifeEvent[]): State['events'] {
  const events = new Map(old);
  const fresh = new Map<string, LifeEvent[]>();
  for (const event of added) {
    fresh.set(event.connection, [...(fresh.get(event.connection) ?? []), event]);
  }
  // What a snapshot tells may be known, or come once more with the next delta.
  fresh.forEach((list, id) => events.set(id, mergedEvents(events.get(id) ?? [], list).slice(-MOST_EVENTS)));
  return events;
}

/** The newest events of several connections, newest first. */
export function latestEvents(byConnection: Iterable<readonly LifeEvent[]>, most: number): LifeEvent[] {
  return [...byConnection].flatMap((events) => events.slice(-most)).sort((a, b) => b.millis - a.millis).slice(0, most);
}

/** ONOS joins changes of a share within this time to one event, which replaces the earlier ones. */
const SHARE_MILLIS = 2000;

/** Merges two lists of one connection's events: oldest first, without duplicates. */
export function mergedEvents(first: readonly LifeEvent[], second: readonly LifeEvent[]): LifeEvent[] {
  const seen = new Map<string, LifeEvent>();
  for (const event of [...first, ...second]) {
    seen.set(`${event.millis} ${event.type} ${event.subflow} ${event.text}`, event);
  }
  const merged: LifeEvent[] = [];
  let share: { since: number; at: number } | null = null;
  for (const event of [...seen.values()].sort((a, b) => a.millis - b.millis)) {
    if (event.type !== 'share') {
      merged.push(event);
    } else if (share && event.millis - share.since < SHARE_MILLIS) {
      merged.splice(share.at, 1);
      share.at = merged.push(event) - 1;
    } else {
      share = { since: event.millis, at: merged.push(event) - 1 };
    }
  }
  return merged;
}
