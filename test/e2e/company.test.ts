/** The company details: entered once, then at the end of every public page. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { unsubscribeToken } from '#functions/domain/orders/notification-preferences';
import { createKeyLoader } from '#functions/keys/keys';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { addBuyer, dialog, fill, hasFocus, press, sees, seesMessage } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

interface PublicPage {
  readonly path: string;
  readonly ready: string;
  readonly language: 'de' | 'en';
}
let pages: readonly PublicPage[];

const site = setUpSite(async () => {
  const { cloud } = site;
  await addBuyer(cloud, { buyer_id: 'alpha' });
  const { orders } = await cloud.admin.ok('listOrders');
  const list = new URL(orders[0]?.excel_link ?? '').pathname;
  const buyer = (await buyerStore.byId(cloud, 'alpha'))!;
  const { unsubscription } = await createKeyLoader(cloud.environment)();
  const { source } = await cloud.admin.ok('createSource', { body: { name: 'Landing', src: 'page' } });
  const { source: linked } = await cloud.admin.ok('regenerateSpecification', {
    params: { sourceId: source.source_id },
  });
  const subscription = unsubscribeToken(unsubscription, buyer, 'weekly_statement');
  pages = [
    { path: '/', ready: 'Log in to manage buyers', language: 'en' },
    { path: '/invitation', ready: 'The address is incomplete', language: 'en' },
    { path: '/status', ready: 'This page is not public.', language: 'en' },
    { path: new URL(linked.specification_link ?? '').pathname, ready: 'Posting leads', language: 'en' },
    { path: list, ready: 'Noch keine Leads', language: 'de' },
    { path: `/leads/${'x'.repeat(43)}`, ready: 'Link', language: 'de' },
    { path: `/unsubscribe/${subscription}`, ready: 'Abrechnung', language: 'de' },
    {
      path: `/erasure/${'x'.repeat(43)}`,
      ready: 'Link',
      language: 'de',
    },
  ];
});

const LINKS = { de: ['Impressum', 'Datenschutz'], en: ['Imprint', 'Privacy notice'] };
const footer = (page: Page) => page.locator('footer', { hasText: 'Muster GmbH' });
/** Reachable by scrolling, and below everything else. */
const bottom = (page: Page) =>
  page.evaluate(`(() => {
    const footer = document.querySelector('footer').getBoundingClientRect();
    const main = document.querySelector('main').getBoundingClientRect();
    const end = footer.bottom + scrollY;
    return { atEnd: Math.abs(end - Math.max(innerHeight, document.documentElement.scrollHeight)) < 20,
      below: document.querySelector('main').contains(document.querySelector('footer')) || footer.top >= main.bottom - 1 };
  })()`);

it('pages end as before while nothing is set', async () => {
  const { page } = await site.visit('/robots.txt');
  // One of each frame.
  for (const path of ['/', '/status']) {
    await page.goto(path);
    await sees(page.getByRole('main'));
    await page.waitForLoadState('networkidle');
    expect(await page.locator('footer').count(), path).toBe(0);
  }
});

it('an admin enters them; a wrong address is refused at its field', async () => {
  const { page } = await site.visitAsAdmin('/dashboard/settings/company');
  await press(page, 'Edit Company');
  const form = dialog(page, 'Edit Company');
  await hasFocus(form.getByLabel('Name'));
  await fill(form, {
    Name: 'Muster GmbH',
    Address: 'Musterweg 1\n12345 Berlin',
    Imprint: 'http://muster.example',
    'Privacy notice': 'https://muster.example/datenschutz',
    'Contact for data protection': 'datenschutz@muster.example',
  });
  await press(form, 'Save Company');
  await sees(form.getByText('Enter an address that begins with https://'));
  await hasFocus(form.getByLabel('Imprint'));
  await fill(form, { Imprint: 'https://muster.example/impressum' });
  await press(form, 'Save Company');
  await seesMessage(page, 'Settings saved successfully');
  const section = page.getByRole('region', { name: 'Company' });
  await sees(section.getByText('12345 Berlin'));
  await sees(section.getByText('https://muster.example/impressum'));
});

describe('once they are set', () => {
  it('every public page ends with them, and is accessible', async () => {
    const { page } = await site.visit('/robots.txt');
    for (const { path, ready, language } of pages) {
      await page.goto(path);
      await sees(page.getByRole('main').getByText(ready).first());
      await sees(footer(page).getByText('Muster GmbH, Musterweg 1, 12345 Berlin'));
      await sees(footer(page).getByText('datenschutz@muster.example'));
      expect(await footer(page).getByRole('link').allTextContents(), path).toEqual(LINKS[language]);
      expect(await bottom(page), path).toEqual({ atEnd: true, below: true });
      await expectAccessible(page, { narrow: true });
    }
  });

  it('a page appears also if they cannot be loaded', async () => {
    const { page } = await site.visit('/robots.txt');
    await page.route('**/api/company', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/status');
    await sees(page.getByText('This page is not public.'));
    expect(await page.locator('footer').count()).toBe(0);
  });
});
