import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { expectUsable, furnish, type Place } from '#test/e2e/accessibility-setup';
import { dialog, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let lead: string;
const site = setUpSite(async () => {
  lead = await furnish(site);
});

const click = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await sees(page.getByRole('dialog').first());
};

const on = (path: string, ready: string, dialogs: Readonly<Record<string, Place['open']>>): Place[] =>
  Object.entries(dialogs).map(([name, open]) => ({ name, path, ready, ...(open && { open }) }));

describe('dialogs are accessible', () => {
  it.each([
    [
      'of the dashboard',
      () =>
        on('/dashboard', 'alpha@example.com', {
          'add buyer': click('Add Buyer'),
          'edit buyer': click('Edit alpha'),
          'create order': click('Create Order'),
          probabilities: click('Edit probabilities'),
          'lead limit': click('Change lead limit of alpha'),
          'why no leads': async (page) => {
            await click('Why no leads for alpha')(page);
            await sees(dialog(page, 'Why no leads? alpha').getByText(/^Share\./));
          },
          'renewal of an order': async (page) => {
            await click('View orders of alpha')(page);
            await page.getByRole('button', { name: /^Renewal of order/ }).click();
            await sees(dialog(page, /^Renewal of order/));
          },
          'delete buyer': click('Delete alpha'),
          question: click('Regenerate link of alpha'),
          'orders of a buyer': click('View orders of alpha'),
          'replacements of a buyer': async (page) => {
            await click('View orders of alpha')(page);
            await page.getByRole('tab', { name: 'Replacements' }).click();
            await sees(page.getByRole('table', { name: 'Replacements of buyer alpha' }));
          },
          'statement of a buyer': async (page) => {
            await click('View orders of alpha')(page);
            await page.getByRole('tab', { name: 'Statement' }).click();
            await sees(page.getByRole('table', { name: 'Statement of buyer alpha' }));
          },
          'comments of an order': async (page) => {
            await click('View orders of alpha')(page);
            await page.getByRole('button', { name: /^Comments of order/ }).click();
            await sees(dialog(page, /^Order Comments/));
          },
          search: async (page) => {
            await page.keyboard.press('Control+k');
            await page.getByRole('combobox').fill('Mus');
            await sees(page.getByRole('option').first());
          },
          shortcuts: async (page) => {
            await page.keyboard.press('?');
            await sees(dialog(page, 'Keyboard shortcuts'));
          },
        }),
    ],
    [
      'of the other screens',
      () => [
        ...on('/dashboard/ineligible-leads', 'meant for careful', {
          'edit and assign': click(/^Edit & assign/),
          'assign many': async (page) => {
            await page.getByRole('button', { name: /^Select all/ }).click();
            await click('Assign to a buyer')(page);
          },
          // The leads are still selected.
          'distribute many': click('Distribute again'),
        }),
        ...on('/dashboard/claimed-leads?view=inbox', 'Inbox (1)', {
          'decide together': async (page) => {
            await page.getByRole('button', { name: /^Select all/ }).click();
            await click(/^Decide 1 claim/)(page);
          },
        }),
        ...on('/dashboard/claimed-leads', '2 claims', { 'claim details': click(/^Review claim/) }),
        ...on(`/dashboard/leads/${lead}`, 'Not opened', { 'edit lead': click(/^Edit$/) }),
        ...on('/dashboard/sources', 'Landing page', {
          source: click('Edit Landing page'),
          'state of a source': click('Change state of Landing page'),
          'keys of a source': async (page) => {
            await click('Keys of Landing page')(page);
            await page.getByRole('button', { name: 'Create Key' }).click();
            await sees(page.getByLabel('New key'));
          },
          'form of a source': click('Form for Landing page'),
          'callbacks of a source': async (page) => {
            await click('Callbacks of Landing page')(page);
            await sees(page.getByLabel('Address of the webhook'));
          },
          import: async (page) => {
            await click('Import leads of Landing page')(page);
            const buffer = Buffer.from('Vorname;Nachname\r\nKäthe;Groß');
            await page.getByLabel('File').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer });
            await page.getByRole('button', { name: 'Check' }).click();
            await sees(page.getByText(/^Dry run finished/));
          },
        }),
        ...on('/dashboard/settings', 'Standard', {
          'verification settings': click('Edit Settings'),
          'e-mail template': click('Edit Standard'),
          'test e-mail': click('Send a test e-mail with Standard'),
          'push credentials': click('Add Credentials'),
          'push template': click(/^Edit Template$/),
          alerts: click('Edit Alerts'),
        }),
      ],
    ],
  ])('%s', { timeout: 300_000 }, async (_, places) => {
    const visit = await site.visitAsAdmin();
    await expectUsable(visit, places());
  });
});
