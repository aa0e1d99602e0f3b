// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, inject, signal } from '@angular/core';
import { agents, reoptimise, wordsOf } from '../live/api';
import { Store } from '../live/store';
import { count, span } from '../model/format';
import { Agent } from '../model/wire';
import { addressOf } from '../shared/address';
import { Question } from '../shared/question';
import { PoliciesForm } from './policies';
import { SettingsForm } from './settings';

/** What an admin changes: settings, policies, paths that could be better; and the hosts with agents. */
@Component({
  selector: 'mptcp-manage',
  templateUrl: './manage.html',
  imports: [PoliciesForm, SettingsForm],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ManagePage {
  private readonly store = inject(Store);
  protected readonly span = span;
  protected readonly hosts = signal<readonly Agent[] | null>(null);
  protected readonly failure = signal('');
  private readonly question = new Question();
  protected readonly busy = this.question.busy;
  protected readonly refusal = this.question.failure;
  /** Connections that have begun to move; null before the first question. */
  protected readonly moved = signal<readonly { id: string; name: string; address: string }[] | null>(null);
  protected readonly count = count;

  constructor() {
    void this.look();
  }

  protected async look(): Promise<void> {
    try {
      this.hosts.set(await agents());
      this.failure.set('');
    } catch (failure) {
      this.failure.set(wordsOf(failure));
    }
  }

  protected async reoptimise(): Promise<void> {
    this.moved.set(null);
    await this.question.ask(async () => this.moved.set((await reoptimise()).map(({ id }) => {
      const known = this.store.state().connections.get(id);
      return { id, name: known ? `${known.client} → ${known.server}` : id, address: addressOf(id) };
    })));
  }
}
