// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, inject, linkedSignal, signal } from '@angular/core';
import { whatIf } from '../live/api';
import { Store } from '../live/store';
import { subflowColour } from '../model/colour';
import { delay, mbps, natural } from '../model/format';
import { pathText } from '../model/network';
import { Host, WhatIfAnswer, WhatIfResult } from '../model/wire';
import { Question } from '../shared/question';
import { Highlight, highlightsOfResult } from '../topology/highlight';
import { TopologyView } from '../topology/topology';

interface Shown {
  readonly answer: WhatIfResult;
  readonly highlights: readonly Highlight[];
  readonly lines: readonly { number: number; colour: string; path: string; delay: string; bottleneck: string; up: string; down: string; state: string }[];
}

/** Two strategies side by side: the paths that each would choose between two hosts now, and the expected throughput. */
@Component({
  selector: 'mptcp-what-if',
  templateUrl: './whatif.html',
  imports: [TopologyView],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class WhatIf {
  protected readonly store = inject(Store);
  protected readonly mbps = mbps;
  protected readonly hosts = computed(() => [...this.store.topology().hosts].sort((a, b) => natural(name(a), name(b))));
  protected readonly name = name;
  protected readonly client = linkedSignal(() => this.hosts()[0]?.id ?? '');
  protected readonly server = linkedSignal(() => this.hosts().find((host) => host.device !== this.hosts()[0].device)?.id ?? '');
  protected readonly k = linkedSignal(() => this.store.state().settings.subflows);
  protected readonly strategies = computed(() => this.store.state().settings.strategies);
  protected readonly one = linkedSignal(() => this.store.state().settings.strategy);
  protected readonly two = linkedSignal(() => this.strategies().find((name) => name !== this.store.state().settings.strategy) ?? '');
  private readonly question = new Question();
  protected readonly busy = this.question.busy;
  protected readonly failure = this.question.failure;
  private readonly asked = signal<{ client: string; server: string; answers: WhatIfAnswer[] } | null>(null);

  protected readonly shown = computed(() => {
    const asked = this.asked();
    return (asked?.answers ?? []).map((answer) => ({
      strategy: answer.strategy, error: answer.error,
      result: answer.error === null ? this.show(answer, asked!.client, asked!.server) : null,
    }));
  });
  protected readonly problem = computed(() => {
    if (this.hosts().length < 2) {
      return 'ONOS knows fewer than two hosts. Hosts appear when they have sent a packet: let them ping each other.';
    }
    return this.client() === this.server() ? 'Client and server are the same host.' : '';
  });

  protected async ask(event: Event): Promise<void> {
    event.preventDefault();
    const [client, server] = [this.client(), this.server()];
    const strategies = [...new Set([this.one(), this.two()])].filter(Boolean);
    await this.question.ask(() => whatIf({ client, server, k: this.k(), strategies }), (answers) => this.asked.set({ client, server, answers }));
    if (this.failure()) {
      this.asked.set(null);
    }
  }

  private show(answer: WhatIfResult, client: string, server: string): Shown {
    const network = this.store.network();
    return {
      answer, highlights: highlightsOfResult(network, answer, client, server),
      lines: answer.subflows.map((subflow, index) => ({
        number: index + 1, colour: subflowColour(index), path: pathText(network, subflow.path),
        delay: subflow.delayMillis === null ? '' : ` · ${delay(subflow.delayMillis)}`,
        bottleneck: mbps(subflow.bottleneckMbps), up: mbps(subflow.expectedUpMbps), down: mbps(subflow.expectedDownMbps), state: subflow.state,
      })),
    };
  }

  protected setK(text: string): void {
    this.k.set(Math.max(1, Math.min(64, Math.round(Number(text)) || 1)));
  }
}

function name(host: Host): string {
  const label = host.name || host.ips[0] || host.mac;
  const more = host.name && host.ips[0] ? ` (${host.ips[0]})` : '';
  return label + more;
}
