/** Every text of the error catalogue where a person meets it: what the admin app says when the server says nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addLead, closeDialogs, dialog, sees, seesBanner, TEMPLATE } from '#test/e2e/admin-setup';
import { type Site, startSite, type Visit } from '#test/e2e/fixture';

let site: Site;
let visit: Visit;
let history: string;
beforeAll(async () => {
  site = await startSite();
  const { admin } = site.cloud;
  await admin.ok('createEmailTemplate', { body: { ...TEMPLATE, name: 'Welcome 2' } });
  await admin.ok('createPushoverCredential', {
    body: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) },
  });
  await addLead(site.cloud);
  await addBuyer(site.cloud, { buyer_id: 'two', probability: 0 }, 5);
  history = `/dashboard/leads/${(await addLead(site.cloud, { buyer_id: 'two' })).lead_id}`;
  await addBuyer(site.cloud, { buyer_id: 'former', probability: 0 }, 5);
  const { orders } = await admin.ok('listBuyerOrders', { params: { buyerId: 'former' } });
  await admin.ok('deleteOrder', { params: { buyerId: 'former', orderId: orders[0]?.order_id ?? 0 } });
  visit = await site.visitAsAdmin();
  // A form that is left half filled in asks before the page goes.
  visit.page.on('dialog', (question) => void question.accept());
});
afterAll(() => site.stop());

/** Stays where the page is there already: a load takes longest of all. */
async function comeTo(path: string): Promise<void> {
  const { page } = visit;
  if (new URL(page.url()).pathname === path) await closeDialogs(page);
  else await page.goto(path);
}

describe('without an error text of the server', () => {
  /** What is loaded for each screen, and what it says when that fails. */
  const LOADS: readonly (readonly [path: string, texts: Readonly<Record<string, string>>])[] = [
    [
      '/dashboard',
      {
        'admin/dashboard-stats': 'Failed to load dashboard statistics',
        buyers: 'Failed to load buyers',
      },
    ],
    ['/dashboard/ineligible-leads', { 'ineligible-leads?**': 'Failed to load ineligible leads' }],
    [
      '/dashboard/claimed-leads?filters=1',
      {
        'lead-claims/admin/filtered?**': 'Failed to fetch claims',
        'lead-claims/admin/pending': 'Failed to fetch pending claims',
        'admin/orders': 'Failed to fetch orders',
        buyers: 'Failed to fetch buyers',
      },
    ],
    ['/dashboard/stats', { 'admin/buyer-stats?**': 'Failed to fetch buyer statistics' }],
    [
      '/dashboard/settings',
      {
        'settings/verification': 'Failed to load API settings',
        'settings/email-templates': 'Failed to load email templates',
        'pushover-credentials': 'Failed to load Pushover credentials',
      },
    ],
    ['/dashboard/deliveries', { 'admin/deliveries**': 'Failed to load deliveries' }],
    ['history', { 'admin/leads/*': 'Failed to load data' }],
    ['/dashboard/audit', { 'admin/audit**': 'Failed to load the audit trail' }],
  ];

  it.each(LOADS)('%s shows what could not be loaded', async (path, texts) => {
    const { page } = visit;
    for (const call of Object.keys(texts))
      await page.route(`**/api/${call}`, (route) => route.fulfill({ status: 409, body: 'no json' }));
    await page.goto(path === 'history' ? history : path);
    for (const text of Object.values(texts))
      await sees(page.getByRole('main').getByText(text, { exact: true }).first());
    // What is not known is not none.
    expect(await page.getByText('Pending Claims (0)').count()).toBe(0);
    await page.unrouteAll();
  });

  it('the push template’s dialog shows: Failed to load Pushover template', async () => {
    const { page } = visit;
    await page.route('**/api/settings/pushover-template', (route) =>
      route.fulfill({ status: 409, body: 'no json' }),
    );
    await page.goto('/dashboard/settings');
    await page.getByRole('button', { name: 'Edit Template', exact: true }).click();
    await sees(dialog(page, 'Edit Template').getByText('Failed to load Pushover template', { exact: true }));
    await page.unroute('**/api/settings/pushover-template');
  });

  const WRITES: readonly (readonly [text: string, path: string, call: string, act: () => Promise<void>])[] = [
    [
      'Failed to update buyer two',
      '/dashboard',
      'buyers/two',
      () => visit.page.getByRole('button', { name: 'Pause two' }).click(),
    ],
    [
      'Failed to edit buyer',
      '/dashboard',
      'buyers/two',
      async () => {
        await visit.page.getByRole('button', { name: 'Edit two' }).click();
        await visit.page.getByRole('button', { name: 'Save Changes' }).click();
      },
    ],
    [
      'Failed to regenerate token',
      '/dashboard',
      'buyers/two/token',
      async () => {
        await visit.page.getByRole('button', { name: 'Regenerate link of two' }).click();
        await visit.page.getByRole('button', { name: 'Regenerate', exact: true }).click();
      },
    ],
    [
      'Failed to delete order',
      '/dashboard',
      'admin/two/delete-order/*',
      async () => {
        await visit.page.getByRole('button', { name: 'View orders of two' }).click();
        await visit.page.getByRole('button', { name: /^Delete order/ }).click();
        await visit.page.getByRole('button', { name: 'Delete', exact: true }).click();
      },
    ],
    [
      'Failed to update order',
      '/dashboard',
      'admin/two',
      async () => {
        await visit.page.getByRole('button', { name: 'View orders of two' }).click();
        await visit.page.getByRole('button', { name: /^Change lead limit of order/ }).click();
        await visit.page.getByRole('button', { name: 'Save' }).click();
      },
    ],
    [
      'Failed to restore order',
      '/dashboard',
      'admin/former/restore-last-deleted-order',
      async () => {
        await visit.page.getByRole('switch', { name: /^Show inactive buyers/ }).check();
        await visit.page.getByRole('button', { name: 'View orders of former' }).click();
        await visit.page.getByRole('button', { name: 'Restore last deleted order' }).click();
      },
    ],
    [
      'Failed to update comments',
      '/dashboard',
      'admin/orders/*/comments',
      async () => {
        await visit.page.getByRole('button', { name: 'View orders of two' }).click();
        await visit.page.getByRole('button', { name: /^Comments of order/ }).click();
        await visit.page.getByRole('button', { name: 'Save' }).click();
      },
    ],
    [
      'Failed to create order',
      '/dashboard',
      'admin',
      async () => {
        await visit.page.getByRole('button', { name: 'Create Order' }).first().click();
        const form = dialog(visit.page, 'Create New Order');
        await form.getByLabel('Buyer').selectOption('two');
        await form.getByLabel('Lead limit').fill('1');
        await form.getByRole('button', { name: 'Create Order' }).click();
      },
    ],
    [
      'Failed to add buyer',
      '/dashboard',
      'buyers',
      async () => {
        await visit.page.getByRole('button', { name: 'Add Buyer' }).first().click();
        const form = dialog(visit.page, 'Add New Buyer');
        await form.getByLabel('Buyer ID').fill('nine');
        await form.getByLabel('Buyer email').fill('nine@example.com');
        await form.getByLabel('Probability').fill('1');
        await form.getByRole('button', { name: 'Add Buyer' }).click();
      },
    ],
    [
      'Failed to create email template',
      '/dashboard/settings',
      'settings/email-templates',
      async () => {
        await visit.page.getByRole('button', { name: 'Duplicate Welcome 2' }).click();
        const form = dialog(visit.page, 'Add Email Template');
        await form.getByLabel('SMTP password').fill('secret');
        await form.getByRole('button', { name: 'Create Template' }).click();
      },
    ],
    [
      'Failed to update email template',
      '/dashboard/settings',
      'settings/email-templates/*',
      async () => {
        await visit.page.getByRole('button', { name: 'Edit Welcome 2' }).click();
        await visit.page.getByRole('button', { name: 'Save Template' }).click();
      },
    ],
    [
      'Failed to delete email template',
      '/dashboard/settings',
      'settings/email-templates/*',
      async () => {
        await visit.page.getByRole('button', { name: 'Delete Welcome 2' }).click();
        await visit.page.getByRole('button', { name: 'Delete', exact: true }).click();
      },
    ],
    [
      'Failed to save Pushover template',
      '/dashboard/settings',
      'settings/pushover-template',
      async () => {
        await visit.page.getByRole('button', { name: 'Edit Template', exact: true }).click();
        await visit.page.getByRole('button', { name: 'Save Template' }).click();
      },
    ],
    [
      'Failed to add Pushover credentials',
      '/dashboard/settings',
      'pushover-credentials',
      async () => {
        await visit.page.getByRole('button', { name: 'Add Credentials' }).click();
        const form = dialog(visit.page, 'Add Credentials');
        await form.getByLabel('User Key').fill('u'.repeat(30));
        await form.getByLabel('App Key').fill('a'.repeat(30));
        await form.getByRole('button', { name: 'Add Credentials' }).click();
      },
    ],
    [
      'Failed to update Pushover credentials',
      '/dashboard/settings',
      'pushover-credentials/*',
      () =>
        visit.page
          .getByRole('switch', { name: /of claims$/ })
          .first()
          .click(),
    ],
    [
      'Failed to delete Pushover credentials',
      '/dashboard/settings',
      'pushover-credentials/*',
      async () => {
        await visit.page
          .getByRole('button', { name: /^Delete credentials/ })
          .first()
          .click();
        await visit.page.getByRole('button', { name: 'Delete', exact: true }).click();
      },
    ],
    [
      'Failed to update lead',
      'history',
      'admin/leads/*',
      async () => {
        await visit.page.getByRole('button', { name: 'Edit', exact: true }).click();
        await visit.page.getByRole('button', { name: 'Save Changes' }).click();
      },
    ],
    [
      'Failed to delete lead',
      'history',
      'admin/leads/*',
      async () => {
        await visit.page.getByRole('button', { name: 'Delete', exact: true }).click();
        await dialog(visit.page, 'Delete lead').getByRole('button', { name: 'Delete' }).click();
      },
    ],
    [
      'Failed to assign lead',
      '/dashboard/ineligible-leads',
      'ineligible-leads/assign/*',
      async () => {
        await visit.page
          .getByRole('button', { name: /^Edit & assign/ })
          .first()
          .click();
        const form = dialog(visit.page, 'Edit & Assign Lead');
        await form.getByLabel('Buyer').selectOption('two');
        await form.getByRole('button', { name: 'Assign Lead' }).click();
      },
    ],
    [
      'Failed to discard lead',
      '/dashboard/ineligible-leads',
      'ineligible-leads/*',
      async () => {
        await visit.page
          .getByRole('button', { name: /^Discard/ })
          .first()
          .click();
        await dialog(visit.page, 'Discard lead').getByRole('button', { name: 'Discard' }).click();
      },
    ],
    [
      'Failed to submit lead',
      '/dashboard/create-lead',
      'leads',
      async () => {
        const { page } = visit;
        for (const [label, value] of [
          ['First name', 'Max'],
          ['Last name', 'Muster'],
          ['Email', 'max@example.com'],
          ['Phone', '0151 1234567'],
          ['Investment amount', '1000'],
          ['Term', '12'],
        ] as const)
          await page.getByLabel(label).fill(value);
        await page.getByRole('button', { name: 'Submit Lead' }).click();
      },
    ],
  ];

  it.each(WRITES)('a failed write shows: %s', async (text, path, call, act) => {
    const { page } = visit;
    await comeTo(path === 'history' ? history : path);
    await page.route(`**/api/${call}`, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 400, body: 'no json' }),
    );
    await act();
    await seesBanner(page, text);
    await page.unroute(`**/api/${call}`);
  });

  it("prefers the server's error to its message, and both to the default", async () => {
    const { page } = visit;
    await page.goto('/dashboard');
    for (const [answer, text] of [
      [{ error: 'The error', message: 'The message' }, 'The error'],
      [{ message: 'The message' }, 'The message'],
    ] as const) {
      await page.route('**/api/buyers/two', (route) => route.fulfill({ status: 409, json: answer }));
      await page.getByRole('button', { name: 'Pause two' }).click();
      await seesBanner(page, text);
      await page.unroute('**/api/buyers/two');
    }
  });
});
