import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasFocus } from '#test/e2e/admin-setup';
import { type BuyerVisit, PHONE, rowOf, setUpShop } from '#test/e2e/buyer-setup';
import { aLeadRequest } from '#test/factories/people';

/** Claims on the page behind a link, filed by buyers and admins. */
const shop = setUpShop();

const fileClaim = async (page: Page, leadId: string, reason: string) => {
  await rowOf(page, leadId).getByRole('button', { name: 'reklamieren' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reklamation einreichen' });
  await dialog.getByLabel('Grund').selectOption(reason);
  await dialog.getByRole('button', { name: 'Reklamation einreichen' }).click();
  return dialog;
};

describe('a lead on the page of its order', () => {
  it('shows a claim, its decision and its replacement without a reload', async () => {
    const order = await shop.newOrder({
      probability: 10,
      claim_quota_percent: 10,
      decision_days: 10,
      default_decision: 'approve',
    });
    const lead = await shop.lead(order.buyerId);
    const other = await shop.lead(order.buyerId);
    const { page, nextAnswer } = await shop.open(order.path, PHONE);
    await page.getByText('Noch 1 von 1 Reklamation').waitFor();
    const dialog = await fileClaim(page, lead.lead_id, 'fake');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Ihre Reklamation wurde eingereicht. Entscheidung bis 27.05.2027.').waitFor();
    await page.getByText('ausgeschöpft, bis eine abgelehnt wird').waitFor();
    await rowOf(page, other.lead_id)
      .getByText('Das Kontingent von 1 Reklamation ist ausgeschöpft.')
      .waitFor();

    await rowOf(page, lead.lead_id).getByText('Entscheidung bis 27.05.').waitFor();
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'In Prüfung' }).click();
    const details = page.getByRole('dialog', { name: 'Reklamation Details' });
    await details.getByText('Keine Anfrage gestellt / Fake').waitFor();
    await details.getByText('27.05.2027, sonst gilt die Reklamation als genehmigt').waitFor();
    await shop.approve(lead.lead_id, 'Geprüft und anerkannt');
    await nextAnswer();
    await details.getByText('Genehmigt').waitFor();
    await details.getByText('Geprüft und anerkannt').waitFor();
    await details.getByRole('button', { name: 'Schließen' }).last().click();
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'Genehmigt' }).waitFor();

    await page.getByRole('tab', { name: 'Ersatzleads' }).click();
    await page.getByText('Ein Ersatzlead steht aus').waitFor();
    const replacement = await shop.cloud.admin.ok('createLead', {
      body: aLeadRequest({ anrede: 'Herr', vorname: 'Emil', nachname: 'Ersatz' }),
    });
    expect(replacement).toMatchObject({ status: 'assigned', buyer: order.buyerId });
    await nextAnswer();
    const row = rowOf(page, replacement.lead_id);
    await row.getByText('Herr Emil Ersatz').waitFor();
    await row.getByText('Ersatzleads können nicht reklamiert werden.').waitFor();
    await page.getByText('1 neuer Lead eingetroffen.').waitFor();
    expect(await row.getByRole('button', { name: 'reklamieren' }).count()).toBe(0);
    await page.getByText('1 geliefert, 0 ausstehend').waitFor();
    await page.getByText('Exportieren').click();
    await expect.poll(() => page.getByRole('link', { name: /: Ersatzleads herunterladen$/ }).count()).toBe(2);
  });

  it('can be claimed only with a reason, and as not reachable only from its first day', async () => {
    const order = await shop.newOrder();
    const lead = await shop.lead(order.buyerId);
    const { page, alerts } = await shop.open(order.path, PHONE);
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'reklamieren' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reklamation einreichen' });
    const submit = dialog.getByRole('button', { name: 'Reklamation einreichen' });
    await submit.waitFor();
    expect(await dialog.getByRole('option').allTextContents()).toContain(
      'Nicht erreichbar (nach 5 Tagen), möglich ab 20.05.2027',
    );
    expect(await dialog.locator('option[value=ne]').isDisabled()).toBe(true);

    await submit.click();
    expect(await dialog.getByRole('alert').innerText()).toBe('Bitte wählen Sie einen Grund...');
    await dialog.getByLabel('Grund').selectOption('other');
    await submit.click();
    expect(await dialog.getByRole('alert').innerText()).toContain('mindestens 3 Zeichen');
    await dialog.getByLabel('Beschreibung').fill('Die Dame ist „umgezogen“ & weg');
    await submit.click();
    await dialog.waitFor({ state: 'detached' });

    const state = rowOf(page, lead.lead_id).getByRole('button', { name: 'In Prüfung' });
    await state.click();
    const details = page.getByRole('dialog', { name: 'Reklamation Details' });
    await details.getByText('Die Dame ist „umgezogen“ & weg').waitFor();
    expect(await details.innerText()).toContain('In Prüfung');
    expect(alerts).toEqual([]);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await hasFocus(state);
  });

  it('can be edited and deleted by an admin, who sees more than buyers', async () => {
    const order = await shop.newOrder();
    const lead = await shop.lead(order.buyerId, { anlagebetrag: 10_000 });
    await shop.lead(order.buyerId);
    const visitor = await shop.open(order.path);
    await rowOf(visitor.page, lead.lead_id).waitFor();
    const seen = await visitor.page.locator('body').innerText();
    for (const secret of [order.buyerId, lead.lead_id, 'Investitionsanalyse', 'Bearbeiten', 'Löschen'])
      expect(seen).not.toContain(secret);

    const { page } = await shop.open(order.path, { admin: true });
    await page.getByText(order.buyerId).waitFor();
    await page.getByRole('region', { name: 'Investitionsanalyse' }).waitFor();
    const row = rowOf(page, lead.lead_id);
    expect(await row.innerText()).toContain(lead.lead_id);
    expect(await row.getByRole('button', { name: 'reklamieren' }).count()).toBe(0);

    await row.getByRole('button', { name: 'bearbeiten' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nachname').fill('Neumann');
    const choices = dialog.getByRole('group', { name: 'Häufige Beträge' }).getByRole('button');
    const amounts = ['10', '25', '50', '75', '100', '200', '500'].map((amount) => `${amount}.000 €`);
    expect((await choices.allInnerTexts()).map((text) => text.replace(/\s/g, ' '))).toEqual(amounts);
    await choices.nth(4).click();
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('Frau Käthe Neumann').waitFor();
    await row.getByText(/100\.000/).waitFor();

    await row.getByRole('button', { name: 'löschen' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('1 / 10 Leads geliefert').waitFor();
  });

  it('can be claimed once from two pages', async () => {
    const order = await shop.newOrder();
    const lead = await shop.lead(order.buyerId);
    const one = await shop.open(order.path);
    const two = await shop.open(order.path);
    const chosen = async ({ page }: BuyerVisit) => {
      await rowOf(page, lead.lead_id).getByRole('button', { name: 'reklamieren' }).click();
      await page.getByLabel('Grund').selectOption('fake');
      return page.getByRole('dialog').getByRole('button', { name: 'Reklamation einreichen' });
    };
    const submit = await chosen(one);
    const late = await chosen(two);
    await submit.click();
    await one.page.getByRole('dialog').waitFor({ state: 'detached' });

    // The other page updates without an action and has nothing left to send.
    await two.nextAnswer();
    await two.page.getByRole('dialog').getByText('Dieser Lead wurde bereits reklamiert.').waitFor();
    expect(await late.count()).toBe(0);
    const { claims } = await shop.cloud.admin.ok('listClaims', { query: { buyer_id: order.buyerId } });
    expect(claims).toHaveLength(1);
  });

  it('shows the server’s error when a claim fails, or the default text', async () => {
    const order = await shop.newOrder();
    const lead = await shop.lead(order.buyerId);
    const { page, alerts } = await shop.open(order.path);
    await page.route('**/api/lead-claims?**', (route) =>
      route.fulfill({ status: 409, json: { error: 'Nein, danke.', code: 'some_code' } }),
    );
    const dialog = await fileClaim(page, lead.lead_id, 'fake');
    await dialog.getByRole('alert').getByText('Nein, danke.').waitFor();
    await page.unroute('**/api/lead-claims?**');
    await page.route('**/api/lead-claims?**', (route) => route.fulfill({ status: 500, body: '' }), {
      times: 1,
    });
    await dialog.getByRole('button', { name: 'Reklamation einreichen' }).click();
    await dialog.getByRole('alert').getByText('Failed to submit claim').waitFor();
    await dialog.getByRole('button', { name: 'Reklamation einreichen' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.route('**/api/lead-claims/lead/**', (route) => route.fulfill({ status: 500, body: '' }));
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'In Prüfung' }).click();
    await page.getByRole('dialog').getByText('Fehler beim Abrufen der Reklamationsdetails').waitFor();
    expect(alerts).toEqual([
      'Nein, danke.',
      'Failed to submit claim',
      'Fehler beim Abrufen der Reklamationsdetails',
    ]);
  });
});
