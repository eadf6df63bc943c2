/** The same form open in two tabs: nobody's change is undone unseen. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addLead, dialog, sees, seesMessage, TEMPLATE } from '#test/e2e/admin-setup';
import { accessibilityProblems, type Site, startSite, type Visit } from '#test/e2e/fixture';

let site: Site;
let visit: Visit;
let other: Page;
let leadId: string;
beforeAll(async () => {
  site = await startSite();
  await site.cloud.admin.ok('createEmailTemplate', { body: TEMPLATE });
  await addBuyer(site.cloud, { buyer_id: 'first', probability: 60, price_per_lead: 19.99 });
  leadId = (await addLead(site.cloud, { buyer_id: 'first' })).lead_id;
  visit = await site.visitAsAdmin('/dashboard');
  other = await visit.page.context().newPage();
});
afterAll(() => site.stop());

const buyer = async () => (await site.cloud.admin.ok('getBuyer', { params: { buyerId: 'first' } })).buyer;

/** Opens the same dialog in both tabs. */
async function inBoth(path: string, button: string | RegExp, title: string | RegExp) {
  const forms = [];
  for (const page of [visit.page, other]) {
    await page.goto(path);
    await page.getByRole('button', { name: button }).first().click();
    const form = dialog(page, title);
    await sees(form);
    forms.push(form);
  }
  const [mine, theirs] = forms;
  if (mine === undefined || theirs === undefined) throw new Error('Two pages expected');
  return { mine, theirs };
}

describe('a buyer that is open in two tabs', () => {
  it('keeps what both change in different fields', async () => {
    const { mine, theirs } = await inBoth('/dashboard', 'Edit first', 'Edit Buyer first');
    await theirs.getByLabel('Price per lead (€)').fill('29,90');
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(other, 'Buyer first saved');
    await mine.getByLabel('Min investment (€)').fill('5.000');
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(visit.page, 'Buyer first saved');
    expect(await buyer()).toMatchObject({ price_per_lead: 29.9, min_investment: 5000 });
  });

  it('asks which value stays where both change the same field', async () => {
    const { mine, theirs } = await inBoth('/dashboard', 'Edit first', 'Edit Buyer first');
    await theirs.getByLabel('Probability (%)').fill('40');
    await theirs.getByLabel('Price per lead (€)').fill('31');
    await theirs.getByRole('switch', { name: 'Only deliver leads at certain hours' }).check();
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(other, 'Buyer first saved');
    await mine.getByLabel('Probability (%)').fill('50');
    await mine.getByLabel('Price per lead (€)').fill('32');
    await mine.getByRole('switch', { name: 'Only deliver leads at certain hours' }).check();
    await mine.getByRole('checkbox', { name: 'Fri' }).uncheck();
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    const probability = mine.getByRole('group', { name: 'Probability (%)' });
    await sees(probability.getByText('50', { exact: true }));
    await sees(probability.getByText('40', { exact: true }));
    await sees(probability.locator('button:focus', { hasText: 'Keep mine' }));
    const top = async (place: Locator) => (await place.boundingBox())?.y ?? 0;
    const foot = await mine.getByRole('button', { name: 'Save Changes' }).boundingBox();
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThan(await top(visit.page.getByLabel('Errors')));
    expect(await mine.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true);
    expect(await accessibilityProblems(visit.page)).toEqual([]);
    expect(await buyer()).toMatchObject({ probability: 40, price_per_lead: 31 });
    await probability.getByRole('button', { name: 'Keep mine' }).click();
    await mine
      .getByRole('group', { name: 'Price per lead (€)' })
      .getByRole('button', { name: 'Take theirs' })
      .click();
    expect(await mine.getByLabel('Price per lead (€)').inputValue()).toBe('31');
    const hours = mine.getByRole('group', { name: 'Hours', exact: true }).last();
    await sees(hours.getByText('Mon, Tue, Wed, Thu, 08:00–18:00, not on public holidays'));
    await hours.getByRole('button', { name: 'Take theirs' }).click();
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await mine.waitFor({ state: 'detached' });
    expect(await buyer()).toMatchObject({ probability: 50, price_per_lead: 31 });
  });

  it('asks again for a limit that somebody else has changed', async () => {
    const { mine, theirs } = await inBoth('/dashboard', 'Change lead limit of first', 'Lead limit of first');
    await theirs.getByLabel('Lead limit').fill('20');
    await theirs.getByRole('button', { name: 'Save' }).click();
    await seesMessage(other, 'Lead limit saved');
    await mine.getByLabel('Lead limit').fill('30');
    await mine.getByRole('button', { name: 'Save' }).click();
    await sees(mine.getByText('The limit is 20 now. Save yours, or cancel to keep theirs.'));
    expect(await mine.getByLabel('Lead limit').inputValue()).toBe('30');
    expect((await buyer()).lead_limit).toBe(20);
    await mine.getByRole('button', { name: 'Save' }).click();
    await seesMessage(visit.page, 'Lead limit saved');
    expect((await buyer()).lead_limit).toBe(30);
  });
});

describe('a lead on the page of its order', () => {
  it('keeps what both change in different fields, and asks where both change the same', async () => {
    const { excel_link: link } = await site.cloud.admin
      .ok('getBuyer', { params: { buyerId: 'first' } })
      .then(({ buyer }) => buyer);
    const { mine, theirs } = await inBoth(new URL(link ?? '').pathname, /bearbeiten/, /^Lead .* bearbeiten$/);
    await theirs.getByLabel('Vorname').fill('Theirs');
    await theirs.getByLabel('Telefon').fill('0170 1234567');
    await theirs.getByRole('button', { name: 'Speichern' }).click();
    await theirs.waitFor({ state: 'detached' });
    await mine.getByLabel('Vorname').fill('Mine');
    await mine.getByLabel('Laufzeit (Monate)').fill('48');
    await mine.getByRole('button', { name: 'Speichern' }).click();
    const name = mine.getByRole('group', { name: 'Vorname' });
    await sees(name.getByText('Theirs', { exact: true }));
    expect(await mine.getByRole('button', { name: 'Speichern' }).isDisabled()).toBe(true);
    expect(await accessibilityProblems(visit.page)).toEqual([]);
    await name.getByRole('button', { name: 'Gespeicherte übernehmen' }).click();
    await mine.getByRole('button', { name: 'Speichern' }).click();
    await mine.waitFor({ state: 'detached' });
    expect((await site.cloud.admin.ok('getLead', { params: { leadId } })).lead).toMatchObject({
      vorname: 'Theirs',
      telefon: '0170 1234567',
      laufzeit: 48,
    });
  });
});

describe('other forms that are open in two tabs', () => {
  it('keep both changes of a template', async () => {
    const { mine, theirs } = await inBoth(
      '/dashboard/settings',
      `Edit ${TEMPLATE.name}`,
      'Edit Email Template',
    );
    await theirs.getByLabel('Subject').fill('Their subject');
    await theirs.getByRole('button', { name: 'Save Template' }).click();
    await theirs.waitFor({ state: 'detached' });
    await mine.getByLabel('Body (plain text)').fill('My text');
    await mine.getByRole('button', { name: 'Save Template' }).click();
    await mine.waitFor({ state: 'detached' });
    const [template] = await site.cloud.admin.ok('listEmailTemplates');
    expect(template).toMatchObject({ smtp_subject: 'Their subject', smtp_body: 'My text' });
  });

  it('ask about a lead', async () => {
    const { mine, theirs } = await inBoth(`/dashboard/leads/${leadId}`, /^Edit$/, 'Edit Lead');
    await theirs.getByLabel('Last name').fill('Other');
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await theirs.waitFor({ state: 'detached' });
    await mine.getByLabel('Last name').fill('Mine');
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await sees(mine.getByRole('group', { name: 'Last name' }).getByText('Other', { exact: true }));
    await mine.getByRole('button', { name: 'Take theirs' }).click();
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await mine.waitFor({ state: 'detached' });
    expect((await site.cloud.admin.ok('getLead', { params: { leadId } })).lead.nachname).toBe('Other');
  });
});
