/** Claims and statistics, in figures: what an admin sees without scrolling. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addBuyer,
  addClaim,
  addLead,
  hasFocus,
  hold,
  press,
  REFRESHED_WITHIN_MS,
  sees,
} from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';
import { bottomOf, sized, topOf } from '#test/e2e/measures';

/** As long as the product allows. */
const LONG_NAME = `${'Maximiliane-Friederike '.repeat(3)}von`.slice(0, 80);
const CLAIMS = 14;

let page: Page;
const site = setUpSite(async () => {
  await addBuyer(site.cloud, { buyer_id: 'alpha', probability: 30, buyer_type: 'postpay' }, 40);
  for (let number = 0; number < CLAIMS; number += 1)
    await addClaim(site.cloud, 'alpha', number % 2 === 0 ? 'falsche_nummer' : 'doppelt', {
      vorname: LONG_NAME,
      nachname: LONG_NAME,
    });
  // By the share rule: the leads above are assigned by an admin.
  await addLead(site.cloud);
  await site.cloud.settled();
  ({ page } = await site.visitAsAdmin());
  await sized(page, 1280, 800);
});

/** Whether all of it is inside the window. */
async function isInWindow(place: Locator): Promise<boolean> {
  const height = page.viewportSize()?.height ?? 0;
  return (await topOf(place)) >= 0 && (await bottomOf(place)) <= height;
}

const inbox = (count: number) => page.getByRole('heading', { name: `Inbox (${count})` });
const undoable = () => page.getByRole('status', { name: 'Decisions that can be undone' });

describe('the claims inbox', () => {
  it('is one click away while claims wait, and is remembered as the choice', async () => {
    await page.goto('/dashboard/claimed-leads');
    await press(page.getByRole('region', { name: /^Pending Claims/ }), 'Inbox');
    await sees(inbox(CLAIMS));
    await page.goto('/dashboard');
    await sees(page.getByText('alpha@example.com'));
    await page.keyboard.press('c');
    await sees(inbox(CLAIMS));
    await page.reload();
    await sees(inbox(CLAIMS));
    // Links to certain claims lead to the table, and the table can be chosen again.
    await page.goto('/dashboard/claimed-leads?buyer=alpha');
    await sees(page.getByRole('table', { name: 'Claims', exact: true }));
    await page.goto('/dashboard/claimed-leads');
    await press(page, 'All Claims');
    await page.goto('/dashboard/claimed-leads');
    const review = page.getByRole('button', { name: `Review claim ${CLAIMS}`, exact: true });
    await sees(review);
    await page.keyboard.press('i');
    await sees(inbox(CLAIMS));
  });

  it('shows notes and both decisions at 1280×800, also below 2,000 characters of notes', async () => {
    const claim = page.getByRole('region', { name: `Claim ${CLAIMS}`, exact: true });
    const notes = claim.getByLabel('Admin Notes');
    await sees(claim.getByText(/against the claim/));
    const parts = [notes, ...['Reject', 'Approve'].map((name) => claim.getByRole('button', { name }))];
    for (const text of ['', 'Nummer angerufen. '.repeat(112).slice(0, 2000)]) {
      await notes.fill(text);
      for (const part of parts) expect(await isInWindow(part)).toBe(true);
    }
    expect(await notes.evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
    await notes.fill('');
    // Leaves the field, so that keys decide.
    await claim.getByRole('heading').click();
  });

  it('shows what speaks for or against a claim, and never nothing', async () => {
    for (let number = CLAIMS; number > CLAIMS - 2; number -= 1) {
      const evidence = page
        .getByRole('region', { name: `Claim ${number}`, exact: true })
        .getByRole('group', { name: 'Evidence' });
      await sees(evidence.getByText(/^As of/));
      expect(await evidence.textContent()).not.toMatch(/\bnone\b/i);
      await page.keyboard.press('j');
    }
    await page.keyboard.press('k');
    await page.keyboard.press('k');
  });

  it('shows the decision that is sent next among twelve, and the same count everywhere', async () => {
    const held = 12;
    await hasFocus(page.getByRole('region', { name: `Claim ${CLAIMS}`, exact: true }));
    for (let number = 0; number < held; number += 1) {
      await page.keyboard.press('a');
      await sees(inbox(CLAIMS - number - 1));
    }
    for (const id of [CLAIMS, CLAIMS - held + 1]) {
      const undo = undoable().getByRole('button', { name: `Undo: claim ${id}`, exact: true });
      await undo.click({ trial: true });
      expect(await isInWindow(undo)).toBe(true);
    }
    await sees(undoable().getByText(`${held - 2} more`));
    expect(await undoable().evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
    const badge = page.getByLabel('Main menu').getByLabel(/pending claims$/);
    const left = CLAIMS - held;
    await expect.poll(() => badge.textContent()).toBe(String(left));
    // A server that does not know the decisions yet changes no count.
    const release = await hold(page, '**/admin/approve/*');
    const answer = page.waitForResponse('**/api/admin/dashboard-stats');
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    expect((await (await answer).json()).pending_reclamations_count).toBe(CLAIMS);
    await sees(inbox(left));
    await expect.poll(() => badge.textContent()).toBe(String(left));
    release();
    await expect.poll(async () => (await site.cloud.admin.ok('listPendingClaims')).claims.length).toBe(left);
    await sees(inbox(left));
    await press(page, 'All Claims');
    const panel = page.getByRole('heading', { name: `Pending Claims (${left})` });
    await sees(panel);
    await expect.poll(() => badge.textContent()).toBe(String(left));
    await page.goto('/dashboard/claimed-leads?status=pending');
    await sees(panel);
    await sees(page.getByText(`${left} claims`, { exact: true }));
    await page.goto('/dashboard');
    await expect.poll(() => badge.textContent()).toBe(String(left));
    const card = page.getByText('Pending Reclamations').locator('xpath=ancestor::p/following-sibling::p');
    await expect.poll(() => card.textContent()).toBe(String(left));
  });
});

const TABS = [
  ['Overview', '/dashboard/stats', 'Lead Volume Over Time'],
  ['Missed and delivery times', '/dashboard/stats/deliveries', 'Assigned to a buyer'],
  ['Accounting', '/dashboard/stats/accounting', 'Last month'],
] as const;

describe('the statistics', () => {
  it('have three tabs with addresses, which keep the period, and one control of dates each', async () => {
    await page.goto('/dashboard/stats?days=7');
    const tabs = page.getByRole('navigation', { name: 'Tabs of the statistics' });
    for (const [title, path, ready] of TABS) {
      await tabs.getByRole('link', { name: title, exact: true }).click();
      await page.waitForURL(`**${path}?days=7`);
      await page.reload();
      await sees(page.getByRole('main').getByText(ready).first());
      expect(await tabs.locator('[aria-current=page]').textContent()).toBe(title);
      expect(await page.getByLabel('Time range', { exact: true }).inputValue()).toBe('7');
      const fields = page.getByRole('main').locator('input:visible, select:visible');
      const names = ['Overview', 'Missed and delivery times'].includes(title)
        ? ['Buyer', 'Time range']
        : ['Time range'];
      expect(await fields.count()).toBe(names.length);
      for (const name of names) await sees(page.getByLabel(name, { exact: true }));
    }
    await page.goto('/dashboard/stats/no-such-tab');
    await page.waitForURL('**/dashboard/stats');
  });

  it('stay while the year of a day is typed', async () => {
    await page.goto('/dashboard/stats/accounting?to=0002-11-20');
    await sees(page.getByLabel('To day'));
    await sees(page.getByRole('table', { name: 'Months to export' }));
  });

  it('show the missed leads by one key', async () => {
    await page.goto('/dashboard');
    await sees(page.getByText('alpha@example.com').first());
    await page.keyboard.press('m');
    await sees(page.getByRole('table', { name: 'Shares and missed leads' }));
  });

  it('lead to accounting by Ctrl K', async () => {
    await page.goto('/dashboard/audit');
    await sees(page.getByRole('heading', { name: 'Audit Trail' }));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /search/i }).fill('accounting');
    await sees(page.getByRole('option', { name: /Statistics: Accounting/ }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/stats/accounting');
  });

  it('show no figure twice, each change as an arrow, and no share next to a total', async () => {
    await page.goto('/dashboard/stats');
    const compared = page.getByRole('region', { name: 'Compared with the days before' });
    await sees(compared.getByText('up from 0 against the 30 days before').first());
    await sees(compared.getByText('unchanged against the 30 days before').first());
    expect(await compared.getByText('Infinity').count()).toBe(0);
    const table = page.getByRole('table', { name: 'Figures per buyer' });
    await sees(table);
    expect(await table.getByText('Share').count()).toBe(0);
    expect(await page.getByText(`${CLAIMS + 1} leads in 30 days`).count()).toBe(0);

    // The chosen buyer's row repeats the cards, so it is closed at first.
    await page.getByLabel('Buyer', { exact: true }).selectOption('alpha');
    await sees(page.getByRole('region', { name: 'Summary' }));
    expect(await table.isVisible()).toBe(false);
    const titles = await page.getByRole('main').locator('section p:first-child:visible').allTextContents();
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    await page.locator('summary', { hasText: 'All figures' }).click();
    await sees(table);

    await page.goto('/dashboard/stats/deliveries');
    await sees(page.getByText(/^Share: the leads that a buyer received by its probability/));
    await sees(page.getByRole('columnheader', { name: 'Share' }));
  });

  it('export the delivery times that are shown', async () => {
    await page.goto('/dashboard/stats/deliveries?days=7');
    const times = page.getByRole('table', { name: 'Time of each step' });
    await sees(times);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV of delivery times' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^Delivery Times \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(await times.getByRole('row').count());
    expect(lines[1]).toMatch(new RegExp(`^"?Assigned to a buyer"?;${CLAIMS + 1};\\d+;\\d+;\\d+`));
  });

  it('have no repeated landmark', async () => {
    for (const [, path, ready] of TABS) {
      await page.goto(path);
      await sees(page.getByRole('main').getByText(ready).first());
      const rules = ['landmark-unique', 'landmark-one-main', 'region'];
      expect(await accessibilityProblems(page, { rules }), path).toEqual([]);
    }
  });
});
