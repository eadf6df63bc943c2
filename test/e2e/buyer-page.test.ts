import { describe, expect, it } from 'vitest';
import type { Answer } from '#shared/contract/schemas';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { PHONE, rowOf, SCREENS, setUpShop } from '#test/e2e/buyer-setup';

const shop = setUpShop();

describe.each(SCREENS)('the buyer’s page %s', (screen, size) => {
  const phone = screen === 'on a phone';

  it('shows the order, its leads, the days left for a claim, and the exports', async () => {
    const order = await shop.newOrder();
    const first = await shop.lead(order.buyerId, { vorname: 'Jörg', nachname: 'Müller', anrede: 'Herr' });
    await shop.lead(order.buyerId, { anlagebetrag: 1234.5, laufzeit: 1, telefon: '+49 30 23456789' });
    await shop.cloud.admin.ok('updateOrderComments', {
      params: { orderId: order.orderId },
      body: { comments: 'Bitte nur vormittags <b>anrufen</b>' },
    });
    await shop.at('2027-05-12T10:05:00Z');
    const { page } = await shop.open(order.path, size);

    await page.getByRole('heading', { name: 'Lead Liste für Bestellung #1', level: 1 }).waitFor();
    const progress = page.getByRole('progressbar', { name: 'Gelieferte Leads', exact: true });
    expect([await progress.getAttribute('value'), await progress.getAttribute('max')]).toEqual(['2', '10']);
    const comments = page.getByRole('region', { name: 'Kommentare', exact: true });
    expect(await comments.innerText()).toContain('Bitte nur vormittags <b>anrufen</b>');
    await page.getByRole('button', { name: 'Filter' }).click();
    const text = await page.locator('main').innerText();
    for (const shown of [
      '2 / 10 Leads geliefert',
      'vor 3 Stunden',
      'In Prüfung',
      'Genehmigt',
      'Abgelehnt',
      'Herr Jörg Müller',
      '1.234,50',
      '1 Monat',
    ])
      expect(text).toContain(shown);
    expect(await page.locator('[data-lead]').first().innerText()).toContain('Frau Käthe Größler');
    expect(await rowOf(page, first.lead_id).innerText()).toMatch(
      /reklamierbar bis Mo 24\.05\.\s*\(noch 7 Werktage\)/,
    );
    const lists = page.getByRole('tablist', { name: 'Listen' });
    expect(await lists.getByRole('tab').allInnerTexts()).toEqual([
      expect.stringMatching(/^Original Leads\s+2$/),
    ]);
    expect(await page.getByRole('link', { name: '+49 30 23456789' }).getAttribute('href')).toBe(
      'tel:+493023456789',
    );
    expect(await page.locator('a[href^="mailto:kaethe."]').count()).toBe(2);
    expect(await page.locator('table').count()).toBe(phone ? 0 : 1);

    await page.getByText('Exportieren').click();
    const links = page.getByRole('link', { name: /herunterladen$/ });
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const base = `/api/leads-view/${order.token}/export`;
    expect(paths).toEqual([`${base}/xlsx`, `${base}/csv`, `${base}/xlsx/original`, `${base}/csv/original`]);
    const [download] = await Promise.all([page.waitForEvent('download'), links.nth(1).click()]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);

    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
    expect(await page.locator('meta[name=referrer]').getAttribute('content')).toBe('no-referrer');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('renders only visible rows of 5,000 leads, the last one after scrolling', async () => {
    const order = await shop.newOrder();
    const lead = await shop.lead(order.buyerId);
    const view = await shop.cloud.admin.ok('viewLeads', { params: { token: order.token } });
    const { page } = await shop.open('/leads/x', size);
    await page.route('**/api/leads-view/*', (route) => route.fulfill({ json: enlarged(view, 5000) }));
    await page.goto(order.path);
    const rows = page.locator('[data-lead]');
    await rows.first().getByText('Nr5000').waitFor();
    expect(await rows.first().innerText()).toContain(lead.display_id?.split('-')[0]);
    expect(await rows.count()).toBeLessThan(60);
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)');
    // Row heights differ from the estimate, so the middle is not row 2,500.
    await page
      .getByText(/Nr2[3-7]\d\d/)
      .first()
      .waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await rows.last().getByText('Nr0001').waitFor();
    expect(await rows.count()).toBeLessThan(60);
  });

  it('leaves no gap when a search shortens a long list', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId);
    const view = await shop.cloud.admin.ok('viewLeads', { params: { token: order.token } });
    const { page } = await shop.open('/leads/x', size);
    await page.route('**/api/leads-view/*', (route) => route.fulfill({ json: enlarged(view, 300) }));
    await page.goto(order.path);
    await page.locator('[data-lead]').first().waitFor();
    await page.getByRole('searchbox').fill('Nr0001');
    await expect.poll(() => page.locator('[data-lead]').count()).toBe(1);
    expect(await page.evaluate('document.body.scrollHeight')).toBeLessThan(2000);
  });

  it('renders all rows if the code that renders visible ones cannot be loaded', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId);
    const view = await shop.cloud.admin.ok('viewLeads', { params: { token: order.token } });
    const { page } = await shop.open('/leads/x', size);
    await page.route('**/api/leads-view/*', (route) => route.fulfill({ json: enlarged(view, 100) }));
    await page.route('**/WindowTracker-*.js', (route) => route.abort());
    await page.goto(order.path);
    await expect.poll(() => page.locator('[data-lead]').count()).toBe(100);
  });

  it('keeps the list when a dialog or a panel cannot be loaded, and says so', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId);
    const { page } = await shop.open('/robots.txt', size);
    await page.route(/(LeadDialog|StatementView)-.*\.js/, (route) => route.abort());
    await page.goto(order.path);
    await page.getByRole('button', { name: 'reklamieren' }).first().click();
    await page.getByText('konnte ohne Verbindung nicht geladen werden').waitFor();
    await page.getByRole('tab', { name: 'Abrechnung' }).click();
    await page.getByRole('alert').getByText('konnte ohne Verbindung nicht geladen werden').waitFor();
    expect(await page.locator('[data-lead]').count()).toBe(1);
  });

  it('keeps the visible leads in place when new ones are added above', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId);
    const view = await shop.cloud.admin.ok('viewLeads', { params: { token: order.token } });
    const { page, nextAnswer } = await shop.open('/leads/x', size);
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
    await nextAnswer();
    await page.getByText('40 neue Leads eingetroffen.').waitFor();
    expect(await inView()).toBe(before);
  });
});

describe('the buyer’s page in any size', () => {
  it('is accessible in light and dark mode, with list, dialogs and messages', async () => {
    const order = await shop.newOrder();
    const leads = [await shop.lead(order.buyerId), await shop.lead(order.buyerId)];
    for (const admin of [false, true]) {
      const { page } = await shop.open(order.path, { admin });
      await page.locator('[data-lead]').nth(1).waitFor();
      await expectAccessible(page, { everywhere: true });
      const button = rowOf(page, leads[0]?.lead_id ?? '').getByRole('button', {
        name: admin ? 'bearbeiten' : 'reklamieren',
      });
      await button.click();
      await page.getByRole('dialog').getByRole('button').last().click();
      await expectAccessible(page, { narrow: true });
    }
    const unknown = await shop.open('/leads/x');
    await unknown.page.getByRole('heading').waitFor();
    await expectAccessible(unknown.page, { narrow: true });
  });

  it('shows new leads without reloading, and searches leads', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId, { nachname: 'Erste' });
    const { page, nextAnswer } = await shop.open(order.path);
    await page.getByText('Frau Käthe Erste').waitFor();
    await shop.lead(order.buyerId, { nachname: 'Zweite-Großkreutz' });
    await nextAnswer();
    await page.getByText('1 neuer Lead eingetroffen.').waitFor();
    await page.getByText('2 / 10 Leads geliefert').waitFor();
    expect(await page.locator('[data-lead]').first().innerText()).toContain('Zweite');
    await page.getByRole('searchbox').fill('grosskreutz');
    await page.getByText('1 von 2 Leads').waitFor();
    await page.locator('[data-lead]').getByText('Großkreutz').waitFor();
    await page.getByRole('searchbox').fill('gibt es nicht');
    await page.getByText('Kein Lead passt zu dieser Suche.').waitFor();
  });

  it('requests only its own order, and sends its link to no other site', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId);
    const { page } = await shop.open('/leads/x');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(new URL(request.url()).pathname);
      expect(request.headers().referer ?? '').not.toContain('/leads/');
    });
    await page.goto(order.path);
    await page.getByText('Frau Käthe Größler').first().waitFor();
    expect(new Set(asked)).toEqual(new Set(['/api/company', `/api/leads-view/${order.token}`]));
    const policy = (await page.request.get(order.path)).headers()['content-security-policy'];
    expect(policy).toContain("script-src 'self'");
  });

  it('prints every lead as a clean list', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId);
    const view = await shop.cloud.admin.ok('viewLeads', { params: { token: order.token } });
    const { page } = await shop.open('/leads/x', PHONE);
    await page.route('**/api/leads-view/*', (route) => route.fulfill({ json: enlarged(view, 40) }));
    await page.goto(order.path);
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
  });

  it('shows only that a link is unknown or was renewed', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId, { nachname: 'Geheimnis' });
    const { page, nextAnswer } = await shop.open(order.path);
    await page.getByText('Geheimnis').waitFor();
    await shop.cloud.admin.ok('regenerateToken', { params: { buyerId: order.buyerId } });
    await nextAnswer();
    await page.getByRole('heading', { name: 'Dieser Link ist nicht gültig' }).waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/Geheimnis|Bestellung|Lead Liste/);

    for (const token of ['A'.repeat(43), 'x']) {
      await page.goto(`/leads/${token}`);
      await page.getByRole('heading', { name: 'Dieser Link ist nicht gültig' }).waitFor();
      expect(await page.getByRole('link').count()).toBe(0);
      expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
    }
  });

  it('offers a retry if the list cannot be loaded', async () => {
    const order = await shop.newOrder();
    await shop.lead(order.buyerId);
    const { page } = await shop.open('/leads/x');
    await page.route('**/api/leads-view/**', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(order.path);
    await page.getByRole('alert').getByText('Failed to load leads').waitFor();
    await page.unroute('**/api/leads-view/**');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    const title = page.getByRole('heading', { name: 'Lead Liste für Bestellung' });
    await title.waitFor();
    expect(await title.count()).toBe(1);
  });
});

/** The same answer, with many leads. */
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
