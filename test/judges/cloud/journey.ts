/** The product's main path in a real browser, through the emulated CloudFront: from the login to a replaced lead. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { fill, follow, press } from '#test/e2e/admin-setup';
import { launchBrowser } from '#test/harness/browser';
import { expect } from '#test/judges/cloud/findings';
import { mailCount, type Stage } from '#test/judges/cloud/stage';

export const BUYER = 'kapital';
const PATIENCE_MS = 20_000;
const POLL_INTERVAL_MS = 100;

/** @returns what was seen */
export async function journey(stage: Stage): Promise<string> {
  const browser = await launchBrowser();
  try {
    const problems: string[] = [];
    const admin = await visit(browser, stage, problems);
    await logIn(admin, stage);
    await openOrder(admin, stage);
    await createLead(admin, 'Groß', 'kaethe@example.org', '0170 1234567');
    const link = linkIn((await mailOf(stage, 1)).text ?? '');
    const buyer = await visit(browser, stage, problems, link);
    await buyer.getByText('Groß').first().waitFor();
    await claim(buyer);
    await approve(admin);
    await createLead(admin, 'Ersatz', 'emil@example.org', '0170 7654321');
    await mailOf(stage, 2);
    await buyer.getByRole('tab', { name: 'Ersatzleads' }).click();
    await buyer.getByText('Ersatz').last().waitFor();
    await figuresAgree(stage);
    await exported(admin);
    expect(problems.length === 0, problems.join('; '));
    return 'first admin, template, buyer, order, 2 leads, 2 e-mails, link, claim, replacement, statistics, export';
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, { edge }: Stage, problems: string[], link = '/'): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: edge.url })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', ({ message }) => problems.push(`uncaught: ${message}`));
  page.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`);
  });
  // The path only: the host of a distribution is known to the emulator alone.
  await page.goto(new URL(link, edge.url).pathname);
  return page;
}

export async function logIn(page: Page, { firstAdmin }: Pick<Stage, 'firstAdmin'>): Promise<void> {
  await fill(page, { Username: firstAdmin.username });
  await page.getByLabel('Password', { exact: true }).fill(firstAdmin.password);
  await press(page, 'Log in');
  await page.waitForURL('**/dashboard');
}

async function openOrder(page: Page, { mails }: Stage): Promise<void> {
  await page.goto('/dashboard/settings');
  await follow(page, [
    'Add Template',
    {
      'Template name': 'Neuer Lead',
      'SMTP host': '127.0.0.1',
      'SMTP port': String(mails.port),
      'SMTP user': 'mailer',
      'SMTP password': 'geheim',
      'From address': 'leads@example.org',
      Subject: 'Lead $$order_lead_id$$',
      'Body (plain text)': '$$nachname$$: $$leads_link$$',
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
  await fill(dialog, { 'Lead limit': '50' });
  await press(dialog, 'Create Order');
  await dialog.getByLabel('Lead limit').waitFor({ state: 'detached' });
}

async function createLead(page: Page, lastName: string, email: string, phone: string): Promise<void> {
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

async function mailOf({ mails }: Stage, count: number) {
  await mailCount({ mails }, count);
  const received = mails.mails[count - 1];
  expect(received !== undefined, 'The e-mail is gone');
  return received.mail();
}

function linkIn(text: string): string {
  const [link] = /https:\/\/\S+/.exec(text) ?? [];
  expect(link !== undefined, `There is no link in: ${text}`);
  return link;
}

async function claim(page: Page): Promise<void> {
  await press(page, 'reklamieren');
  const dialog = page.getByRole('dialog', { name: 'Reklamation einreichen' });
  await dialog.getByLabel('Grund').selectOption('fake');
  await press(dialog, 'Reklamation einreichen');
  await page.getByText('Ihre Reklamation wurde eingereicht').waitFor();
}

async function approve(page: Page): Promise<void> {
  await page.goto('/dashboard/claimed-leads');
  await press(page, 'Review claim 1');
  await press(page.getByRole('dialog'), 'Approve');
  await page.getByText('Claim #1 approved').first().waitFor();
}

/** The statistics follow the table's stream. */
async function figuresAgree({ admin }: Stage): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = (await admin.ok('getBuyerStats')).buyer_stats;
    const figures = [row?.original_leads_received, row?.reimbursement_leads_received, row?.approved_claims];
    if (figures.every((figure) => figure === 1)) return;
    expect(performance.now() < until, `The statistics stay at ${figures.join(', ')}`);
    await wait(POLL_INTERVAL_MS);
  }
}

async function exported(page: Page): Promise<void> {
  await page.goto('/dashboard/stats');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export XLSX of buyer statistics' }).click(),
  ]);
  expect(download.suggestedFilename().endsWith('.xlsx'), 'The export is no workbook');
}
