// SPDX-License-Identifier: Apache-2.0
// Compares the answers of the replaying server with those of REST.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { goldenFolder, LOGIN, replay } from './browser.mjs';

test('the replaying server answers with the fields that REST really has', async () => {
  const server = await replay('diamond');
  try {
    await server.control({ open: 1, id: 'over' });
    await server.control({ close: 'over' });
    for (const [golden, answer] of await answersOf(server.address)) {
      const real = fields(JSON.parse(readFileSync(path.join(goldenFolder, `${golden}.json`))));
      const replayed = fields(answer);
      // A delta has only the parts that have changed.
      const missing = golden.startsWith('stream-delta') ? [] : [...real].filter((field) => !replayed.has(field));
      assert.deepEqual({ missing, invented: [...replayed].filter((field) => !real.has(field)) }, { missing: [], invented: [] }, golden);
    }
  } finally {
    await server.stop();
  }
});

/** Pairs of a golden file's name and the replaying server's answer to the same request. */
async function answersOf(address) {
  const headers = { Authorization: `Basic ${btoa(`${LOGIN.username}:${LOGIN.password}`)}` };
  const ask = (where, options = {}) => fetch(new URL(`/onos/v1/mptcp/${where}`, address), { headers, ...options });
  const json = async (...question) => (await ask(...question)).json();
  const { hosts } = await json('topology');
  const question = JSON.stringify({ client: hosts[0].id, server: hosts[1].id, k: 3, strategies: ['shortest', 'no-such-strategy'] });
  const [snapshot, delta] = await messages(await ask('stream'), 2);
  return [
    ['connections', await json('connections')], ['events', await json('connections/mptcp-data/events')],
    ['topology', await json('topology')], ['settings', await json('settings')], ['counters', await json('counters')],
    ['bound', await json('bound')], ['limits', await json('connections/mptcp-data/limits')],
    ['overlay', await json('overlay')], ['whatif', await json('whatif', { method: 'POST', body: question })],
    ['error', await json('nothing')], ['stream-snapshot', snapshot], ['stream-delta', delta],
  ];
}

/** Data of a stream's first messages. */
async function messages(response, number) {
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const whole = text.split('\n\n').slice(0, -1);
    if (whole.length >= number) {
      return whole.map((message) => JSON.parse(message.slice(message.indexOf('data: ') + 6)));
    }
  }
  throw new Error(`the stream ended after ${text.length} characters`);
}

/** Paths of all fields in a value, without indices of lists. Names of counters are data, not fields. */
function fields(value, at = '', found = new Set()) {
  if (Array.isArray(value)) {
    value.forEach((each) => fields(each, at, found));
  } else if (value && typeof value === 'object' && !at.endsWith('/counters')) {
    for (const [name, each] of Object.entries(value)) {
      found.add(`${at}/${name}`);
      fields(each, `${at}/${name}`, found);
    }
  }
  return found;
}
