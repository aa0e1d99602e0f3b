// SPDX-License-Identifier: Apache-2.0
import { AllSettings, Connection, Counters, Failure, LifeEvent, Overlay, Snapshot, Topology, WhatIfAnswer, WhatIfQuestion } from '../model/wire';

/** Where REST is: the same origin as the page, always. */
export const REST = '/onos/v1/mptcp';

const PATIENCE_MILLIS = 10_000;

/** ONOS answered, but not with what was asked for. `status` is HTTP's; the message is for people. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(REST + path, {
    credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MILLIS), ...init,
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
    // No JSON: the status has to do.
  }
  return `ONOS answered with status ${response.status}`;
}

/** The state in one piece, from the resources that everybody can ask. */
export async function snapshot(): Promise<Snapshot> {
  const [settings, topology, connections, counters] = await Promise.all([
    ask<AllSettings>('/settings'),
    ask<Topology>('/topology'),
    ask<{ connections: Connection[] }>('/connections'),
    ask<{ counters: Counters }>('/counters'),
  ]);
  return {
    version: settings.version, millis: settings.millis, settings, topology,
    connections: connections.connections, counters: counters.counters,
  };
}

/** Asks for something small, to find out whether ONOS is there; throws Refusal or TypeError if not. */
export async function probe(): Promise<void> {
  await ask('/settings');
}

/** The remembered life of a connection, oldest first. */
export async function life(connection: string): Promise<LifeEvent[]> {
  return (await ask<{ events: LifeEvent[] }>(`/connections/${encodeURIComponent(connection)}/events`)).events;
}

/** Names of the connections that ONOS's own topology view shows to this user. */
export async function overlay(): Promise<readonly string[]> {
  return (await ask<Overlay>('/overlay')).connections;
}

/** Shows connections on ONOS's own topology view, in place of those shown before; none for nothing. */
export async function setOverlay(connections: readonly string[]): Promise<void> {
  const query = new URLSearchParams(connections.map((id) => ['connection', id]));
  await ask(connections.length ? `/overlay?${query}` : '/overlay', { method: connections.length ? 'PUT' : 'DELETE' });
}

/** What strategies would choose between two hosts now. Changes nothing. */
export async function whatIf(question: WhatIfQuestion): Promise<WhatIfAnswer[]> {
  const answer = await ask<{ answers: WhatIfAnswer[] }>('/whatif', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question),
  });
  return answer.answers;
}
