// SPDX-License-Identifier: Apache-2.0
// The page with invented data, for situations that a real network cannot show on demand. Each test has its own server
// and browser window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row, says, settled, withPage } from './stage.mjs';

test('draws the three paths of the diamond and the figures that REST gives', async () => {
  await withPage('diamond', async (page) => {
    await row(page, 'mptcp-data').click();
    await page.locator('.way').nth(2).waitFor({ state: 'attached' });
    assert.equal(await page.locator('.node').count(), 7);
    const paths = await page.locator('.subflows .path').allTextContents();
    assert.deepEqual(paths, ['s1 → s2 → s5', 's1 → s3 → s5', 's1 → s4 → s5']);
    const figures = (column) => page.locator(`.subflows tbody td:nth-child(${column})`).allTextContents();
    assert.deepEqual(await figures(3), ['10.0', '10.0', '10.0']);
    assert.deepEqual(await figures(4), ['9.50', '9.50', '9.50']);
  });
});

test('keeps a connection that has ended in the list, grey, also for who comes later', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').click();
    await server.control({ close: 'mptcp-data' });
    await says(page, 'This connection ended at');
    await row(page, 'mptcp-data').and(page.locator('.over')).getByText('ended').waitFor();
    await page.getByRole('button', { name: 'Close this connection' }).click();
    await page.locator('.detail').waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'mptcp-data').and(page.locator('.over')).click();
    await says(page, 'This connection ended at');
    await page.getByText('1 active connection').waitFor();
    await page.getByRole('checkbox', { name: 'idle, ended' }).click();
    await row(page, 'mptcp-data').waitFor({ state: 'detached' });
  });
});

test('sorts, filters and selects by mouse', async () => {
  await withPage('diamond', async (page, server) => {
    await server.control({ open: 2, id: 'mptcp-other' });
    await row(page, 'mptcp-other').waitFor();
    const isFirst = (id) => page.waitForFunction((wanted) => document.querySelector('tr[data-id]')?.dataset.id === wanted, id);
    await page.getByRole('button', { name: 'Expected' }).click();
    await isFirst('mptcp-data');
    await page.getByRole('button', { name: 'Expected' }).click();
    await isFirst('mptcp-other');
    await page.getByRole('searchbox').fill('s4');
    await page.waitForFunction(() => document.querySelectorAll('tr[data-id]').length === 1);
    await isFirst('mptcp-data');
    await page.getByRole('searchbox').fill('no such thing');
    await says(page, 'No connection matches this filter');
    await page.getByRole('searchbox').fill('');
    await row(page, 'mptcp-data').getByRole('checkbox').click();
    await row(page, 'mptcp-other').getByRole('checkbox').click();
    await page.waitForFunction(() => document.querySelectorAll('.way').length === 5);
  });
});

test('can be used by keyboard alone', async () => {
  await withPage('diamond', async (page) => {
    await page.locator('.node').first().waitFor();
    await row(page, 'mptcp-data').waitFor();
    await page.locator('tr[data-id][tabindex="0"]').focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.activeElement === [...document.querySelectorAll('tr[data-id]')].at(-1));
    await page.keyboard.press('Enter');
    await page.locator('.detail').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.detail').waitFor({ state: 'detached' });
    await page.locator('.node[tabindex="0"]').focus();
    const before = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp']) {
      await page.keyboard.press(key);
    }
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.match(label, /^(Switch|Host) /);
    assert.ok(before);
    await page.keyboard.press('Shift+ArrowDown');
    await page.locator('.node.pinned').waitFor();
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await skip.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'main');
  });
});

test('remembers where a switch was dragged to', async () => {
  await withPage('diamond', async (page) => {
    const node = page.locator('.node[data-node="of:0000000000000003"]');
    await node.waitFor();
    await settled(page);
    const box = await node.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y - 60, { steps: 6 });
    await page.mouse.up();
    // The page handles the pointer first and draws a moment later.
    await page.waitForFunction(([wantedX, wantedY]) => {
      const drawn = document.querySelector('.node[data-node="of:0000000000000003"]').getBoundingClientRect();
      return Math.hypot(drawn.x + drawn.width / 2 - wantedX, drawn.y + drawn.height / 2 - wantedY) < 2;
    }, [x + 40, y - 60]);
    const place = await node.getAttribute('transform');
    await page.reload();
    await page.locator('.node.pinned').waitFor();
    const [a, b] = [place, await node.getAttribute('transform')].map((t) => t.match(/-?[\d.]+/g).map(Number));
    assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) < 2, `${a} and ${b}`);
    await page.getByRole('button', { name: 'Lay out anew' }).click();
    await page.waitForFunction(() => !document.querySelector('.node.pinned'));
  });
});

test('tells legs through a router apart, and leads from one to the other', async () => {
  await withPage('routed', async (page) => {
    await row(page, 'mptcp-near').getByText('via router 10.0.0.254').waitFor({ state: 'attached' });
    await row(page, 'mptcp-near').click();
    await says(page, 'Leg from the client to router 10.0.0.254.');
    await says(page, 'Frames of 00:00:00:00:00:01/None to 00:00:00:00:00:FE/None');
    await page.waitForFunction(() => document.querySelector('.way').getAttribute('d'));
    await page.getByRole('link', { name: 'leg from router 10.0.0.254 to the server' }).click();
    await says(page, 'Leg from router 10.0.0.254 to the server.');
    await row(page, 'mptcp-outside').click();
    await says(page, 'No other leg of this connection is known.');
    await says(page, 'not to this address and port (flag C)');
  });
});

test('tells delays, disjointness, backups and what is known of links', async () => {
  await withPage('routed', async (page) => {
    await row(page, 'mptcp-near').click();
    await page.locator('.way').nth(2).waitFor({ state: 'attached' });
    const facts = Object.fromEntries(await page.locator('.facts div').evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.firstChild.textContent.trim()))));
    assert.equal(facts['Disjoint in'], 'link, node, srlg');
    assert.equal(facts.Delay.replaceAll('\u00a0', ' '), '5 ms to 10 ms');
    const paths = (await page.locator('.subflows td:nth-child(2)').allInnerTexts()).map((text) => text.split('\n')[1].replaceAll('\u00a0', ' '));
    assert.deepEqual(paths, ['s1 → s2 → s5 · first · 5 ms', 's1 → s3 → s5 · joined by the client · 10 ms',
      's1 → s4 → s5 · joined by the client · 40 ms · its hosts want it as a backup']);
    await page.locator('line[data-edge="of:0000000000000001/3"]').dispatchEvent('click');
    await says(page, '20 ms · capacity by basic.bandwidth · shared risk: duct-7, bridge');
    await page.getByRole('link', { name: 'Network' }).click();
    await says(page, 'shared risk: duct-7, bridge');
    await page.getByRole('columnheader', { name: 'delay' }).waitFor();
  });
});

test('says why a connection gets what it gets, when it is asked, and marks the links', async () => {
  await withPage('diamond', async (page, server) => {
    const asked = [];
    page.on('request', (request) => /limits$/.test(request.url()) && asked.push(request.url()));
    await row(page, 'mptcp-data').click();
    await page.locator('.way').nth(2).waitFor({ state: 'attached' });
    assert.equal(await page.locator('.mark').count(), 0);
    assert.deepEqual(asked, [], 'nobody has asked');
    const question = page.getByRole('button', { name: 'Why 28.5 Mbit/s?' });
    await question.click();
    await says(page, '3 disjoint paths at most: each path leads over one of these links, s1 → s2, s1 → s3, s1 → s4.');
    const rows = await page.locator('.why tbody tr').allInnerTexts();
    assert.deepEqual(rows.map((text) => text.replace(/:381\d\d/, '')), ['s1 → s2\t10.0\t1.00\t10.0.0.1 → 10.0.0.2:5201', 's1 → s3\t10.0\t1.00\tnobody', 's1 → s4\t10.0\t1.00\tnobody']);
    assert.equal(await page.locator('.stage .mark-full').count(), 3);
    assert.equal(await page.locator('.stage .mark-cut').count(), 3);
    assert.deepEqual((await page.locator('.legend li').allInnerTexts()).slice(-2), ['full', 'minimum cut']);
    assert.equal(asked.length, 1);
    await question.click();
    await page.locator('.mark').first().waitFor({ state: 'detached' });
    await question.click();
    await page.locator('.why tbody a').click();
    await page.getByRole('article').getByText('mptcp-control').waitFor();
    assert.equal(await page.locator('.mark').count(), 0, 'another connection is another question');
    for (const link of [[1, 2], [1, 3], [1, 4]]) {
      await server.control({ fail: link });
    }
    await page.locator('.subflows .path').getByText('no path').waitFor();
    await page.getByRole('button', { name: /^Why / }).click();
    await says(page, 'It has no path between two switches now.');
  });
});

test('draws parallel links beside each other, each with the subflow that takes it', async () => {
  await withPage('routed', async (page) => {
    await row(page, 'mptcp-far').click();
    await page.locator('.way').nth(2).waitFor({ state: 'attached' });
    const ways = await page.locator('.way').evaluateAll((all) => all.map((way) => way.getAttribute('d')));
    assert.equal(new Set(ways).size, 3);
    const lines = await page.locator('line[data-edge]').evaluateAll((all) => all.map((line) => ['x1', 'y1', 'x2', 'y2'].map((name) => line.getAttribute(name)).join()));
    assert.equal(new Set(lines).size, 12);
  });
});

test('answers what-if for two strategies side by side', async () => {
  await withPage('diamond', async (page) => {
    await page.getByRole('link', { name: 'What if' }).click();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('.side-by-side article').nth(1).waitFor();
    const headings = await page.locator('.side-by-side h3').allTextContents();
    assert.deepEqual(headings, ['widest-disjoint', 'k-max-min']);
    await page.waitForFunction(() => document.querySelectorAll('.side-by-side article:first-child .way').length === 3);
  });
});

test('says why a strategy has no answer, beside one that has', async () => {
  await withPage('diamond', async (page, server) => {
    await server.control({ refuse: 'k-max-min' });
    await page.getByRole('link', { name: 'What if' }).click();
    await page.getByRole('button', { name: 'Show' }).click();
    await says(page, "no path strategy 'k-max-min'");
    await page.waitForFunction(() => document.querySelectorAll('.side-by-side article:first-child .way').length === 3);
  });
});

test('switches the overlay on the view of ONOS itself', async () => {
  await withPage('diamond', async (page) => {
    await row(page, 'mptcp-data').click();
    const button = page.getByRole('button', { name: 'On ONOS' });
    const shown = (ids) => page.waitForFunction(async (wanted) => {
      const answer = await (await fetch('/onos/v1/mptcp/overlay')).json();
      return JSON.stringify(answer.connections) === wanted;
    }, JSON.stringify(ids));
    await button.click();
    await shown(['mptcp-data']);
    await page.getByRole('button', { name: 'On ONOS', pressed: true }).click();
    await shown([]);
  });
});

test('shows what a background plan would move, and says when it would move nothing', async () => {
  await withPage('diamond', async (page, server) => {
    await page.getByRole('link', { name: 'Network' }).click();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.locator('.planned tbody tr').nth(1).waitFor();
    assert.deepEqual(await page.locator('.planned tbody tr').first().locator('td').nth(1).allInnerTexts(),
      ['s5 → s2 → s1\nnow s1 → s2 → s5']);
    await server.control({ status: 503 });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await says(page, 'Told to');
  }, { complaints: true });
  await withPage('empty', async (page) => {
    await page.getByRole('link', { name: 'Network' }).click();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await says(page, 'No moves: nothing gains enough');
  });
});

test('says what to do when there is nothing to show', async () => {
  await withPage('empty', async (page) => {
    await says(page, 'ONOS knows no switch');
    await says(page, 'No MPTCP connection yet');
    await page.getByRole('link', { name: 'What if' }).click();
    await says(page, 'fewer than two hosts');
    await page.getByRole('link', { name: 'Network' }).click();
    await says(page, 'ONOS knows no link');
  });
});

test('shows markup in names as text', async () => {
  await withPage('hostile', async (page) => {
    await row(page, 'mptcp-data').click();
    await page.locator('.facts').getByText('<script>window.hacked=1</script>').waitFor();
    for (const view of ['What if', 'Network', 'Connections']) {
      await page.getByRole('link', { name: view }).click();
      await page.locator('main section').first().waitFor();
    }
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    assert.equal(await page.locator('main img, main script').count(), 0);
  });
});
