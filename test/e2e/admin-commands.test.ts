/** The command box (Ctrl+K) receives every key from the first press on, and runs commands. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addBuyer, buyerOf, dialog, hold, home, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'nordwert', probability: 40 }, 20);
  await addBuyer(site.cloud, { buyer_id: 'petersen', probability: 30, use_sellanylead_api: true }, 20);
  await addBuyer(site.cloud, { buyer_id: 'new-one', probability: 10 }, 0);
  ({ page } = await site.visitAsAdmin());
});

const buyer = (buyerId: string) => buyerOf(site.cloud, buyerId);
const box = (page: Page) => page.getByRole('combobox', { name: /Search buyers/ });
const path = (page: Page) => new URL(page.url()).pathname;

/** Types as fast as the browser accepts it, right after Ctrl+K, and presses Enter. */
async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe('text typed right after Ctrl+K', () => {
  it('is in the box and has no other effect while the code loads slowly', async () => {
    const text = 'petersen';
    const own = await site.visitAsAdmin('about:blank');
    const release = await hold(own.page, '**/CommandResults*.js');
    await home(own.page);
    await own.page.keyboard.press('Control+k');
    await own.page.keyboard.type(text);
    expect(await box(own.page).inputValue()).toBe(text);
    expect(await own.page.getByRole('dialog').count()).toBe(1);
    expect(path(own.page)).toBe('/dashboard');
    await own.page.keyboard.press('Enter');
    release();
    await own.page.waitForURL(`**/dashboard/buyers/${text}`);
  });

  it('triggers no shortcut while the code of a dialog loads slowly', async () => {
    const own = await site.visitAsAdmin('about:blank');
    const release = await hold(own.page, '**/BuyerDialogs*.js');
    await home(own.page);
    await own.page.keyboard.type('nop');
    release();
    await sees(dialog(own.page, 'Add New Buyer'));
    expect(await own.page.getByRole('dialog').count()).toBe(1);
    expect(path(own.page)).toBe('/dashboard');
  });
});

describe('the command box', () => {
  it('leads to an order that another one has followed', async () => {
    const { admin } = site.cloud;
    const { order_id: first } = await buyer('petersen');
    const params = { buyerId: 'petersen', orderId: first ?? 0 };
    await admin.ok('deleteOrder', { params });
    await admin.ok('createOrder', { body: { buyer_id: 'petersen', lead_limit: 30 } });
    await home(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`order ${first}`);
    await page
      .getByRole('option', { name: /of petersen/ })
      .first()
      .click();
    await page.waitForURL('**/dashboard/buyers/petersen/orders');
    await sees(page.getByText(`Order ID ${first}`, { exact: true }));
  });

  it('returns the focus and captures its keys', async () => {
    await home(page);
    const opener = page.getByRole('button', { name: 'Search Ctrl K' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('limit of nord');
    await sees(page.getByRole('option', { name: /Lead limit of nordwert/ }));
    const options = page.getByRole('option');
    const active = () => page.locator('[aria-selected=true]').innerText();
    const first = await active();
    await page.keyboard.press('ArrowUp');
    await expect.poll(active).toBe(await options.last().innerText());
    await page.keyboard.press('ArrowDown');
    await expect.poll(active).toBe(first);
    expect(await box(page).getAttribute('aria-activedescendant')).toBe(
      await page.locator('[aria-selected=true]').getAttribute('id'),
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await sees(page.locator('button:focus').and(opener));
  });

  it('suggests possible commands, and waits for the buyer', async () => {
    await home(page);
    await command(page, 'pau');
    await sees(page.getByRole('option', { name: 'Pause nordwert' }));
    expect(await box(page).inputValue()).toBe('pause ');
    // Pausing is not suggested for a buyer without an order.
    expect(await page.getByRole('option', { name: 'Pause new-one' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => box(page).inputValue()).toBe('pause nordwert');
    expect((await buyer('nordwert')).active).toBe(1);
  });

  it('changes a limit with the usual dialog', async () => {
    await home(page);
    await command(page, 'limit of nordwert to 50');
    const form = dialog(page, 'Lead limit of nordwert');
    await sees(form);
    expect(await form.getByLabel('Lead limit').inputValue()).toBe('50');
    expect((await buyer('nordwert')).lead_limit).toBe(20);
  });
});

it('shows only what matches, also after other results', async () => {
  await home(page);
  await page.keyboard.press('Control+k');
  const screens = page.getByRole('option').filter({ hasText: 'Screen' });
  await box(page).fill('statistics');
  await expect.poll(() => screens.count()).toBe(4);
  await box(page).fill('accounting');
  await expect
    .poll(() => screens.allInnerTexts())
    .toEqual([expect.stringContaining('Statistics: Accounting')]);
});
