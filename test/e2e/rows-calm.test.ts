/** Rows of tables, in figures: one height whatever they contain, whole dates, few buttons. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, furnish } from '#test/e2e/accessibility-setup';
import {
  addBuyer,
  addClaim,
  addLead,
  closeDialogs,
  dialog,
  hasFocus,
  press,
  row,
  sees,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { sized } from '#test/e2e/measures';

const LONG = 'Festgeld-Vergleich für Anlegerinnen und Anleger in Mecklenburg und Vorpommern, Nord';
const LONG_ID = `fonds-und-finanzierungsgesellschaft-fuer-nord-und-ostsee-${'x'.repeat(7)}`;
const LONG_EMAIL = `anna.magdalena.tiedemann-${'hoffmann'.repeat(4)}@fonds-und-finanz.example.com`;

const site = setUpSite(async () => {
  await furnish(site);
  const { cloud } = site;
  await addBuyer(cloud, {
    buyer_id: LONG_ID,
    buyer_email: LONG_EMAIL,
    probability: 0,
    price_per_lead: 1140.5,
    min_investment: 25_000,
    use_sellanylead_api: true,
    manual_review: true,
  });
  const person = { vorname: 'Maximilian Alexander Friedrich', nachname: `von ${'Hohen'.repeat(12)}` };
  const { order_id } = (await cloud.admin.ok('getBuyer', { params: { buyerId: LONG_ID } })).buyer;
  await cloud.admin.ok('updateOrderComments', {
    params: { orderId: order_id ?? 0 },
    body: { comments: LONG.repeat(3) },
  });
  await addClaim(cloud, LONG_ID, LONG.repeat(2).slice(0, 150), { ...person, src: LONG.slice(0, 60) });
  await addLead(cloud, { ...person, email: `${'langer.name.'.repeat(5)}@example.org`, buyer_id: 'careful' });
  await cloud.admin.ok('updateBuyer', { params: { buyerId: LONG_ID }, body: { active: 0 } });
  await cloud.admin.ok('updateOrderLimit', {
    params: { buyerId: 'alpha' },
    body: { lead_limit: 40, daily_cap: 1, weekly_cap: 20 },
  });
  const { source } = await cloud.admin.ok('createSource', {
    body: { name: LONG.slice(0, 80), src: 'x'.repeat(60) },
  });
  for (let at = 0; at < 2; at += 1)
    await cloud.admin.ok('createSourceKey', { params: { sourceId: source.source_id } });
  await cloud.admin.ok('inviteAdmin', { body: { username: 'nina' } });
  await cloud.settled();
});

const WIDTHS = [1280, 1440] as const;

interface Measured {
  readonly name: string;
  readonly heights: readonly number[];
  /** Dates that are cut or on several lines. */
  readonly badDates: readonly string[];
  /** Cells with tabular figures that are no figures. */
  readonly tabular: readonly string[];
}

const MEASURE = `[...document.querySelectorAll('table')].filter((it) => it.checkVisibility()).map((table) => {
  const rows = [...table.querySelectorAll('tbody tr:not([aria-hidden])')];
  const cells = rows.flatMap((row) => [...row.cells]);
  const dates = cells.filter((cell) => /^\\d\\d\\.\\d\\d\\.\\d{4}, \\d\\d:\\d\\d$/.test(cell.innerText.trim()));
  return {
    name: table.ariaLabel,
    heights: [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))],
    badDates: dates.filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect().height > 24 || cell.scrollWidth > cell.clientWidth;
    }).map((cell) => cell.innerText),
    tabular: cells.filter((cell) => getComputedStyle(cell).fontVariantNumeric === 'tabular-nums' && getComputedStyle(cell).textAlign !== 'right').map((cell) => cell.innerText),
  };
})`;

/** The tables of a screen, by their names. */
const SCREENS: readonly [path: string, ...tables: string[]][] = [
  ['/dashboard?inactive=1', 'Buyers and orders'],
  ['/dashboard/ineligible-leads', 'Pending leads'],
  ['/dashboard/claimed-leads', 'Pending claims', 'Claims'],
  ['/dashboard/sources', 'Sources', 'Figures of sources'],
  [`/dashboard/deliveries?buyer=${LONG_ID}`, 'Deliveries'],
  ['/dashboard/deliveries?buyer=alpha', 'Deliveries'],
  ['/dashboard/audit', 'Audit trail'],
  ['/dashboard/buyers/alpha/orders', 'Replacements of buyer alpha'],
  ['/dashboard/buyers/alpha/statement', 'Statement of buyer alpha'],
  ['/dashboard/buyers/alpha/history', 'Audit trail'],
  ['/dashboard/admins', 'Admins', 'Unused links'],
  ['/dashboard/stats', 'Figures per buyer'],
  ['/dashboard/stats/deliveries', 'Shares and missed leads', 'Time of each step'],
  ['/dashboard/stats/accounting', 'Months to export'],
];

async function expectCalm(page: Page, where: string, ...tables: string[]): Promise<void> {
  for (const name of tables)
    await sees(page.getByRole('table', { name, exact: true }).locator('tbody tr').first());
  for (const width of WIDTHS) {
    await sized(page, width, 800);
    const measured = await page.evaluate<Measured[]>(MEASURE);
    const found = measured.filter(({ name }) => tables.includes(name));
    expect(found.map(({ name }) => name).toSorted(), where).toEqual(tables.toSorted());
    for (const { name, heights, badDates, tabular } of found)
      expect({ heights, badDates, tabular }, `${name} at ${width}`).toEqual({
        heights: [44],
        badDates: [],
        tabular: [],
      });
  }
}

describe('rows of tables', () => {
  it.each(SCREENS)('are 44 pixels high on %s, with long names too', async (path, ...tables) => {
    const { page } = await site.visitAsAdmin(path);
    await expectCalm(page, path, ...tables);
  });

  it('are as high in dialogs', async () => {
    const { page } = await site.visitAsAdmin('/dashboard?inactive=1');
    await press(page, 'Edit probabilities');
    await expectCalm(page, 'the dashboard', 'Probabilities');
    await closeDialogs(page);
    for (const buyer of ['alpha', LONG_ID]) {
      await press(page, `View orders of ${buyer}`);
      await expectCalm(page, 'the orders', `Orders for buyer ${buyer}`);
      await closeDialogs(page);
    }
  });

  it('share spare width, and keep the end of a name that is cut', async () => {
    const { page } = await site.visitAsAdmin('/dashboard?inactive=1');
    const widths = async (width: number) => {
      await sized(page, width, 800);
      const heads = page.getByRole('table', { name: 'Buyers and orders' }).getByRole('columnheader');
      return heads.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().width));
    };
    await sees(row(page, 'Buyers and orders', 'alpha'));
    const [narrow, wide] = [await widths(1280), await widths(1440)];
    const wider = wide.filter((width, at) => width > (narrow[at] ?? 0) + 10);
    expect(wider).toHaveLength(3);
    expect(Math.max(...wider) - Math.min(...wider)).toBeLessThan(wide.reduce((a, b) => a + b) / 4);

    const buyer = row(page, 'Buyers and orders', LONG_ID);
    for (const text of [LONG_EMAIL, LONG_ID]) {
      const name = buyer.getByTitle(text, { exact: true });
      const { cut, end } = await name.evaluate((it) => {
        const range = it.ownerDocument.createRange();
        // The start before it is cut by its own box.
        range.setStart(it, 1);
        range.setEnd(it, 2);
        const [start] = it.children;
        return {
          cut: start !== undefined && start.scrollWidth > start.clientWidth,
          end: it.getBoundingClientRect().right - range.getBoundingClientRect().right,
        };
      });
      expect(cut, text).toBe(true);
      expect(end, text).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('the actions of a row', () => {
  it.each([
    ['/dashboard', 'Buyers and orders', 'alpha', ['Edit alpha', 'View orders of alpha']],
    ['/dashboard/sources', 'Sources', 'Landing page', ['Edit Landing page', 'Keys of Landing page']],
  ])('are two buttons and a menu on %s', async (path, table, name, visible) => {
    const { page } = await site.visitAsAdmin(path);
    const buttons = row(page, table, name).getByRole('button');
    await sees(buttons.first());
    expect(await buttons.evaluateAll((all) => all.map((it) => it.ariaLabel))).toEqual([
      ...visible,
      `More actions for ${name}`,
    ]);
  });

  it('are in a menu for the keyboard, whose names begin with what they read', async () => {
    const { page } = await site.visitAsAdmin('/dashboard');
    const opener = page.getByRole('button', { name: 'More actions for alpha' });
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    await hasFocus(item('Why no leads for alpha'));
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Why no leads',
      'Change lead limit',
      'Copy link',
      'Regenerate link',
      'Pause',
      'Delete',
    ]);
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await hasFocus(item('Change lead limit of alpha'));
    await page.keyboard.press('End');
    await hasFocus(item('Delete alpha'));
    await page.keyboard.press('ArrowDown');
    await hasFocus(item('Why no leads for alpha'));
    await page.keyboard.press('ArrowUp');
    await hasFocus(item('Delete alpha'));
    await page.keyboard.press('Escape');
    await hasFocus(opener);
    await page.keyboard.press('Space');
    await hasFocus(item('Why no leads for alpha'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await sees(dialog(page, 'Lead limit of alpha'));
    await page.keyboard.press('Escape');
    await hasFocus(opener);
  });

  it('stay in the window at the last row, also on a phone', async () => {
    const { page } = await site.visitAsAdmin('/dashboard');
    for (const [width, height] of [
      [1280, 560],
      [390, 844],
    ] as const) {
      await sized(page, width, height);
      const opener = page.getByRole('button', { name: 'More actions for careful' });
      await opener.click();
      const menu = page.getByRole('menu');
      await sees(menu.getByRole('menuitem').first());
      const box = await menu.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      await page.keyboard.press('Escape');
    }
  });
});
