/** Every text of the error catalogue where a person meets it: what the admin app says when the server says nothing. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addBuyer,
  addLead,
  closeDialogs,
  dialog,
  fill,
  press,
  seesBanner,
  seesTexts,
  TEMPLATE,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
let history: string;
const site = setUpSite(async () => {
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
  ({ page } = await site.visitAsAdmin());
  // A form that is left half filled in asks before the page goes.
  page.on('dialog', (question) => void question.accept());
});

const buttons =
  (...names: (string | RegExp)[]) =>
  () =>
    press(page, ...names);
/** Opens a dialog by a button, writes into it and sends it. */
const form =
  (opener: string, title: string, values: Readonly<Record<string, string>>, send: string) => async () => {
    await press(page, opener);
    await fill(dialog(page, title), values);
    await press(dialog(page, title), send);
  };
const KEYS = { 'User Key': 'u'.repeat(30), 'App Key': 'a'.repeat(30) };
const LEAD = {
  'First name': 'Max',
  'Last name': 'Muster',
  Email: 'max@example.com',
  Phone: '0151 1234567',
  'Investment amount': '1000',
  Term: '12',
};
const BUYER = { 'Buyer ID': 'nine', 'Buyer email': 'nine@example.com', Probability: '1' };

/** Opens the dialog of a buyer's orders before. */
const inOrders =
  (buyer: string, ...names: (string | RegExp)[]) =>
  () =>
    press(page, `View orders of ${buyer}`, ...names);

describe('without an error text of the server', () => {
  /** What is loaded for each screen, and what it says when that fails. */
  it.each<[path: string, texts: Readonly<Record<string, string>>]>([
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
  ])('%s shows what could not be loaded', async (path, texts) => {
    for (const call of Object.keys(texts))
      await page.route(`**/api/${call}`, (route) => route.fulfill({ status: 409, body: 'no json' }));
    await page.goto(path === 'history' ? history : path);
    await seesTexts(page.getByRole('main'), ...Object.values(texts));
    // What is not known is not none.
    expect(await page.getByText('Pending Claims (0)').count()).toBe(0);
    await page.unrouteAll();
  });

  it('the push template’s dialog shows: Failed to load Pushover template', async () => {
    await page.route('**/api/settings/pushover-template', (route) => route.fulfill({ status: 409 }));
    await page.goto('/dashboard/settings');
    await press(page, /^Edit Template$/);
    await seesTexts(dialog(page, 'Edit Template'), 'Failed to load Pushover template');
    await page.unroute('**/api/settings/pushover-template');
  });

  it.each<[text: string, path: string, call: string, act: () => Promise<void>]>([
    ['Failed to update buyer two', '/dashboard', 'buyers/two', buttons('Pause two')],
    ['Failed to edit buyer', '/dashboard', 'buyers/two', buttons('Edit two', 'Save Changes')],
    [
      'Failed to regenerate token',
      '/dashboard',
      'buyers/two/token',
      buttons('Regenerate link of two', /^Regenerate$/),
    ],
    [
      'Failed to delete order',
      '/dashboard',
      'admin/two/delete-order/*',
      inOrders('two', /^Delete order/, /^Delete$/),
    ],
    [
      'Failed to update order',
      '/dashboard',
      'admin/two',
      inOrders('two', /^Change lead limit of order/, 'Save'),
    ],
    [
      'Failed to restore order',
      '/dashboard?inactive=1',
      'admin/former/restore-last-deleted-order',
      inOrders('former', 'Restore last deleted order'),
    ],
    [
      'Failed to update comments',
      '/dashboard',
      'admin/orders/*/comments',
      inOrders('two', /^Comments of order/, 'Save'),
    ],
    [
      'Failed to create order',
      '/dashboard',
      'admin',
      async () => {
        await press(page, 'Create Order');
        const order = dialog(page, 'Create New Order');
        await order.getByLabel('Buyer').selectOption('two');
        await press(order, 'Create Order');
      },
    ],
    ['Failed to add buyer', '/dashboard', 'buyers', form('Add Buyer', 'Add New Buyer', BUYER, 'Add Buyer')],
    [
      'Failed to create email template',
      '/dashboard/settings',
      'settings/email-templates',
      form('Duplicate Welcome 2', 'Add Email Template', { 'SMTP password': 'secret' }, 'Create Template'),
    ],
    [
      'Failed to update email template',
      '/dashboard/settings',
      'settings/email-templates/*',
      buttons('Edit Welcome 2', 'Save Template'),
    ],
    [
      'Failed to delete email template',
      '/dashboard/settings',
      'settings/email-templates/*',
      buttons('Delete Welcome 2', /^Delete$/),
    ],
    [
      'Failed to save Pushover template',
      '/dashboard/settings',
      'settings/pushover-template',
      buttons(/^Edit Template$/, 'Save Template'),
    ],
    [
      'Failed to add Pushover credentials',
      '/dashboard/settings',
      'pushover-credentials',
      form('Add Credentials', 'Add Credentials', KEYS, 'Add Credentials'),
    ],
    [
      'Failed to update Pushover credentials',
      '/dashboard/settings',
      'pushover-credentials/*',
      () => page.getByRole('switch', { name: /of claims$/ }).click(),
    ],
    [
      'Failed to delete Pushover credentials',
      '/dashboard/settings',
      'pushover-credentials/*',
      buttons(/^Delete credentials/, /^Delete$/),
    ],
    ['Failed to update lead', 'history', 'admin/leads/*', buttons(/^Edit$/, 'Save Changes')],
    [
      'Failed to delete lead',
      'history',
      'admin/leads/*',
      async () => {
        await press(page, /^Delete$/);
        await press(dialog(page, 'Delete lead'), 'Delete');
      },
    ],
    [
      'Failed to assign lead',
      '/dashboard/ineligible-leads',
      'ineligible-leads/assign/*',
      async () => {
        await press(page, /^Edit & assign/);
        await dialog(page, 'Edit & Assign Lead').getByLabel('Buyer').selectOption('two');
        await press(page, 'Assign Lead');
      },
    ],
    [
      'Failed to discard lead',
      '/dashboard/ineligible-leads',
      'ineligible-leads/*',
      async () => {
        await press(page, /^Discard/);
        await press(dialog(page, 'Discard lead'), 'Discard');
      },
    ],
    [
      'Failed to submit lead',
      '/dashboard/create-lead',
      'leads',
      async () => {
        await fill(page, LEAD);
        await press(page, 'Submit Lead');
      },
    ],
  ])('a failed write shows: %s', async (text, path, call, act) => {
    const at = path === 'history' ? history : path;
    // Stays where the page is there already: a load takes longest of all.
    if (page.url().endsWith(at)) await closeDialogs(page);
    else await page.goto(at);
    await page.route(`**/api/${call}`, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 400, body: 'no json' }),
    );
    await act();
    await seesBanner(page, text);
    await page.unroute(`**/api/${call}`);
  });

  it("prefers the server's error to its message, and both to the default", async () => {
    await page.goto('/dashboard');
    for (const [answer, text] of [
      [{ error: 'The error', message: 'The message' }, 'The error'],
      [{ message: 'The message' }, 'The message'],
    ] as const) {
      await page.route('**/api/buyers/two', (route) => route.fulfill({ status: 409, json: answer }));
      await press(page, 'Pause two');
      await seesBanner(page, text);
      await page.unroute('**/api/buyers/two');
    }
  });
});
