// SPDX-License-Identifier: Apache-2.0
import { Injectable, signal } from '@angular/core';
import { ShareLimits } from '../model/wire';

/** What ONOS told last of what limits a connection; null unless the user looks at it. The details and the drawing show it. */
@Injectable({ providedIn: 'root' })
export class Reasons {
  readonly told = signal<{ readonly connection: string; readonly limits: ShareLimits; readonly millis: number } | null>(null);
}
