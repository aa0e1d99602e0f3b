// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, inject, input, linkedSignal, signal } from '@angular/core';
import { Testbed } from '../live/testbed';
import { Question } from '../shared/question';
import { sentence } from './link';

/** Starts a transfer between two hosts of a demonstration. */
@Component({
  selector: 'mptcp-testbed-transfer',
  template: `
    <form class="commands" (submit)="start($event, secondsBox.valueAsNumber, tcpBox.checked)" aria-label="Transfer between hosts of the testbed">
      <label>From <select #sourceBox (change)="source.set(sourceBox.value)">
        @for (host of testbed.hosts(); track host) { <option [value]="host" [selected]="host === source()">{{ host }}</option> }
      </select></label>
      <label>to <select #targetBox (change)="target.set(targetBox.value)">
        @for (host of testbed.hosts(); track host) { <option [value]="host" [selected]="host === target()">{{ host }}</option> }
      </select></label>
      <label>seconds <input #secondsBox type="number" required step="1" value="60"></label>
      <label class="check"><input #tcpBox type="checkbox"> plain TCP</label>
      <button type="submit" [disabled]="busy()">{{ busy() ? 'Starting …' : 'Start a transfer' }}</button>
    </form>
    @if (failure()) { <p class="note bad" role="alert">{{ failure() }}</p> }
    @if (done()) { <p class="note" role="status">{{ done() }}</p> }`,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TestbedTransfer {
  /** The host that sends unless another is chosen; the first one if there is none of that name. */
  readonly from = input('');

  protected readonly testbed = inject(Testbed);
  private readonly question = new Question();
  protected readonly busy = this.question.busy;
  protected readonly failure = this.question.failure;
  protected readonly done = signal('');
  private readonly first = computed(() => (this.testbed.hosts().includes(this.from()) ? this.from() : this.testbed.hosts()[0] ?? ''));
  protected readonly source = linkedSignal(() => this.first());
  protected readonly target = linkedSignal(() => mateOf(this.first(), this.testbed.hosts()));

  protected async start(event: Event, seconds: number, tcp: boolean): Promise<void> {
    event.preventDefault();
    this.done.set('');
    const [source, target] = [this.source(), this.target()];
    await this.question.ask(() => this.testbed.transfer(source, target, seconds, tcp), (line) => this.done.set(sentence(line)));
  }
}

/** The other host of a pair: h1 and h2, h3 and h4, …; another host if there is none. */
function mateOf(host: string, hosts: readonly string[]): string {
  const number = Number(host.slice(1));
  const mate = `${host[0]}${number % 2 ? number + 1 : number - 1}`;
  return hosts.includes(mate) ? mate : hosts.find((other) => other !== host) ?? '';
}
