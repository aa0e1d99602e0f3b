// SPDX-License-Identifier: Apache-2.0
/** Parts of what REST and the stream send, which wire.ts passes on: failures, limits, samples, settings, agents. */
import { Connection, Device } from './wire';

export interface Failed {
  readonly devices: readonly FailedDevice[];
  readonly links: readonly FailedLink[];
}

export interface FailedDevice extends Device {
  /** Since when, milliseconds of the Unix epoch. */
  readonly sinceMillis: number;
}

/** A link that has failed, once for both directions. */
export interface FailedLink extends LinkEnds {
  /** What it had from source to target; null if nobody has seen it up. */
  readonly capacityMbps: number | null;
  readonly sinceMillis: number;
  /** Names of connections that had a subflow on it, a hundred at most. */
  readonly moved: readonly string[];
}

/** A connection that has ended, as it was last. */
export interface EndedConnection {
  /** When, milliseconds of the Unix epoch. */
  readonly endedMillis: number;
  readonly connection: Connection;
}

/** Why a connection is expected to get what it gets, in the direction with the larger expected throughput. */
export interface ShareLimits {
  readonly direction: 'up' | 'down';
  /** Whether it gets all that it sends, or all that its policy allows. */
  readonly limitedByDemand: boolean;
  /** The full links on its paths, path by path. */
  readonly limitedBy: readonly FullLink[];
  /** Links over which all its paths must lead: no more paths than these can be disjoint. */
  readonly minimumCut: readonly LinkEnds[];
}

/** A directed link, by its source port and its target port, and what these are called: `Chicago/3`. */
export interface LinkEnds {
  readonly source: string;
  readonly target: string;
  readonly sourceName: string;
  readonly targetName: string;
}

export interface FullLink extends LinkEnds {
  readonly capacityMbps: number;
  /** What 1 Mbit/s more on this link alone would bring the connection. */
  readonly gainMbps: number;
  /** Names of the connections that use it in this direction, this one too. */
  readonly connections: readonly string[];
}

/** The last minutes: lists of the same length, oldest first; null where there is no figure. */
export interface Samples {
  readonly millis: readonly number[];
  readonly connections: readonly number[];
  readonly subflows: readonly number[];
  readonly measuredMbps: readonly (number | null)[];
  readonly fairness: readonly (number | null)[];
  readonly meanUtilisation: readonly (number | null)[];
  readonly mostUtilisation: readonly (number | null)[];
  readonly rates: readonly SubflowSamples[];
}

/** Rates of one subflow, in the direction in which its connection sent more. */
export interface SubflowSamples {
  readonly connection: string;
  /** The subflow's `src`. */
  readonly subflow: string;
  readonly measuredMbps: readonly (number | null)[];
  readonly expectedMbps: readonly (number | null)[];
}

/** What a setting is for, and what it takes. */
export interface SettingDescription {
  readonly name: string;
  readonly default: string;
  /** A part of a sentence: `a whole number from 1 to 64`. */
  readonly takes: string;
  readonly meaning: string;
  /** The values that it takes, if they are a few. */
  readonly choices: readonly string[];
}

/** A host with an agent. */
export interface Agent {
  readonly host: string;
  readonly addresses: readonly string[];
  /** Milliseconds since its last report; null before the first one. */
  readonly lastReportMillis: number | null;
  readonly backend: string;
  readonly pathManager: string;
  readonly connections: number;
  readonly version: string;
}
