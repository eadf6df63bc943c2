/** What an admin sees first in the settings and of a source, in figures. */
import { describe, expect, it } from 'vitest';
import { ALERT_KINDS } from '#shared/rules/constants';
import {
  addBuyer,
  dialog,
  fill,
  hasFocus,
  home,
  press,
  row,
  sees,
  TEMPLATE,
  unfold,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { bottomOf, sized, visibleFields } from '#test/e2e/measures';

const LONG = `Festgeld ${'lang'.repeat(18)}`.slice(0, 80);
const site = setUpSite(async () => {
  const { admin } = site.cloud;
  await admin.ok('createEmailTemplate', { body: { ...TEMPLATE, name: LONG } });
  await admin.ok('createPushoverCredential', { body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) } });
  await addBuyer(site.cloud, { buyer_id: 'first' });
});

const SECTIONS = [
  ['verification', 'API Verification Settings', 'Edit Settings'],
  ['templates', 'Email Templates', 'Add Template'],
  ['push', 'Pushover Notification Settings', 'Add Credentials'],
  ['alerts', 'Alerts', 'Edit Alerts'],
  ['webhooks', 'Webhooks', 'Add Webhook'],
  ['retention', 'Retention', 'Edit Retention'],
  ['company', 'Company', 'Edit Company'],
  // A switch that saves itself.
  ['status-page', 'Public Status Page', undefined],
] as const;

describe('the settings', () => {
  it('show one section at an address that survives a reload, with at most one primary button', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/settings');
    await sized(page, 1280, 800);
    const main = page.getByRole('main');
    const list = page.getByRole('navigation', { name: 'Sections of the settings' });
    await sees(page.getByRole('heading', { level: 2, name: 'API Verification Settings' }));
    for (const [index, [slug, title, primary]] of SECTIONS.entries()) {
      const link = list.getByRole('link').nth(index);
      await link.click();
      const heading = main.getByRole('heading', { level: 2, name: title, exact: true });
      await sees(heading);
      expect(await link.evaluate((it) => it.matches(':focus')), `${slug}: the focus`).toBe(true);
      expect(new URL(page.url()).pathname).toBe(`/dashboard/settings/${slug}`);
      if (index === SECTIONS.length - 1) await page.reload();
      await sees(heading);
      expect(await main.getByRole('heading', { level: 2 }).count(), slug).toBe(1);
      expect(await list.locator('[aria-current=page]').textContent()).toBe(await link.textContent());
      const buttons = main.locator('.mantine-Button-root:not([data-variant])');
      await expect.poll(() => buttons.allTextContents()).toEqual(primary === undefined ? [] : [primary]);
    }
    await page.goto('/dashboard/settings/nowhere');
    await page.waitForURL('**/dashboard/settings');
  });

  it('list alerts in one table with a row for each event, which fits a phone', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/settings/alerts');
    await sized(page, 1280, 800);
    const section = page.getByRole('region', { name: 'Alerts', exact: true });
    const rows = section.getByRole('table').locator('tbody tr');
    await sees(rows.first());
    expect(await rows.count()).toBe(ALERT_KINDS.length);
    expect(await section.locator('.mantine-Paper-root').count()).toBe(0);
    expect(await bottomOf(rows.last())).toBeLessThan(800);
    await press(page, 'Edit Alerts');
    const form = page.getByRole('dialog').getByRole('table');
    await sees(form);
    expect(await form.locator('tbody tr').count()).toBe(ALERT_KINDS.length);
    await sized(page, 390, 844);
    for (const table of [form, section.getByRole('table')]) {
      const { x, width } = (await table.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(390);
    }
  });

  it('can be found by their sections with Ctrl+K', async () => {
    const { page } = await site.visitAsAdmin();
    await home(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('settings: retention');
    await page.keyboard.press('Enter');
    await sees(page.getByRole('heading', { level: 2, name: 'Retention' }));
  });
});

describe('a source', () => {
  it('is added with two fields; groups say in one line what they contain and open at an error', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/sources');
    await press(page, 'Add Source');
    const form = dialog(page, 'Add Source');
    await sees(form.getByLabel('Source value'));
    expect(await visibleFields(form)).toBe(2);
    const limits = form.locator('summary', { hasText: 'Limits' });
    expect(await limits.textContent()).toBe(
      'Limits and cost600 a minute, any number a day, any number in total, cost unknown',
    );
    await fill(form, { Name: LONG, 'Source value': 'festgeld' });
    await unfold(form, 'Limits');
    await fill(form, { 'Leads per minute': '0' });
    await unfold(form, 'Limits');
    await press(form, 'Add Source');
    await hasFocus(form.getByLabel('Leads per minute'));
    await fill(form, { 'Leads per minute': '60' });
    await press(form, 'Add Source');
    await sees(row(page, 'Sources', LONG).getByText('Test'));
  });
});
