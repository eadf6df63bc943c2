/** "Create order" shows how many pending leads the order will receive, and then how many it received. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addBuyer, addLead, buyerOf, dialog, press, sees, seesMessage } from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'north', probability: 50, price_per_lead: 40 }, 0);
  await addBuyer(site.cloud, { buyer_id: 'south', probability: 60 }, 0);
  for (let number = 0; number < 5; number += 1) await addLead(site.cloud);
  ({ page } = await site.visitAsAdmin('/dashboard?inactive=1'));
});

async function openForm(page: Page, buyerId: string, limit: string) {
  await page.goto('/dashboard?inactive=1');
  await page.getByRole('button', { name: 'Create Order' }).first().click();
  const form = dialog(page, 'Create New Order');
  await form.getByLabel('Buyer').selectOption(buyerId);
  await form.getByLabel('Lead limit').fill(limit);
  return form;
}

describe('a new order', () => {
  it('shows before and after its creation how many pending leads it takes, and their revenue', async () => {
    const form = await openForm(page, 'north', '9');
    await sees(form.getByText('Takes 5 pending leads at once: 200,00 €.'));
    await form.getByLabel('Lead limit').fill('3');
    await sees(form.getByText('Takes 3 pending leads at once: 120,00 €.'));
    await form.getByRole('button', { name: 'Create Order' }).click();
    const link = dialog(page, 'New link for north');
    await sees(link.getByText('Send this link to the buyer.', { exact: true }));
    await site.cloud.settled();
    await page.clock.fastForward(1000);
    await sees(
      link.getByText('It has taken 3 of 5 pending leads: 120,00 €. 2 still wait, because the order is full.'),
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    await link.getByRole('button', { name: 'Done' }).click();
  });

  it('shows that no leads are pending, and a weight total above 100% with a fix', async () => {
    const { admin } = site.cloud;
    const { ineligible_leads: left } = await admin.ok('listPendingLeads', { query: {} });
    for (const { lead_id } of left) await admin.ok('discardPendingLead', { params: { leadId: lead_id } });
    const form = await openForm(page, 'south', '9');
    await sees(form.getByText('No pending lead matches this order.'));
    await sees(form.getByText(/The active buyers have 50% together\. With the 60% of south that is 110%/));
    await form.getByRole('button', { name: 'Edit probabilities' }).click();
    const editor = dialog(page, 'Probabilities');
    await sees(editor.getByText('Sum 110% of 100%'));
    await press(editor, 'Distribute the rest proportionally', 'Save Probabilities');
    await seesMessage(page, 'Probabilities saved');
    await form.getByText(/that is 110%/).waitFor({ state: 'detached' });
    expect(await form.getByLabel('Lead limit').inputValue()).toBe('9');
    await form.getByRole('button', { name: 'Create Order' }).click();
    await sees(dialog(page, 'New link for south').getByText(/No lead was pending for this order/));
    expect(await buyerOf(site.cloud, 'south')).toMatchObject({ active: 1, probability: 54.55 });
  });
});
