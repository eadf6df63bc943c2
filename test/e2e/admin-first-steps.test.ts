/** An empty system leads its first admin to the first lead. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addLead, closeDialogs, dialog, row, sees, seesMessage } from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';
import { tokenOf } from '#test/harness/cloud';

let page: Page;
const site = setUpSite(async () => {
  ({ page } = await site.visitAsAdmin());
});

const steps = () => page.getByRole('region', { name: 'First steps' });

it('begins with what is to be done, and lists that say that nothing came yet', async () => {
  for (const name of ['Write the first template', 'Add the first buyer'])
    expect(await steps().getByRole('button', { name }).isEnabled()).toBe(true);
  for (const name of ['Open the first order', 'Send a test lead'])
    expect(await steps().getByRole('button', { name }).isDisabled()).toBe(true);
  await sees(page.getByText('No buyers yet'));
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto('/dashboard/ineligible-leads');
  await sees(page.getByText('No pending leads'));
  await sees(page.getByText(/No lead has been delivered yet/));
  await page.goto('/dashboard');
});

it('takes a newcomer to a lead in a mailbox in twelve steps, with nothing but required fields', async () => {
  let count = 0;
  const counted = async (step: Promise<void>) => {
    count += 1;
    await step;
  };
  await counted(steps().getByRole('button', { name: 'Write the first template' }).click());
  const template = dialog(page, 'Add Email Template');
  await counted(template.getByLabel('SMTP host').fill('localhost'));
  // At most real mail servers this one is right, and a step less.
  expect(await template.getByLabel('SMTP port').inputValue()).toBe('587');
  await counted(template.getByLabel('SMTP port').fill(String(site.cloud.inbox.port)));
  await counted(template.getByLabel('SMTP user').fill('leads@example.com'));
  await counted(template.locator('[data-path=smtp_pass]').fill('example-password'));
  await counted(template.getByRole('button', { name: 'Create Template' }).click());
  await template.waitFor({ state: 'detached' });

  await counted(steps().getByRole('button', { name: 'Add the first buyer' }).click());
  const buyer = dialog(page, 'Add New Buyer');
  await counted(buyer.getByLabel('Buyer email').fill('vertrieb@first.example'));
  expect(await buyer.getByLabel('Buyer ID').inputValue()).toBe('first');
  expect(await buyer.getByLabel('Probability').inputValue()).toBe('100');
  expect(await buyer.getByRole('switch', { name: 'Send e-mails' }).isChecked()).toBe(true);
  await counted(buyer.getByRole('button', { name: 'Add Buyer' }).click());
  await seesMessage(page, 'Buyer first added');

  await counted(steps().getByRole('button', { name: 'Open the first order' }).click());
  await counted(dialog(page, 'Create New Order').getByRole('button', { name: 'Create Order' }).click());
  const link = dialog(page, 'New link for first');
  await counted(link.getByRole('button', { name: 'Send a test lead' }).click());
  await sees(link.getByText(/^Delivered/));
  expect(count).toBe(12);
  expect(await accessibilityProblems(page)).toEqual([]);
  await link.getByRole('button', { name: 'Done' }).click();
  await sees(steps().getByText('The test lead reached first'));
  expect(await accessibilityProblems(page)).toEqual([]);
});

it('has the lead in the mail, and a link that opens the list', async () => {
  const [mail] = site.cloud.inbox.mails;
  expect(mail).toMatchObject({ from: 'leads@example.com', to: ['vertrieb@first.example'] });
  expect(mail?.subject).toMatch(/^Neuer Lead /);
  for (const part of ['Testlead', '+49 30 23125123', 'testlead@example.com', '25.000 €', '36 Monate'])
    expect(mail?.text).toContain(part);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const { buyers } = await site.cloud.admin.ok('listBuyers');
  expect(link).toBe(buyers[0]?.excel_link);
  const { order } = await site.cloud.visitor.ok('viewLeads', { params: { token: tokenOf(link) } });
  expect(order).toMatchObject({ buyer_id: 'first', lead_limit: 10 });
});

it('says what a buyer without a channel means, and leads to its form', async () => {
  const params = { buyerId: 'first' };
  await site.cloud.admin.ok('updateBuyer', { params, body: { send_email: false } });
  await page.reload();
  await sees(steps().getByText(/The buyer sees its leads only on its link/));
  await addLead(site.cloud);
  await site.cloud.settled();
  await page.reload();
  await steps().getByRole('button', { name: 'Turn on a channel for first' }).click();
  const form = dialog(page, 'Edit Buyer first');
  await form.getByRole('switch', { name: 'Send e-mails' }).check();
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await form.waitFor({ state: 'detached' });
  await sees(steps().getByRole('button', { name: 'Send a test lead' }));
});

it('stays while deliveries fail, and is gone when a lead was delivered', async () => {
  site.cloud.inbox.mode = 'auth-fail';
  await steps().getByRole('button', { name: 'Send a test lead' }).click();
  await sees(steps().getByText(/535/));
  await steps().getByRole('button', { name: 'Edit template' }).click();
  await sees(dialog(page, 'Edit Email Template').getByLabel('SMTP host'));
  await closeDialogs(page);
  const { lead_id } = await addLead(site.cloud);
  await site.cloud.settled();
  await page.goto(`/dashboard/leads/${lead_id}`);
  await page.getByRole('button', { name: 'Edit template' }).click();
  await sees(dialog(page, 'Edit Email Template').getByLabel('SMTP host'));
  await closeDialogs(page);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Edit buyer' }).click();
  await sees(dialog(page, 'Edit Buyer first'));
  await closeDialogs(page);
  await page.goto('/dashboard');
  await page.reload();
  await sees(steps().getByText('1 delivery failed'));
  site.cloud.inbox.mode = 'ok';
  await site.cloud.admin.ok('resendDelivery', { params: { leadId: lead_id, channel: 'email' } });
  await site.cloud.settled();
  await page.reload();
  await sees(row(page, 'Buyers and orders', 'vertrieb@first.example').getByText('2 / 10'));
  expect(await steps().count()).toBe(0);
});

it('says that all buyers are inactive, not that a search found none', async () => {
  await site.cloud.admin.ok('updateBuyer', { params: { buyerId: 'first' }, body: { active: 0 } });
  await page.goto('/dashboard');
  await sees(page.getByText('No active buyers'));
  await sees(page.getByText(/1 inactive buyer is hidden/));
  expect(await page.getByText(/Clear the search/).count()).toBe(0);
  await page.getByRole('button', { name: 'Show all buyers' }).click();
  await sees(row(page, 'Buyers and orders', 'vertrieb@first.example').getByText('Paused', { exact: true }));
});
