/** The list of all leads: filters and order in the address, columns, exports, bulk actions. */
import { readFile } from 'node:fs/promises';
import { parse } from 'papaparse';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addBuyer,
  addClaim,
  addLead,
  dialog,
  hold,
  press,
  row,
  sees,
  seesTexts,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aPostedLead } from '#test/factories/sources';

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'alpha' });
  await addClaim(site.cloud, 'alpha', 'falsche_nummer', { nachname: 'Claimed', anlagebetrag: 20_000 });
  await addLead(site.cloud, { buyer_id: 'alpha', nachname: 'Rich', anlagebetrag: 90_000 });
  await addLead(site.cloud, { buyer_id: 'alpha', nachname: 'Modest', anlagebetrag: 15_000 });
  await addLead(site.cloud, { buyer_id: 'alpha', nachname: 'Last', anlagebetrag: 30_000 });
  // Their phone number fails verification.
  for (const nachname of ['Waiting', 'Patient'])
    await addLead(site.cloud, { nachname, anlagebetrag: 60_000, telefon: '12' });
  ({ page } = await site.visitAsAdmin('/dashboard/leads'));
});

const table = () => page.getByRole('table', { name: 'Leads', exact: true });
/** Last names in the order of the rows. */
const listed = async () =>
  (
    await table()
      .getByRole('row')
      .getByRole('link', { name: /^Erika / })
      .allInnerTexts()
  ).map((text) => text.replace('Erika ', ''));
async function lists(...names: string[]): Promise<void> {
  await expect.poll(listed).toEqual(names);
}
const address = () => new URL(page.url()).search;

describe('the list of all leads', () => {
  it('shows the newest leads first, with their number', async () => {
    await sees(page.getByText('6 leads, as of', { exact: false }));
    await lists('Patient', 'Waiting', 'Last', 'Modest', 'Rich', 'Claimed');
    await sees(row(page, 'Leads', 'Rich').getByText('1-2', { exact: true }));
    await sees(row(page, 'Leads', 'Claimed').getByText('Pending', { exact: true }));
  });

  it('filters by what the address says, and a colleague sees the same', async () => {
    await page.getByLabel('Status').selectOption('assigned');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Amount from (€)').fill('20.000');
    await page.getByLabel('Amount from (€)').press('Enter');
    await lists('Last', 'Rich', 'Claimed');
    expect(address()).toBe('?status=assigned&amount_from=20000');
    const { page: colleague } = await site.visitAsAdmin(`/dashboard/leads${address()}`);
    await seesTexts(colleague, 'Status: Assigned', 'Amount from: 20000 €');
    await sees(colleague.getByText('3 leads, as of', { exact: false }));
    await colleague.close();
  });

  it('drops one filter by its chip, and all of them at once', async () => {
    await page.getByLabel('Claim', { exact: true }).selectOption('any');
    await lists('Claimed');
    await press(page, 'Remove filter Claim: Claimed');
    await lists('Last', 'Rich', 'Claimed');
    await press(page, 'Clear');
    await lists('Patient', 'Waiting', 'Last', 'Modest', 'Rich', 'Claimed');
    expect(address()).toBe('');
  });

  it('has a way back when nothing matches', async () => {
    await page.getByLabel('Delivery').selectOption('failed');
    await sees(page.getByText('No lead matches the filters.'));
    await press(page, 'Clear the filters');
    await sees(table());
  });

  it('sorts by amount in both directions, and Back returns to it from a lead', async () => {
    const amount = table().getByRole('columnheader', { name: 'Amount' });
    await amount.getByRole('button').click();
    await expect.poll(() => amount.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(async () => (await listed())[0]).toBe('Rich');
    await amount.getByRole('button').click();
    await expect.poll(async () => (await listed())[0]).toBe('Modest');
    await table().getByRole('link', { name: 'Erika Modest' }).click();
    await sees(page.getByRole('list', { name: 'History of the lead' }));
    await page.goBack();
    await expect.poll(() => amount.getAttribute('aria-sort')).toBe('ascending');
    expect(address()).toBe('?sort=amount&direction=asc');
  });

  it('keeps the chosen columns', async () => {
    await press(page, 'Columns');
    await page.getByRole('checkbox', { name: 'Term' }).click();
    await page.getByRole('checkbox', { name: 'Consent' }).click();
    await page.reload();
    await sees(table().getByRole('columnheader', { name: 'Consent' }));
    expect(await table().getByRole('columnheader', { name: 'Term' }).count()).toBe(0);
  });

  it('finds a lead as Ctrl+K does', async () => {
    await page.getByRole('searchbox', { name: 'Find a lead' }).fill('rich');
    await page.getByRole('list', { name: 'Found leads' }).getByRole('link').first().click();
    await sees(page.getByRole('list', { name: 'History of the lead' }));
  });
});

describe('an export', () => {
  it('has exactly the listed leads in their order, also after a failure', async () => {
    await page.goto('/dashboard/leads?status=assigned&sort=amount');
    await lists('Rich', 'Last', 'Claimed', 'Modest');
    await page.route('**/api/admin/leads/export?*', (route) => route.fulfill({ status: 500, json: {} }));
    await press(page, 'Export CSV');
    const form = dialog(page, 'Export CSV');
    await sees(form.getByText('Failed to export the leads'));
    await page.unrouteAll();
    const [file] = await Promise.all([page.waitForEvent('download'), press(form, 'Continue')]);
    await sees(form.getByText('Leads.csv with 4 leads was saved.'));
    const text = await readFile(await file.path(), 'utf8');
    const rows = parse<Record<string, string>>(text.replace('\ufeff', ''), {
      header: true,
      skipEmptyLines: true,
    }).data;
    expect(rows.map((lead) => [lead['Last name'], lead['Investment amount'], lead.Lead])).toEqual([
      ['Rich', '90000,00', '1-2'],
      ['Last', '30000,00', '1-4'],
      ['Claimed', '20000,00', '1-1'],
      ['Modest', '15000,00', '1-3'],
    ]);
    await press(form, 'Done');
  });

  it('continues where it was closed', async () => {
    const cursors: string[] = [];
    await page.route('**/api/admin/leads/export?*', (route) => {
      const url = new URL(route.request().url());
      cursors.push(url.searchParams.get('cursor') ?? '');
      url.searchParams.set('limit', '2');
      return route.continue({ url: url.href });
    });
    const release = await hold(page, /leads\/export\?.*cursor=/);
    await press(page, 'Export XLSX');
    const form = dialog(page, 'Export XLSX');
    await sees(form.getByText('2 of 4 leads'));
    await press(form, 'Close');
    release();
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export XLSX')]);
    expect(file.suggestedFilename()).toBe('Leads.xlsx');
    await sees(form.getByText('Leads.xlsx with 4 leads was saved.'));
    expect(cursors.filter((cursor) => cursor === '')).toHaveLength(1);
    await press(form, 'Done');
    await page.unrouteAll();
  });
});

describe('many leads', () => {
  it('are distributed again, only the pending ones', async () => {
    await site.cloud.admin.ok('saveVerificationSettings', { body: { phone_verification: false } });
    await page.goto('/dashboard/leads');
    await press(page, 'Select all 6 listed', 'Distribute 2 pending leads again');
    const form = dialog(page, 'Distribute 2 leads again');
    await press(form, 'Distribute 2 leads again');
    await sees(form.getByText('2 assigned', { exact: true }));
    await press(form, 'Done');
  });

  it('are erased one by one, each with its result', async () => {
    await page.goto('/dashboard/leads');
    await page.getByRole('checkbox', { name: 'Select Erika Modest' }).click();
    await page.getByRole('checkbox', { name: 'Select Erika Last' }).click();
    await press(page, 'Erase');
    const form = dialog(page, 'Erase 2 leads');
    await sees(form.getByText('This cannot be undone', { exact: false }));
    await press(form, 'Erase 2 leads');
    await sees(form.getByText('2 erased', { exact: true }));
    await press(form, 'Done');
    await lists('Patient', 'Waiting', 'Rich', 'Claimed');
  });
});

describe('figures open the leads that they count', () => {
  beforeAll(async () => {
    const { admin } = site.cloud;
    const { source } = await admin.ok('createSource', { body: { name: 'Landing page', src: 'page' } });
    const params = { sourceId: source.source_id };
    await admin.ok('updateSource', { params, body: { state: 'live' } });
    const [first, second, third] = [aPostedLead(), aPostedLead(), aPostedLead()];
    const again = { ...aPostedLead(), telefon: first.telefon };
    const { results } = await admin.ok('importLeads', {
      params,
      body: { leads: [first, second, third, again] },
    });
    expect(results.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted', 'duplicate']);
    await site.cloud.settled();
  });

  it.each([
    ['/dashboard', 'Buyers and orders', 3],
    ['/dashboard/stats', 'Figures per buyer', 5],
    ['/dashboard/stats?buyer=alpha', 'Figures per buyer', 6],
    ['/dashboard/sources', 'Figures of sources', 6],
  ])('of %s', async (path, name, least) => {
    await page.goto(path);
    await page.getByRole('table', { name, exact: true, includeHidden: true }).waitFor({ state: 'attached' });
    const links = page.getByRole('link', { name: /show the leads/, includeHidden: true });
    const found = await links.evaluateAll((all) =>
      all.map((link) => [link.getAttribute('href') ?? '', link.textContent?.trim() ?? ''] as const),
    );
    expect(found.length).toBeGreaterThanOrEqual(least);
    for (const [href, figure] of found) {
      await page.goto(href);
      await sees(
        figure === '0'
          ? page.getByText('No lead matches the filters.')
          : page.getByText(new RegExp(`^${figure} leads?, as of`)),
      );
    }
  });
});
