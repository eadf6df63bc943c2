/** The steps of an admin until a lead is assigned, in a browser. */
import type { Page } from 'playwright-core';
import { fill, follow, press } from '#test/e2e/admin-setup';

export const BUYER = 'kapital';

interface Ordered {
  /** Accepts any user and password. */
  readonly smtp: { readonly host: string; readonly port: number };
  /** Plain text of the template. */
  readonly body: string;
  readonly limit: number;
}

/** A template, a buyer who gets e-mails with it, and an order. */
export async function openOrder(page: Page, { smtp, body, limit }: Ordered): Promise<void> {
  await page.goto('/dashboard/settings/templates');
  await follow(page, [
    'Add Template',
    {
      'Template name': 'Neuer Lead',
      'SMTP host': smtp.host,
      'SMTP port': String(smtp.port),
      'SMTP user': 'mailer',
      'SMTP password': 'geheim',
      'From address': 'leads@example.org',
      Subject: 'Lead $$order_lead_id$$',
      'Body (plain text)': body,
    },
    'Create Template',
  ]);
  await page.getByText('Email template created successfully').waitFor();

  const dialog = page.getByRole('dialog');
  await press(page, 'Add Buyer');
  await fill(dialog, { 'Buyer ID': BUYER, 'Buyer email': 'einkauf@kapital.example', Probability: '60' });
  await dialog.getByRole('switch', { name: 'Send e-mails' }).check();
  await dialog.getByLabel('E-mail template').first().selectOption({ label: 'Neuer Lead' });
  await press(dialog, 'Add Buyer');
  await dialog.waitFor({ state: 'detached' });

  await press(page, 'Create Order');
  await dialog.getByLabel('Buyer').first().selectOption(BUYER);
  await fill(dialog, { 'Lead limit': String(limit) });
  await press(dialog, 'Create Order');
  await dialog.getByLabel('Lead limit').waitFor({ state: 'detached' });
}

interface Enquiry {
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
}

export async function createLead(page: Page, { lastName, email, phone }: Enquiry): Promise<void> {
  await page.goto('/dashboard/create-lead');
  await page.getByLabel('Salutation').selectOption('Frau');
  await fill(page, {
    'First name': 'Käthe',
    'Last name': lastName,
    Email: email,
    Phone: phone,
    'Investment amount': '25000',
    'Term (months)': '24',
  });
  await press(page, 'Submit Lead');
  await page.getByText(`Lead assigned to ${BUYER}`).first().waitFor();
}
