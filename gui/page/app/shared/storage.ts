// SPDX-License-Identifier: Apache-2.0
/** The browser's storage for what users have chosen. Without access to it, choices last until the page is closed. */

/** What is stored under a name; null if nothing is, or there is no access. */
export function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a text under a name, if there is access. */
export function write(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // The choice lasts until the page is closed.
  }
}
