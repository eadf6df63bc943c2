/** An empty system leads its first admin to the first lead. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dialog, row, sees, seesMessage, TEMPLATE } from '#test/e2e/admin-setup';
import { accessibilityProblems, type Site, startSite, type Visit } from '#test/e2e/fixture';

let site: Site;
let visit: Visit;
beforeAll(async () => {
  site = await startSite();
  visit = await site.visitAsAdmin();
});
afterAll(() => site.stop());

const steps = () => visit.page.getByRole('region', { name: 'First steps' });

it('begins with what is to be done, and lists that say that nothing came yet', async () => {
  const { page } = visit;
  for (const name of ['Write the first template', 'Add the first buyer'])
    expect(await steps().getByRole('button', { name }).isEnabled()).toBe(true);
  for (const name of ['Open the first order', 'Enter the first lead'])
    expect(await steps().getByRole('button', { name }).isDisabled()).toBe(true);
  await sees(page.getByText('No buyers yet'));
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto('/dashboard/ineligible-leads');
  await sees(page.getByText('No pending leads'));
  await sees(page.getByText(/No lead has been delivered yet/));
  await page.goto('/dashboard');
});

it('adds a template inside the form of the buyer, and keeps what was typed there', async () => {
  const { page } = visit;
  await steps().getByRole('button', { name: 'Add the first buyer' }).click();
  const form = dialog(page, 'Add New Buyer');
  await form.getByLabel('Buyer ID').fill('first');
  await form.getByLabel('Buyer email').fill('first@example.com');
  await form.getByLabel('Probability').fill('40');
  await form.getByRole('switch', { name: 'Send e-mails' }).check();
  await form.getByRole('button', { name: 'New template' }).click();
  const template = dialog(page, 'Add Email Template');
  await template.getByLabel('Template name').fill(TEMPLATE.name);
  await template.getByLabel('SMTP host').fill(TEMPLATE.smtp_host);
  await template.getByLabel('SMTP port').fill(String(TEMPLATE.smtp_port));
  await template.getByLabel('SMTP user').fill(TEMPLATE.smtp_user);
  await template.locator('[data-path=smtp_pass]').fill(TEMPLATE.smtp_pass);
  await template.getByLabel('From address').fill('leads@example.com');
  await template.getByRole('button', { name: 'Create Template' }).click();
  await template.waitFor({ state: 'detached' });
  expect(await form.getByLabel('Buyer ID').inputValue()).toBe('first');
  const chosen = form.getByRole('combobox', { name: 'E-mail template', exact: true });
  await expect.poll(() => chosen.locator('option:checked').innerText()).toBe(TEMPLATE.name);
  await form.getByRole('button', { name: 'Add Buyer' }).click();
  await seesMessage(page, 'Buyer first added');
  const { buyers } = await site.cloud.admin.ok('listBuyers');
  expect(buyers[0]).toMatchObject({ buyer_id: 'first', send_email: true });
  const templates = await site.cloud.admin.ok('listEmailTemplates');
  expect(buyers[0]?.email_template_id).toBe(templates[0]?.id);
});

it('shows the new buyer, inactive as it is, and offers its order', async () => {
  const { page } = visit;
  expect(await page.getByRole('switch', { name: 'Show inactive buyers' }).isChecked()).toBe(false);
  await sees(row(page, 'Buyers and orders', 'first@example.com').getByText('No order'));
  await sees(
    row(page, 'Buyers and orders', 'first@example.com').getByRole('button', { name: 'New order for first' }),
  );
  await page.getByLabel('Messages').getByRole('button', { name: 'Create order for first' }).click();
  const form = dialog(page, 'Create New Order');
  expect(await form.getByLabel('Buyer').inputValue()).toBe('first');
  await form.getByLabel('Lead limit').fill('5');
  await sees(form.getByText('No waiting lead fits this order at the moment.'));
  await form.getByRole('button', { name: 'Create Order' }).click();
  await dialog(page, 'New link for first').getByRole('button', { name: 'Done' }).click();
});

it('ends with a test lead and the first lead, and then it is gone', async () => {
  const { page } = visit;
  for (const name of ['Write the first template', 'Add the first buyer', 'Open the first order'])
    await steps().getByRole('button', { name }).waitFor({ state: 'detached' });
  await steps().getByRole('button', { name: 'Send a test lead' }).click();
  await sees(steps().getByRole('status').filter({ hasText: /./ }));
  expect(await accessibilityProblems(page)).toEqual([]);
  await steps().getByRole('button', { name: 'Enter the first lead' }).click();
  await page.getByLabel('First name').fill('Erika');
  await page.getByLabel('Last name').fill('Mustermann');
  await page.getByLabel('Email').fill('erika@example.com');
  await page.getByLabel('Phone').fill('0151 23456789');
  await page.getByLabel('Investment').fill('20000');
  await page.getByLabel('Term').fill('12');
  await page.getByRole('button', { name: 'Submit Lead' }).click();
  await sees(page.getByText(/Lead assigned to first/));
  await page.goto('/dashboard');
  await sees(row(page, 'Buyers and orders', 'first@example.com').getByText('1 / 5'));
  await steps().waitFor({ state: 'detached' });
  expect(await steps().count()).toBe(0);
});

it('says that all buyers are inactive, not that a search found none', async () => {
  const { page } = visit;
  await site.cloud.admin.ok('updateBuyer', { params: { buyerId: 'first' }, body: { active: 0 } });
  await page.goto('/dashboard');
  await sees(page.getByText('No active buyers'));
  await sees(page.getByText(/1 inactive buyer is not shown/));
  expect(await page.getByText(/Clear the search/).count()).toBe(0);
  await page.getByRole('button', { name: 'Show all buyers' }).click();
  await sees(row(page, 'Buyers and orders', 'first@example.com').getByText('Paused', { exact: true }));
  expect(visit.problems).toEqual([]);
});
