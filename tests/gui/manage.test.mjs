// SPDX-License-Identifier: Apache-2.0
// What an admin changes on the page: settings, policies, paths.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { says, problems, withPage } from './stage.mjs';

const open = async (page) => {
  await page.getByRole('link', { name: 'Manage' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
};

test('changes settings, and says what a wrong one takes', async () => {
  await withPage('diamond', async (page) => {
    await open(page);
    const save = page.getByRole('form', { name: 'Settings' }).getByRole('button', { name: 'Save' });
    await page.getByLabel('joinPolicy').selectOption('backup');
    await page.getByLabel('idleSeconds', { exact: true }).fill('soon');
    await save.click();
    await says(page, 'idleSeconds = soon: it takes a whole number from 1 to 86400');
    assert.equal(await page.getByLabel('idleSeconds', { exact: true }).inputValue(), 'soon', 'what was typed stays');
    await page.getByLabel('idleSeconds', { exact: true }).fill('20');
    await save.click();
    await says(page, 'Changed: joinPolicy backup, idleSeconds 20.');
    assert.ok(await save.isDisabled());
    await page.reload();
    await page.getByLabel('joinPolicy').waitFor();
    assert.equal(await page.getByLabel('joinPolicy').inputValue(), 'backup');
    assert.deepEqual(await problems(page), []);
    // The browser itself complains of each answer with status 400.
  }, { complaints: true });
});

test('changes policies, but not over those of somebody else', async () => {
  await withPage('diamond', async (page, server) => {
    await open(page);
    await says(page, 'ports 443 · weight 2');
    await page.getByText('Change', { exact: true }).click();
    const box = page.getByLabel('Policies, JSON');
    const save = page.getByRole('form', { name: 'Policies' }).getByRole('button', { name: 'Save' });
    await box.fill('[{"name": ');
    await save.click();
    await says(page, 'This is not JSON');
    await server.control({ policies: [{ name: 'other' }] });
    await box.fill('[{"name": "bulk", "weight": 0.5}]');
    await save.click();
    await says(page, 'the policies have changed meanwhile');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('other', { exact: true }).waitFor();
    await box.fill('[{"name": "bulk", "weight": 0.5}]');
    await save.click();
    await says(page, 'weight 0.5');
  }, { complaints: true });
});

test('shows agents and moves connections', async () => {
  await withPage('diamond', async (page) => {
    await open(page);
    await page.getByRole('table', { name: 'Hosts with agents' }).getByText('10.0.0.1').waitFor();
    await page.getByRole('button', { name: 'Re-optimise now' }).click();
    await page.getByText(/begin to move|No single move/).waitFor();
  });
});
