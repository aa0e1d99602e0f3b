// SPDX-License-Identifier: Apache-2.0
/** The Grafana dashboard in the documents, by Grafana's own published type of dashboards. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import ts from 'typescript';

const TYPES = '../../node_modules/@grafana/schema/dist/types/raw/dashboard/x/types.gen';
const DASHBOARD = readFileSync('../docs/grafana-dashboard.json', 'utf8');

/** What TypeScript says of a dashboard, given as JSON; empty if it is one. Fields that Grafana does not know count, too. */
function complaints(dashboard: string): string[] {
  const file = 'target/grafana/dashboard.ts';
  mkdirSync('target/grafana', { recursive: true });
  writeFileSync(file, `import type { Dashboard } from '${TYPES}';\nexport const dashboard: Dashboard = ${dashboard};\n`);
  const program = ts.createProgram([file], {
    noEmit: true, strict: true, skipLibCheck: true, types: [], module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('the dashboard is one by the schema of Grafana', () => {
  assert.deepEqual(complaints(DASHBOARD), []);
});

test('a slip in the dashboard would be found', () => {
  assert.match(complaints(DASHBOARD.replace('"gridPos"', '"gridPosition"')).join(), /gridPosition/);
  assert.match(complaints(DASHBOARD.replace('"refresh": 1', '"refresh": "often"')).join(), /refresh|often|string/);
});
