import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addClaim, addLead, sees, TEMPLATE } from '#test/e2e/admin-setup';
import { accessibilityProblems, type Site, startSite } from '#test/e2e/fixture';

let site: Site;
let assigned: string;
beforeAll(async () => {
  site = await startSite();
  const { admin } = site.cloud;
  await admin.ok('createEmailTemplate', { body: TEMPLATE });
  await admin.ok('createPushoverCredential', {
    body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30), notify_lead_assignment: true },
  });
  await addBuyer(
    site.cloud,
    { buyer_id: 'alpha', probability: 50, price_per_lead: 45.5, use_sellanylead_api: true },
    20,
  );
  await addBuyer(site.cloud, { buyer_id: 'beta', probability: 30, buyer_type: 'postpay' }, 20);
  await addBuyer(site.cloud, { buyer_id: 'careful', probability: 20, manual_review: true }, 20);
  for (let number = 0; number < 8; number += 1) await addLead(site.cloud);
  for (const claim of [await addClaim(site.cloud, 'alpha'), await addClaim(site.cloud, 'beta')])
    if (claim === 1) await admin.ok('approveClaim', { params: { claimId: claim }, body: {} });
  assigned = (await addLead(site.cloud, { buyer_id: 'alpha' })).lead_id;
  await site.cloud.settled();
});
afterAll(() => site.stop());

const click = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').first().waitFor();
};

/** Every screen and every dialog: how to get there, and what shows that it is there. */
const PLACES: readonly (readonly [
  name: string,
  path: string,
  ready: string,
  open?: (page: Page) => Promise<void>,
])[] = [
  ['dashboard', '/dashboard?inactive=1', 'alpha@example.com'],
  ['add buyer', '/dashboard', 'alpha@example.com', click('Add Buyer')],
  ['edit buyer', '/dashboard', 'alpha@example.com', click('Edit alpha')],
  ['create order', '/dashboard', 'alpha@example.com', click('Create Order')],
  ['orders of a buyer', '/dashboard', 'alpha@example.com', click('View orders of alpha')],
  ['lead limit', '/dashboard', 'alpha@example.com', click('Change lead limit of alpha')],
  ['question', '/dashboard', 'alpha@example.com', click('Delete alpha')],
  ['pending leads', '/dashboard/ineligible-leads', 'meant for careful'],
  ['edit and assign', '/dashboard/ineligible-leads', 'meant for careful', click(/^Edit & assign/)],
  ['claims', '/dashboard/claimed-leads?filters=1', '2 claims'],
  ['claim details', '/dashboard/claimed-leads', '2 claims', click(/^Review claim/)],
  ['create lead', '/dashboard/create-lead', 'Submit Lead'],
  ['statistics', '/dashboard/stats', 'Buyer Comparison'],
  ['settings', '/dashboard/settings', 'Standard'],
  ['verification settings', '/dashboard/settings', 'Standard', click('Edit Settings')],
  ['e-mail template', '/dashboard/settings', 'Standard', click('Edit Standard')],
  ['push credentials', '/dashboard/settings', 'Standard', click('Add Credentials')],
  ['push template', '/dashboard/settings', 'Standard', click(/^Edit Template$/)],
  ['deliveries', '/dashboard/deliveries?buyer=alpha', 'SellAnyLead'],
  ['audit trail', '/dashboard/audit', 'created'],
  ['simulator', '/dashboard/simulate', 'Simulate'],
  [
    'search',
    '/dashboard',
    'alpha@example.com',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('Mus');
      await page.getByRole('option').first().waitFor();
    },
  ],
];

// The dialogs in two of the four: their colours do not depend on the width, nor their layout on the scheme.
describe.each([
  ['light', 1280, true],
  ['dark', 390, true],
  ['dark', 1280, false],
  ['light', 390, false],
] as const)('in %s at %i pixels', (colorScheme, width, dialogs) => {
  it('every screen and dialog is usable by everyone, and nothing scrolls sideways', {
    timeout: 300_000,
  }, async () => {
    const { page, problems, close } = await site.visitAsAdmin('/dashboard', {
      colorScheme,
      viewport: { width, height: 900 },
    });
    const places = [
      ...PLACES.filter(([, , , open]) => dialogs || open === undefined),
      ['story of a lead', `/dashboard/leads/${assigned}`, 'Assigned'] as const,
    ];
    for (const [name, path, ready, open] of places) {
      await page.goto(path);
      await sees(page.getByRole('main').getByText(ready).first());
      await open?.(page);
      expect(await accessibilityProblems(page), name).toEqual([]);
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        `${name} scrolls sideways`,
      ).toBe(0);
    }
    expect(problems).toEqual([]);
    await close();
  });
});
