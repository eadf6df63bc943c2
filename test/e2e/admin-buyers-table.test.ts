/** The table of buyers and orders at common widths: nothing overflows horizontally, and phones show cards. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addBuyer, addClaim, hold, row, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, {
    buyer_id: 'first',
    probability: 60.25,
    price_per_lead: 1140.5,
    min_investment: 25_000,
    use_sellanylead_api: true,
    manual_review: true,
  });
  await addBuyer(site.cloud, {
    buyer_id: 'second',
    probability: 20,
    buyer_type: 'postpay',
    price_per_lead: 48,
  });
  ({ page } = await site.visitAsAdmin());
});

describe('the table of buyers and orders', () => {
  it('shows its link and every action at 1280 pixels', async () => {
    await page.goto('/dashboard');
    const first = row(page, 'Buyers and orders', 'first@example.com');
    for (const name of ['Edit first', 'View orders of first', 'More actions for first']) {
      const onTop = async () => {
        const box = await first.getByRole('button', { name }).boundingBox();
        const [x, y] = box === null ? [0, 0] : [box.x + box.width / 2, box.y + box.height / 2];
        return page.evaluate(`document.elementFromPoint(${x}, ${y})?.closest('button')?.ariaLabel ?? ''`);
      };
      // The first steps of a new system appear above the table a little later.
      await expect.poll(onTop, { message: name }).toBe(name);
    }
    const region = page.locator('section[aria-label="Buyers and orders"]');
    expect(await region.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
  });

  it('has no layout shift while answers arrive sequentially on a phone, like other screens', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.addInitScript(`
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
          window.shifts.push({ value, moved: sources.map(({ node }) => (node?.parentElement ?? node)?.outerHTML?.slice(0, 90)) });
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    const painted = () =>
      page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    /** The answers arrive sequentially, each after the previous one is painted. */
    const staysInPlace = async (path: string, first: Locator, calls: Record<string, Locator>) => {
      const releases = [];
      for (const call of Object.keys(calls)) releases.push(await hold(page, `**/api/${call}`));
      await page.goto(path);
      await sees(first);
      await painted();
      for (const [index, shown] of Object.values(calls).entries()) {
        releases[index]?.();
        await sees(shown);
        await painted();
      }
      await page.unrouteAll({ behavior: 'wait' });
      const moved = await page.evaluate<{ value: number }[]>('window.shifts');
      const sum = moved.reduce((total, { value }) => total + value, 0);
      expect(sum, `${path}: ${JSON.stringify(moved)}`).toBeLessThanOrEqual(0.02);
    };
    const dashboard = () =>
      staysInPlace('/dashboard', page.getByRole('heading', { name: 'Buyers & Orders' }), {
        'admin/dashboard-stats': page.getByText('2 active orders'),
        buyers: page.getByLabel('Sort by'),
      });
    await dashboard();
    await addClaim(site.cloud, 'first');
    await dashboard();
    await staysInPlace('/dashboard/claimed-leads', page.getByText('Loading claims...'), {
      'lead-claims/admin/pending': page.getByText('Pending Claims (1)'),
      'lead-claims/admin/filtered*': page.getByText('1 claim', { exact: true }),
    });
    await staysInPlace('/dashboard/stats', page.getByText('Analytics and performance'), {
      'admin/buyer-stats*': page.getByText('Lead Volume Over Time'),
    });
  });

  it('has cards on a phone, with action names that contain the buyer', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/dashboard');
    const card = row(page, 'Buyers and orders', 'first@example.com');
    await expect.poll(() => card.getByRole('cell').count()).toBe(9);
    const box = await card.boundingBox();
    expect(box?.width).toBeLessThan(390);
    expect(box?.height).toBeGreaterThan(200);
    const names = (role: 'button' | 'link') =>
      card
        .getByRole(role)
        .evaluateAll((all) => all.map((it) => it.getAttribute('aria-label') ?? it.textContent?.trim()));
    expect(await names('button')).toEqual(['Edit first', 'View orders of first', 'More actions for first']);
    expect(await names('link')).toEqual([
      'first',
      expect.stringMatching(/^\d, show the leads of first$/),
      'Open (first)',
    ]);
    await page.getByLabel('Sort by').selectOption({ label: 'Probability, descending' });
    await page.waitForURL('**/dashboard?sort=probability&dir=desc');
  });
});
