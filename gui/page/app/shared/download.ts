// SPDX-License-Identifier: Apache-2.0

/** Has the browser save a text as a file, whose name says what it is: `.csv` or `.svg`. */
export function download(name: string, text: string): void {
  const type = name.endsWith('.svg') ? 'image/svg+xml' : 'text/csv';
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}
