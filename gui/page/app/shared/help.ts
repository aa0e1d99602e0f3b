// SPDX-License-Identifier: Apache-2.0
import { ChangeDetectionStrategy, Component, computed, ElementRef, input, viewChild } from '@angular/core';
import { TermKey, TERMS } from '../model/terms';

/** Number of bubbles so far: each has an identifier of its own. */
let bubbles = 0;
const MARGIN = 8;

/** A question mark; what a term means is in a bubble that it opens. */
@Component({
  selector: 'mptcp-help',
  template: `<button #mark type="button" class="help" [attr.popovertarget]="id" [attr.aria-label]="'What is ' + term().name + '?'">?</button>
    <span #bubble popover role="note" class="bubble" [id]="id" (toggle)="place()">{{ term().meaning }}</span>`,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Help {
  readonly of = input.required<TermKey>();
  protected readonly id = `help-${bubbles++}`;
  protected readonly term = computed(() => TERMS[this.of()]);
  private readonly mark = viewChild.required<ElementRef<HTMLElement>>('mark');
  private readonly bubble = viewChild.required<ElementRef<HTMLElement>>('bubble');

  /** Puts the bubble below its mark, or above it where the window ends. */
  protected place(): void {
    const [at, { style, offsetWidth, offsetHeight }] = [this.mark().nativeElement.getBoundingClientRect(), this.bubble().nativeElement];
    const below = at.bottom + MARGIN / 2;
    style.left = `${Math.max(MARGIN, Math.min(at.left, innerWidth - offsetWidth - MARGIN))}px`;
    style.top = `${below + offsetHeight > innerHeight ? at.top - offsetHeight - MARGIN / 2 : below}px`;
  }
}
