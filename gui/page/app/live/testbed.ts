// SPDX-License-Identifier: Apache-2.0
import { computed, effect, Injectable, signal, untracked } from '@angular/core';
import { askTestbed, fromTestbed } from './api';

/** What a demonstration has: the names of hosts and links, and the two ports of each link by its name. */
interface Names {
  readonly hosts: readonly string[];
  readonly links: readonly string[];
  readonly ports: Readonly<Record<string, readonly string[]>>;
}

const NONE: Names = { hosts: [], links: [], ports: {} };

/** The testbed of the demonstration whose page this is. On the page of any other ONOS it has no names, and nothing is asked. */
@Injectable({ providedIn: 'root' })
export class Testbed {
  private readonly names = signal(NONE);
  /** Whether there was a demonstration here, which has ended or does not answer. */
  readonly hasEnded = signal(false);
  readonly hosts = computed(() => this.names().hosts);
  readonly links = computed(() => this.names().links);
  private readonly byPort = computed(() => new Map(
    Object.entries(this.names().ports).flatMap(([name, ports]) => ports.map((port) => [port, name] as const))));

  constructor() {
    effect(() => {
      if (fromTestbed()) {
        this.hasEnded.set(false);
        void this.ask();
      } else {
        this.hasEnded.update((ended) => ended || untracked(this.names) !== NONE);
        this.names.set(NONE);
      }
    });
  }

  private async ask(): Promise<void> {
    try {
      const names = await askTestbed<Names>('names');
      this.names.set(fromTestbed() ? names : NONE);
    } catch {
      // Without names nothing is offered.
    }
  }

  /** What the testbed calls the link that one of these ports belongs to; undefined if it has none. */
  linkAt(port: string): string | undefined {
    return this.byPort().get(port);
  }

  /** The two ports of a link, by its name here. */
  portsOf(link: string): readonly string[] {
    return this.names().ports[link] ?? [];
  }

  /** Takes a link down or up, or gives it a capacity, Mbit/s in each direction. Tells what was done. */
  async setLink(place: string, what: string): Promise<string> {
    return (await askTestbed<{ line: string }>('link', { place, what })).line;
  }

  /** Begins a transfer. Tells what was done when its hosts are connected. */
  async transfer(source: string, target: string, seconds: number, tcp: boolean): Promise<string> {
    return (await askTestbed<{ line: string }>('transfer', { source, target, seconds, tcp })).line;
  }
}
