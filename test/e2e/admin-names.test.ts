/** What bars, icons and links are called, in the page's own words, for whoever hears the page instead of seeing it. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addBuyer, addClaim, row, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'acme', probability: 30, use_sellanylead_api: true }, 4);
  await addBuyer(site.cloud, { buyer_id: 'blank', probability: 10, use_sellanylead_api: true }, 0);
  await addClaim(site.cloud, 'acme');
  ({ page } = await site.visitAsAdmin('/dashboard?inactive=1'));
});

/** In the order of the page. */
const namesOf = (place: Locator, role: 'button' | 'link') =>
  place
    .getByRole(role)
    .evaluateAll((all) => all.map((it) => it.getAttribute('aria-label') ?? it.textContent?.trim()));
const bar = (place: Pick<Locator, 'getByRole'>, name: string) =>
  place.getByRole('progressbar', { name, exact: true });

describe('on the dashboard', () => {
  it('the bars say whose leads were delivered, and how many of how many', async () => {
    await sees(
      bar(page.getByRole('region', { name: 'Key figures' }), 'Delivered of all active orders: 1 of 4'),
    );
    const order = bar(row(page, 'Buyers and orders', 'acme@'), 'Order 1 delivered: 1 of 4');
    expect(await order.getAttribute('aria-valuenow')).toBe('25');
  });

  it('the icons of a row say what they do, and to which buyer', async () => {
    expect(await namesOf(row(page, 'Buyers and orders', 'acme@'), 'button')).toEqual([
      'Change lead limit of acme',
      'Copy link of acme',
      'Regenerate link of acme',
      'Why no leads for acme',
      'Edit acme',
      'View orders of acme',
      'Pause acme',
      'Delete acme',
    ]);
    expect(await namesOf(row(page, 'Buyers and orders', 'acme@'), 'link')).toEqual(['Open (acme)']);
    expect(await namesOf(row(page, 'Buyers and orders', 'blank@'), 'button')).toEqual([
      'New order for blank',
      'Why no leads for blank',
      'Edit blank',
      'View orders of blank',
      'Resume blank',
      'Delete blank',
    ]);
  });
});
