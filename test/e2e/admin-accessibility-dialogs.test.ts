import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectUsable, furnish } from '#test/e2e/accessibility-setup';
import { follow, inMenu, press, rowAction, type Step, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let lead: string;
const site = setUpSite(async () => {
  lead = await furnish(site);
});

type Open = readonly Step[] | ((page: Page) => Promise<unknown>);

const ORDERS = 'View orders of alpha';
const DIALOGS: readonly [path: string, ready: string, Readonly<Record<string, Open>>][] = [
  [
    '/dashboard',
    'alpha@example.com',
    {
      'add buyer': ['Add Buyer'],
      'edit buyer': ['Edit alpha'],
      'create order': ['Create Order'],
      probabilities: ['Edit probabilities'],
      'lead limit': [inMenu('Change lead limit of alpha')],
      'renewal of an order': [ORDERS, /^Renewal of order/],
      'delete buyer': [inMenu('Delete alpha')],
      question: [inMenu('Regenerate link of alpha')],
      'orders of a buyer': [ORDERS],
      'comments of an order': [ORDERS, /^Comments of order/],
      search: async (page) => {
        await page.keyboard.press('Control+k');
        const palette = page.getByRole('dialog');
        await palette.getByRole('combobox').fill('Mus');
        await sees(palette.getByRole('option').first());
      },
      shortcuts: (page) => page.keyboard.press('?'),
    },
  ],
  [
    '/dashboard/ineligible-leads',
    'meant for careful',
    {
      'edit and assign': [/^Edit & assign/],
      'assign many': async (page) => press(page, /^Select all/, 'Assign to a buyer'),
      // The leads are still selected.
      'distribute many': ['Distribute again'],
    },
  ],
  [
    '/dashboard/claimed-leads?view=inbox',
    'Inbox (1)',
    { 'decide together': async (page) => press(page, /^Select all/, /^Decide 1 claim/) },
  ],
  ['/dashboard/claimed-leads', '2 claims', { 'claim details': [/^Review claim/] }],
  ['a lead', 'Not opened', { 'edit lead': [/^Edit$/] }],
  [
    '/dashboard/sources',
    'Landing page',
    {
      source: ['Edit Landing page'],
      'state of a source': [inMenu('Change state of Landing page')],
      'keys of a source': async (page) => {
        await follow(page, ['Keys of Landing page', 'Create Key']);
        await sees(page.getByLabel('New key'));
      },
      'form of a source': [inMenu('Form for Landing page')],
      'callbacks of a source': async (page) => {
        await rowAction(page, 'Callbacks of Landing page');
        await sees(page.getByLabel('Address of the webhook'));
      },
      import: async (page) => {
        await rowAction(page, 'Import leads of Landing page');
        const buffer = Buffer.from('Vorname;Nachname\r\nKäthe;Groß');
        await page.getByLabel('File').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer });
        await press(page, 'Check');
        await sees(page.getByText(/^Check finished/));
      },
    },
  ],
  ['/dashboard/settings', 'Enabled', { 'verification settings': ['Edit Settings'] }],
  [
    '/dashboard/settings/templates',
    'Standard',
    { 'e-mail template': ['Edit Standard'], 'test e-mail': ['Send a test e-mail with Standard'] },
  ],
  [
    '/dashboard/settings/push',
    '****',
    { 'push credentials': ['Add Credentials'], 'push template': [/^Edit Template$/] },
  ],
  ['/dashboard/settings/alerts', 'Order nearly full', { alerts: ['Edit Alerts'] }],
  ['/dashboard/settings/webhooks', 'No webhooks yet', { webhook: ['Add Webhook'] }],
  ['/dashboard/settings/company', 'Not set', { company: ['Edit Company'] }],
];

it.each(DIALOGS)('dialogs are accessible on %s', { timeout: 300_000 }, async (path, ready, dialogs) => {
  const visit = await site.visitAsAdmin();
  const places = Object.entries(dialogs).map(([name, open]) => ({
    name,
    path: path === 'a lead' ? `/dashboard/leads/${lead}` : path,
    ready,
    open: async (page: Page) => {
      await (typeof open === 'function' ? open(page) : follow(page, open));
      await sees(page.getByRole('dialog').last());
      // Each step opens one. The code of a second one may still be loading.
      if (typeof open !== 'function')
        await expect.poll(() => page.getByRole('dialog').count()).toBe(open.length);
    },
  }));
  await expectUsable(visit, places);
});
