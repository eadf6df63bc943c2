/** What the most used pages load first, in a real browser. */
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { furnish } from '#test/e2e/accessibility-setup';
import { setUpSite } from '#test/e2e/fixture';

let buyerPath = '';
const site = setUpSite(async () => {
  await furnish(site);
  const { orders } = await site.cloud.admin.ok('listOrders');
  buyerPath = new URL(orders.find(({ buyer_id }) => buyer_id === 'alpha')?.excel_link ?? '').pathname;
});

const KB = 1000;

async function loaded(page: Page, path: string) {
  const answers = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const size = response.body().then(
      (body) => gzipSync(body).length,
      () => 0,
    );
    if (!answers.has(response.url())) answers.set(response.url(), size);
  });
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const scripts = [...answers].filter(([url]) => url.endsWith('.js'));
  const sizes = await Promise.all(scripts.map(([, size]) => size));
  return { requests: [...answers.keys()], script: sizes.reduce((sum, size) => sum + size, 0) / KB };
}

describe('the first load', () => {
  it.each([
    ['login', () => '/', false, 105],
    ['dashboard', () => '/dashboard', true, 141],
    ['claims', () => '/dashboard/claimed-leads', true, 146],
    ['statistics', () => '/dashboard/stats', true, 200],
    ['a buyer’s page', () => buyerPath, false, 111],
  ])('of %s is small, in at most 20 requests', async (_page, pathOf, asAdmin, most) => {
    const { page } = asAdmin ? await site.visitAsAdmin('/robots.txt') : await site.visit('/robots.txt');
    const { requests, script } = await loaded(page, pathOf());
    expect(script).toBeLessThanOrEqual(most);
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(20);
  });
});
