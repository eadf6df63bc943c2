/** The product's main path in a real browser, through the emulated CloudFront: from the login to a replaced lead. */
import type { Browser, Page } from 'playwright-core';
import { press } from '#test/e2e/admin-setup';
import { logIn } from '#test/e2e/fixture';
import { createLead, openOrder } from '#test/e2e/main-path-steps';
import { launchBrowser } from '#test/harness/browser';
import { expect, settled } from '#test/judges/cloud/findings';
import { mailCount, type Stage } from '#test/judges/cloud/stage';

const PATIENCE_MS = 20_000;

/** @returns what was seen */
export async function journey(stage: Stage): Promise<string> {
  const browser = await launchBrowser();
  try {
    const problems: string[] = [];
    const admin = await visit(browser, stage, problems);
    await logIn(admin, stage.firstAdmin);
    await openOrder(admin, {
      smtp: { host: '127.0.0.1', port: stage.mails.port },
      body: '$$nachname$$: $$leads_link$$',
      limit: 50,
    });
    await createLead(admin, { lastName: 'Groß', email: 'kaethe@example.org', phone: '0170 1234567' });
    const link = linkIn((await mailOf(stage, 1)).text ?? '');
    const buyer = await visit(browser, stage, problems, link);
    await buyer.getByText('Groß').first().waitFor();
    await claim(buyer);
    await approve(admin);
    await createLead(admin, { lastName: 'Ersatz', email: 'emil@example.org', phone: '0170 7654321' });
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
  await settled(async () => {
    const [row] = (await admin.ok('getBuyerStats')).buyer_stats;
    const figures = [row?.original_leads_received, row?.reimbursement_leads_received, row?.approved_claims];
    return figures.every((figure) => figure === 1) ? [] : [`The statistics stay at ${figures.join(', ')}`];
  });
}

async function exported(page: Page): Promise<void> {
  await page.goto('/dashboard/stats');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export XLSX of buyer statistics' }).click(),
  ]);
  expect(download.suggestedFilename().endsWith('.xlsx'), 'The export is no workbook');
}
