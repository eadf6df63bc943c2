/** An empty system guides its first admin to the first lead. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  addLead,
  buyerOf,
  closeDialogs,
  dialog,
  follow,
  hasFocus,
  press,
  row,
  type Step,
  sees,
  seesMessage,
} from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  ({ page } = await site.visitAsAdmin());
});

const steps = () => page.getByRole('region', { name: 'First steps' });

it('shows the first steps, and empty states in lists', async () => {
  for (const name of ['Write the first template', 'Add the first buyer'])
    expect(await steps().getByRole('button', { name }).isEnabled()).toBe(true);
  for (const name of ['Open the first order', 'Send a test lead'])
    expect(await steps().getByRole('button', { name }).isDisabled()).toBe(true);
  await sees(page.getByText('No buyers yet'));
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto('/dashboard/ineligible-leads');
  await sees(page.getByText(/No lead has been delivered yet/));
  await page.goto('/dashboard');
});

it('leads a new admin to a delivered test lead in twelve steps, with required fields only', async () => {
  let count = 0;
  const take = async (...taken: Step[]) => {
    count += taken.length;
    await follow(page, taken);
  };
  await take('Write the first template', { 'SMTP host': 'localhost' });
  const template = dialog(page, 'Add Email Template');
  // Most real mail servers use the default port, which saves this step.
  expect(await template.getByLabel('SMTP port').inputValue()).toBe('587');
  await take({ 'SMTP port': String(site.cloud.inbox.port) }, { 'SMTP user': 'leads@example.com' });
  await take({ 'SMTP password': 'example-password' }, 'Create Template');
  await template.waitFor({ state: 'detached' });
  await hasFocus(page.getByRole('main'));

  await take('Add the first buyer', { 'Buyer email': 'vertrieb@first.example' });
  const buyer = dialog(page, 'Add New Buyer');
  expect(await buyer.getByLabel('Buyer ID').inputValue()).toBe('first');
  expect(await buyer.getByLabel('Probability').inputValue()).toBe('100');
  expect(await buyer.getByRole('switch', { name: 'Send e-mails' }).isChecked()).toBe(true);
  await press(buyer, 'Add Buyer');
  await seesMessage(page, 'Buyer first added');
  await hasFocus(page.getByRole('main'));

  await take('Open the first order', 'Create Order', 'Send a test lead');
  const link = dialog(page, 'New link for first');
  await sees(link.getByText(/^Delivered/));
  expect(count + 1).toBe(12);
  const [mail] = site.cloud.inbox.mails;
  expect(mail).toMatchObject({ from: 'leads@example.com', to: ['vertrieb@first.example'] });
  expect(mail?.text).toContain((await buyerOf(site.cloud, 'first')).excel_link);
  expect(await accessibilityProblems(page)).toEqual([]);
  await link.getByRole('button', { name: 'Done' }).click();
  await sees(steps().getByText('The test lead reached first'));
});

it('explains a buyer without a channel, and links to its form', async () => {
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

it('stays while deliveries fail, and disappears after a delivered lead', async () => {
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
  await page.goto('/dashboard');
  await sees(steps().getByText('1 delivery failed'));
  site.cloud.inbox.mode = 'ok';
  await site.cloud.admin.ok('resendDelivery', { params: { leadId: lead_id, channel: 'email' } });
  await site.cloud.settled();
  await page.reload();
  await sees(row(page, 'Buyers and orders', 'vertrieb@first.example').getByText('2 / 10'));
  expect(await steps().count()).toBe(0);
});

it('reports that all buyers are inactive, instead of an empty search', async () => {
  await site.cloud.admin.ok('updateBuyer', { params: { buyerId: 'first' }, body: { active: 0 } });
  await page.goto('/dashboard');
  await sees(page.getByText('No active buyers'));
  await sees(page.getByText(/1 inactive buyer is hidden/));
  await page.getByRole('button', { name: 'Show all buyers' }).click();
  await sees(row(page, 'Buyers and orders', 'vertrieb@first.example').getByText('Paused', { exact: true }));
});
