/** What an admin sees first of a buyer, and how few keys lead there. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addBuyer,
  addClaim,
  addLead,
  buyerOf,
  changeBuyer,
  dialog,
  fill,
  hasFocus,
  hold,
  home,
  press,
  row,
  rowAction,
  sees,
  seesBanner,
  seesTexts,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { bottomOf, sized } from '#test/e2e/measures';
import { addTemplate } from '#test/harness/cloud';

const LONG = 'lang.'.repeat(13).slice(0, 64);
const site = setUpSite(async () => {
  const { cloud } = site;
  const email_template_id = await addTemplate(cloud, { name: 'Standard' });
  const mail = { send_email: true, email_template_id };
  await addBuyer(cloud, { buyer_id: 'healthy', probability: 30, price_per_lead: 45, ...mail }, 20);
  await addBuyer(cloud, { buyer_id: 'paused', ...mail });
  await addBuyer(cloud, { buyer_id: 'new', ...mail }, 0);
  await addBuyer(cloud, { buyer_id: 'failing', ...mail });
  await addBuyer(cloud, { buyer_id: LONG, buyer_email: `${'x'.repeat(60)}@${'y'.repeat(20)}.example` });
  await changeBuyer(cloud, 'healthy', {
    max_claim_days: 9,
    decision_days: 4,
    default_decision: 'approve',
    claim_quota_percent: 20,
    schedule: { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays_off: false },
  });
  await addLead(cloud, { buyer_id: 'healthy' });
  const claimId = await addClaim(cloud, 'healthy');
  await cloud.admin.ok('approveClaim', { params: { claimId }, body: {} });
  await changeBuyer(cloud, 'paused', { active: 0 });
  await cloud.settled();
  cloud.inbox.mode = 'auth-fail';
  for (let lead = 0; lead < 3; lead += 1) await addLead(cloud, { buyer_id: 'failing' });
  await cloud.settled();
});

const SECTIONS: readonly [slug: string, link: string, ready: string][] = [
  ['orders', 'Orders', '1 replacement owed, 0 of them in the balance.'],
  ['delivery', 'Delivery', 'No delivery has failed'],
  ['terms', 'Claims and terms', 'Within 9 working days after delivery'],
  ['statement', 'Statement', 'Send by e-mail'],
  ['history', 'History', 'created'],
];

const state = (page: Page) => page.getByRole('region', { name: /^Receives/ });
const primary = (page: Page) => page.getByRole('main').locator('.mantine-Button-root:not([data-variant])');

describe('the overview of a buyer', () => {
  it.each([
    ['healthy', 'Receives leads', 'Nothing needs to be done.', undefined],
    ['paused', 'Receives no leads', 'It is paused.', 'Resume'],
    ['new', 'Receives no leads', 'It has no order.', 'Create an order'],
    ['failing', 'Receives leads', /^3 deliveries failed permanently\./, 'Resend 3 failed deliveries'],
  ])('of %s: whether it gets leads, why, and at most one next step', async (id, title, reason, step) => {
    const { page } = await site.visitAsAdmin(`/dashboard/buyers/${id}`);
    await sized(page, 1280, 800);
    await sees(page.getByRole('region', { name: title }).getByText(reason).first());
    await expect.poll(() => primary(page).allTextContents()).toEqual(step === undefined ? [] : [step]);
    expect(await page.title()).toBe(`Buyer ${id} · Lead Distribution`);
    const share = page.getByRole('region', { name: 'Share and order' });
    expect(await bottomOf(share)).toBeLessThan(800);
    expect(await share.getByText(/Its turn comes/).count()).toBe(title === 'Receives leads' ? 1 : 0);
  });

  it('has the share, and the order with its link', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/buyers/healthy');
    const order = page.getByRole('region', { name: 'Share and order' });
    await seesTexts(order, '30%', '#1, order ID 1', '2 / 20', '0 delivered, 1 owed');
    await sees(order.getByText(/share\. Its turn comes after about \d+ leads?\.$/));
    const { excel_link } = await buyerOf(site.cloud, 'healthy');
    expect(await order.getByRole('link', { name: 'Open (order 1)' }).getAttribute('href')).toBe(excel_link);
    await sees(order.getByRole('button', { name: 'Copy link of order 1' }));
    await press(order, 'Change lead limit');
    await sees(dialog(page, 'Lead limit of healthy'));
  });

  it('takes the next step, after which there is none', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/buyers/paused');
    await press(page, 'Resume');
    await sees(state(page).getByText('Nothing needs to be done.'));
    await page.goto('/dashboard/buyers/failing');
    site.cloud.inbox.mode = 'ok';
    await press(page, 'Resend 3 failed deliveries');
    await site.cloud.settled();
    await sees(state(page).getByText('Nothing needs to be done.'));
  });
});

describe('the sections of a buyer', () => {
  it('have an address each, which a reload and Back keep', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/buyers/healthy');
    const sections = page.getByRole('navigation', { name: 'Sections of the buyer' });
    const main = page.getByRole('main');
    for (const [slug, link, ready] of SECTIONS) {
      await sections.getByRole('link', { name: link, exact: true }).click();
      await sees(main.getByText(ready).first());
      expect(new URL(page.url()).pathname).toBe(`/dashboard/buyers/healthy/${slug}`);
      expect(await sections.locator('[aria-current=page]').textContent()).toBe(link);
    }
    await page.reload();
    const [, last, ready] = SECTIONS.at(-1)!;
    await sees(main.getByText(ready).first());
    expect(await sections.locator('[aria-current=page]').textContent()).toBe(last);
    await page.goBack();
    await sees(page.getByRole('table', { name: 'Statement of buyer healthy' }));
    await page.goto('/dashboard/buyers/healthy/nowhere');
    await page.waitForURL('**/dashboard/buyers/healthy');
  });

  it('load only what they show', async () => {
    const { page } = await site.visitAsAdmin('about:blank');
    const calls = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/api\/.*(healthy|deliveries|audit|buyers)/.test(pathname)) calls.add(pathname);
    });
    await page.goto('/dashboard/buyers/healthy/terms');
    await sees(page.getByText('Within 4 working days, otherwise approved'));
    expect([...calls]).toEqual(['/api/buyers/healthy']);
  });

  it('say what could not be loaded, and load it again', async () => {
    const { page } = await site.visitAsAdmin('about:blank');
    const failing = ['checklist', 'admin/orders/healthy', 'deliveries', 'statement', 'admin/audit'];
    await page.route(new RegExp(`/api/.*(${failing.join('|')})`), (route) =>
      route.fulfill({ status: 400, body: 'no json' }),
    );
    for (const section of ['', '/orders', '/delivery', '/statement', '/history']) {
      await page.goto(`/dashboard/buyers/healthy${section}`);
      await sees(page.getByRole('alert').getByRole('button', { name: 'Try again' }).first());
    }
    await page.unrouteAll();
    await press(page, 'Try again');
    await sees(row(page, 'Audit trail', 'created'));
  });

  it('follow a changed ID; the old address says what happened, with a way back', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/buyers/new/terms');
    await press(page, 'Edit');
    const form = dialog(page, 'Edit Buyer new');
    await fill(form, { 'Buyer ID': 'renamed.1' });
    await press(form, 'Save Changes');
    await page.waitForURL('**/dashboard/buyers/renamed.1/terms');
    await sees(page.getByText('From working day 5 after delivery'));
    await page.goto('/dashboard/buyers/new');
    await sees(page.getByText('This buyer does not exist'));
    await page.getByRole('link', { name: 'To the dashboard' }).click();
    await sees(page.getByRole('table', { name: 'Buyers and orders' }));
  });
});

/** How often Tab is pressed until something has the focus. */
async function tabStops(page: Page, name: string): Promise<number> {
  for (let stops = 1; stops <= 10; stops += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(':focus').textContent()) === name) return stops;
  }
  return Number.POSITIVE_INFINITY;
}

describe('the lead limit of a buyer', () => {
  it('is replaced by typing, and below the delivered leads it is refused at its field', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/buyers/healthy');
    await press(page, 'Change lead limit');
    const form = dialog(page, 'Lead limit of healthy');
    const field = form.getByLabel('Lead limit');
    await hasFocus(field);
    await seesTexts(form, '2 delivered');
    await page.keyboard.type('1');
    expect(await field.inputValue()).toBe('1');
    await press(form, 'Save');
    await seesTexts(form, 'At least 2');
    // The first one is the owed replacement.
    for (let lead = 0; lead < 2; lead += 1) await addLead(site.cloud, { buyer_id: 'healthy' });
    await fill(form, { 'Lead limit': '2' });
    await press(form, 'Save');
    await seesTexts(form, 'At least 3');
    await hasFocus(field);
    await page.keyboard.type('25');
    await press(form, 'Save');
    await form.waitFor({ state: 'detached' });
    expect((await buyerOf(site.cloud, 'healthy')).lead_limit).toBe(25);
  });
});

describe('the menu of a buyer', () => {
  it('repeats nothing that its page has', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/buyers/healthy');
    await press(page, 'More actions for healthy');
    const items = page.getByRole('menuitem');
    await sees(items.first());
    expect(await items.allInnerTexts()).toEqual([
      'Change lead limit',
      'Copy link',
      'Regenerate link',
      'Pause',
      'Delete',
    ]);
    await page.goto('/dashboard/buyers/renamed.1');
    await press(page, 'More actions for renamed.1');
    await sees(items.first());
    expect(await items.allInnerTexts()).toEqual(['Delete']);
  });

  it('pauses and resumes at once on its page, or as before if it is refused', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/buyers/healthy');
    const paused = page.getByRole('main').getByText('Paused', { exact: true });
    await sees(state(page));
    await page.route('**/api/buyers/healthy', (route) => route.fulfill({ status: 409, body: 'no json' }));
    const release = await hold(page, '**/api/buyers/healthy');
    await rowAction(page, 'Pause healthy');
    await sees(paused);
    release();
    await seesBanner(page, 'Failed to update buyer healthy');
    await paused.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('a buyer', () => {
  it.each([
    ['Statement', 'Send by e-mail'],
    ['Overview', 'Nothing needs to be done.'],
  ])('is found with the keyboard: its %s within 10 tab stops from the dashboard', async (link, ready) => {
    const { page } = await site.visitAsAdmin();
    await home(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('healthy');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/buyers/healthy');
    await sees(state(page));
    expect(await tabStops(page, link)).toBeLessThanOrEqual(10);
    await page.keyboard.press('Enter');
    await sees(page.getByRole('main').getByText(ready));
  });

  it('has its share changed within 10 tab stops from the dashboard', async () => {
    const { page } = await site.visitAsAdmin();
    await home(page);
    expect(await tabStops(page, 'Skip to content')).toBe(1);
    await page.keyboard.press('Enter');
    expect(1 + (await tabStops(page, 'Edit probabilities'))).toBeLessThanOrEqual(10);
    await page.keyboard.press('Enter');
    await sees(page.getByRole('dialog', { name: 'Probabilities' }));
  });

  it('is one click away in the table, with its reasons and with a name of 64 characters', async () => {
    const { page } = await site.visitAsAdmin();
    await sized(page, 1280, 800);
    await home(page);
    await row(page, 'Buyers and orders', LONG).getByRole('link').first().click();
    await page.waitForURL(`**/dashboard/buyers/${LONG}`);
    await sees(state(page));
    for (const width of [1280, 390]) {
      await sized(page, width, 844);
      const { scrollWidth, clientWidth } = await page
        .locator('html')
        .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
      expect(scrollWidth).toBe(clientWidth);
    }
  });

  it('that is deleted keeps its page without its actions', async () => {
    const { page } = await site.visitAsAdmin(`/dashboard/buyers/${LONG}`);
    await site.cloud.admin.ok('deleteBuyer', { params: { buyerId: LONG }, body: { links: 'keep' } });
    await page.reload();
    await sees(page.getByText(/^This buyer is deleted/));
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Orders' }).click();
    await sees(row(page, `Orders for buyer ${LONG}`, '#1'));
    await sees(page.getByRole('link', { name: 'To the dashboard' }));
    await page.getByRole('link', { name: 'Statement' }).click();
    await sees(page.getByRole('link', { name: /^Export CSV/ }));
    expect(await page.getByRole('button', { name: 'Send by e-mail' }).count()).toBe(0);
  });
});
