/** Deciding single claims with keys and five seconds to undo, and many claims with one note. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addBuyer,
  addClaim,
  dialog,
  hasFocus,
  hold,
  press,
  row,
  sees,
  seesBanner,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

const INBOX = '/dashboard/claimed-leads?view=inbox';

let page: Page;
const site = setUpSite(async () => {
  // Postpay, because an approval would create a replacement, which cannot be claimed.
  const terms = { buyer_type: 'postpay', decision_days: 1, default_decision: 'approve' } as const;
  await addBuyer(site.cloud, { buyer_id: 'alpha', probability: 30, ...terms }, 40);
  for (let number = 0; number < 12; number += 1)
    await addClaim(site.cloud, 'alpha', number % 2 === 0 ? 'falsche_nummer' : 'doppelt');
  ({ page } = await site.visitAsAdmin(INBOX));
});

const claim = async (id: number) => {
  const { claims } = await site.cloud.admin.ok('listClaims', { query: { limit: 100 } });
  return claims.find(({ claim_id }) => claim_id === id);
};
const status = async (id: number) => (await claim(id))?.claim_status;
const shown = (id: number) => page.getByRole('region', { name: `Claim ${id}`, exact: true });
const undoable = () => page.getByRole('status', { name: 'Decisions that can be undone' });
/** The selected claim, which has the focus for keys. */
const isAt = (id: number) => hasFocus(shown(id));

describe('the claims inbox', () => {
  it('accepts keys typed while its code is loading', async () => {
    const release = await hold(page, /ClaimsPage-.*\.js$/);
    await page.goto('/dashboard');
    await sees(page.getByText('alpha@example.com'));
    await page.keyboard.press('c');
    await page.waitForURL('**/claimed-leads');
    await page.keyboard.type('ij');
    release();
    await isAt(11);
    await page.unrouteAll({ behavior: 'wait' });
    await page.keyboard.press('k');
  });

  it('shows the newest claim next to the list, with the reason first, and moves with J and K', async () => {
    await isAt(12);
    expect(await shown(12).getByRole('group').first().textContent()).toBe('Claim reasonDoppelter Lead');
    await page.keyboard.press('j');
    await isAt(11);
    await expect.poll(() => new URL(page.url()).searchParams.get('claim')).toBe('11');
    const current = page.getByRole('table', { name: 'Pending claims' }).locator('tr[aria-current]');
    expect(await current.textContent()).toMatch(/#11.*Deadline .*, then approved$/);
    const which = page.getByRole('combobox', { name: 'Which claims' });
    expect(await which.innerText()).toBe('All pending (12)\nDue soon (12)\nOverdue (0)');
  });

  it('sends a decision with its notes after five seconds, unless Z undoes it', async () => {
    await page.keyboard.press('a');
    await isAt(10);
    await sees(undoable().getByText('Claim #11 approved'));
    await sees(page.getByRole('heading', { name: 'Inbox (11)' }));
    expect(await status(11)).toBe('pending');
    await page.clock.fastForward(5000);
    await expect.poll(() => status(11)).toBe('approved');
    await undoable().getByText('Claim #11 approved').waitFor({ state: 'detached' });

    const notes = shown(10).getByLabel('Admin Notes');
    await notes.fill('Nummer stimmt, rar');
    await notes.press('Tab');
    await page.keyboard.press('r');
    await isAt(9);
    await page.keyboard.press('z');
    await isAt(10);
    expect(await notes.inputValue()).toBe('Nummer stimmt, rar');
    await page.clock.fastForward(10_000);
    expect(await status(10)).toBe('pending');
    await shown(10).getByRole('button', { name: 'Reject' }).click();
    await isAt(9);
    await page.clock.fastForward(5000);
    await expect
      .poll(() => claim(10))
      .toMatchObject({ claim_status: 'rejected', admin_notes: 'Nummer stimmt, rar' });
  });

  it('ignores letters typed into a field, and repeats of a held key', async () => {
    await shown(9).getByLabel('Admin Notes').fill('');
    await shown(9).getByLabel('Admin Notes').pressSequentially('aaar');
    expect(await undoable().textContent()).toBe('');
    await shown(9).getByLabel('Admin Notes').fill('');
    await shown(9).focus();
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    await isAt(8);
    await page.keyboard.press('z');
    await isAt(9);
  });

  it('decides no other claim if a colleague has decided the selected one', async () => {
    await site.cloud.admin.ok('rejectClaim', { params: { claimId: 9 }, body: {} });
    await page.clock.fastForward(5000);
    await sees(page.getByText('Claim #9 has been decided. Choose another one.'));
    await page.keyboard.press('a');
    expect(await undoable().textContent()).toBe('');
    expect(new URL(page.url()).pathname).toBe('/dashboard/claimed-leads');
    await page.keyboard.press('j');
    await isAt(8);
  });

  it('restores a claim with its notes if the decision cannot be sent', async () => {
    await page.route('**/api/lead-claims/admin/approve/8', (route) => route.abort());
    await shown(8).getByLabel('Admin Notes').fill('offline');
    await shown(8).getByRole('button', { name: 'Approve' }).click();
    await isAt(7);
    await page.clock.fastForward(5000);
    await seesBanner(page, 'Claim #8: Failed to approve claim');
    await row(page, 'Pending claims', '#8 ·').getByRole('button').click();
    expect(await shown(8).getByLabel('Admin Notes').inputValue()).toBe('offline');
    await page.unroute('**/api/lead-claims/admin/approve/8');
  });

  it.each([
    ['the screen is left', () => page.getByRole('link', { name: 'Settings' }).first().click()],
    ['the tab is closed', () => page.close({ runBeforeUnload: true })],
  ])('sends held decisions immediately when %s', async (_, leave) => {
    await page.goto(INBOX);
    const first = Number(
      /\d+/.exec((await page.getByRole('heading', { level: 3 }).textContent()) ?? '')?.[0],
    );
    await isAt(first);
    await page.keyboard.press('a');
    await sees(undoable().getByText(`Claim #${first} approved`));
    expect(await status(first)).toBe('pending');
    await leave();
    await expect.poll(() => status(first)).toBe('approved');
  });
});

describe('many claims', () => {
  beforeAll(async () => {
    ({ page } = await site.visitAsAdmin(INBOX));
  });

  it('are decided with one note, and each shows its result', async () => {
    await page.getByRole('checkbox', { name: 'Select claim 6' }).click();
    await page.getByRole('checkbox', { name: 'Select claim 4' }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Decide 3 claims together' }).click();
    const form = dialog(page, 'Decide 3 claims');
    await site.cloud.admin.ok('rejectClaim', { params: { claimId: 5 }, body: {} });
    await form.getByPlaceholder('Enter notes or reasons for your decision...').fill('Alle geprüft');
    await form.getByRole('button', { name: 'Approve 3' }).click();
    await sees(form.getByText('2 approved, 1 failed'));
    await sees(row(page, 'Claims to decide', '#5 ·').getByText('This claim has already been rejected'));
    for (const id of [4, 6]) {
      await sees(row(page, 'Claims to decide', `#${id} ·`).getByText('Approved'));
      expect(await claim(id)).toMatchObject({ claim_status: 'approved', admin_notes: 'Alle geprüft' });
    }
    await form.getByRole('button', { name: 'Close' }).last().click();
    await sees(page.getByRole('heading', { name: 'Inbox (4)' }));
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
  });

  it('leave an empty inbox, where keys have no effect', async () => {
    await press(page, 'Select all 4', 'Decide 4 claims together');
    const form = dialog(page, 'Decide 4 claims');
    await form.getByRole('button', { name: 'Reject 4' }).click();
    // The list behind is now empty; the dialog stays to show the results.
    await page
      .getByRole('heading', { name: 'Inbox (0)', includeHidden: true })
      .waitFor({ state: 'attached' });
    expect(await form.textContent()).toContain('4 rejected');
    await page.keyboard.press('Escape');
    await sees(page.getByText('Every claim has been decided.'));
    await page.keyboard.press('a');
    expect(new URL(page.url()).pathname).toBe('/dashboard/claimed-leads');
    await page.getByRole('button', { name: 'Show all claims' }).click();
    await sees(page.getByRole('heading', { name: 'Pending Claims (0)' }));
  });
});

describe('the specified claims screen', () => {
  beforeAll(async () => {
    for (let number = 0; number < 3; number += 1)
      await addClaim(
        site.cloud,
        'alpha',
        'Der Interessent hat nach eigener Aussage nie eine Anfrage gestellt.',
      );
  });

  it('shows the reason without horizontal scrolling at 1280 pixels', async () => {
    await page.goto('/dashboard/claimed-leads');
    for (const name of ['Claims', 'Pending claims']) {
      const table = page.getByRole('table', { name, exact: true });
      const reason = row(page, name, '#15')
        .first()
        .getByText(/^Der Interessent/);
      // Nothing covers it.
      await reason.click({ trial: true });
      expect((await reason.boundingBox())?.width).toBeGreaterThan(110);
      const sideways = await table.evaluate((it) => it.scrollWidth - (it.parentElement?.clientWidth ?? 0));
      expect(sideways, name).toBeLessThanOrEqual(0);
    }
  });

  it('keeps the focus in the list after a decision, and the notes when the dialog is closed', async () => {
    await page.getByRole('button', { name: 'Review claim 14' }).focus();
    await page.keyboard.press('Enter');
    const notes = dialog(page, 'Claim Details #14').getByLabel('Admin Notes');
    await notes.fill('noch offen');
    await page.keyboard.press('Escape');
    await dialog(page, 'Claim Details #14').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    expect(await notes.inputValue()).toBe('noch offen');
    await dialog(page, 'Claim Details #14').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Review claim 14' }).waitFor({ state: 'detached' });
    const next = page.getByRole('button', { name: 'Review claim 13' });
    await hasFocus(next);
    expect(await claim(14)).toMatchObject({ claim_status: 'approved', admin_notes: 'noch offen' });
  });
});
