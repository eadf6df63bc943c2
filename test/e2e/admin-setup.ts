/** What the tests of the admin app share: buyers, orders and leads as an API client makes them. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Answer, Sent } from '#shared/contract/schemas';
import type { TestCloud } from '#test/harness/cloud';

type NewBuyer = Sent<'createBuyer', 'body'>;
type NewLead = Sent<'createLead', 'body'>;

/** A buyer, with an open order unless `limit` is 0. */
export async function addBuyer(
  cloud: TestCloud,
  buyer: Partial<NewBuyer> & { buyer_id: string },
  limit = 10,
): Promise<void> {
  await cloud.admin.ok('createBuyer', {
    body: { buyer_email: `${buyer.buyer_id}@example.com`, probability: 10, ...buyer },
  });
  if (limit > 0)
    await cloud.admin.ok('createOrder', { body: { buyer_id: buyer.buyer_id, lead_limit: limit } });
}

let people = 0;

export async function addLead(cloud: TestCloud, lead: Partial<NewLead> = {}): Promise<Answer<'createLead'>> {
  people += 1;
  return await cloud.admin.ok('createLead', {
    body: {
      anrede: 'Frau',
      vorname: 'Erika',
      nachname: 'Muster',
      email: `person${people}@example.com`,
      telefon: `0151 2345${String(1000 + people)}`,
      anlagebetrag: 25_000,
      laufzeit: 24,
      ...lead,
    },
  });
}

/** A claim on a lead that was just assigned; answers the claim's id. */
export async function addClaim(
  cloud: TestCloud,
  buyerId: string,
  reason = 'falsche_nummer',
): Promise<number> {
  const lead = await addLead(cloud, { buyer_id: buyerId });
  const token = lead.excel_link?.split('/').at(-1) ?? '';
  const { order } = await cloud.visitor.ok('viewLeads', { params: { token } });
  const { claim } = await cloud.visitor.ok('fileClaim', {
    query: { token },
    body: { lead_id: lead.lead_id, order_id: order.order_id, buyer_id: buyerId, claim_reason: reason },
  });
  return claim.claim_id;
}

export const TEMPLATE: Sent<'createEmailTemplate', 'body'> = {
  name: 'Standard',
  smtp_host: 'localhost',
  smtp_port: 2525,
  smtp_user: 'user',
  smtp_pass: 'secret',
  smtp_from: 'leads@example.com',
  smtp_subject: 'Neuer Lead $$order_lead_id$$',
  smtp_body: 'Hallo $$vorname$$',
};

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
