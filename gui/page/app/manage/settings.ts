// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, signal } from '@angular/core';
import { allSettings, changeSettings } from '../live/api';
import { AllSettings } from '../model/wire';
import { Question } from '../shared/question';

/** The settings in force, with what each is for; an admin changes them, all at once or none. */
@Component({
  selector: 'mptcp-settings-form',
  templateUrl: './settings.html',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class SettingsForm {
  private readonly told = signal<AllSettings | null>(null);
  /** What the user has chosen and not saved yet, by setting. */
  protected readonly edited = signal<Readonly<Record<string, string>>>({});
  private readonly question = new Question();
  protected readonly busy = this.question.busy;
  protected readonly failure = this.question.failure;
  protected readonly saved = signal('');

  protected readonly rows = computed(() => {
    const told = this.told() as unknown as Readonly<Record<string, string | number>> | null;
    return this.told()?.descriptions.map((each) => {
      const held = String(told![each.name]);
      const value = this.edited()[each.name] ?? held;
      return { ...each, held, value, isChanged: value !== held, isStandard: value === each.default };
    }) ?? [];
  });
  protected readonly changes = computed(() => this.rows().filter((row) => row.isChanged));

  constructor() {
    void this.load();
  }

  protected edit(name: string, value: string): void {
    this.edited.set({ ...this.edited(), [name]: value.trim() });
    this.saved.set('');
  }

  protected forget(): void {
    this.edited.set({});
    this.failure.set('');
  }

  protected async save(event: Event): Promise<void> {
    event.preventDefault();
    const changes = this.changes();
    await this.ask(async () => {
      this.told.set(await changeSettings(Object.fromEntries(changes.map(({ name, value }) => [name, value]))));
      this.edited.set({});
      this.saved.set(`Changed: ${changes.map(({ name, value }) => `${name} ${value}`).join(', ')}.`);
    });
  }

  private async load(): Promise<void> {
    await this.ask(async () => this.told.set(await allSettings()));
  }

  private async ask(question: () => Promise<void>): Promise<void> {
    this.saved.set('');
    await this.question.ask(question);
  }
}
