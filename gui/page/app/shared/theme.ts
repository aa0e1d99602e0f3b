// SPDX-License-Identifier: Apache-2.0
import { computed, effect, Injectable, signal } from '@angular/core';
import { read as stored, write } from './storage';

export type Choice = 'auto' | 'light' | 'dark';

const KEY = 'onos-mptcp.theme';
const CHOICES: readonly Choice[] = ['auto', 'light', 'dark'];

/** Light or dark colours: the system's setting, or the user's choice on this page. */
@Injectable({ providedIn: 'root' })
export class Theme {
  readonly choice = signal<Choice>(read());
  private readonly system = signal(false);
  readonly dark = computed(() => (this.choice() === 'auto' ? this.system() : this.choice() === 'dark'));

  constructor() {
    const query = matchMedia('(prefers-color-scheme: dark)');
    this.system.set(query.matches);
    query.addEventListener('change', (event) => this.system.set(event.matches));
    // At once, because an effect would run after the first charts have read their colours.
    apply(this.dark());
    effect(() => apply(this.dark()));
  }

  next(): void {
    const choice = CHOICES[(CHOICES.indexOf(this.choice()) + 1) % CHOICES.length];
    this.choice.set(choice);
    apply(this.dark());
    write(KEY, choice);
  }
}

function apply(dark: boolean): void {
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

function read(): Choice {
  return CHOICES.find((choice) => choice === stored(KEY)) ?? 'auto';
}
