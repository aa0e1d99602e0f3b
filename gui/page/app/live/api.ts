// SPDX-License-Identifier: Apache-2.0
import { NO_SAMPLES } from '../model/past';
import { AllSettings, Bound, Connection, Counters, Failure, LifeEvent, Overlay, PlannedMove, ShareLimits,
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

const TIMEOUT_MILLIS = 10_000;

/** ONOS answered with an error. `status` is HTTP's status; the message is for users. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(REST + path, {
    credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MILLIS), ...init,
    headers: { Accept: 'application/json', ...init.headers },
  });
  if (!response.ok) {
    throw new Refusal(response.status, await reason(response));
  }
  return (response.status === 204 ? undefined : await response.json()) as T;
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
    ask<{ connections: Connection[] }>('/connections'),
    ask<{ bound: Bound | null }>('/bound'),
    ask<{ counters: Counters }>('/counters'),
    ask<{ events: LifeEvent[] }>('/events'),
  ]);
  return {
    version: settings.version, millis: settings.millis, settings, topology,
    connections: connections.connections, bound: bound.bound, counters: counters.counters,
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
  const answer = await ask<{ answers: WhatIfAnswer[] }>('/whatif', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question),
  });
  return answer.answers;
}
