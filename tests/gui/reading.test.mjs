// SPDX-License-Identifier: Apache-2.0
// What makes the page easy to read: folded rows, the map, labels that can be told apart, files, addresses, the first hint.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { row, says, problems, settled, withPage } from './stage.mjs';

test('folds a control connection under its transfer', async () => {
  await withPage('diamond', async (page) => {
    await row(page, 'mptcp-data').waitFor();
    assert.equal(await row(page, 'mptcp-control').count(), 0);
    const fold = page.getByRole('button', { name: '1 control connection' });
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    await fold.click();
    await row(page, 'mptcp-control').waitFor();
    const rows = await page.locator('tr[data-id]').evaluateAll((all) => all.map((one) => one.dataset.id));
    assert.deepEqual(rows, ['mptcp-data', 'mptcp-control']);
    assert.equal(await page.locator('.detail').count(), 0, 'the click chose nothing');
    await row(page, 'mptcp-data').focus();
    await page.keyboard.press('ArrowLeft');
    await row(page, 'mptcp-control').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await row(page, 'mptcp-control').waitFor();
  });
});

test('shows a control connection by itself once its transfer has ended', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').waitFor();
    await server.control({ close: 'mptcp-data' });
    await row(page, 'mptcp-control').waitFor();
    assert.equal(await page.locator('.fold').count(), 0);
  });
});

/** The middle of a switch on the screen, by its name. */
const middle = (page, name) => page.locator(`.node[aria-label^="Switch ${name},"] rect`).evaluate((rect) => {
  const box = rect.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
});

test('puts switches where their coordinates say, unless it is asked not to, and remembers that', async () => {
  await withPage('cities', async (page) => {
    for (const again of [false, true]) {
      if (again) {
        await page.reload();
      }
      await page.getByRole('button', { name: 'Map', pressed: true }).waitFor();
      await settled(page);
      const [seattle, boston, miami, chicago] = await Promise.all(['Seattle', 'Boston', 'Miami', 'Chicago'].map((n) => middle(page, n)));
      assert.ok(seattle.x < chicago.x && chicago.x < boston.x, 'west is left');
      assert.ok(seattle.y < chicago.y && chicago.y < miami.y, 'north is above');
    }
    await page.locator('.node[aria-label^="Switch Chicago,"] rect').click();
    assert.equal(await page.getByRole('button', { name: 'Pinned', exact: true }).count(), 0, 'a switch on the map stays there');
    await page.getByRole('button', { name: 'Map' }).click();
    await page.getByRole('button', { name: 'Map', pressed: false }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Map', pressed: false }).waitFor();
  });
});

test('has no map without coordinates', async () => {
  await withPage('diamond', async (page) => {
    await row(page, 'mptcp-data').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Map' }).count(), 0);
  });
});

/** Chooses all connections of the cities, and compares the boxes of what is written. */
async function checkLabels(isMap) {
  await withPage('cities', async (page) => {
    if (!isMap) {
      await page.getByRole('button', { name: 'Map' }).click();
    }
    for (const number of [1, 2, 3, 4]) {
      await row(page, `cities-${number}`).getByRole('checkbox').click();
    }
    await page.locator('.badge').nth(11).waitFor({ state: 'attached' });
    await settled(page);
    const covered = await page.evaluate(() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => (
        { text: element.textContent, box: element.getBoundingClientRect() }));
      const names = boxes('.node text');
      const rates = boxes('.badge text.rate');
      // A line of a subflow that leads through a rate would meet the row of points in its middle.
      const lines = [...document.querySelectorAll('.way')].map((one) => [one, one.getScreenCTM().inverse()]);
      const crossed = rates.filter(({ box }) => lines.some(([one, back]) => {
        const points = Array.from({ length: 21 }, (_, i) => new window.DOMPoint(box.left + 3 + (box.width - 6) * i / 20, box.top + box.height * 0.45).matrixTransform(back));
        return points.some((point) => one.isPointInStroke(point));
      })).map(({ text }) => text);
      const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
      const pairs = rates.flatMap((rate, i) => [...names, ...rates.slice(i + 1)].filter((other) => meet(rate.box, other.box))
        .map((other) => `${rate.text} / ${other.text}`));
      return { pairs, crossed, rates: rates.length };
    });
    assert.deepEqual(covered.pairs, []);
    assert.deepEqual(covered.crossed, [], 'rates that a subflow crosses');
    assert.ok(covered.rates >= 6, `only ${covered.rates} of 12 rates have found room`);
  }, { viewport: { width: 1600, height: 900 } });
}

test('names of hosts and rates of subflows do not cover each other as the forces lay them out', () => checkLabels(false));

test('names of hosts and rates of subflows do not cover each other on the map', () => checkLabels(true));

/** Waits for the file that a click on a button brings; its name and its lines. */
async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), lines: readFileSync(await file.path(), 'utf8').trimEnd().split('\r\n') };
}

test('saves what it shows as comma-separated values', async () => {
  await withPage('hostile', async (page) => {
    await row(page, 'mptcp-data').click();
    const table = await saved(page, page.locator('.table-bar').getByRole('button', { name: 'CSV' }));
    assert.equal(table.name, 'mptcp-connections.csv');
    assert.equal(table.lines.length, 3);
    assert.match(table.lines[0], /^id,client,server,created,state,/);
    const data = table.lines.find((line) => line.startsWith('mptcp-data,'));
    assert.match(data, /,28\.5,/);
    assert.match(data, /"<img src=x onerror=""window\.hacked=1"">/);
    const rates = await saved(page, page.locator('.detail').getByRole('button', { name: 'CSV' }));
    assert.equal(rates.name, 'mptcp-mptcp-data.csv');
    assert.equal(rates.lines[0], 'time,connection,subflow,measuredMbps,expectedMbps');
    assert.match(rates.lines.at(-1), /^20\d\d-.*Z,mptcp-data,[^,]+>[^,]+,[\d.]*,[\d.]+$/);
    await page.getByRole('searchbox').fill('control');
    await page.waitForFunction(() => document.querySelectorAll('tr[data-id]').length === 1);
    assert.equal((await saved(page, page.locator('.table-bar').getByRole('button', { name: 'CSV' }))).lines.length, 2);
    await page.getByRole('link', { name: 'Network' }).click();
    const button = page.getByTitle('Saves all directions of links');
    const words = await page.locator('.count', { hasText: 'busiest first' }).boundingBox();
    assert.ok((await button.boundingBox()).x >= words.x + words.width + 6, 'the button keeps off the words before it');
    const links = await saved(page, button);
    assert.equal(links.name, 'mptcp-links.csv');
    assert.equal(links.lines.length, 13);
  });
});

test('links every event to its connection', async () => {
  await withPage('diamond', async (page, server) => {
    await page.getByRole('link', { name: 'Network' }).click();
    await says(page, '10.0.0.1 opened a connection');
    await server.control({ fail: [1, 2] });
    await page.getByRole('link', { name: /^10.0.0.1:\d+ → 10.0.0.2:5201$/ }).first().click();
    await says(page, 'moved from s1 > s2 > s5');
    assert.match(page.url(), /#connections\/mptcp-(data|control)$/);
    await page.locator('.detail').waitFor();
    await page.locator('.detail .life li a[href*="#connections/mptcp-"]').first().waitFor();
    // One question: the list may grow between two.
    assert.equal(await page.locator('.detail .life li:not(:has(a[href*="#connections/mptcp-"]))').count(), 0);
    await page.goto(page.url().replace(/#.*/, '#connections/mptcp-control'));
    await row(page, 'mptcp-control').waitFor();
    await page.getByRole('article', { name: 'Connection 10.0.0.1' }).getByText('mptcp-control').waitFor();
    await page.goto(page.url().replace(/#.*/, '#connections/no-such'));
    await says(page, 'ONOS knows no connection no-such');
  });
});

test('gives what is selected an address, and the way back', async () => {
  await withPage('diamond', async (page) => {
    const ticked = () => page.locator('tr[data-id][aria-selected="true"]').evaluateAll((all) => all.map((one) => one.dataset.id).sort());
    await row(page, 'mptcp-data').click();
    await page.waitForURL(/#connections\/mptcp-data$/);
    await page.getByRole('button', { name: '1 control connection' }).click();
    await row(page, 'mptcp-control').getByRole('checkbox').click();
    await page.waitForURL(/#connections\/mptcp-data,mptcp-control$/);
    await page.reload();
    await row(page, 'mptcp-data').waitFor();
    assert.deepEqual((await ticked()).filter((id) => id === 'mptcp-data'), ['mptcp-data'], 'the address has both');
    await page.goBack();
    await page.waitForURL(/#connections\/mptcp-data$/);
    await page.getByRole('link', { name: 'Network' }).click();
    await page.getByRole('link', { name: 'Connections', exact: true }).click();
    await page.waitForURL(/#connections\/mptcp-data$/);
    await row(page, 'mptcp-data').waitFor();
    assert.deepEqual(await ticked(), ['mptcp-data'], 'another view and back');
    // One after the other: a browser drops a step back that comes before the last one is done.
    await page.goBack();
    await page.waitForURL(/#network$/);
    await page.goBack();
    await page.waitForURL(/#connections\/mptcp-data$/);
    await page.locator('tr[data-id="mptcp-data"][aria-selected="true"]').waitFor();
    await page.goBack();
    await page.locator('tr[aria-selected="true"]').waitFor({ state: 'detached' });
  });
});

test('tells a new user what to look at, until the first click', async () => {
  await withPage('diamond', async (page) => {
    await says(page, 'Choose a connection in the list');
    await row(page, 'mptcp-data').getByRole('checkbox').click();
    await page.locator('.hint').waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'mptcp-data').waitFor();
    assert.equal(await page.locator('.hint').count(), 0);
  });
});

test('looks back at what it has seen, and returns to what is', async () => {
  await withPage('diamond', async (page, server) => {
    await row(page, 'mptcp-data').click();
    const slider = page.getByRole('slider', { name: 'Moment' });
    await slider.waitFor();
    const links = (n) => page.waitForFunction((wanted) => document.querySelectorAll('line[data-edge]').length === wanted, n);
    await links(6);
    await server.control({ fail: [1, 2] });
    await links(5);
    await slider.focus();
    await page.keyboard.press('Home');
    await links(6);
    await page.locator('.subflows .path').getByText('s1 → s2 → s5').waitFor();
    const then = await page.locator('.slider time').textContent();
    await page.waitForFunction((max) => Number(document.querySelector('.slider input').max) > max, Number(await slider.getAttribute('max')));
    assert.equal(await page.locator('.slider time').textContent(), then, 'it stands still while the page hears more');
    await page.getByRole('button', { name: 'Live' }).click();
    await links(5);
    await page.locator('.subflows .path').getByText('s1 → s2 → s5').waitFor({ state: 'detached' });
  });
});

test('folds the counters away, and says whether input was refused', async () => {
  await withPage('diamond', async (page, server) => {
    await page.getByRole('link', { name: 'Network' }).click();
    const table = page.getByRole('region', { name: 'Other counters' });
    await says(page, '1 kind of refused or malformed input');
    assert.equal(await table.isVisible(), false);
    await page.locator('.counted summary').focus();
    await page.keyboard.press('Enter');
    await table.waitFor();
    assert.deepEqual(await problems(page), []);
    await server.control({ counters: { 'malformed-length': 0 } });
    await says(page, 'no refused or malformed input');
  });
});

test('saves drawing and chart as pictures of their own', async () => {
  await withPage('hostile', async (page) => {
    await row(page, 'mptcp-data').click();
    const drawing = await saved(page, page.getByRole('button', { name: 'Save the drawing' }));
    const chart = await saved(page, page.locator('.detail').getByRole('button', { name: 'SVG' }));
    assert.deepEqual([drawing.name, chart.name], ['mptcp-network.svg', 'mptcp-mptcp-data.svg']);
    // Our page takes no text for a document.
    const reader = await page.context().newPage();
    for (const { name, lines } of [drawing, chart]) {
      const seen = await reader.evaluate((text) => {
        const file = new window.DOMParser().parseFromString(text, 'image/svg+xml');
        return { root: file.documentElement.nodeName, broken: file.querySelectorAll('parsererror, script, foreignObject, img').length,
                 texts: [...file.querySelectorAll('text')].map((one) => one.textContent.trim()),
                 foreign: file.querySelectorAll('[class], [role], [tabindex]').length };
      }, lines.join('\r\n'));
      assert.deepEqual([seen.root, seen.broken, seen.foreign], ['svg', 0, 0], name);
      assert.ok(seen.texts.length > 6, `${name}: ${seen.texts}`);
    }
    const strokes = drawing.lines.join('').match(/<line [^>]*>/g).map((line) => / stroke="([^"]*)"/.exec(line)[1]);
    assert.ok(strokes.length > 5 && strokes.every((stroke) => /^rgb\(/.test(stroke)), `lines keep the colours of the page: ${strokes}`);
  });
});
