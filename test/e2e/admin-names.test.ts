/** What bars, icons and links are called, in the page's own words, for whoever hears the page instead of seeing it. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addClaim, closeDialogs, dialog, row, sees } from '#test/e2e/admin-setup';
import { type Site, startSite, type Visit } from '#test/e2e/fixture';

let site: Site;
let visit: Visit;
beforeAll(async () => {
  site = await startSite();
  await addBuyer(site.cloud, { buyer_id: 'acme', probability: 30, use_sellanylead_api: true }, 4);
  await addBuyer(site.cloud, { buyer_id: 'blank', probability: 10, use_sellanylead_api: true }, 0);
  await addClaim(site.cloud, 'acme');
  visit = await site.visitAsAdmin('/dashboard?inactive=1');
});
afterAll(() => site.stop());

/** In the order of the page. */
const namesOf = (place: Locator, role: 'button' | 'link') =>
  place
    .getByRole(role)
    .evaluateAll((all) => all.map((it) => it.getAttribute('aria-label') ?? it.textContent?.trim()));
const bar = (place: Pick<Locator, 'getByRole'>, name: string) =>
  place.getByRole('progressbar', { name, exact: true });

describe('on the dashboard', () => {
  it('the bars say whose leads were delivered, and how many of how many', async () => {
    const { page } = visit;
    await sees(
      bar(page.getByRole('region', { name: 'Key figures' }), 'Delivered of all active orders: 1 of 4'),
    );
    const order = bar(row(page, 'Buyers and orders', 'acme@'), 'Order 1 delivered: 1 of 4');
    expect(await order.getAttribute('aria-valuenow')).toBe('25');
  });

  it('the icons of a row say what they do, and to which buyer', async () => {
    const { page } = visit;
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

  it('the bars of the dialogs say what they measure', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'View orders of acme' }).click();
    await sees(bar(dialog(page, 'Orders for buyer acme'), 'Order 1 delivered: 1 of 4'));
    await closeDialogs(page);
    await page.getByRole('button', { name: 'Edit probabilities' }).click();
    const sum = bar(dialog(page, 'Probabilities'), 'Sum of the probabilities');
    await sees(sum);
    expect(await sum.getAttribute('aria-valuenow')).toBe('30');
    await closeDialogs(page);
    await page.goto('/dashboard/claimed-leads');
    await page.getByRole('button', { name: 'Details of claim 1' }).click();
    await sees(bar(dialog(page, 'Claim Details #1'), 'Leads received in this order: 1 of 4'));
    await closeDialogs(page);
  });
});
