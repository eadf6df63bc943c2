/** Helpers of the admin app's tests: buyers, orders and leads, created by an API client. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Answer, Sent } from '#shared/contract/schemas';
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

export const buyerOf = async ({ admin }: TestCloud, buyerId: string) =>
  (await admin.ok('getBuyer', { params: { buyerId } })).buyer;

export const changeBuyer = ({ admin }: TestCloud, buyerId: string, body: Sent<'updateBuyer', 'body'>) =>
  admin.ok('updateBuyer', { params: { buyerId }, body });

export async function addLead(
  { admin }: TestCloud,
  lead: Partial<LeadRequest> = {},
): Promise<Answer<'createLead'>> {
  people += 1;
  const email = `person${people}@example.com`;
  const telefon = `0151 2345${String(1000 + people)}`;
  return await admin.ok('createLead', { body: aLeadRequest({ email, telefon, ...lead }) });
}

/** Files a claim on a lead that was just assigned; returns the claim's ID. */
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

/** Waits until something is visible, and fails the test otherwise. */
export async function sees(place: Locator): Promise<void> {
  expect(
    await place.waitFor().then(
      () => true,
      (error: Error) => error.message,
    ),
  ).toBe(true);
}

/** The same for several texts. */
export async function seesTexts(place: Page | Locator, ...texts: string[]): Promise<void> {
  for (const text of texts) await sees(place.getByText(text, { exact: true }).first());
}

/** After this long, every open list has been refetched. */
export const REFRESHED_WITHIN_MS = 12_000;

/** The dashboard with its buyers. An open page is not reloaded, which is slow; only its lists are. */
export async function home(page: Page): Promise<void> {
  if (page.url().endsWith('/dashboard')) {
    await closeDialogs(page);
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
  } else await page.goto('/dashboard');
  await page.getByRole('table', { name: 'Buyers and orders' }).waitFor();
}

/** Fills in fields by their labels. */
export async function fill(form: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label).first().fill(value);
}

/** Clicks buttons sequentially; each is the first with its name. */
export async function press(place: Page | Locator, ...names: (string | RegExp)[]): Promise<void> {
  for (const name of names) await place.getByRole('button', { name }).first().click();
}

/** Takes an action from the menu of a row. Names end with the row's: `Pause alpha`, `Keys of Landing page`. */
export async function rowAction(page: Page, name: string): Promise<void> {
  const [, of = ''] = /^(?:.* (?:of|for) |\w+ )(.+)$/.exec(name) ?? [];
  await page.getByRole('button', { name: `More actions for ${of}`, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** The same as a step. */
export const inMenu = (name: string) => (page: Page) => rowAction(page, name);

/** A button to click, text for the fields of a dialog, or any other first step. */
export type Step = string | RegExp | Readonly<Record<string, string>> | ((page: Page) => Promise<void>);

/** Takes the first step on the page, and the others in the topmost dialog. */
export async function follow(page: Page, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const place = index === 0 ? page : page.getByRole('dialog').last();
    if (typeof step === 'function') await step(page);
    else if (typeof step === 'string' || step instanceof RegExp) await press(place, step);
    else await fill(place, step);
  }
}

/** Waits until something has the focus. */
export async function hasFocus(place: Locator): Promise<void> {
  await expect.poll(() => place.evaluate((it) => it.matches(':focus'))).toBe(true);
}

/** Holds back a page's requests until the returned function is called. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, (route) => released.then(() => route.fallback()));
  return release;
}

/** A step in a lead's history, by its title. */
export function step(page: Page, title: string) {
  return page
    .getByRole('list', { name: 'History of the lead' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
}

/** Opens closed groups of a form, by their titles. */
export async function unfold(form: Locator, ...titles: string[]): Promise<void> {
  for (const title of titles) await form.locator('summary', { hasText: title }).click();
}

/** The topmost dialog, by its title. */
export function dialog(page: Page, title: string | RegExp) {
  return page.getByRole('dialog', { name: title });
}

/** Closes every dialog with Escape and discards what is typed in it. */
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

/** Confirms the question. */
export async function agree(page: Page, title: string, text: string | RegExp, action: string): Promise<void> {
  const question = dialog(page, title);
  await sees(question.getByText(text));
  await question.getByRole('button', { name: action, exact: true }).click();
  await question.waitFor({ state: 'detached' });
}

/** The error banner with a text. */
export async function seesBanner(page: Page, text: string): Promise<void> {
  await sees(page.getByLabel('Errors').getByText(text, { exact: true }));
}

/** The success message with a text. */
export async function seesMessage(page: Page, text: string): Promise<void> {
  await sees(page.getByLabel('Messages').getByText(text, { exact: true }));
}

/** The table row that contains a text. */
export function row(page: Page, table: string, text: string) {
  return page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
}
