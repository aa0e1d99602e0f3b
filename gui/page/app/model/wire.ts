// SPDX-License-Identifier: Apache-2.0
/**
 * What REST and the stream under /onos/v1/mptcp send. Rates are Mbit/s on the wire; "up" is from the connection's client
 * to its server. A directed link is named by its source port, `device/port`.
 *
 * page/test/golden.test.ts holds these types against the golden files of the Java tests, field by field.
 */
import { EndedConnection, Failed, LinkEnds, Samples, SettingDescription } from './wire-parts';

export * from './wire-parts';

export interface Device {
  readonly id: string;
  /** What ONOS calls it, else `s5` for datapath 5, else its identifier. */
  readonly name: string;
  /** Where it stands on the map, degrees; both null if ONOS does not know it. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Where it stands in a drawing, to the right and down; both null if ONOS does not know it. */
  readonly gridX: number | null;
  readonly gridY: number | null;
}

export interface Host {
  readonly id: string;
  readonly name: string | null;
  readonly mac: string;
  readonly ips: readonly string[];
  readonly device: string;
  /** What its switch is called. */
  readonly deviceName: string;
  readonly port: string;
}

/** One direction of a link. */
export interface LinkUsage extends LinkEnds {
  /** `down` for one that has failed, which `GET links` alone lists here. */
  readonly state: 'up' | 'down';
  readonly capacityMbps: number;
  /** What says so: `bandwidthCapacity`, `basic.bandwidth`, `portSpeed` or `unknown`. */
  readonly capacitySource: string;
  readonly delayMillis: number | null;
  readonly reservedMbps: number;
  /** All traffic; null if its counter has not been read twice. */
  readonly measuredMbps: number | null;
  /** Measured traffic beside the subflows. */
  readonly othersMbps: number;
  readonly subflows: number;
  /** Names of its shared-risk link groups. */
  readonly srlg: readonly string[];
}

export interface Topology {
  readonly devices: readonly Device[];
  readonly hosts: readonly Host[];
  readonly links: readonly LinkUsage[];
  /** What has failed, until it is back or ONOS forgets it. */
  readonly failed: Failed;
}

export type SubflowState = 'active' | 'backup' | 'blocked' | 'down' | 'idle';
export type ConnectionState = 'pending' | 'active' | 'idle' | 'down';

export interface Subflow {
  readonly src: string;
  readonly dst: string;
  /** The hosts of its frames, of which one may be a router: MAC address/VLAN. Null if no frame has shown them. */
  readonly srcHost: string | null;
  readonly dstHost: string | null;
  /** What ONOS calls them; null if it has no name for them. */
  readonly srcHostName: string | null;
  readonly dstHostName: string | null;
  readonly state: SubflowState;
  /** Whether its hosts want it as a backup. */
  readonly backup: boolean;
  readonly join: boolean;
  readonly fromClient: boolean;
  /** Switches in order. */
  readonly path: readonly string[];
  /** What they are called, in the same order. */
  readonly pathNames: readonly string[];
  /** Source ports of the path's directed links, in order. */
  readonly links: readonly string[];
  /** Smallest capacity on the path; null without a path. */
  readonly bottleneckMbps: number | null;
  /** The larger one of both directions. */
  readonly expectedMbps: number;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
  /** Null where no counter has been read twice. */
  readonly measuredUpMbps: number | null;
  readonly measuredDownMbps: number | null;
  /** Measured ÷ expected, in the direction for which more is expected; null if nothing is, or nothing was measured. */
  readonly ratio: number | null;
  /** Of its path; null without one, or if the network has no delays. */
  readonly delayMillis: number | null;
}

/** Attainable rates (ζ): the largest rates that a connection could get over all of its paths. */
export interface AttainableRates {
  /** With every other connection at its expected throughput. */
  readonly availableUpMbps: number;
  readonly availableDownMbps: number;
  /** At most the max-min fair share over all paths. */
  readonly fairUpMbps: number;
  readonly fairDownMbps: number;
}

export interface Connection extends AttainableRates {
  readonly id: string;
  readonly client: string;
  readonly server: string;
  readonly version: number;
  readonly clientToken: string | null;
  readonly serverToken: string | null;
  /** Whether the server takes no further subflow to its address and port (flag C of MP_CAPABLE). */
  readonly deniesJoins: boolean;
  readonly state: ConnectionState;
  /** Name of the policy that it is managed by; null if none matches. */
  readonly policy: string | null;
  readonly strategy: string;
  /** What the connection would send at most, as far as it has shown that; null if that is unknown or has no limit. */
  readonly demandUpMbps: number | null;
  readonly demandDownMbps: number | null;
  /** Whether the host that sends more has an agent that has reported the connection within five seconds. */
  readonly agent: boolean;
  /** Until when a connection is awaited that an operator has added; null once it has started. */
  readonly awaitedUntilMillis: number | null;
  readonly createdMillis: number;
  readonly lastActiveMillis: number;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
  /** Null where no counter has been read twice. */
  readonly measuredUpMbps: number | null;
  readonly measuredDownMbps: number | null;
  /** Measured ÷ expected, in the direction for which more is expected; null if nothing is, or nothing was measured. */
  readonly ratio: number | null;
  /** In which ways the paths of the active subflows are disjoint: `link`, `node`, `srlg`. */
  readonly disjointIn: readonly string[];
  readonly subflows: readonly Subflow[];
}

export type LifeEventType = 'opened' | 'woken' | 'joined' | 'parked' | 'blocked' | 'moved' | 'lost' | 'restored' | 'left'
  | 'share' | 'installed' | 'down' | 'idle' | 'demoted' | 'closed';

/** Something in a connection's life. */
export interface LifeEvent {
  readonly millis: number;
  readonly connection: string;
  readonly type: LifeEventType;
  /** `src>dst` of the subflow that it is about; null if it is about the whole connection. */
  readonly subflow: string | null;
  readonly text: string;
  readonly why: string | null;
}

export interface Settings {
  readonly strategy: string;
  readonly allocator: string;
  readonly subflows: number;
  /** For how long idle and ended connections are remembered. */
  readonly retentionSeconds: number;
  readonly strategies: readonly string[];
}

/** The settings resource tells more than the stream does. */
export interface AllSettings extends Settings {
  readonly version: string;
  readonly millis: number;
  readonly joinPolicy: string;
  readonly idleSeconds: number;
  readonly plainIdleSeconds: number;
  readonly mostSubflows: number;
  readonly reoptimisePercent: number;
  readonly backgroundPlan: number;
  readonly manageAfterMillis: number;
  readonly manageAfterBytes: number;
  readonly mostConnections: number;
  readonly mostConnectionsPerHost: number;
  readonly agentSubflows: string;
  readonly announceSeconds: number;
  readonly pathLabels: string;
  readonly disjoint: string;
  readonly maxDelayMillis: number;
  readonly maxDelaySpreadMillis: number;
  readonly descriptions: readonly SettingDescription[];
}

/** How close the expected throughputs of all connections come to the best of any routing. */
export interface Bound {
  /** When they were compared, milliseconds of the Unix epoch. */
  readonly millis: number;
  /** How many connections there were. */
  readonly connections: number;
  /** The sum in the best routing. */
  readonly sumMbps: number;
  /** Sum of the expected throughputs ÷ that of the best routing. */
  readonly sumFraction: number;
  /** The smallest share in the best routing; null if every connection has what it sends. */
  readonly smallestMbps: number | null;
  readonly smallestFraction: number;
}

/** A connection on the paths to which a background plan would move it; rates are those after all moves. */
export interface PlannedMove {
  readonly id: string;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
  readonly subflows: readonly Subflow[];
}

export type Counters = Readonly<Record<string, number>>;

/** The stream's event `snapshot`: everything at once. */
export interface Snapshot {
  readonly version: string;
  readonly millis: number;
  readonly settings: Settings;
  readonly topology: Topology;
  /** Null without connections, or if the best routing takes too much work. */
  readonly bound: Bound | null;
  readonly connections: readonly Connection[];
  readonly ended: readonly EndedConnection[];
  readonly counters: Counters;
  /** The newest of all connections, oldest first; none where the page polls. */
  readonly events: readonly LifeEvent[];
  readonly samples: Samples;
}

/** The stream's event `delta`: what has changed since the last message. What is absent has not changed. */
export interface Delta {
  readonly millis: number;
  readonly settings?: Settings;
  readonly topology?: Topology;
  readonly links?: readonly LinkUsage[];
  readonly connections?: readonly Connection[];
  readonly closed?: readonly string[];
  readonly bound?: Bound | null;
  readonly counters?: Counters;
  readonly events?: readonly LifeEvent[];
}

/** The stream's event `attainable`, for hosts that follow nothing else; a `delta` tells the page the same. */
export interface AttainableChange {
  readonly millis: number;
  readonly connections: readonly NamedAttainableRates[];
}

export interface NamedAttainableRates extends AttainableRates {
  /** The connection's name. */
  readonly id: string;
}

export interface WhatIfQuestion {
  readonly client: string;
  readonly server: string;
  readonly k: number;
  readonly strategies: readonly string[];
}

/** What one strategy would do. */
export interface WhatIfResult {
  readonly strategy: string;
  readonly error: null;
  /** The larger one of both directions. */
  readonly expectedMbps: number;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
  readonly micros: number;
  readonly subflows: readonly Subflow[];
}

/** Why there is no result for a strategy. */
export interface WhatIfFailure {
  readonly strategy: string;
  readonly error: string;
}

export type WhatIfAnswer = WhatIfResult | WhatIfFailure;

/** The connections that ONOS's own topology view shows to the user who asks. */
export interface Overlay {
  /** Whether anything is shown. */
  readonly shown: boolean;
  /** Their names; none for the few largest. */
  readonly connections: readonly string[];
}

/** What comes with a status of 400 and above. */
export interface Failure {
  readonly code: number;
  readonly message: string;
}
