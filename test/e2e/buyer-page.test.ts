import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '#shared/contract/schemas';
import { type BuyerVisit, type Ordered, SCREENS, type Shop, startShop } from '#test/e2e/buyer-setup';
import { accessibilityProblems } from '#test/e2e/fixture';

/** Wednesday; with Whit Monday on the 17th the seventh working day is the 24th, the fifth the 20th. */
const DELIVERED = '2027-05-12T07:00:00Z';
let shop: Shop;
let made = 0;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

const newOrder = async (buyer: object = {}, limit?: number): Promise<Ordered> => {
  made += 1;
  await shop.at(DELIVERED);
  return shop.order({ buyer_id: `buyer-${made}`, ...buyer }, limit);
};

const rowOf = (page: Page, leadId: string) => page.locator(`[data-lead="${leadId}"]`);

const fileClaim = async (page: Page, leadId: string, reason: string) => {
  await rowOf(page, leadId).getByRole('button', { name: 'reklamieren' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reklamation einreichen' });
  await dialog.getByLabel('Grund').selectOption(reason);
  await dialog.getByRole('button', { name: 'Reklamation einreichen' }).click();
  return dialog;
};

describe.each(SCREENS)('the buyer’s page %s', (screen, size) => {
  const phone = screen === 'on a phone';

  it('shows the order, its leads and the days left for a claim', async () => {
    const order = await newOrder();
    const first = await shop.lead(order.buyerId, { vorname: 'Jörg', nachname: 'Müller', anrede: 'Herr' });
    await shop.lead(order.buyerId, { anlagebetrag: 1234.5, laufzeit: 1, telefon: '+49 30 23456789' });
    await shop.cloud.admin.ok('updateOrderComments', {
      params: { orderId: order.orderId },
      body: { comments: 'Bitte nur vormittags <b>anrufen</b>' },
    });
    await shop.at('2027-05-12T10:05:00Z');
    const { page, problems, close } = await shop.open(order.path, size);

    await page.getByRole('heading', { name: 'Lead Liste für Bestellung #1', level: 1 }).waitFor();
    const text = await page.locator('main').innerText();
    expect(text).toContain('2 / 10 Leads geliefert');
    expect(text).toContain('vor 3 Stunden');
    expect(text).toContain('Bitte nur vormittags <b>anrufen</b>');
    for (const state of ['In Prüfung', 'Genehmigt', 'Abgelehnt']) expect(text).toContain(state);
    expect(text).toContain('Herr Jörg Müller');
    expect(text).toContain('1.234,50');
    expect(text).toContain('1 Monat');
    expect(await page.locator('[data-lead]').first().innerText()).toContain('Frau Käthe Größler');
    expect(await rowOf(page, first.lead_id).innerText()).toMatch(
      /Reklamation möglich bis 24\.05\.2027\s*\(noch 7 Werktage\)/,
    );
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      expect.stringMatching(/^Original Leads\s+2$/),
    ]);
    expect(await page.getByRole('link', { name: '+49 30 23456789' }).getAttribute('href')).toBe(
      'tel:+493023456789',
    );
    expect(await page.locator('a[href^="mailto:kaethe."]').count()).toBe(2);
    expect(await page.locator('table').count()).toBe(phone ? 0 : 1);

    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
    expect(await page.locator('meta[name=referrer]').getAttribute('content')).toBe('no-referrer');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(problems).toEqual([]);
    await close();
  });

  it('offers the whole list and its part as XLSX and CSV', async () => {
    const order = await newOrder();
    await shop.lead(order.buyerId);
    const { page, close } = await shop.open(order.path, size);
    if (phone) await page.getByText('Exportieren').click();
    const links = page.getByRole('link', { name: /herunterladen$/ });
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const base = `/api/leads-view/${order.token}/export`;
    expect(paths).toEqual([`${base}/xlsx`, `${base}/csv`, `${base}/xlsx/original`, `${base}/csv/original`]);
    const [download] = await Promise.all([page.waitForEvent('download'), links.nth(1).click()]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    await close();
  });

  it('takes a claim only with a reason, NE only from its first day', async () => {
    const order = await newOrder();
    const lead = await shop.lead(order.buyerId);
    const { page, alerts, close } = await shop.open(order.path, size);
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'reklamieren' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reklamation einreichen' });
    const submit = dialog.getByRole('button', { name: 'Reklamation einreichen' });
    await submit.waitFor();
    expect(await dialog.getByRole('option').allTextContents()).toEqual([
      'Bitte wählen Sie einen Grund...',
      'Falsche Telefonnummer',
      'Falsche E-Mail-Adresse',
      'Doppelter Lead',
      'Keine Anfrage gestellt / Fake',
      'Falsche Personendaten',
      'Wohnsitz im Ausland / nicht Zielgruppe',
      'Nicht erreichbar (nach 5 Tagen), möglich ab 20.05.2027',
      'Sonstiges',
    ]);
    expect(await dialog.locator('option[value=ne]').isDisabled()).toBe(true);

    await submit.click();
    expect(await dialog.getByRole('alert').innerText()).toBe('Bitte wählen Sie einen Grund...');
    await dialog.getByLabel('Grund').selectOption('other');
    await submit.click();
    expect(await dialog.getByRole('alert').innerText()).toContain('mindestens 3 Zeichen');
    await dialog.getByLabel('Beschreibung').fill('Die Dame ist <i>umgezogen</i>');
    await submit.click();
    expect(await dialog.getByRole('alert').innerText()).toBe('Bitte beschreiben Sie den Grund ohne HTML.');
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
    expect(await state.evaluate((button) => button.matches(':focus'))).toBe(true);
    await close();
  });

  it('lets NE through on its first day, and nothing after the last', async () => {
    const order = await newOrder();
    const lead = await shop.lead(order.buyerId);
    await shop.at('2027-05-19T22:30:00Z');
    const { page, close } = await shop.open(order.path, size);
    await rowOf(page, lead.lead_id).getByText('noch 2 Werktage').waitFor();
    const dialog = await fileClaim(page, lead.lead_id, 'ne');
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'In Prüfung' }).waitFor();

    await shop.at(DELIVERED);
    const late = await shop.lead(order.buyerId);
    await shop.at('2027-05-24T21:59:00Z');
    await rowOf(page, late.lead_id).getByText('heute letzter Tag').waitFor();
    await shop.at('2027-05-24T22:00:00Z');
    await rowOf(page, late.lead_id)
      .getByText('Die Reklamationsfrist ist am 24.05.2027 abgelaufen.')
      .waitFor();
    expect(await rowOf(page, late.lead_id).getByRole('button').count()).toBe(0);
    await close();
  });

  it('follows a claim from filing over the decision to its replacement without reloading', async () => {
    const order = await newOrder({ probability: 10 });
    const lead = await shop.lead(order.buyerId);
    const { page, close } = await shop.open(order.path, size);
    const dialog = await fileClaim(page, lead.lead_id, 'fake');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Ihre Reklamation wurde eingereicht.').waitFor();

    await rowOf(page, lead.lead_id).getByRole('button', { name: 'In Prüfung' }).click();
    const details = page.getByRole('dialog', { name: 'Reklamation Details' });
    await details.getByText('Keine Anfrage gestellt / Fake').waitFor();
    await shop.approve(lead.lead_id, 'Geprüft und anerkannt');
    await details.getByText('Genehmigt').waitFor();
    await details.getByText('Geprüft und anerkannt').waitFor();
    await details.getByRole('button', { name: 'Schließen' }).last().click();
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'Genehmigt' }).waitFor();

    await page.getByRole('tab', { name: 'Ersatzleads' }).click();
    await page.getByText('Ein Ersatzlead steht aus').waitFor();
    const replacement = await shop.cloud.admin.ok('createLead', {
      body: {
        anrede: 'Herr',
        vorname: 'Emil',
        nachname: 'Ersatz',
        email: 'emil.ersatz@example.de',
        telefon: '+49 30 23459999',
        anlagebetrag: 50_000,
        laufzeit: 24,
      },
    });
    expect(replacement).toMatchObject({ status: 'assigned', buyer: order.buyerId });
    const row = rowOf(page, replacement.lead_id);
    await row.getByText('Herr Emil Ersatz').waitFor();
    await row.getByText('Ersatzleads können nicht reklamiert werden.').waitFor();
    await page.getByText('1 neuer Lead eingetroffen.').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.getByText('1 geliefert, 0 ausstehend').waitFor();
    if (phone) await page.getByText('Exportieren').click();
    expect(await page.getByRole('link', { name: /^Ersatzleads als/ }).count()).toBe(2);
    await shop.cloud.admin.ok('updateBuyer', {
      params: { buyerId: order.buyerId },
      body: { probability: 0 },
    });
    await close();
  });

  it('has no replacements for a postpay buyer', async () => {
    const order = await newOrder({ buyer_type: 'postpay' });
    const lead = await shop.lead(order.buyerId);
    const { page, close } = await shop.open(order.path, size);
    await fileClaim(page, lead.lead_id, 'doppelt');
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'In Prüfung' }).waitFor();
    await shop.approve(lead.lead_id);
    await rowOf(page, lead.lead_id).getByRole('button', { name: 'Genehmigt' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(1);
    await close();
  });

  it('makes one claim of two clicks, and of two pages', async () => {
    const order = await newOrder();
    const lead = await shop.lead(order.buyerId);
    const one = await shop.open(order.path, size);
    const two = await shop.open(order.path, size);
    const chosen = async ({ page }: BuyerVisit) => {
      await rowOf(page, lead.lead_id).getByRole('button', { name: 'reklamieren' }).click();
      await page.getByLabel('Grund').selectOption('fake');
      return page.getByRole('dialog').getByRole('button', { name: 'Reklamation einreichen' });
    };
    const submit = await chosen(one);
    const late = await chosen(two);
    let posts = 0;
    one.page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    await submit.dblclick();
    await one.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(posts).toBe(1);

    // The other page learns of it on its own and has nothing left to send.
    await two.page.getByRole('dialog').getByText('Dieser Lead wurde bereits reklamiert.').waitFor();
    expect(await late.count()).toBe(0);
    const { claims } = await shop.cloud.admin.ok('listClaims', { query: { buyer_id: order.buyerId } });
    expect(claims).toHaveLength(1);
    await one.close();
    await two.close();
  });

  it('says what the server says when a claim fails, else the text of the catalogue', async () => {
    const order = await newOrder();
    const lead = await shop.lead(order.buyerId);
    const { page, alerts, close } = await shop.open(order.path, size);
    await page.route('**/api/lead-claims?**', (route) =>
      route.fulfill({ status: 409, json: { error: 'Nein, danke.', code: 'some_code' } }),
    );
    const dialog = await fileClaim(page, lead.lead_id, 'fake');
    await dialog.getByRole('alert').getByText('Nein, danke.').waitFor();
    await page.unroute('**/api/lead-claims?**');
    await page.route('**/api/lead-claims?**', (route) => route.fulfill({ status: 500, body: '' }));
    await dialog.getByRole('button', { name: 'Reklamation einreichen' }).click();
    await dialog.getByRole('alert').getByText('Failed to submit claim').waitFor();
    await page.unroute('**/api/lead-claims?**');
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
    await close();
  });

  it('shows new leads by themselves and finds a lead', async () => {
    const order = await newOrder();
    await shop.lead(order.buyerId, { nachname: 'Erste' });
    const { page, close } = await shop.open(order.path, size);
    await page.getByText('Frau Käthe Erste').waitFor();
    await shop.lead(order.buyerId, { nachname: 'Zweite' });
    await page.getByText('1 neuer Lead eingetroffen.').waitFor();
    await page.getByText('2 / 10 Leads geliefert').waitFor();
    expect(await page.locator('[data-lead]').first().innerText()).toContain('Zweite');
    await page.getByRole('searchbox').fill('erste');
    await page.getByText('1 von 2 Leads').waitFor();
    expect(await page.locator('[data-lead]').count()).toBe(1);
    await page.getByRole('searchbox').fill('gibt es nicht');
    await page.getByText('Kein Lead passt zu dieser Suche.').waitFor();
    await close();
  });

  it('says in a friendly way that a link is unknown or was renewed, and nothing more', async () => {
    const order = await newOrder();
    await shop.lead(order.buyerId, { nachname: 'Geheimnis' });
    const { page, close } = await shop.open(order.path, size);
    await page.getByText('Geheimnis').waitFor();
    await shop.cloud.admin.ok('regenerateToken', { params: { buyerId: order.buyerId } });
    await page.getByRole('heading', { name: 'Dieser Link ist nicht gültig' }).waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/Geheimnis|Bestellung|Lead Liste/);
    await close();

    for (const token of [order.token, 'A'.repeat(43), 'x', `${order.token}x`]) {
      const visit = await shop.open(`/leads/${token}`, size);
      await visit.page.getByRole('heading', { name: 'Dieser Link ist nicht gültig' }).waitFor();
      expect(await visit.page.getByRole('link').count()).toBe(0);
      expect(await visit.page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
      await visit.close();
    }
  });

  it('offers to try again when the list cannot be loaded', async () => {
    const order = await newOrder();
    await shop.lead(order.buyerId);
    const { page, close } = await shop.open('/leads/x', size);
    await page.route('**/api/leads-view/**', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(order.path);
    await page.getByRole('alert').getByText('Failed to load leads').waitFor();
    await page.unroute('**/api/leads-view/**');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    const title = page.getByRole('heading', { name: 'Lead Liste für Bestellung' });
    await title.waitFor();
    expect(await title.count()).toBe(1);
    await close();
  });

  it('lets an admin edit and delete, and shows what only admins may see', async () => {
    const order = await newOrder();
    const lead = await shop.lead(order.buyerId, { anlagebetrag: 10_000 });
    await shop.lead(order.buyerId, { anlagebetrag: 25_000 });
    const visitor = await shop.open(order.path, size);
    await rowOf(visitor.page, lead.lead_id).waitFor();
    const seen = await visitor.page.locator('body').innerText();
    for (const secret of [order.buyerId, lead.lead_id, 'Investitionsanalyse', 'Bearbeiten', 'Löschen'])
      expect(seen).not.toContain(secret);
    await visitor.close();

    const { page, problems, close } = await shop.open(order.path, { ...size, admin: true });
    await page.getByText(order.buyerId).waitFor();
    const analysis = page.getByRole('region', { name: 'Investitionsanalyse' });
    expect((await analysis.innerText()).replace(/\s+/g, ' ')).toBe(
      'Investitionsanalyse Unter 25.000 € 1 Lead (50 %) Summe 10.000 € Ø 10.000 € ' +
        'Ab 25.000 € 1 Lead (50 %) Summe 25.000 € Ø 25.000 €',
    );
    const row = rowOf(page, lead.lead_id);
    expect(await row.innerText()).toContain(lead.lead_id);
    expect(await row.getByRole('button', { name: 'reklamieren' }).count()).toBe(0);

    await row.getByRole('button', { name: 'bearbeiten' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nachname').fill('');
    await dialog.getByLabel('E-Mail').fill('kaputt');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.getByText('Bitte ausfüllen').waitFor();
    await dialog.getByText('Bitte eine gültige E-Mail-Adresse eingeben').waitFor();
    await dialog.getByLabel('Nachname').fill('Neumann');
    await dialog.getByLabel('E-Mail').fill('neumann@example.de');
    const choices = dialog.getByRole('group', { name: 'Häufige Beträge' }).getByRole('button');
    expect((await choices.allInnerTexts()).map((text) => text.replace(/\s/g, ' '))).toEqual([
      '10.000 €',
      '25.000 €',
      '50.000 €',
      '75.000 €',
      '100.000 €',
      '200.000 €',
      '500.000 €',
    ]);
    await choices.nth(4).click();
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('Frau Käthe Neumann').waitFor();
    await row.getByText(/100\.000/).waitFor();

    await row.getByRole('button', { name: 'löschen' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('1 / 10 Leads geliefert').waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('prints every lead as a clean list', async () => {
    const order = await newOrder({}, 60);
    for (let i = 0; i < 40; i += 1) await shop.lead(order.buyerId);
    const { page, close } = await shop.open(order.path, size);
    await page.locator('[data-lead]').first().waitFor();
    expect(await page.locator('[data-lead]').count()).toBeLessThan(40);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect.poll(() => page.locator('tbody tr').count()).toBe(40);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole('link').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Lead Liste für Bestellung #1' }).isVisible()).toBe(true);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('main').parentElement).backgroundColor"),
    ).toBe('rgb(255, 255, 255)');
    await close();
  });

  it('is accessible in light and dark, list, dialogs and messages', async () => {
    const order = await newOrder();
    const leads = [await shop.lead(order.buyerId), await shop.lead(order.buyerId)];
    for (const [colorScheme, admin] of [
      ['light', false],
      ['dark', false],
      ['light', true],
      ['dark', true],
    ] as const) {
      const { page, close } = await shop.open(order.path, {
        ...size,
        colorScheme,
        admin,
      });
      await page.locator('[data-lead]').nth(1).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      const row = rowOf(page, leads[0]?.lead_id ?? '');
      await row.getByRole('button', { name: admin ? 'bearbeiten' : 'reklamieren' }).click();
      await page.getByRole('dialog').getByRole('button').last().click();
      expect(await accessibilityProblems(page)).toEqual([]);
      await close();
    }
    const unknown = await shop.open('/leads/x', { ...size, colorScheme: 'dark' });
    await unknown.page.getByRole('heading').waitFor();
    expect(await accessibilityProblems(unknown.page)).toEqual([]);
    await unknown.close();
  });

  it('shows the first of 5,000 leads within a second and reaches the last', async () => {
    const order = await newOrder();
    const lead = await shop.lead(order.buyerId);
    const view = await shop.cloud.admin.ok('viewLeads', { params: { token: order.token } });
    const { page, close } = await shop.open('/leads/x', size);
    await page.route('**/api/leads-view/*', (route) => route.fulfill({ json: enlarged(view, 5000) }));
    await page.goto(order.path);
    const first = page.locator('[data-lead]').first();
    await first.waitFor();
    const took = await page.evaluate<number>(
      "performance.now() - performance.getEntriesByType('resource').find((e) => e.name.includes('/api/leads-view/')).responseEnd",
    );
    expect(took).toBeLessThan(1000);
    expect(await page.locator('[data-lead]').count()).toBeLessThan(60);
    expect(await first.innerText()).toContain(lead.display_id?.split('-')[0]);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByText('Nr0001').waitFor();
    await close();
  });

  it('holds what the reader looks at in its place when leads arrive above', async () => {
    const order = await newOrder();
    await shop.lead(order.buyerId);
    const view = await shop.cloud.admin.ok('viewLeads', { params: { token: order.token } });
    const { page, close } = await shop.open('/leads/x', size);
    let leads = 300;
    await page.route('**/api/leads-view/*', (route) => route.fulfill({ json: enlarged(view, leads) }));
    await page.goto(order.path);
    await page.locator('[data-lead]').first().waitFor();
    await page.evaluate('scrollTo(0, 9000)');
    const inView = () =>
      page.evaluate<string>(
        "const row = [...document.querySelectorAll('[data-lead]')].find((e) => e.getBoundingClientRect().top > 100); `${row.innerText.match(/Nr\\d+/)} at ${Math.round(row.getBoundingClientRect().top)}`",
      );
    await expect.poll(inView).toMatch(/^Nr0[12]/);
    const before = await inView();
    leads = 340;
    await page.getByText('40 neue Leads eingetroffen.').waitFor();
    expect(await inView()).toBe(before);
    await close();
  });
});

/** The same answer with many leads. */
function enlarged(view: Answer<'viewLeads'>, size: number): Answer<'viewLeads'> {
  const [lead] = view.leads.original;
  if (lead === undefined) throw new Error('A lead is needed');
  const original = Array.from({ length: size }, (_, index) => ({
    ...lead,
    lead_id: String(size - index).padStart(26, '0'),
    display_id: `${view.order.order_id}-${size - index}`,
    nachname: `Nr${String(size - index).padStart(4, '0')}`,
    delivered_at: new Date(Date.parse(lead.delivered_at) + (size - index) * 60_000).toISOString(),
  }));
  return { ...view, leads: { ...view.leads, original } };
}
