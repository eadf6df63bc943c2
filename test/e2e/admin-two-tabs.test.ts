/** The same form open in two tabs: nobody overwrites a change unknowingly. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addBuyer,
  addLead,
  buyerOf,
  dialog,
  fill,
  follow,
  inMenu,
  type Step,
  sees,
  seesMessage,
  unfold,
} from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';

let page: Page;
let other: Page;
let leadId: string;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'first', probability: 60, price_per_lead: 19.99 });
  leadId = (await addLead(site.cloud, { buyer_id: 'first' })).lead_id;
  ({ page } = await site.visitAsAdmin('/dashboard'));
  other = await page.context().newPage();
});

const buyer = () => buyerOf(site.cloud, 'first');

/** Opens the same dialog in both tabs. */
async function inBoth(path: string, open: Step, title: string | RegExp) {
  for (const tab of [page, other]) {
    await tab.goto(path);
    await follow(tab, [open]);
    await sees(dialog(tab, title));
  }
  return { mine: dialog(page, title), theirs: dialog(other, title) };
}

describe('a buyer open in two tabs', () => {
  it('keeps changes of both in different fields, and asks which value to keep for the same field', async () => {
    const { mine, theirs } = await inBoth('/dashboard', 'Edit first', 'Edit Buyer first');
    await fill(theirs, { 'Probability (%)': '40', 'Price per lead (€)': '31' });
    await unfold(theirs, 'Hours');
    await theirs.getByRole('switch', { name: 'Only deliver leads at certain hours' }).check();
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(other, 'Buyer first saved');
    await unfold(mine, 'Which leads', 'Hours');
    await fill(mine, { 'Probability (%)': '50', 'Price per lead (€)': '32', 'Min investment (€)': '5.000' });
    await mine.getByRole('switch', { name: 'Only deliver leads at certain hours' }).check();
    await mine.getByRole('checkbox', { name: 'Fri' }).uncheck();
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    const probability = mine.getByRole('group', { name: 'Probability (%)' });
    await sees(probability.getByText('50', { exact: true }));
    await sees(probability.getByText('40', { exact: true }));
    await sees(probability.locator('button:focus', { hasText: 'Keep mine' }));
    const top = async (place: Locator) => (await place.boundingBox())?.y ?? 0;
    const foot = await mine.getByRole('button', { name: 'Save Changes' }).boundingBox();
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThan(await top(page.getByLabel('Errors')));
    expect(await mine.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
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
    expect(await buyer()).toMatchObject({ probability: 50, price_per_lead: 31, min_investment: 5000 });
  });

  it('requires a confirmation for a concurrently changed limit', async () => {
    const { mine, theirs } = await inBoth(
      '/dashboard',
      inMenu('Change lead limit of first'),
      'Lead limit of first',
    );
    await theirs.getByLabel('Lead limit').fill('20');
    await theirs.getByRole('button', { name: 'Save' }).click();
    await seesMessage(other, 'Lead limit saved');
    await mine.getByLabel('Lead limit').fill('30');
    await mine.getByRole('button', { name: 'Save' }).click();
    await sees(mine.getByText('The limit is 20 now. Save to use your value, or cancel to keep theirs.'));
    expect(await mine.getByLabel('Lead limit').inputValue()).toBe('30');
    expect((await buyer()).lead_limit).toBe(20);
    await mine.getByRole('button', { name: 'Save' }).click();
    await seesMessage(page, 'Lead limit saved');
    expect((await buyer()).lead_limit).toBe(30);
  });
});

it('a lead on the page of its order keeps changes of both in different fields, and asks about the same field', async () => {
  const { excel_link: link } = await buyer();
  const { mine, theirs } = await inBoth(new URL(link ?? '').pathname, /^Bearbeiten/, /^Lead .* bearbeiten$/);
  await fill(theirs, { Vorname: 'Theirs', Telefon: '0170 1234567' });
  await theirs.getByRole('button', { name: 'Speichern' }).click();
  await theirs.waitFor({ state: 'detached' });
  await fill(mine, { Vorname: 'Mine', 'Laufzeit (Monate)': '48' });
  await mine.getByRole('button', { name: 'Speichern' }).click();
  const name = mine.getByRole('group', { name: 'Vorname' });
  await sees(name.getByText('Theirs', { exact: true }));
  expect(await mine.getByRole('button', { name: 'Speichern' }).isDisabled()).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await name.getByRole('button', { name: 'Gespeicherte übernehmen' }).click();
  await mine.getByRole('button', { name: 'Speichern' }).click();
  await mine.waitFor({ state: 'detached' });
  expect((await site.cloud.admin.ok('getLead', { params: { leadId } })).lead).toMatchObject({
    vorname: 'Theirs',
    telefon: '0170 1234567',
    laufzeit: 48,
  });
});
