/** Bulk actions on pending leads: select, assign within the capacity, redistribute, discard. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addBuyer,
  addLead,
  buyerOf,
  dialog,
  hasFocus,
  press,
  REFRESHED_WITHIN_MS,
  row,
  sees,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'small', probability: 0 }, 3);
  await addBuyer(site.cloud, { buyer_id: 'careful', probability: 10, manual_review: true }, 20);
  await addLead(site.cloud, { nachname: 'Review', src: 'first' });
  await site.cloud.admin.ok('updateBuyer', { params: { buyerId: 'careful' }, body: { active: 0 } });
  for (let number = 1; number <= 12; number += 1) await addLead(site.cloud, { nachname: `Lead${number}x` });
  ({ page } = await site.visitAsAdmin('/dashboard/ineligible-leads'));
});

const pending = () =>
  site.cloud.admin
    .ok('listPendingLeads')
    .then((answer) => answer.ineligible_leads.map(({ nachname }) => nachname));
const seesOutcome = (list: string, name: string, text: string) => sees(row(page, list, name).getByText(text));

describe('many pending leads', () => {
  it('that are not listed are not selected, and the button says so', async () => {
    await page.route('**/api/ineligible-leads?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), total: 1234 } });
    });
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    await sees(page.getByRole('button', { name: 'Select all 13 that match among the first 13' }));
    await page.unrouteAll();
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
  });

  it('can be selected singly, as a range, or all that match the filter, but never hidden ones', async () => {
    await sees(page.getByRole('button', { name: 'Select all 13 that match' }));
    await page.getByRole('checkbox', { name: 'Select Frau Erika Lead9x' }).click();
    await page.getByRole('checkbox', { name: 'Select Frau Erika Lead6x' }).click({ modifiers: ['Shift'] });
    await sees(page.getByText('4 selected', { exact: true }));
    await page.getByRole('searchbox', { name: 'Find a pending lead' }).fill('Lead9x');
    await sees(page.getByText('1 selected', { exact: true }));
    await page.getByRole('searchbox', { name: 'Find a pending lead' }).fill('Lead1');
    await page.getByRole('button', { name: 'Select all 4 that match' }).click();
    await sees(page.getByText('4 selected', { exact: true }));
  });

  it('are assigned to one buyer within its capacity, oldest first, and the others stay', async () => {
    await page.getByRole('button', { name: 'Assign to a buyer' }).click();
    const form = dialog(page, 'Assign 4 leads');
    await form.getByRole('button', { name: 'Assign 4 leads' }).click();
    await sees(form.getByText('Please select a buyer'));
    await form.getByLabel('Buyer').selectOption('small');
    // Another admin takes one of the three slots concurrently.
    await addLead(site.cloud, { buyer_id: 'small', nachname: 'Between' });
    await form.getByRole('button', { name: 'Assign 4 leads' }).click();
    await sees(form.getByText('2 assigned, 1 failed, 1 not tried'));
    // The dialog keeps the focus, and the failure is visible.
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Done');
    await sees(form.getByRole('row').nth(1).getByText('Lead11x'));
    for (const [name, text] of Object.entries({
      Lead1x: 'Assigned as 1-2',
      Lead10x: 'Assigned as 1-3',
      Lead11x: 'Buyer small has no open order with capacity for another lead',
      Lead12x: 'Not tried: small has no capacity left',
    }))
      await seesOutcome('Leads to assign', name, text);
    expect(await buyerOf(site.cloud, 'small')).toMatchObject({ leads_received: 3, lead_limit: 3 });
    await form.getByRole('button', { name: 'Done' }).click();
    await sees(page.getByText('2 of 11 pending leads'));
    await sees(page.getByText('2 selected', { exact: true }));
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
  });

  it('are verified again and redistributed by shares, within the capacity', async () => {
    for (const nachname of ['Richard', 'Richter', 'Richling'])
      await addLead(site.cloud, { nachname, anlagebetrag: 90_000, telefon: '12' });
    // No other pending lead fits this buyer.
    await addBuyer(site.cloud, { buyer_id: 'rich', probability: 50, min_investment: 50_000 }, 2);
    await page.goto('/dashboard/ineligible-leads?reason=phone_verification_failed');
    await site.cloud.admin.ok('saveVerificationSettings', { body: { phone_verification: false } });
    await press(page, 'Select all 3 that match', 'Distribute again');
    const form = dialog(page, 'Distribute 3 leads again');
    await press(form, 'Distribute 3 leads again');
    await sees(form.getByText('2 assigned, 1 unchanged'));
    await seesOutcome('Leads to distribute', 'Richter', 'Assigned to rich as 3-2');
    await seesOutcome(
      'Leads to distribute',
      'Richling',
      'Still pending: All orders have reached their lead limit',
    );
    await form.getByRole('button', { name: 'Done' }).click();
  });

  it('are discarded after a confirmation with the focus on Cancel, and failed ones stay with an error', async () => {
    await page.goto('/dashboard/ineligible-leads');
    await page.getByRole('button', { name: 'Select all 12 that match' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    const form = dialog(page, 'Discard 12 leads');
    await sees(form.getByText('This cannot be undone', { exact: false }));
    const cancel = form.getByRole('button', { name: 'Cancel' });
    await hasFocus(cancel);
    const [gone] = (await site.cloud.admin.ok('listPendingLeads')).ineligible_leads;
    await site.cloud.admin.ok('discardPendingLead', { params: { leadId: gone?.lead_id ?? '' } });
    await form.getByRole('button', { name: 'Discard 12 leads' }).click();
    await sees(form.getByText('11 discarded, 1 failed'));
    await seesOutcome('Leads to discard', gone?.nachname ?? '', 'Lead not found');
    // The list is now empty; the results stay until they are closed.
    await sees(page.getByText('No pending leads'));
    await form.getByRole('button', { name: 'Done' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await pending()).toEqual([]);
  });

  it.each<[what: string, end: (route: Route) => Promise<void>]>([
    ['the server does not answer', (route) => route.abort()],
    ['the gateway has waited too long', (route) => route.fulfill({ status: 504, body: 'no json' })],
  ])('are no longer tried after %s', async (_what, end) => {
    const names = await pending();
    for (let number = 1; number <= 3 && names.length === 0; number += 1)
      await addLead(site.cloud, { nachname: `Offline${number}x` });
    await page.goto('/dashboard/ineligible-leads');
    await page.route('**/api/ineligible-leads/distribute/*', end);
    await press(page, 'Select all 3 that match', 'Distribute again');
    const form = dialog(page, 'Distribute 3 leads again');
    await form.getByRole('button', { name: 'Distribute 3 leads again' }).click();
    await sees(form.getByText('0 assigned, 1 failed, 2 not tried'));
    const text = 'Failed to distribute lead: no answer received; it may have succeeded';
    await seesOutcome('Leads to distribute', 'Offline1x', text);
    expect((await pending()).length).toBe(3);
  });
});
