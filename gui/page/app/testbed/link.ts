// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, effect, inject, input, signal } from '@angular/core';
import { Testbed } from '../live/testbed';
import { Question } from '../shared/question';

/** What can be done to a link of a demonstration. */
@Component({
  selector: 'mptcp-testbed-link',
  template: `
    <form class="commands" (submit)="setCapacity($event, box.value)" [attr.aria-label]="'Link ' + link() + ' of the testbed'">
      <button type="button" [disabled]="busy()" (click)="set('down')">Take down</button>
      <button type="button" [disabled]="busy()" (click)="set('up')">Bring up</button>
      <label>Capacity <input #box type="text" inputmode="decimal" required maxlength="12" size="5" autocomplete="off"> Mbit/s</label>
      <button type="submit" [disabled]="busy()">Set</button>
    </form>
    @if (failure()) { <p class="note bad" role="alert">{{ failure() }}</p> }
    @if (done()) { <p class="note" role="status">{{ done() }}</p> }`,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TestbedLink {
  /** Its name in the testbed. */
  readonly link = input.required<string>();

  private readonly testbed = inject(Testbed);
  private readonly question = new Question();
  protected readonly busy = this.question.busy;
  protected readonly failure = this.question.failure;
  protected readonly done = signal('');

  constructor() {
    // What was told is of the link before.
    effect(() => {
      this.link();
      this.question.forget();
      this.done.set('');
    });
  }

  protected async set(what: string): Promise<void> {
    this.done.set('');
    await this.question.ask(() => this.testbed.setLink(this.link(), what), (line) => this.done.set(sentence(line)));
  }

  protected async setCapacity(event: Event, text: string): Promise<void> {
    event.preventDefault();
    await this.set(text.trim());
  }
}

/** What the testbed tells, as a sentence. */
export function sentence(line: string): string {
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}
