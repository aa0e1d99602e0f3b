// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../app/live/api';
import { Contact, Feed } from '../app/live/feed';
import { EMPTY, mergedEvents, withDelta, withSnapshot } from '../app/model/state';
import { neighbour, widthOf } from '../app/topology/drawing';
import { NO_SAMPLES } from '../app/model/past';
import { LifeEvent, Snapshot } from '../app/model/wire';
import { connection, diamond } from './examples';

const settings = { strategy: 'widest-disjoint', allocator: 'max-min', subflows: 3, retentionSeconds: 300, strategies: [] };

function snapshot(): Snapshot {
  return { version: '1', millis: 1000, settings, topology: diamond(), connections: [connection('a', [])], ended: [], bound: null, counters: { syn: 1 },
           events: [], samples: NO_SAMPLES };
}

function event(millis: number, text = 'moved'): LifeEvent {
  return { millis, connection: 'a', type: 'moved', subflow: null, text, why: null };
}

test('a delta changes what it names and leaves the rest as it is', () => {
  const before = withSnapshot(EMPTY, snapshot());
  const after = withDelta(before, { millis: 2000, connections: [connection('b', [])], closed: ['a'], events: [event(1500)] });
  assert.deepEqual([...after.connections.keys()], ['b']);
  assert.equal(after.topology, before.topology);
  assert.equal(after.usage, before.usage);
  assert.equal(after.counters, before.counters);
  assert.equal(after.events.get('a')!.length, 1);
  assert.equal(before.connections.size, 1, 'the old state is left alone');
});

test('usage changes link by link and does not touch the drawn network', () => {
  const before = withSnapshot(EMPTY, snapshot());
  const link = { ...diamond().links[0], measuredMbps: 7 };
  const after = withDelta(before, { millis: 2000, links: [link] });
  assert.equal(after.usage.get(link.source)!.measuredMbps, 7);
  assert.equal(after.usage.size, 12);
  assert.equal(after.topology, before.topology);
});

test('the bound stays until another one, or none, is told', () => {
  const bound = { millis: 1500, connections: 1, sumMbps: 30, sumFraction: 0.5, smallestMbps: null, smallestFraction: 1 };
  const known = withDelta(withSnapshot(EMPTY, snapshot()), { millis: 2000, bound });
  assert.equal(withDelta(known, { millis: 3000 }).bound, bound);
  assert.equal(withDelta(known, { millis: 3000, bound: null }).bound, null);
});

test('what ends stays for the retention time, and a thousand at most', () => {
  const open = withSnapshot(EMPTY, { ...snapshot(), connections: [connection('a', []), connection('idle', [], { state: 'idle' })],
                                     ended: [{ connection: connection('before', []), endedMillis: 500 }] });
  assert.deepEqual([...open.ended.keys()], ['before']);
  const closed = withDelta(open, { millis: 2000, closed: ['a', 'idle'] });
  assert.deepEqual([...closed.ended].map(([id, { endedMillis }]) => [id, endedMillis]), [['before', 500], ['a', 2000]]);
  assert.equal(withDelta(closed, { millis: 3000 }).ended, closed.ended, 'nothing has changed');
  assert.deepEqual([...withDelta(closed, { millis: 301_000 }).ended.keys()], ['a']);
  assert.deepEqual([...withDelta(closed, { millis: 3000, connections: [connection('a', [])] }).ended.keys()], ['before'], 'it is there again');
  const many = [...Array(1200).keys()].map((i) => connection(`c${i}`, []));
  const all = withDelta(EMPTY, { millis: 1, settings, connections: many });
  assert.equal(withDelta(all, { millis: 2, closed: many.map(({ id }) => id) }).ended.size, 1000);
});

test('events of before come with a snapshot, each once', () => {
  const first = withSnapshot(EMPTY, { ...snapshot(), events: [event(500), event(600)] });
  const again = withSnapshot(withDelta(first, { millis: 2000, events: [event(600), event(1500)] }), { ...snapshot(), events: [event(600), event(1500)] });
  assert.deepEqual(again.events.get('a')!.map((one) => one.millis), [500, 600, 1500]);
});

test('the same network again is the same drawing', () => {
  const before = withSnapshot(EMPTY, snapshot());
  assert.equal(withSnapshot(before, snapshot()).topology, before.topology);
});

test('events that came twice are told once, in order', () => {
  assert.deepEqual(mergedEvents([event(1), event(2)], [event(2), event(3)]).map((one) => one.millis), [1, 2, 3]);
});

test('changes of a share within one while are told as the last of them', () => {
  const share = (millis: number): LifeEvent => ({ ...event(millis), type: 'share' });
  const told = mergedEvents([share(1000), event(1200), share(1500)], [share(2900), share(3100), event(3200), share(4000)]);
  assert.deepEqual(told.map((one) => one.millis), [1200, 2900, 3200, 4000]);
});

test('widths grow with rates and stay drawable', () => {
  const widths = [0, 1, 10, 100, 1e4, 1e9].map(widthOf);
  assert.deepEqual(widths, [...widths].sort((a, b) => a - b));
  assert.ok(widths[0] >= 1 && widths[5] <= 8);
});

test('arrow keys go to the node that lies that way', () => {
  const places = [{ id: 'm', x: 0, y: 0 }, { id: 'right', x: 10, y: 1 }, { id: 'far', x: 30, y: 0 }, { id: 'down', x: 2, y: 10 }];
  assert.equal(neighbour(places, places[0], 1, 0), 'right');
  assert.equal(neighbour(places, places[0], 0, 1), 'down');
  assert.equal(neighbour(places, places[0], -1, 0), null);
});

/** An outside that tests control: streams that they speak for, and a clock that they move. */
class Stage {
  readonly contacts: Contact[] = [];
  readonly streams: (EventTarget & { closed: boolean; close(): void })[] = [];
  answer: () => unknown = () => ({});
  private tasks: { at: number; task: () => void }[] = [];
  private now = 0;

  readonly feed = new Feed({
    snapshot: () => undefined, delta: () => undefined,
    contact: (contact) => this.contacts[this.contacts.length - 1] !== contact && this.contacts.push(contact),
  }, {
    stream: () => {
      const stream = Object.assign(new EventTarget(), { closed: false, close() { this.closed = true; } });
      this.streams.push(stream);
      return stream as unknown as EventSource;
    },
    probe: async () => void this.answer(),
    snapshot: async () => this.answer() as Snapshot,
    after: (millis, task) => {
      const entry = { at: this.now + millis, task };
      this.tasks.push(entry);
      return () => (this.tasks = this.tasks.filter((other) => other !== entry));
    },
  });

  say(kind: string): void {
    this.streams[this.streams.length - 1].dispatchEvent(Object.assign(new Event(kind), { data: '{}' }));
  }

  async pass(millis: number): Promise<void> {
    const end = this.now + millis;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.tasks.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) {
        break;
      }
      this.now = next.at;
      this.tasks = this.tasks.filter((entry) => entry !== next);
      next.task();
    }
    this.now = end;
  }
}

const gone = () => { throw new TypeError('network'); };
const refuse = (status: number) => () => { throw new Refusal(status, ''); };

test('the feed says that ONOS has gone, and comes back by itself', async () => {
  const stage = new Stage();
  stage.feed.start();
  stage.say('snapshot');
  stage.answer = gone;
  stage.say('error');
  await stage.pass(10_000);
  assert.deepEqual(stage.contacts, ['connecting', 'live', 'gone']);
  stage.answer = () => ({});
  await stage.pass(5_000);
  stage.say('snapshot');
  assert.deepEqual(stage.contacts, ['connecting', 'live', 'gone', 'live']);
  assert.ok(stage.streams.slice(0, -1).every((stream) => stream.closed));
});

test('silence counts as loss', async () => {
  const stage = new Stage();
  stage.feed.start();
  stage.say('snapshot');
  stage.answer = gone;
  await stage.pass(6_000);
  assert.equal(stage.contacts.at(-1), 'gone');
});

test('where streams fail but REST answers, the page polls, and tries the stream again', async () => {
  const stage = new Stage();
  stage.feed.start();
  stage.say('error');
  await stage.pass(600);
  stage.say('error');
  await stage.pass(10);
  assert.equal(stage.contacts.at(-1), 'polling');
  const before = stage.streams.length;
  await stage.pass(60_000);
  assert.ok(stage.streams.length > before);
});

test('a refused login and a missing application are told apart from a missing ONOS', async () => {
  for (const [status, contact] of [[401, 'refused'], [403, 'refused'], [404, 'absent'], [503, 'absent']] as const) {
    const stage = new Stage();
    stage.answer = refuse(status);
    stage.feed.start();
    stage.say('error');
    await stage.pass(10);
    assert.equal(stage.contacts.at(-1), contact);
  }
});

test('a stopped feed stays silent', async () => {
  const stage = new Stage();
  stage.feed.start();
  stage.feed.stop();
  stage.say = () => undefined;
  const before = stage.streams.length;
  await stage.pass(60_000);
  assert.equal(stage.streams.length, before);
});
