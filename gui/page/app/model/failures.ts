// SPDX-License-Identifier: Apache-2.0
/** What is wrong with the network, in words. Pure functions. */
import { called } from './ends';
import { clock, count, mbps } from './format';
import { linkText, Network } from './network';
import { State } from './state';
import { Connection, FailedLink, LinkUsage } from './wire';

const MOST_NAMED = 3;

/** When a link failed, and what it had. */
export function failedText({ sinceMillis, capacityMbps }: FailedLink): string {
  return `since ${clock(sinceMillis)}${capacityMbps === null ? '' : `; it had ${mbps(capacityMbps)} Mbit/s`}`;
}

/** The connections that have left a failed link. */
export function movedFrom({ moved }: FailedLink, connections: ReadonlyMap<string, Connection>): { id: string; name: string }[] {
  return called(moved, connections);
}

/** What an operator has to know at once: full flow tables, silent agents, links without a known capacity. */
export function alarmsOf({ counters, usage }: Pick<State, 'counters' | 'usage'>, network: Network): string[] {
  const full = counters['flow-tables.full'] ?? 0;
  const silent = (counters['agents.known'] ?? 0) - (counters['agents.reporting'] ?? 0);
  const unknown = [...usage.values()].filter((link) => link.capacitySource === 'unknown');
  return [
    ...(full > 0 ? [`${count(full, 'switch has a full flow table', 'switches have full flow tables')}: new connections there get plain forwarding.`] : []),
    ...(silent > 0 ? [`${count(silent, 'agent is', 'agents are')} silent: rates at ${silent === 1 ? 'its host' : 'their hosts'} are not limited, and no subflows opened.`] : []),
    ...(unknown.length ? [`ONOS knows no capacity of ${count(unknown.length, 'direction')} of links (${named(unknown, network)}): state it in the network configuration.`] : []),
  ];
}

function named(links: readonly LinkUsage[], network: Network): string {
  const names = links.slice(0, MOST_NAMED).map((link) => linkText(network, link.source, link.target));
  return names.join(', ') + (links.length > MOST_NAMED ? ', …' : '');
}
