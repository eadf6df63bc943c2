import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { formatDateTime } from '#shared/rules/formats';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import {
  addBuyer,
  addClaim,
  addLead,
  agree,
  changeBuyer,
  dialog,
  fill,
  press,
  REFRESHED_WITHIN_MS,
  row,
  sees,
  seesMessage,
  seesTexts,
  step,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

let page: Page;
const site = setUpSite(async () => {
  ({ page } = await site.visitAsAdmin());
});

const pending = () =>
  site.cloud.admin
    .ok('listPendingLeads', { query: {} })
    .then((answer) => answer.ineligible_leads.map(({ email }) => email));

const PERSON = {
  'First name': 'Max',
  'Last name': 'Muster',
  Email: 'max@example.com',
  Phone: '0151 23456789',
  'Investment amount': '25.000,50',
  Term: '36',
};

describe('creating a lead', () => {
  it('shows missing fields', async () => {
    await page.goto('/dashboard/create-lead');
    expect(await page.getByLabel('Salutation').inputValue()).toBe('Herr');
    expect(await page.getByLabel('Buyer').locator('option').first().textContent()).toBe(
      '-- Automatic Assignment --',
    );
    await sees(page.getByText('Leave empty for automatic assignment by probability.'));
    await press(page, 'Submit Lead');
    await seesTexts(page, 'First name is required', 'Phone is required');
  });

  it('creates one lead if the answer is lost and the form is submitted again', async () => {
    const { admin } = site.cloud;
    await fill(page, { ...PERSON, Email: 'once@example.com' });
    await page.route('**/api/leads', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await press(page, 'Submit Lead');
    await sees(page.getByText('Failed to submit lead').first());
    await page.unroute('**/api/leads');
    await press(page, 'Submit Lead');
    await sees(page.getByRole('main').getByRole('alert').getByText('Lead marked as ineligible'));
    const { ineligible_leads: waiting } = await admin.ok('listPendingLeads');
    expect(waiting.map(({ email }) => email)).toEqual(['once@example.com']);
    await admin.ok('discardPendingLead', { params: { leadId: waiting[0]?.lead_id ?? '' } });
  });

  it('makes it pending with a reason if no buyer is eligible', async () => {
    await fill(page, { ...PERSON, Email: 'waits@example.com' });
    await press(page, 'Submit Lead');
    const alert = page.getByRole('main').getByRole('alert');
    await sees(alert.getByText('Lead marked as ineligible'));
    await sees(alert.getByText(/No active buyer has an order/));
    expect(await page.getByLabel('First name').inputValue()).toBe('');
    await sees(page.getByLabel('Main menu').getByLabel('1 pending leads'));
  });

  it('assigns it, shows the link to share, and removes markup and whitespace from the input', async () => {
    await addBuyer(site.cloud, { buyer_id: 'taker', probability: 50 }, 5);
    // The new order receives the waiting lead.
    await expect.poll(pending).toEqual([]);
    await fill(page, {
      ...PERSON,
      'First name': ' <b>Max</b> ',
      'Investment amount': 'a lot',
      'Click ID': 'c1',
      Source: 'google',
    });
    await press(page, 'Submit Lead');
    const alert = page.getByRole('main').getByRole('alert');
    await sees(alert.getByText(/^Lead assigned to taker\. Share this link: http/));
    const link = (await alert.getByRole('link').getAttribute('href')) ?? '';
    const { leads } = await site.cloud.visitor.ok('viewLeads', {
      params: { token: link.split('/').at(-1) ?? '' },
    });
    expect(leads.original.find(({ email }) => email === 'max@example.com')).toMatchObject({
      vorname: 'Max',
      nachname: 'Muster',
      anlagebetrag: 0,
      laufzeit: 36,
    });
  });

  it('assigns it to the chosen buyer; only buyers with an order can be chosen', async () => {
    await addBuyer(site.cloud, { buyer_id: 'chosen', probability: 0 }, 1);
    await addBuyer(site.cloud, { buyer_id: 'no-order', probability: 0 }, 0);
    await page.goto('/dashboard/create-lead');
    await page.getByLabel('Buyer').locator('option[value=chosen]').waitFor({ state: 'attached' });
    expect((await page.getByLabel('Buyer').locator('option').allTextContents()).sort()).toEqual([
      '-- Automatic Assignment --',
      'chosen - chosen@example.com (0/1)',
      'taker - taker@example.com (2/5)',
    ]);
    await page.getByLabel('Buyer').selectOption('chosen');
    await fill(page, PERSON);
    await sees(page.getByText('= 25.000,50 €'));
    await press(page, 'Submit Lead');
    await sees(page.getByText(/^Lead assigned to chosen\./));
  });
});

describe('pending leads', () => {
  it('are listed with their reason, and filtered', async () => {
    await addBuyer(site.cloud, { buyer_id: 'careful', probability: 50, manual_review: true }, 5);
    await changeBuyer(site.cloud, 'taker', { active: 0 });
    await addLead(site.cloud, { email: 'reviewed@example.com', nachname: 'Geprüft' });
    await addLead(site.cloud, {
      email: 'unwanted@example.com',
      nachname: 'Unerwünscht',
      telefon: '0151 7777777',
    });
    await page.goto('/dashboard/ineligible-leads');
    const reviewed = row(page, 'Pending leads', 'reviewed@example.com');
    await sees(reviewed.getByText('meant for careful'));
    await sees(reviewed.getByText('25.000 €'));
    await sees(page.getByText('2 of 2 pending leads'));
    const search = page.getByRole('searchbox', { name: 'Find a pending lead' });
    await search.fill('0151/777');
    await sees(page.getByText('1 of 2 pending leads'));
    await sees(row(page, 'Pending leads', 'unwanted@example.com'));
    await page.getByLabel('Reason').selectOption('limits_reached');
    await sees(page.getByText('No leads found'));
    await page.waitForURL('**/dashboard/ineligible-leads?q=0151%2F777&reason=limits_reached');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await sees(page.getByText('2 of 2 pending leads'));
  });

  it('are edited and assigned; the intended buyer is preselected', async () => {
    await page.getByRole('button', { name: 'Edit & assign Frau Erika Geprüft' }).click();
    const form = dialog(page, 'Edit & Assign Lead');
    await expect.poll(() => form.getByLabel('Buyer').inputValue()).toBe('careful');
    await fill(form, { 'Last name': '', Term: '1,5' });
    await form.getByLabel('Buyer').selectOption('');
    await form.getByRole('button', { name: 'Assign Lead' }).click();
    await seesTexts(form, 'Last name is required', 'Must be a whole number', 'Please select a buyer');
    await fill(form, { 'Last name': 'Geändert', 'Investment amount': '12.000,50', Term: '12' });
    await form.getByLabel('Buyer').selectOption('careful');
    await form.getByRole('button', { name: 'Assign Lead' }).click();
    await sees(dialog(page, 'Lead assigned').getByText(/^Lead assigned to careful\. Share this link: http/));
    await dialog(page, 'Lead assigned').getByRole('button', { name: 'Done' }).click();
    await row(page, 'Pending leads', 'reviewed@example.com').waitFor({ state: 'detached' });
  });

  it('are discarded finally', async () => {
    await press(page, 'Discard Frau Erika Unerwünscht');
    await agree(page, 'Discard lead', /permanently\? This cannot be undone/, 'Discard');
    await seesMessage(page, 'Lead discarded');
    expect(await pending()).toEqual([]);
  });
});

describe('the history of a lead', () => {
  it('explains its arrival and the choice of the buyer, and allows editing and deleting', async () => {
    await changeBuyer(site.cloud, 'careful', { manual_review: false });
    await addBuyer(site.cloud, { buyer_id: 'picky', probability: 20, min_investment: 1_000_000 }, 5);
    const lead = await addLead(site.cloud, { nachname: 'Geschichte', src: 'facebook' });
    expect(lead.buyer).toBe('careful');
    await page.goto(`/dashboard/leads/${lead.lead_id}`);
    const history = page.getByRole('list', { name: 'History of the lead' });
    for (const title of ['Received', 'Checked', 'Why this buyer', 'Assigned', 'Delivered'])
      await sees(history.getByRole('heading', { name: title }));
    await sees(history.getByText('From facebook'));
    await sees(history.getByText('careful was the only eligible buyer.'));
    await sees(history.getByText(/picky \(wants a higher investment\)/));
    await sees(history.getByText(/taker \(is inactive\)/));

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(page, 'Edit Lead');
    await form.getByLabel('Email').fill('right@example.com');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(page, 'Lead saved');
    await sees(page.getByText('right@example.com'));

    await page.getByRole('button', { name: 'Delete' }).click();
    await agree(page, 'Delete lead', /the order can get another lead instead/, 'Delete');
    await seesMessage(page, 'Lead deleted');
  });

  it('shows when the buyer opened it, and which lead replaced it', async () => {
    const { admin, visitor } = site.cloud;
    await addBuyer(site.cloud, { buyer_id: 'history', probability: 0 }, 5);
    const fresh = await addLead(site.cloud, { buyer_id: 'history' });
    await page.goto(`/dashboard/leads/${fresh.lead_id}`);
    await sees(step(page, 'Opened').getByText(/^Not opened/));
    await visitor.ok('viewLeads', { params: { token: fresh.excel_link?.split('/').at(-1) ?? '' } });
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    await sees(step(page, 'Opened').getByText('The buyer first opened the list with this lead.'));
    const opened = (await admin.ok('getLead', { params: { leadId: fresh.lead_id } })).lead.opened_at ?? '';
    expect(await step(page, 'Opened').getByRole('time').textContent()).toBe(formatDateTime(new Date(opened)));

    const claimId = await addClaim(site.cloud, 'history');
    await admin.ok('approveClaim', { params: { claimId }, body: {} });
    const { claims } = await admin.ok('listClaims', { query: { buyer_id: 'history' } });
    const claimed = claims[0]!;
    await page.goto(`/dashboard/leads/${claimed.lead_id}`);
    await sees(
      step(page, 'Replacement owed').getByText(
        /^Replacement owed since \d\d\.\d\d\.\d{4}, \d\d:\d\d, credited to order \d+\.$/,
      ),
    );
    const replacing = await addLead(site.cloud, { buyer_id: 'history' });
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    await step(page, 'Replaced')
      .getByRole('link', { name: `lead ${replacing.display_id}` })
      .click();
    await sees(page.getByText('Replacement lead', { exact: true }));
    await sees(step(page, 'Assigned').getByText(`Replaces lead ${claimed.display_id}, claim #${claimId}.`));
  });
});

it('a consent of a new lead is folded at first, checked next to its fields, and recorded', async () => {
  const { page: own } = await site.visitAsAdmin('/dashboard/create-lead');
  const email = 'agreed@example.com';
  await fill(own, { ...PERSON, Email: email, Phone: '0151 1234567' });
  const givenAt = own.getByLabel('Given at');
  expect(await givenAt.isVisible()).toBe(false);
  await own.locator('summary', { hasText: 'Consent' }).click();
  await sees(givenAt);
  await own.getByRole('checkbox', { name: 'phone' }).check();
  await press(own, 'Submit Lead');
  await seesTexts(own, 'Given at is required', 'Wording is required');
  await fill(own, { 'Given at': '2099-01-01T10:00', Wording: 'I agree to be called.' });
  await press(own, 'Submit Lead');
  await sees(own.getByText('Lies in the future'));
  await expectAccessible(own, { everywhere: true });
  await fill(own, { 'Given at': '2020-01-01T10:00' });
  await press(own, 'Submit Lead');
  await sees(own.getByRole('main').getByRole('alert'));
  expect(await givenAt.inputValue()).toBe('');
  const { people } = await site.cloud.admin.ok('findPeople', { query: { q: email } });
  const params = { leadId: people[0]?.leads[0]?.lead_id ?? '' };
  expect((await site.cloud.admin.ok('getLead', { params })).lead.consent).toMatchObject({
    method: 'form',
    channels: ['phone'],
    text: 'I agree to be called.',
  });
});
