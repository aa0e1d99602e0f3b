// SPDX-License-Identifier: Apache-2.0
import { signal } from '@angular/core';
import { NO_SAMPLES } from '../model/past';
import { Agent, AllSettings, Bound, Connection, Counters, EndedConnection, Failure, LifeEvent, Overlay, PlannedMove, ShareLimits,
         Snapshot, Topology, WhatIfAnswer, WhatIfQuestion } from '../model/wire';

/** REST's path; its origin is always the page's. */
export const REST = '/onos/v1/mptcp';

/** What the page wants to know of the ONOS nodes, as one of them knows them. */
export interface Cluster {
  /** Why no node decides about connections; null while one does. */
  readonly message: string | null;
  /** The addresses of the other nodes: IP addresses, IPv6 without brackets, or host names. */
  readonly others: readonly string[];
}

/** Where a demonstration's testbed is asked, and the header of all answers of one. */
const TESTBED = '/onos/mptcp/testbed';
const TESTBED_MARK = 'Mptcp-Testbed';

const TIMEOUT_MILLIS = 10_000;
/** A transfer may take so long until its hosts are connected, or are known not to be. */
const TESTBED_MILLIS = 40_000;

/** A policy; its other fields are those of ONOS's network configuration. */
export interface Policy {
  readonly name: string;
}

/** Policies in their order, as ONOS's network configuration has them. */
export interface Policies {
  readonly list: readonly Policy[];
  /** Names this list, as HTTP's entity tags do. */
  readonly tag: string;
}

/** ONOS answered with an error. `status` is HTTP's status; the message is for users. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** Whether answers come from a demonstration of the testbed, as the last one of them says. */
export const fromTestbed = signal(false);

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await answer(REST + path, init);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function answer(path: string, init: RequestInit = {}): Promise<Response> {
  let response;
  try {
    response = await fetch(path, {
      credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MILLIS), ...init,
      headers: { Accept: 'application/json', ...init.headers },
    });
  } catch (failure) {
    // One that is only late may come yet.
    fromTestbed.update((before) => before && !(failure instanceof TypeError));
    throw failure;
  }
  fromTestbed.set(response.headers.has(TESTBED_MARK));
  if (!response.ok) {
    throw new Refusal(response.status, await reason(response));
  }
  return response;
}

/** A request that changes something. */
function write(method: 'POST' | 'PUT', body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** What to tell a user of a request that failed. */
export function wordsOf(failure: unknown): string {
  return !(failure instanceof Refusal) ? 'ONOS does not answer. Ask again when it is back.'
    : failure.status === 403 ? 'ONOS refuses this: it takes a user with the role admin.' : failure.message;
}

async function reason(response: Response): Promise<string> {
  try {
    const answer = (await response.json()) as Partial<Failure>;
    if (typeof answer.message === 'string') {
      return answer.message;
    }
  } catch {
    // Without JSON the status is all there is.
  }
  return `ONOS answered with status ${response.status}`;
}

/** The whole state, from several resources. */
export async function snapshot(): Promise<Snapshot> {
  const [settings, topology, connections, bound, counters, events] = await Promise.all([
    ask<AllSettings>('/settings'),
    ask<Topology>('/topology'),
    ask<{ connections: Connection[]; ended: EndedConnection[] }>('/connections'),
    ask<{ bound: Bound | null }>('/bound'),
    ask<{ counters: Counters }>('/counters'),
    ask<{ events: LifeEvent[] }>('/events'),
  ]);
  return {
    version: settings.version, millis: settings.millis, settings, topology,
    connections: connections.connections, ended: connections.ended, bound: bound.bound, counters: counters.counters,
    events: events.events, samples: NO_SAMPLES,
  };
}

/** Makes a small request, to find out whether ONOS answers. Throws Refusal or TypeError if it does not. */
export async function probe(): Promise<void> {
  await ask('/settings');
}

/** Why no node of the ONOS cluster decides about connections (null while one does), and the addresses of its other nodes. */
export async function cluster(): Promise<Cluster> {
  return ask<Cluster>('/cluster');
}

/** Events of a connection that ONOS remembers, oldest first. */
export async function life(connection: string): Promise<LifeEvent[]> {
  return (await ask<{ events: LifeEvent[] }>(`/connections/${encodeURIComponent(connection)}/events`)).events;
}

/** Why a connection is expected to get what it gets. Changes nothing. */
export async function limitsOf(connection: string): Promise<ShareLimits> {
  return ask<ShareLimits>(`/connections/${encodeURIComponent(connection)}/limits`);
}

/** Names of the connections that ONOS's own topology view shows to this user. */
export async function overlay(): Promise<readonly string[]> {
  return (await ask<Overlay>('/overlay')).connections;
}

/** Sets the connections that ONOS's own topology view shows; an empty list hides all. */
export async function setOverlay(connections: readonly string[]): Promise<void> {
  const query = new URLSearchParams(connections.map((id) => ['connection', id]));
  await ask(connections.length ? `/overlay?${query}` : '/overlay', { method: connections.length ? 'PUT' : 'DELETE' });
}

/** How several connections would move for the good of all together, in the order of the moves. Changes nothing. */
export async function backgroundPlan(): Promise<PlannedMove[]> {
  return (await ask<{ moves: PlannedMove[] }>('/plan/background')).moves;
}

/** The paths that strategies would choose between two hosts now. Changes nothing. */
export async function whatIf(question: WhatIfQuestion): Promise<WhatIfAnswer[]> {
  return (await ask<{ answers: WhatIfAnswer[] }>('/whatif', write('POST', question))).answers;
}

/** All settings in force, with what they take. */
export async function allSettings(): Promise<AllSettings> {
  return ask<AllSettings>('/settings');
}

/** Changes settings; the answer has all as they will be. */
export async function changeSettings(values: Readonly<Record<string, string>>): Promise<AllSettings> {
  return ask<AllSettings>('/settings', write('PUT', values));
}

/** The policies in force, and the tag of this list. */
export async function policies(): Promise<Policies> {
  return tagged(await answer(`${REST}/policies`));
}

/** Replaces all policies, unless somebody has changed them since `tag`. */
export async function replacePolicies(list: unknown, tag: string): Promise<Policies> {
  return tagged(await answer(`${REST}/policies`, write('PUT', { policies: list }, { 'If-Match': tag })));
}

async function tagged(response: Response): Promise<Policies> {
  return { list: ((await response.json()) as { policies: Policy[] }).policies, tag: response.headers.get('ETag') ?? '*' };
}

/** Hosts with agents. */
export async function agents(): Promise<Agent[]> {
  return (await ask<{ agents: Agent[] }>('/agents')).agents;
}

/** Moves connections to better paths now; tells which begin to move. */
export async function reoptimise(): Promise<PlannedMove[]> {
  return (await ask<{ moves: PlannedMove[] }>('/reoptimize', { method: 'POST' })).moves;
}

/** Asks the testbed of a demonstration. Throws Refusal, also if it does not answer. */
export async function askTestbed<T>(action: string, args: Readonly<Record<string, string | number | boolean>> = {}): Promise<T> {
  try {
    const response = await answer(TESTBED, { ...write('POST', { action, arguments: args }), signal: AbortSignal.timeout(TESTBED_MILLIS) });
    return (await response.json()) as T;
  } catch (failure) {
    throw failure instanceof Refusal ? failure : new Refusal(0, 'The demonstration does not answer.');
  }
}
