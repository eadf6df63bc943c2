/** What the tests of the admin app share: buyers, orders and leads as an API client makes them. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Answer } from '#shared/contract/schemas';
import { aBuyerRequest, type BuyerRequest } from '#test/factories/buyers';
import { aLeadRequest, type LeadRequest } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { openOrder, type TestCloud, tokenOf } from '#test/harness/cloud';

/** A buyer, with an open order unless `limit` is 0. */
export async function addBuyer(
  cloud: TestCloud,
  buyer: Partial<BuyerRequest> & { buyer_id: string },
  limit = 10,
): Promise<void> {
  const request = { buyer_email: `${buyer.buyer_id}@example.com`, probability: 10, ...buyer };
  if (limit > 0) await openOrder(cloud.admin, request, limit);
  else await cloud.admin.ok('createBuyer', { body: aBuyerRequest(request) });
}

let people = 0;

export async function addLead(
  { admin }: TestCloud,
  lead: Partial<LeadRequest> = {},
): Promise<Answer<'createLead'>> {
  people += 1;
  const email = `person${people}@example.com`;
  const telefon = `0151 2345${String(1000 + people)}`;
  return await admin.ok('createLead', { body: aLeadRequest({ email, telefon, ...lead }) });
}

/** A claim on a lead that was just assigned; answers the claim's id. */
export async function addClaim(
  cloud: TestCloud,
  buyerId: string,
  reason = 'falsche_nummer',
  person: Partial<LeadRequest> = {},
): Promise<number> {
  const lead = await addLead(cloud, { buyer_id: buyerId, ...person });
  const token = tokenOf(lead.excel_link);
  const { order } = await cloud.visitor.ok('viewLeads', { params: { token } });
  const { claim } = await cloud.visitor.ok('fileClaim', {
    query: { token },
    body: { lead_id: lead.lead_id, order_id: order.order_id, buyer_id: buyerId, claim_reason: reason },
  });
  return claim.claim_id;
}

export const TEMPLATE = aTemplateRequest({
  smtp_from: 'leads@example.com',
  smtp_subject: 'Neuer Lead $$order_lead_id$$',
  smtp_body: 'Hallo $$vorname$$',
});

/** Waits until something is on the page, and fails the test if it does not come. */
export async function sees(place: Locator): Promise<void> {
  expect(
    await place.waitFor().then(
      () => true,
      (error: Error) => error.message,
    ),
  ).toBe(true);
}

/** The dialog on top, by its title. */
export function dialog(page: Page, title: string | RegExp) {
  return page.getByRole('dialog', { name: title });
}

/** Closes every dialog by its key, and leaves what is typed in it. */
export async function closeDialogs(page: Page): Promise<void> {
  const dialogs = page.getByRole('dialog');
  const leave = dialogs.getByRole('button', { name: 'Leave' });
  for (let open = await dialogs.count(); open > 0; open = await dialogs.count()) {
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await leave.isVisible()) || (await dialogs.count()) < open).toBe(true);
    if (await leave.isVisible()) await leave.click();
    await expect.poll(() => dialogs.count()).toBeLessThan(open);
  }
}

/** Agrees to the question that is asked. */
export async function agree(page: Page, title: string, text: string | RegExp, action: string): Promise<void> {
  const question = dialog(page, title);
  await sees(question.getByText(text));
  await question.getByRole('button', { name: action, exact: true }).click();
  await question.waitFor({ state: 'detached' });
}

/** The red banner with a text. */
export async function seesBanner(page: Page, text: string): Promise<void> {
  await sees(page.getByLabel('Errors').getByText(text, { exact: true }));
}

/** The green message with a text. */
export async function seesMessage(page: Page, text: string): Promise<void> {
  await sees(page.getByLabel('Messages').getByText(text, { exact: true }));
}

/** The row of a table that holds a text. */
export function row(page: Page, table: string, text: string) {
  return page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
}
