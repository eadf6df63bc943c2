/** What the roles of admins see: neither buttons nor screens of what they may not do. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { addBuyer, addLead, buyerOf, dialog, fill, press, sees } from '#test/e2e/admin-setup';
import { logIn, setUpSite } from '#test/e2e/fixture';
import { ADMIN, addAdmin } from '#test/harness/cloud';

let leadId: string;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'nordwert', min_investment: 5000 });
  ({ lead_id: leadId } = await addLead(site.cloud, { buyer_id: 'nordwert' }));
  await addLead(site.cloud, { anlagebetrag: 10 });
  await site.cloud.admin.ok('createSource', { body: { name: 'Landing page', src: 'landing' } });
});

async function visitAs(role: 'operations' | 'viewer'): Promise<Page> {
  await addAdmin(site.cloud, role);
  await site.cloud.admin.ok('changeRole', { params: { username: role }, body: { role } });
  const { page } = await site.visit('/', { fresh: true });
  await logIn(page, { username: role, password: ADMIN.password });
  return page;
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });
const screenText = (page: Page) => page.getByRole('main').innerText();

/** Buttons and links that a screen offers, once it shows the text. */
async function offered(page: Page, path: string, text: string): Promise<string> {
  await page.goto(path);
  await page.getByText(text).first().waitFor();
  const names = await page
    .locator('main, header')
    .getByRole('button')
    .or(page.getByRole('main').getByRole('link'))
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  return names.join('\n');
}

describe('a viewer', () => {
  let page: Page;
  beforeAll(async () => {
    page = await visitAs('viewer');
  });

  it('sees the own role, and no entries of screens that it may not open', async () => {
    await sees(menu(page).getByText('Viewer', { exact: true }));
    const entries = await menu(page).innerText();
    expect(entries).toContain('Statistics');
    expect(entries).not.toMatch(/Settings|Create Lead/);
  });

  it.each([
    ['/dashboard', 'nordwert'],
    ['/dashboard/buyers/nordwert', 'Share and order'],
    ['/dashboard/buyers/nordwert/orders', 'Replacements'],
    ['/dashboard/ineligible-leads', 'of 1 pending lead'],
    ['/dashboard/sources', '1 source'],
    ['/dashboard/admins', 'Last log-in'],
  ])('finds no button for a change on %s', async (path, text) => {
    expect(await offered(page, path, text)).not.toMatch(
      /Add|Create|Edit|Change l|Delete|Remove|Regenerate|Turn o|Assign\b|Discard|Export|Invite|Keys of|Reset|Renewal/i,
    );
  });

  it('finds neither an erasure nor a disclosure of a person', async () => {
    const buttons = await offered(page, `/dashboard/people?leads=${leadId}`, 'Received by');
    expect(buttons).toContain('Back to the search');
    expect(buttons).not.toMatch(/Disclosure|Erase|Withdraw/);
  });

  it.each(['/dashboard/settings', '/dashboard/settings/templates', '/dashboard/create-lead'])(
    'is told that the role does not allow %s',
    async (path) => {
      await page.goto(path);
      await sees(page.getByText('Your role does not allow this'));
      expect(await screenText(page)).not.toMatch(/Save|Create Lead/);
      await expectAccessible(page, { narrow: true });
    },
  );

  it('finds no command for a change, and keys open no dialog', async () => {
    await page.goto('/dashboard');
    await page.getByText('nordwert').first().waitFor();
    await page.keyboard.type('no');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pause nordwert');
    await sees(page.getByText('Nothing found'));
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});

describe('operations', () => {
  let page: Page;
  beforeAll(async () => {
    page = await visitAs('operations');
  });

  it('changes orders', async () => {
    await page.goto('/dashboard/buyers/nordwert/orders');
    await press(page, /Change lead limit of order/);
    const change = dialog(page, /Lead limit of order/);
    await fill(change, { 'Lead limit': '25' });
    await press(change, 'Save');
    await expect.poll(async () => (await buyerOf(site.cloud, 'nordwert')).lead_limit).toBe(25);
  });

  it('finds neither settings nor keys of sources', async () => {
    expect(await menu(page).innerText()).toMatch(/Create Lead/);
    expect(await menu(page).innerText()).not.toMatch(/Settings/);
    const buttons = await offered(page, '/dashboard/sources', '1 source');
    expect(buttons).toMatch(/Add Source/);
    expect(buttons).not.toMatch(/Keys/);
    await page.goto('/dashboard/settings');
    await sees(page.getByText('Your role does not allow this'));
  });

  it('discloses and withdraws, but erases nobody', async () => {
    const buttons = await offered(page, `/dashboard/people?leads=${leadId}`, 'Received by');
    expect(buttons).toMatch(/Disclosure as JSON[^]*Withdraw consent/);
    expect(buttons).not.toMatch(/Erase/);
  });
});
