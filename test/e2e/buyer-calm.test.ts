/** What a buyer sees first, in figures. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { press } from '#test/e2e/admin-setup';
import { DELIVERED, PHONE, rowOf, setUpShop } from '#test/e2e/buyer-setup';
import { bottomOf, topOf } from '#test/e2e/measures';

const DESKTOP = { viewport: { width: 1280, height: 800 } };

const shop = setUpShop();
let path = '';
let claimed = '';

/** 30 leads: claims in each state, two replacements, long names, and comments of several lines. */
beforeAll(async () => {
  await shop.at(DELIVERED);
  const order = await shop.order(
    { buyer_id: 'calm', probability: 10, claim_quota_percent: 20, decision_days: 10 },
    33,
  );
  path = order.path;
  const leads: string[] = [];
  for (let at = 0; at < 28; at += 1) {
    const long = at % 9 === 0 ? { vorname: 'Maximiliane'.repeat(4), nachname: 'Großkreutz'.repeat(3) } : {};
    leads.push((await shop.lead(order.buyerId, long)).lead_id);
  }
  const claims = leads.slice(-5, -1);
  for (const lead_id of claims)
    await shop.cloud.admin.ok('fileClaim', {
      body: { lead_id, order_id: order.orderId, buyer_id: 'calm', claim_reason: 'fake' },
    });
  claimed = claims[3] ?? '';
  for (const leadId of claims.slice(0, 2)) await shop.approve(leadId);
  for (let at = 0; at < 2; at += 1) await shop.lead('');
  await shop.cloud.admin.ok('updateOrderComments', {
    params: { orderId: order.orderId },
    body: {
      comments: `${'Bitte nur vormittags anrufen, und nie vor neun Uhr. '.repeat(4)}\nZweite Zeile\nDritte Zeile`,
    },
  });
  await shop.cloud.admin.ok('updateOrderRenewal', {
    params: { orderId: order.orderId },
    body: { renewal: 'ask' },
  });
  await shop.cloud.settled();
}, 120_000);

const BUTTONS = 'button, summary, select, [role=tab], a[download]';

async function countOfButtons(page: Page) {
  const all = page.locator(BUTTONS).filter({ visible: true });
  const inRows = page.locator('[data-lead]').locator(BUTTONS).filter({ visible: true });
  return (await all.count()) - (await inRows.count());
}

/** The most of any row. */
async function mostButtonsOfARow(page: Page): Promise<number> {
  const rows = await page.locator('[data-lead]').all();
  const counts = await Promise.all(
    rows.map((row) => row.locator('button, a[download]').filter({ visible: true }).count()),
  );
  return Math.max(...counts);
}

async function opened(options: Parameters<typeof shop.open>[1] = {}) {
  const visit = await shop.open(path, options);
  await rowOf(visit.page, claimed).waitFor();
  // The banner of the next order arrives with a script of its own.
  if (options.admin !== true) await visit.page.getByRole('button', { name: 'Nachbestellen' }).waitFor();
  return visit.page;
}

// An admin sees the ids, and edits and deletes in each row.
describe.each([
  ['a buyer', false, 2],
  ['an admin', true, 3],
] as const)('the page behind the link of %s', (_, admin, perRow) => {
  it('starts with the leads, and has few buttons', async () => {
    const page = await opened({ ...DESKTOP, admin });
    expect(await topOf(page.locator('[data-lead]').first())).toBeLessThanOrEqual(320);
    expect(await countOfButtons(page)).toBeLessThanOrEqual(12);
    expect(await mostButtonsOfARow(page)).toBeLessThanOrEqual(perRow);
  });

  it('shows a whole card on a phone', async () => {
    const page = await opened({ ...PHONE, admin, colorScheme: 'dark' });
    const card = page.locator('[data-lead]').first();
    if (!admin)
      expect(await bottomOf(card.getByRole('button', { name: 'reklamieren' }))).toBeLessThanOrEqual(844);
    expect(await bottomOf(card.getByRole('button').last())).toBeLessThanOrEqual(844);
    expect(await countOfButtons(page)).toBeLessThanOrEqual(12);
    expect(await mostButtonsOfARow(page)).toBeLessThanOrEqual(perRow);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});

it('the page behind a link unfolds its comments, filter, exports and account', async () => {
  const page = await opened({ ...PHONE });
  const comments = page.getByRole('region', { name: 'Kommentare' });
  const closed = (await comments.boundingBox())?.height ?? 0;
  await press(page, 'Kommentare');
  expect((await comments.boundingBox())?.height).toBeGreaterThan(closed);
  await press(page, 'Filter');
  await page.getByRole('region', { name: 'Status der Reklamation' }).getByText('Abgelehnt').waitFor();
  await press(page, /^In Prüfung 2$/);
  await page.getByText('2 von 28 Leads').waitFor();
  await page.getByRole('button', { name: 'Filter · In Prüfung' }).click();
  await page.getByRole('tab', { name: 'Mein Anteil' }).click();
  await page.getByRole('tab', { name: 'Mein Anteil' }).press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'Abrechnung' }).getByText('Offene Ersatzleads').waitFor();
  await page.getByRole('tab', { name: 'Abrechnung', selected: true }).waitFor();
  const account = page.getByRole('region', { name: 'Konto' });
  await expect.poll(() => topOf(account)).toBeLessThan(200);
  await press(page, 'Exportieren');
  await expect.poll(() => page.getByRole('link', { name: /herunterladen$/ }).count()).toBe(8);
  await expectAccessible(page, { everywhere: true });
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'CSV: Alle Leads herunterladen' }).waitFor({ state: 'hidden' });
});

it('the page behind a link has cards lighter than its ground in the dark', async () => {
  const page = await opened({ ...PHONE, colorScheme: 'dark' });
  const [ground = 0, card = 0] = await page.evaluate<number[]>(
    "['.plain-page', '[data-lead] article'].map((it) => parseInt(getComputedStyle(document.querySelector(it)).backgroundColor.slice(4)))",
  );
  expect(card - ground).toBeGreaterThanOrEqual(15);
});

it('the page behind a link of a statement shows that first', async () => {
  const { page } = await shop.open(`${path}?kontoauszug`, PHONE);
  await page.getByText('Offene Ersatzleads').waitFor();
  await expect.poll(() => topOf(page.getByRole('region', { name: 'Konto' }))).toBeLessThan(200);
});
