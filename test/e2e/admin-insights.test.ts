import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { nameOf, shards, sumsPut } from '#functions/data/statistics/sums';
import { bucketOf } from '#functions/domain/statistics/latency';
import { berlinDay } from '#shared/rules/working-days';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import {
  addBuyer,
  addLead,
  buyerOf,
  changeBuyer,
  dialog,
  fill,
  press,
  REFRESHED_WITHIN_MS,
  row,
  rowAction,
  sees,
  seesTexts,
  step,
  unfold,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { addTemplate } from '#test/harness/cloud';

let page: Page;
const site = setUpSite(async () => {
  const { admin } = site.cloud;
  await admin.ok('saveVerificationSettings', { body: { phone_verification: false } });
  await addBuyer(site.cloud, { buyer_id: 'one', probability: 50, price_per_lead: 30 }, 5);
  await addBuyer(site.cloud, { buyer_id: 'two', probability: 25, buyer_type: 'postpay' }, 5);
  for (let number = 0; number < 3; number += 1) await addLead(site.cloud);
  await site.cloud.settled();
  ({ page } = await site.visitAsAdmin());
});

describe('an admin', () => {
  it('sees statistics as charts and as a table with its sum', async () => {
    await page.goto('/dashboard/stats');
    for (const title of ['Lead Volume Over Time', 'Claims Distribution', 'Buyer Comparison'])
      await sees(page.getByRole('heading', { name: title }));
    expect(await page.getByLabel('Time range').inputValue()).toBe('30');
    const lines = page.getByRole('figure', { name: /^Lead Volume Over Time/ });
    expect(await lines.getAttribute('aria-label')).toBe('Lead Volume Over Time. 3 leads in 30 days');
    await sees(row(page, 'Figures per buyer', 'one').first().getByText('prepay'));
    await sees(row(page, 'Figures per buyer', 'Total Revenue').getByText('60,00 €'));
    await page.getByLabel('Time range').selectOption('7');
    await sees(page.getByRole('figure', { name: '3 leads in 7 days' }));
    await page.getByLabel('Buyer', { exact: true }).selectOption('one');
    await page.waitForURL('**/dashboard/stats?days=7&buyer=one');
    const summary = page.getByRole('region', { name: 'Summary' });
    await seesTexts(summary, 'Total Leads', 'Active Orders', 'Pending Reimbursements', 'Total Revenue');
    await page.getByRole('heading', { name: 'Buyer Comparison' }).waitFor({ state: 'detached' });
  });

  it('sees why a buyer gets no leads, how to fix it, and the effect of a change', async () => {
    await changeBuyer(site.cloud, 'two', { probability: 0 });
    await changeBuyer(site.cloud, 'two', { use_sellanylead_api: true });
    await page.goto('/dashboard');
    await rowAction(page, 'Why no leads for two');
    const why = page.getByRole('region', { name: /^Receives/ });
    await sees(why.getByText('Its probability is 0%; 50% is unassigned.').first());
    expect(await why.getByText('Blocking', { exact: true }).count()).toBe(0);
    await why.getByRole('button', { name: 'What would change? With 50%' }).click();
    await sees(
      why.getByText(/^With 50% it would have received \d leads? of the last 30 days instead of 1\./),
    );
    await why.getByRole('button', { name: 'Edit probabilities' }).click();
    await sees(dialog(page, 'Probabilities'));
    await page.keyboard.press('Escape');
    await why.getByRole('link', { name: 'Open in What-if' }).click();
    await page.waitForURL('**/dashboard/simulate?buyer=two&probability=50');
    await sees(page.getByText('100% in total'));

    await changeBuyer(site.cloud, 'two', { probability: 25 });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /search/i }).fill('why no leads for two');
    await page.getByRole('option', { name: /Why no leads for two/ }).click();
    await sees(page.getByRole('region', { name: 'Receives leads' }));
  });

  it('sees the figures at 1280 pixels, with links to their rows and a comparison of days', async () => {
    await page.goto('/dashboard/stats');
    const table = page.getByRole('table', { name: 'Figures per buyer' });
    await sees(table);
    const region = page.getByRole('region', { name: 'Figures per buyer' });
    await expect.poll(() => region.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    const one = row(page, 'Figures per buyer', 'one');
    const orders = one.getByRole('link', { name: /orders of one/ }).first();
    expect(await orders.getAttribute('href')).toBe('/dashboard/buyers/one/orders');
    const claims = one.getByRole('link', { name: /claims of one/ });
    expect(await claims.getAttribute('href')).toBe('/dashboard/claimed-leads?buyer=one');
    const compared = page.getByRole('region', { name: 'Compared with the days before' });
    await sees(compared.getByText('Revenue in this period'));
    await page.getByLabel('Time range').selectOption('custom');
    await fill(page, { 'From day': '2025-05-01', 'To day': '2025-05-10' });
    await sees(page.getByRole('figure', { name: '0 leads in 10 days' }));
    await sees(compared.getByText('01.05.2025 – 10.05.2025, compared with 21.04.2025 – 30.04.2025'));
  });

  it('sees delivery times, and can publish them from 50 leads on', async () => {
    await page.goto('/dashboard/stats/deliveries?days=7');
    const assigned = row(page, 'Time of each step', 'Assigned to a buyer');
    await sees(assigned.getByRole('cell', { name: '3', exact: true }));
    await sees(assigned.getByText(/^\d+(,\d)? (ms|s)$/).first());
    expect(await row(page, 'Time of each step', 'Delivered, Lead broker').count()).toBe(0);

    const everybody = await site.visit('/status');
    await sees(everybody.page.getByText('This page is not public.'));
    await page.goto('/dashboard/settings/status-page');
    await page.getByRole('switch', { name: 'The status page is public' }).click();
    await expect.poll(async () => (await site.cloud.admin.ok('getStatusPage')).public).toBe(true);
    const today = berlinDay(new Date());
    const [shard] = await shards(site.cloud, [nameOf.latencyDay(today, 'email')], 0);
    const value = new Map([[String(bucketOf(2300)), 50]]);
    await site.cloud.table.put(sumsPut({ ...shard!, value }));
    await everybody.page.reload();
    const table = everybody.page.getByRole('table', { name: 'Today' });
    await sees(table.getByRole('row', { name: 'Delivered, E-mail 2,3 s 2,3 s' }));
    expect(await everybody.page.getByText('Assigned').count()).toBe(0);
    await expectAccessible(everybody.page, { everywhere: true });
    const answer = await everybody.page.request.get('/status');
    expect(answer.headers()['x-robots-tag']).toContain('noindex');
  });

  it('downloads the statistics and the accounting', async () => {
    for (const [path, name, file] of [
      ['', 'Export XLSX of buyer statistics', /^Buyer Statistics \d{4}-\d\d-\d\d to .*\.xlsx$/],
      [
        '/accounting?from=2026-01-05&to=2026-02-01',
        'Export CSV of accounting, chosen time range, in whole months',
        /^Accounting from 2026-01 to 2026-02\.csv$/,
      ],
      ['/accounting', 'Export CSV of accounting, all months', /^Accounting\.csv$/],
    ] as const) {
      await page.goto(`/dashboard/stats${path}`);
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name }).click();
      expect((await download).suggestedFilename()).toMatch(file);
    }
  });

  it('simulates other weights', async () => {
    await page.goto('/dashboard/simulate');
    await page.getByRole('slider', { name: 'Probability of one' }).focus();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await sees(page.getByRole('heading', { name: '3 leads simulated' }));
    const cells = row(page, 'Result of the simulation', 'one').getByRole('cell');
    expect(await cells.allTextContents()).toEqual(['one', '2', '0', '-2']);
    expect((await buyerOf(site.cloud, 'one')).probability).toBe(50);
  });

  it('sees in the audit trail who changed what', async () => {
    await page.goto('/dashboard/audit');
    await page.getByLabel('Object', { exact: true }).selectOption('setting');
    const trail = page.getByRole('table', { name: 'Audit trail' });
    await sees(trail.getByText('Phone verification: on → off'));
    await page.waitForURL('**/dashboard/audit?entity=setting');
    await page.getByLabel('Object', { exact: true }).selectOption('buyer');
    const folded = trail.getByText('Max claim days: – → 7').first();
    const made = trail.getByText(/^\d+ changes: /).first();
    expect((await made.boundingBox())?.height).toBeLessThan(30);
    expect(await folded.isVisible()).toBe(false);
    await made.click();
    await sees(folded);
  });

  it('sees failed deliveries, and resends them', async () => {
    await page.goto('/dashboard/deliveries');
    await sees(page.getByText('No delivery has failed', { exact: true }));
    const email_template_id = await addTemplate(site.cloud, { name: 'Refused' });
    await changeBuyer(site.cloud, 'one', { send_email: true, email_template_id });
    site.cloud.inbox.mode = 'auth-fail';
    const lead = await addLead(site.cloud, { buyer_id: 'one' });
    const line = row(page, 'Deliveries', lead.display_id ?? '');
    await site.cloud.settled();
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    await sees(line.getByText(/Failed|Retrying/));
    await line.getByText('1 attempt').click();
    await line.getByRole('button', { name: /^Resend/ }).click();
    await sees(page.getByLabel('Messages').getByText(/./).first());
    await page.goto(`/dashboard/leads/${lead.lead_id}`);
    await sees(
      step(page, 'Delivered')
        .getByText(/attempt/)
        .first(),
    );
  });

  it('finds leads by Ctrl K, by name and by phone number', async () => {
    await page.goto('/dashboard');
    await sees(page.getByRole('table', { name: 'Buyers and orders' }));
    const search = page.getByRole('combobox', { name: /Search buyers/ });
    const found = page.getByRole('option', { name: /^lead.*Erika Muster/i }).first();
    await page.keyboard.press('Control+k');
    await search.fill('0049 151 234');
    await sees(found);
    await search.fill('Muster');
    await found.click();
    await sees(page.getByRole('heading', { name: /Erika Muster/ }));
    await search.waitFor({ state: 'detached' });
  });

  it('sees why a buyer missed leads, with a number per reason only if there are several', async () => {
    await changeBuyer(site.cloud, 'two', { min_investment: 1_000_000 });
    await addLead(site.cloud);
    await addLead(site.cloud);
    await site.cloud.settled();
    await page.goto('/dashboard/stats/deliveries');
    const missed = row(page, 'Shares and missed leads', 'two');
    await sees(missed.getByText('2: below minimum', { exact: true }));
  });

  it('limits the amount and term of a buyer, sees what it missed, and asks what it would get without', async () => {
    await page.goto('/dashboard');
    await press(page, 'Edit two');
    const form = dialog(page, 'Edit Buyer two');
    await unfold(form, 'Which leads');
    const limits = { 'Min investment': '', 'Max investment': '20.000', 'Min term': '12' };
    await fill(form, { ...limits, 'Max term': '6' });
    await press(form, 'Save Changes');
    await sees(form.getByText('The maximum may not be below the minimum'));
    await fill(form, { 'Max term': '60' });
    await press(form, 'Save Changes');
    await form.waitFor({ state: 'detached' });
    await addLead(site.cloud, { anlagebetrag: '20001', laufzeit: '60' });
    await addLead(site.cloud, { anlagebetrag: '20000', laufzeit: '61' });
    await site.cloud.settled();
    await page.goto('/dashboard/buyers/two');
    const why = page.getByRole('region', { name: /^Receives/ });
    const missed = /up to 20\.000\s€ and of 12 to 60 months: in the last 30 days 2 leads did not fit\./;
    await sees(why.getByText(missed));
    await press(why, 'What would change? Without these criteria');
    await sees(why.getByText(/^Without these criteria it would have received \d leads? of the last/));
    await why.getByRole('link', { name: 'Open in What-if' }).click();
    await page.waitForURL('**/dashboard/simulate?buyer=two&max_investment=&min_term=&max_term=');
    await press(page, 'Simulate');
    await sees(page.getByRole('table', { name: 'Result of the simulation' }));
  });
});
