// SPDX-License-Identifier: Apache-2.0
import { bootstrapApplication } from '@angular/platform-browser';
import { provideZonelessChangeDetection } from '@angular/core';
import { Page } from './app/page';

bootstrapApplication(Page, { providers: [provideZonelessChangeDetection()] }).catch((error: unknown) => {
  console.error(error);
});
