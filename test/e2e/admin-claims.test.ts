import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import {
  addBuyer,
  addClaim,
  addLead,
  changeBuyer,
  dialog,
  press,
  row,
  sees,
  seesMessage,
  seesTexts,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  ({ page } = await site.visitAsAdmin('/dashboard/claimed-leads'));
});

const paramsOf = () => Object.fromEntries(new URL(page.url()).searchParams);
const status = async (id: number) => {
  const { claims } = await site.cloud.admin.ok('listClaims', { query: { limit: 100 } });
  return claims.find(({ claim_id }) => claim_id === id);
};

it('the claims screen has an empty state', async () => {
  await sees(page.getByText('No claims found'));
  await sees(page.getByText('Try adjusting your filters or adding new claims'));
  await sees(page.getByRole('heading', { name: 'Pending Claims (0)' }));
});

describe('the claims screen', () => {
  beforeAll(async () => {
    await addBuyer(site.cloud, { buyer_id: 'alpha', probability: 30 }, 30);
    await addBuyer(site.cloud, { buyer_id: 'beta', probability: 30, buyer_type: 'postpay' }, 30);
    for (let number = 0; number < 9; number += 1) await addClaim(site.cloud, 'alpha');
    for (let number = 0; number < 3; number += 1) await addClaim(site.cloud, 'beta', 'doppelt');
  });

  it('shows the pending claims, which can be hidden and shown again', async () => {
    await page.goto('/dashboard/claimed-leads');
    await sees(page.getByRole('heading', { name: 'Pending Claims (12)' }));
    await sees(page.getByText('New', { exact: true }));
    await sees(row(page, 'Pending claims', '#12').getByText('beta@example.com'));
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('heading', { name: 'Pending Claims (12)' }).waitFor({ state: 'detached' });
    await sees(page.getByRole('button', { name: 'Show Pending' }).getByText('12'));
    await page.getByRole('button', { name: 'Show Pending' }).click();
    await sees(page.getByRole('heading', { name: 'Pending Claims (12)' }));
  });

  it('has pages and sorting, newest first by default, and keeps both in the URL', async () => {
    await page.goto('/dashboard/claimed-leads?pending=0');
    const table = page.getByRole('table', { name: 'Claims', exact: true });
    await sees(row(page, 'Claims', '#12').first());
    expect(await page.getByLabel('Claims per page').inputValue()).toBe('20');
    expect(await page.getByLabel('Claims per page').locator('option').count()).toBe(4);
    await page.getByLabel('Claims per page').selectOption('10');
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    await expect.poll(paramsOf).toMatchObject({ limit: '10', page: '2' });
    await page.reload();
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    await press(table, 'ID', 'ID');
    await expect.poll(paramsOf).toMatchObject({ sort: 'claim_id', dir: 'asc' });
    await expect.poll(() => table.getByRole('row').nth(1).textContent()).toMatch(/^#1Pending/);
    await seesTexts(table.getByRole('row').nth(1), 'alpha@example.com', 'Falsche Telefonnummer');
  });

  it('filters by buyer, order, status and text with Apply, and removes all filters with Reset', async () => {
    await page.goto('/dashboard/claimed-leads?pending=0&sort=claim_id&dir=asc&page=1');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Buyer').selectOption('beta');
    const orders = page.getByLabel('Order', { exact: true });
    await expect.poll(() => orders.locator('option').count()).toBe(2);
    expect(await orders.locator('option').nth(1).textContent()).toMatch(/^#1 - beta - \d\d\.\d\d\.\d{4}$/);
    await orders.selectOption({ index: 1 });
    await page.getByLabel('Buyer').selectOption('');
    expect(await orders.inputValue()).toBe('');
    await page.getByLabel('Buyer').selectOption('beta');
    expect(await page.getByLabel('Status').innerText()).toBe(
      'All Statuses\nPending\nApproved\nRejected\nPending + Approved',
    );
    await page.getByLabel('Status').selectOption('pending,approved');
    await page.getByRole('button', { name: 'Apply' }).click();
    await sees(page.getByText('3 claims', { exact: true }));
    await expect.poll(paramsOf).toMatchObject({ buyer: 'beta', status: 'pending,approved' });
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody at all');
    await page.getByRole('button', { name: 'Apply' }).click();
    await sees(page.getByText('No claims found'));
    await page.getByRole('button', { name: 'Reset' }).click();
    await sees(page.getByText('12 claims', { exact: true }));
    await expect.poll(paramsOf).toEqual({ pending: '0', filters: '1' });
  });

  it('shows every active filter with a button that removes it', async () => {
    const on = page.getByRole('group', { name: 'Active filters' });
    await page.goto('/dashboard/claimed-leads?pending=0&status=pending,approved&buyer=beta&order=2');
    for (const text of ['Status: Pending + Approved', 'Buyer: beta', 'Order ID: 2'])
      await sees(on.getByText(text, { exact: true }));
    await on.getByRole('button', { name: 'Remove filter Buyer: beta' }).press('Enter');
    await expect.poll(paramsOf).toEqual({ pending: '0', status: 'pending,approved' });
    await sees(page.getByText('12 claims', { exact: true }));
    // The focus moves to the next filter, and from the last one to the screen.
    await page.keyboard.press('Enter');
    await on.waitFor({ state: 'detached' });
    await sees(page.locator('main:focus'));

    for (const [path, ...texts] of [
      ['/dashboard?q=alp', 'Search: alp'],
      ['/dashboard/deliveries?buyer=beta&status=pending', 'Status: Waiting', 'Buyer: beta'],
      ['/dashboard/audit?entity=buyer&id=beta', 'ID: beta', 'Changed: Buyer'],
    ]) {
      await page.goto(path ?? '');
      for (const text of texts) await press(on, `Remove filter ${text}`);
      await on.waitFor({ state: 'detached' });
      expect(paramsOf(), path).toEqual({});
    }
  });

  it('shows every detail of a claim, and approves it with notes', async () => {
    await page.goto('/dashboard/claimed-leads');
    await page.getByRole('button', { name: 'Review claim 12' }).click();
    const details = dialog(page, 'Claim Details #12');
    const order = ['beta', 'beta@example.com', '3 / 30 (10%)'];
    await seesTexts(details, ...order, 'Frau Erika Muster', '24 months', 'Doppelter Lead');
    await sees(details.getByText('3 in total: 3 pending, 0 approved, 0 rejected'));
    await details.getByPlaceholder('Enter notes or reasons for your decision...').fill('Stimmt');
    await details.getByRole('button', { name: 'Approve' }).click();
    await seesMessage(page, 'Claim #12 approved');
    await details.waitFor({ state: 'detached' });
    expect(await status(12)).toMatchObject({ claim_status: 'approved', admin_notes: 'Stimmt' });
    await sees(page.getByRole('heading', { name: 'Pending Claims (11)' }));
    await sees(row(page, 'Claims', '#12').first().getByText('Approved'));
    await sees(page.getByLabel('Main menu').getByLabel('11 pending claims'));
  });

  it('accepts a suggestion with one click, and reverses an automatic decision', async () => {
    const { cloud } = site;
    const duplicate = async (auto_decide_claims: boolean) => {
      await changeBuyer(cloud, 'beta', { auto_decide_claims });
      return addClaim(cloud, 'beta', 'doppelt', { telefon: '0151 99887766' });
    };
    await addLead(cloud, { buyer_id: 'beta', telefon: '+49 151 99887766' });
    await cloud.settled();
    const suggested = await duplicate(false);
    await page.goto('/dashboard/claimed-leads');
    await page.getByRole('button', { name: `Review claim ${suggested}` }).click();
    const automatic = dialog(page, `Claim Details #${suggested}`);
    await sees(automatic.getByText('Suggested: approved. The buyer has an earlier lead of the same person'));
    await sees(automatic.getByText(/^Same phone number as lead \d+-4, delivered to this buyer/));
    await expectAccessible(page);
    await automatic.getByRole('button', { name: 'Approve as suggested' }).click();
    await seesMessage(page, `Claim #${suggested} approved`);
    expect(await status(suggested)).toMatchObject({ claim_status: 'approved', rule: null });

    const decided = await duplicate(true);
    await cloud.settled();
    await page.reload();
    await page.getByRole('button', { name: `Details of claim ${decided}` }).click();
    const details = dialog(page, `Claim Details #${decided}`);
    await sees(details.getByText('(23 hours left)', { exact: false }));
    await details.getByLabel('Reason for the reversal').fill('Doch zwei Personen');
    await details.getByRole('button', { name: 'Reject after all' }).click();
    await seesMessage(page, `Decision reversed: claim #${decided} rejected`);
    await details.waitFor({ state: 'detached' });
    expect(await status(decided)).toMatchObject({
      claim_status: 'rejected',
      admin_notes: 'Doch zwei Personen',
    });
  });
});
