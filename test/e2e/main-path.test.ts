/** The way of a lead as people see it: from the login page to the buyer's list and its inbox. */
import { expect, it } from 'vitest';
import { logIn, setUpSite } from '#test/e2e/fixture';

const site = setUpSite(undefined, { onEngine: true });

it('a lead that an admin creates reaches the buyer by e-mail and on its list', async () => {
  const { page } = await site.visit();
  await logIn(page);
  await page.goto('/dashboard/settings');

  await page.getByRole('button', { name: 'Add Template' }).click();
  const template = page.getByRole('dialog');
  await template.getByLabel('Template name').fill('Neuer Lead');
  await template.getByLabel('SMTP host').fill('localhost');
  await template.getByLabel('SMTP port').fill(String(site.cloud.inbox.port));
  await template.getByLabel('SMTP user').fill('mailer');
  await template.getByRole('textbox', { name: 'SMTP password' }).fill('geheim');
  await template.getByLabel('From address').fill('leads@example.org');
  await template.getByLabel('Subject').fill('Lead $$order_lead_id$$');
  await template.getByLabel('Body (plain text)').fill('$$anrede$$ $$nachname$$: $$telefon$$');
  await template.getByRole('button', { name: 'Create Template' }).click();
  await page.getByText('Email template created successfully').waitFor();

  await page.getByRole('banner').getByRole('button', { name: 'Add Buyer' }).click();
  const buyer = page.getByRole('dialog');
  await buyer.getByLabel('Buyer ID').fill('kapital');
  await buyer.getByLabel('Buyer email').fill('einkauf@kapital.example');
  await buyer.getByLabel('Probability (%)').fill('60');
  await buyer.getByRole('switch', { name: 'Send e-mails' }).check();
  await buyer.getByLabel('E-mail template').first().selectOption({ label: 'Neuer Lead' });
  await buyer.getByRole('button', { name: 'Add Buyer' }).click();
  await buyer.waitFor({ state: 'detached' });

  await page.getByRole('banner').getByRole('button', { name: 'Create Order' }).click();
  const order = page.getByRole('dialog');
  await order.getByLabel('Buyer').first().selectOption('kapital');
  await order.getByLabel('Lead limit').fill('5');
  await order.getByRole('button', { name: 'Create Order' }).click();
  await order.getByLabel('Lead limit').waitFor({ state: 'detached' });

  await page.goto('/dashboard/create-lead');
  await page.getByLabel('Salutation').selectOption('Frau');
  await page.getByLabel('First name').fill('Käthe');
  await page.getByLabel('Last name').fill('Groß');
  await page.getByLabel('Email').fill('kaethe@example.org');
  await page.getByLabel('Phone').fill('0170 1234567');
  await page.getByLabel('Investment amount').fill('25000');
  await page.getByLabel('Term (months)').fill('24');
  await page.getByRole('button', { name: 'Submit Lead' }).click();
  await page.getByText('Lead assigned to kapital').first().waitFor();

  const { excel_link } = (await site.cloud.admin.ok('listBuyers')).buyers[0] ?? {};
  const visitor = await site.visit(new URL(excel_link ?? '').pathname);
  await visitor.page.getByText('Groß').first().waitFor();
  expect(await visitor.page.getByRole('heading', { level: 1 }).textContent()).toContain(
    'Lead Liste für Bestellung',
  );

  await site.cloud.settled();
  expect(site.cloud.inbox.mails).toEqual([
    expect.objectContaining({
      to: ['einkauf@kapital.example'],
      subject: 'Lead 1-1',
      text: expect.stringContaining('Frau Groß: 0170 1234567'),
    }),
  ]);
});
