/** Errors of the admin app if the server answers without a text, or not at all. */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  addBuyer,
  addLead,
  agree,
  closeDialogs,
  follow,
  inMenu,
  press,
  rowAction,
  type Step,
  sees,
  seesBanner,
  seesTexts,
  TEMPLATE,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
let history: string;
const site = setUpSite(async () => {
  await site.cloud.admin.ok('createEmailTemplate', { body: TEMPLATE });
  await site.cloud.admin.ok('createPushoverCredential', {
    body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) },
  });
  await addBuyer(site.cloud, { buyer_id: 'two', probability: 0 }, 5);
  history = `/dashboard/leads/${(await addLead(site.cloud, { buyer_id: 'two' })).lead_id}`;
  ({ page } = await site.visitAsAdmin());
  // An incomplete form asks before the page is left.
  page.on('dialog', (question) => void question.accept());
});

describe('a screen', () => {
  beforeAll(() =>
    page.route(/\/api\/(?!check-auth)/, (route) => route.fulfill({ status: 409, body: 'no json' })),
  );

  it.each<[path: string, ...texts: string[]]>([
    ['/dashboard', 'Failed to load dashboard statistics', 'Failed to load buyers'],
    ['/dashboard/ineligible-leads', 'Failed to load ineligible leads'],
    [
      '/dashboard/claimed-leads?filters=1',
      'Failed to fetch claims',
      'Failed to fetch pending claims',
      'Failed to fetch orders',
      'Failed to fetch buyers',
    ],
    ['/dashboard/stats', 'Failed to fetch buyer statistics'],
    ['/dashboard/settings', 'Failed to load API settings'],
    ['/dashboard/settings/templates', 'Failed to load email templates'],
    ['/dashboard/settings/push', 'Failed to load Pushover credentials'],
    ['/dashboard/deliveries', 'Failed to load deliveries'],
    ['history', 'Failed to load data'],
    ['/dashboard/audit', 'Failed to load the audit trail'],
  ])('%s shows what could not be loaded', async (path, ...texts) => {
    await page.goto(path === 'history' ? history : path);
    await seesTexts(page.getByRole('main'), ...texts);
  });

  it('shows the same in a dialog', async () => {
    await page.goto('/dashboard/settings/push');
    await press(page, /^Edit Template$/);
    await seesTexts(page.getByRole('dialog'), 'Failed to load Pushover template');
  });
});

it.each<[text: string, ...Step[]]>([
  ['Failed to update buyer two', inMenu('Pause two')],
  ['Failed to edit buyer', 'Edit two', 'Save Changes'],
  ['Failed to add buyer', /^Add Buyer$/, { 'Buyer email': 'nine@example.com' }, /^Add Buyer$/],
  ['Failed to regenerate token', inMenu('Regenerate link of two'), /^Regenerate$/],
  ['Failed to delete order', 'View orders of two', /^Delete order/, /^Delete$/],
  ['Failed to update order', 'View orders of two', /^Change lead limit of order/, 'Save'],
])('a write that fails shows: %s', async (text, ...steps) => {
  await page.unrouteAll();
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 400, body: 'no json' }),
  );
  if (!page.url().endsWith('?inactive=1')) await page.goto('/dashboard?inactive=1');
  await follow(page, steps);
  await seesBanner(page, text);
  await closeDialogs(page);
});

describe('when the network is lost', () => {
  const loseNetwork = () => page.route('**/api/**', (route) => route.abort());
  beforeEach(() => page.unrouteAll());

  it('a deleted buyer reappears in the table', async () => {
    await page.goto('/dashboard?inactive=1');
    await rowAction(page, 'Delete two');
    await loseNetwork();
    await agree(page, 'Delete buyer', /Delete buyer two\?/, 'Delete');
    await seesBanner(page, 'Failed to delete buyer');
    await sees(page.getByRole('button', { name: 'Edit two' }));
  });

  it('a push notification switch returns to its stored state', async () => {
    await page.goto('/dashboard/settings/push');
    const toggle = page.getByRole('switch', { name: /of claims$/ });
    expect(await toggle.isChecked()).toBe(false);
    await loseNetwork();
    await toggle.click();
    await seesBanner(page, 'Failed to update Pushover credentials');
    await expect.poll(() => toggle.isEnabled()).toBe(true);
    expect(await toggle.isChecked()).toBe(false);
  });
});
