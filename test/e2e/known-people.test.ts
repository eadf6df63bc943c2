/** An admin uploads people that a buyer knows: their leads go to another buyer, or to nobody, and the lead's page says why. */
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { agree, sees, seesTexts } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';

const ROWS_OF_A_PART = 1000;
const BUYER_PAGE = '/dashboard/buyers/nord/known-people';

const site = setUpSite(async () => {
  for (const buyer_id of ['nord', 'sued']) await openOrder(site.cloud.admin, { buyer_id, probability: 50 });
});
let page: Page;
beforeEach(async () => {
  ({ page } = await site.visitAsAdmin(BUYER_PAGE));
});

const choose = async (name: string, lines: readonly string[]) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });

const listOf = (name: string) => page.getByRole('article', { name });

async function postedLead(email: string) {
  const { lead_id: leadId } = await site.cloud.admin.ok('createLead', { body: aLeadRequest({ email }) });
  await site.cloud.settled();
  await page.goto(`/dashboard/leads/${leadId}`);
  const { lead } = await site.cloud.admin.ok('getLead', { params: { leadId } });
  return lead;
}

it('a lead of a person on the buyer’s list goes to the other buyer', async () => {
  await sees(page.getByText('No known people yet'));
  await expectAccessible(page, { narrow: true });
  await choose('kunden.csv', ['Name;Mail', 'Ada;ADA@known.example.org', 'Bo;bo@known.example.org', 'Cy;']);
  await sees(page.getByText('kunden.csv: 3 of 3 rows read, 1 invalid, 0 duplicates. Uploaded.'));
  await sees(listOf('kunden.csv').getByText('2 people'));
  await expectAccessible(page, { narrow: true });
  for (const email of ['ada@known.example.org', 'Bo@known.example.org']) {
    expect(await postedLead(email)).toMatchObject({ status: 'assigned', buyer_id: 'sued' });
    await sees(page.getByText('knows the person already'));
  }
});

it('a lead of a person that nobody may get stays pending until the list is deleted', async () => {
  await page.goto('/dashboard/people');
  await choose('nie.csv', ['E-Mail', 'never@known.example.org']);
  await sees(listOf('nie.csv').getByText('1 person'));
  await expectAccessible(page, { narrow: true });
  const { lead_id: leadId } = await postedLead('never@known.example.org');
  await sees(page.getByText(/known to every buyer with open capacity, or must not be sold/).first());
  await page.goto('/dashboard/people');
  await page.getByRole('button', { name: 'Delete nie.csv' }).click();
  await agree(page, 'Delete known people', /can be sold again/, 'Delete');
  await sees(page.getByText('No known people yet'));
  await site.cloud.admin.ok('distributePendingLead', { params: { leadId } });
  const { lead } = await site.cloud.admin.ok('getLead', { params: { leadId } });
  expect(lead.status).toBe('assigned');
});

it('an interrupted upload stays visible as not finished, and continues with the same file', async () => {
  const people = Array.from({ length: ROWS_OF_A_PART + 1 }, (_, at) => `person${at}@known.example.org`);
  await page.route('**/parts/2', (route) => route.abort(), { times: 1 });
  await choose('viele.csv', ['E-Mail', ...people]);
  await sees(page.getByRole('alert').getByText(/Choose the same file again to continue/));
  await sees(listOf('viele.csv').getByText(/1\.000 people.*Not finished/));
  await expectAccessible(page, { narrow: true });
  await choose('viele.csv', ['E-Mail', ...people]);
  await sees(page.getByText(/1\.001 of 1\.001 rows read, .* Uploaded/));
  await sees(listOf('viele.csv').getByText('1.001 people'));
  await choose('viele.csv', ['E-Mail', ...people]);
  await sees(page.getByText('This file was uploaded before.'));
});

it('a file without contacts, or of another kind, is refused with the reason', async () => {
  await choose('namen.csv', ['Name', 'Ada']);
  await seesTexts(page, 'The upload of namen.csv stopped');
  await sees(page.getByText(/no column whose header names a phone number or an e-mail address/));
  await choose('bild.csv', ['\0']);
  await sees(page.getByText(/neither CSV nor XLSX/));
  await expectAccessible(page, { narrow: true });
});
