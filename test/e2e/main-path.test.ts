/** The path of a lead in the browser: from the login page to the buyer's list and inbox. */
import { expect, it } from 'vitest';
import { fill, follow, press } from '#test/e2e/admin-setup';
import { logIn, setUpSite } from '#test/e2e/fixture';

const site = setUpSite(undefined, { onEngine: true });

it('a lead created by an admin reaches the buyer by e-mail and on its list', async () => {
  const { page } = await site.visit();
  await logIn(page);
  await page.goto('/dashboard/settings');

  await follow(page, [
    'Add Template',
    {
      'Template name': 'Neuer Lead',
      'SMTP host': 'localhost',
      'SMTP port': String(site.cloud.inbox.port),
      'SMTP user': 'mailer',
      'SMTP password': 'geheim',
      'From address': 'leads@example.org',
      Subject: 'Lead $$order_lead_id$$',
      'Body (plain text)': '$$anrede$$ $$nachname$$: $$telefon$$',
    },
    'Create Template',
  ]);
  await page.getByText('Email template created successfully').waitFor();

  const dialog = page.getByRole('dialog');
  await press(page, 'Add Buyer');
  await fill(dialog, { 'Buyer ID': 'kapital', 'Buyer email': 'einkauf@kapital.example', Probability: '60' });
  await dialog.getByRole('switch', { name: 'Send e-mails' }).check();
  await dialog.getByLabel('E-mail template').first().selectOption({ label: 'Neuer Lead' });
  await press(dialog, 'Add Buyer');
  await dialog.waitFor({ state: 'detached' });

  await press(page, 'Create Order');
  await dialog.getByLabel('Buyer').first().selectOption('kapital');
  await fill(dialog, { 'Lead limit': '5' });
  await press(dialog, 'Create Order');
  await dialog.getByLabel('Lead limit').waitFor({ state: 'detached' });

  await page.goto('/dashboard/create-lead');
  await page.getByLabel('Salutation').selectOption('Frau');
  await fill(page, {
    'First name': 'Käthe',
    'Last name': 'Groß',
    Email: 'kaethe@example.org',
    Phone: '0170 1234567',
    'Investment amount': '25000',
    'Term (months)': '24',
  });
  await press(page, 'Submit Lead');
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
