// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, signal } from '@angular/core';
import { policies, Policies, replacePolicies } from '../live/api';
import { Question } from '../shared/question';

/** The policies in their order, as JSON that an admin changes. Nothing is lost that somebody else has written meanwhile. */
@Component({
  selector: 'mptcp-policies-form',
  templateUrl: './policies.html',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class PoliciesForm {
  private readonly told = signal<Policies | null>(null);
  /** What the user has typed; null while nothing is typed. */
  protected readonly typed = signal<string | null>(null);
  private readonly question = new Question();
  protected readonly busy = this.question.busy;
  protected readonly failure = this.question.failure;
  protected readonly saved = signal('');

  protected readonly text = computed(() => this.typed() ?? written(this.told()));
  protected readonly isChanged = computed(() => this.text() !== written(this.told()));
  protected readonly rows = computed(() => (this.told()?.list ?? []).map(({ name, ...terms }) => ({
    name, terms: Object.entries(terms).map(([field, value]) => `${field} ${Array.isArray(value) ? value.join(', ') : String(value)}`).join(' · '),
  })));
  protected readonly isTold = computed(() => this.told() !== null);

  constructor() {
    void this.load();
  }

  protected edit(text: string): void {
    this.typed.set(text);
    this.saved.set('');
  }

  protected async load(): Promise<void> {
    await this.ask(async () => {
      this.told.set(await policies());
      this.typed.set(null);
    });
  }

  protected async save(event: Event): Promise<void> {
    event.preventDefault();
    let list: unknown;
    try {
      list = JSON.parse(this.text());
    } catch (failure) {
      this.failure.set(`This is not JSON: ${(failure as Error).message}`);
      return;
    }
    await this.ask(async () => {
      this.told.set(await replacePolicies(list, this.told()!.tag));
      this.typed.set(null);
      this.saved.set('Saved. Connections that begin from now on follow it.');
    });
  }

  private async ask(question: () => Promise<void>): Promise<void> {
    this.saved.set('');
    await this.question.ask(question);
  }
}

function written(told: Policies | null): string {
  return told ? JSON.stringify(told.list, null, 2) : '';
}
