// SPDX-License-Identifier: Apache-2.0
/**
 * What REST under /onos/v1/mptcp sends. Rates are Mbit/s on the wire; "up" is from the connection's client to its server.
 * A directed link is named by its source port, `device/port`.
 */

export interface Device {
  readonly id: string;
  /** The name ONOS's network configuration gives it; null if none. */
  readonly name: string | null;
}

export interface Host {
  readonly id: string;
  readonly name: string | null;
  readonly mac: string;
  readonly ips: readonly string[];
  readonly device: string;
  readonly port: string;
}

/** One direction of a link. */
export interface LinkUsage {
  readonly source: string;
  readonly target: string;
  readonly capacityMbps: number;
  readonly reservedMbps: number;
  readonly measuredMbps: number;
  /** What passes beside the subflows. */
  readonly othersMbps: number;
  readonly subflows: number;
}

export interface Topology {
  readonly devices: readonly Device[];
  readonly hosts: readonly Host[];
  readonly links: readonly LinkUsage[];
}

export type SubflowState = 'active' | 'backup' | 'blocked' | 'down' | 'idle';
export type ConnectionState = 'pending' | 'active' | 'idle' | 'down';

export interface Subflow {
  readonly src: string;
  readonly dst: string;
  readonly state: SubflowState;
  readonly join: boolean;
  readonly fromClient: boolean;
  /** Switches in order. */
  readonly path: readonly string[];
  /** Source ports of the path's directed links, in order. */
  readonly links?: readonly string[];
  readonly bottleneckMbps: number | null;
  readonly expectedMbps: number;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
  readonly measuredUpMbps: number;
  readonly measuredDownMbps: number;
}

export interface Connection {
  readonly id: string;
  readonly client: string;
  readonly server: string;
  readonly version: number;
  readonly clientToken: string | null;
  readonly serverToken: string | null;
  readonly state: ConnectionState;
  readonly strategy: string;
  readonly createdMillis: number;
  readonly lastActiveMillis: number;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
  readonly measuredUpMbps: number;
  readonly measuredDownMbps: number;
  /** ζ, the largest rate that it could reach: beside what the others are expected to carry, and if all were fair. */
  readonly availableUpMbps?: number;
  readonly availableDownMbps?: number;
  readonly fairUpMbps?: number;
  readonly fairDownMbps?: number;
  readonly subflows: readonly Subflow[];
}

/** Something in a connection's life. */
export interface LifeEvent {
  readonly millis: number;
  readonly connection: string;
  readonly type: string;
  /** `src>dst` of the subflow that it is about; null if it is about the whole connection. */
  readonly subflow: string | null;
  readonly text: string;
  readonly why: string | null;
}

export interface Settings {
  readonly strategy: string;
  readonly allocator: string;
  readonly subflows: number;
  readonly strategies: readonly string[];
}

export type Counters = Readonly<Record<string, number>>;

/** Everything at once. */
export interface Snapshot {
  readonly version: string;
  readonly millis: number;
  readonly settings: Settings;
  readonly topology: Topology;
  readonly connections: readonly Connection[];
  readonly counters: Counters;
}

/** What has changed since the last message; what is absent has not. */
export interface Delta {
  readonly millis: number;
  readonly settings?: Settings;
  readonly topology?: Topology;
  readonly links?: readonly LinkUsage[];
  readonly connections?: readonly Connection[];
  readonly closed?: readonly string[];
  readonly counters?: Counters;
  readonly events?: readonly LifeEvent[];
}

export interface WhatIfQuestion {
  readonly client: string;
  readonly server: string;
  readonly k: number;
  readonly strategies: readonly string[];
}

export interface WhatIfAnswer {
  readonly strategy: string;
  /** Why there is no answer; null if there is one. */
  readonly error: string | null;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
  readonly micros: number;
  readonly subflows: readonly WhatIfSubflow[];
}

export interface WhatIfSubflow {
  readonly state: SubflowState;
  readonly path: readonly string[];
  readonly links?: readonly string[];
  readonly bottleneckMbps: number | null;
  readonly expectedUpMbps: number;
  readonly expectedDownMbps: number;
}
