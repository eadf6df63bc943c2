/** Dialogs of the admin app: focus, keys, and typed text while data changes. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addBuyer, dialog, hasFocus, home, row, rowAction, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  for (const buyer_id of ['first', 'second']) await addBuyer(site.cloud, { buyer_id, probability: 20 });
  ({ page } = await site.visitAsAdmin());
});

describe('a dialog', () => {
  it('returns the focus to the button that opened it', async () => {
    await home(page);
    for (const name of ['Create Order', 'Edit first']) {
      const opener = page.getByRole('button', { name, exact: true }).first();
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await hasFocus(opener);
    }
  });

  it('disables the app’s keyboard shortcuts', async () => {
    await home(page);
    await page.keyboard.press('n');
    const form = dialog(page, 'Add New Buyer');
    await form.waitFor();
    await form.getByRole('button', { name: 'Close' }).focus();
    for (const key of ['o', 's', 'Control+k', '?']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('for a confirmation has the focus on the cancel button', async () => {
    await home(page);
    for (const name of ['Delete first', 'Regenerate link of first']) {
      await rowAction(page, name);
      const question = page.getByRole('dialog');
      await sees(question.locator('button:focus').and(question.getByRole('button', { name: 'Cancel' })));
      await page.keyboard.press('Enter');
      await question.waitFor({ state: 'detached' });
      await hasFocus(page.getByRole('button', { name: 'More actions for first' }));
    }
    const { buyers } = await site.cloud.admin.ok('listBuyers');
    expect(buyers.map(({ deleted }) => deleted)).toEqual([false, false]);
  });

  it('keeps its input when its buyer is renamed elsewhere', async () => {
    await home(page);
    await page.getByRole('button', { name: 'Edit second', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Buyer email').fill('typed@example.com');
    await site.cloud.admin.ok('updateBuyer', {
      params: { buyerId: 'second' },
      body: { new_buyer_id: 'renamed' },
    });
    await page.clock.fastForward(10_000);
    await sees(row(page, 'Buyers and orders', 'second@example.com').getByText('renamed'));
    expect(await form.getByLabel('Buyer email').inputValue()).toBe('typed@example.com');
    await form.getByRole('button', { name: 'Cancel' }).click();
  });
});

it('unsaved input is discarded by Back only after a confirmation', async () => {
  await home(page);
  await page.getByRole('link', { name: 'Create Lead' }).first().click();
  await page.getByLabel('Last name').fill('Mustermann');
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (question) => {
      resolve(question.message());
      void question.dismiss();
    });
  });
  // Not awaited, because the browser stays on the page.
  await page.evaluate('void history.back()');
  expect(await asked).toMatch(/unsaved|leave/i);
  expect(await page.getByLabel('Last name').inputValue()).toBe('Mustermann');
});
