/** Claims decided one after the other by keys, with five seconds to take a decision back, and many with one note. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addClaim, dialog, row, sees, seesBanner } from '#test/e2e/admin-setup';
import { accessibilityProblems, type Site, startSite, type Visit } from '#test/e2e/fixture';

const INBOX = '/dashboard/claimed-leads?view=inbox';

let site: Site;
let visit: Visit;
beforeAll(async () => {
  site = await startSite();
  // Postpaid: an approval makes no replacement, which could not be claimed.
  const terms = { buyer_type: 'postpay', decision_days: 1, on_silence: 'approve' } as const;
  await addBuyer(site.cloud, { buyer_id: 'alpha', probability: 30, ...terms }, 40);
  for (let number = 0; number < 12; number += 1)
    await addClaim(site.cloud, 'alpha', number % 2 === 0 ? 'falsche_nummer' : 'doppelt');
  visit = await site.visitAsAdmin(INBOX);
});
afterAll(() => site.stop());

const claim = async (id: number) => {
  const { claims } = await site.cloud.admin.ok('listClaims', { query: { limit: 100 } });
  return claims.find(({ claim_id }) => claim_id === id);
};
const status = async (id: number) => (await claim(id))?.claim_status;
const shown = (id: number) => visit.page.getByRole('region', { name: `Claim ${id}`, exact: true });
const undoable = () => visit.page.getByRole('status', { name: 'Decisions that can be undone' });
/** Whether the focus is on the claim in sight, where keys go on. */
const hasFocus = async (id: number) => {
  await expect.poll(() => shown(id).evaluate((it) => it.matches(':focus'))).toBe(true);
};

describe('the inbox of claims', () => {
  it('takes the keys that are typed while its code is on its way', async () => {
    const { page } = visit;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/ClaimsPage-.*\.js$/, (route) => released.then(() => route.continue()));
    await page.goto('/dashboard');
    await sees(page.getByText('alpha@example.com'));
    await page.keyboard.press('c');
    await page.waitForURL('**/claimed-leads');
    await page.keyboard.type('ij');
    release();
    await hasFocus(11);
    await page.unrouteAll({ behavior: 'wait' });
    await page.keyboard.press('k');
  });

  it('shows the newest claim beside the list, with the reason first, and moves by J and K', async () => {
    const { page } = visit;
    await hasFocus(12);
    expect(await shown(12).getByRole('group').first().textContent()).toBe('Claim reasonDoppelter Lead');
    await page.keyboard.press('j');
    await hasFocus(11);
    await page.keyboard.press('j');
    await hasFocus(10);
    await page.keyboard.press('k');
    await hasFocus(11);
    await expect.poll(() => new URL(page.url()).searchParams.get('claim')).toBe('11');
    const current = page.getByRole('table', { name: 'Pending claims' }).locator('tr[aria-current]');
    expect(await current.textContent()).toMatch(/#11.*Deadline .*, then approved$/);
    const which = page.getByRole('combobox', { name: 'Which claims' });
    expect(await which.getByRole('option').allTextContents()).toEqual([
      'All pending (12)',
      'Due soon (12)',
      'Overdue (0)',
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('sends an approval after five seconds and goes on with the next claim', async () => {
    const { page } = visit;
    await page.keyboard.press('a');
    await hasFocus(10);
    await sees(undoable().getByText('Claim #11 approved'));
    await sees(page.getByRole('heading', { name: 'Inbox (11)' }));
    expect(await status(11)).toBe('pending');
    await page.clock.fastForward(5000);
    await expect.poll(() => status(11)).toBe('approved');
    await undoable().getByText('Claim #11 approved').waitFor({ state: 'detached' });
    await sees(page.getByRole('heading', { name: 'Inbox (11)' }));
    await hasFocus(10);
  });

  it('takes a decision back with Z, notes included, and sends nothing', async () => {
    const { page } = visit;
    const notes = shown(10).getByLabel('Admin Notes');
    await notes.fill('Nummer stimmt, rar');
    await notes.press('Tab');
    await page.keyboard.press('r');
    await hasFocus(9);
    await sees(undoable().getByText('Claim #10 rejected'));
    await page.keyboard.press('z');
    await hasFocus(10);
    expect(await notes.inputValue()).toBe('Nummer stimmt, rar');
    await page.clock.fastForward(10_000);
    expect(await status(10)).toBe('pending');
    expect(await undoable().textContent()).toBe('');
  });

  it('keeps typed notes when it goes to another claim, and sends them with the decision', async () => {
    const { page } = visit;
    await page.keyboard.press('j');
    await hasFocus(9);
    await page.keyboard.press('k');
    await hasFocus(10);
    expect(await shown(10).getByLabel('Admin Notes').inputValue()).toBe('Nummer stimmt, rar');
    await shown(10).getByRole('button', { name: 'Reject' }).click();
    await hasFocus(9);
    await page.clock.fastForward(5000);
    await expect
      .poll(() => claim(10))
      .toMatchObject({ claim_status: 'rejected', admin_notes: 'Nummer stimmt, rar' });
  });

  it('does not decide with letters typed into a field, nor again while a key is held down', async () => {
    const { page } = visit;
    await shown(9).getByLabel('Admin Notes').fill('');
    await shown(9).getByLabel('Admin Notes').pressSequentially('aaar');
    expect(await undoable().textContent()).toBe('');
    await shown(9).getByLabel('Admin Notes').fill('');
    await shown(9).focus();
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    await hasFocus(8);
    await page.keyboard.press('z');
    await hasFocus(9);
  });

  it('decides no other claim in place of one that a colleague has decided', async () => {
    const { page } = visit;
    await site.cloud.admin.ok('rejectClaim', { params: { claimId: 9 }, body: {} });
    await page.clock.fastForward(5000);
    await sees(page.getByText('Claim #9 has been decided. Choose another one.'));
    await page.keyboard.press('a');
    expect(await undoable().textContent()).toBe('');
    expect(new URL(page.url()).pathname).toBe('/dashboard/claimed-leads');
    await page.keyboard.press('j');
    await hasFocus(8);
  });

  it('brings a claim back with its notes when the decision cannot be sent', async () => {
    const { page } = visit;
    await page.route('**/api/lead-claims/admin/approve/8', (route) => route.abort());
    await shown(8).getByLabel('Admin Notes').fill('offline');
    await shown(8).getByRole('button', { name: 'Approve' }).click();
    await hasFocus(7);
    await page.clock.fastForward(5000);
    await seesBanner(page, 'Claim #8: Failed to approve claim');
    await row(page, 'Pending claims', '#8 ·').getByRole('button').click();
    expect(await shown(8).getByLabel('Admin Notes').inputValue()).toBe('offline');
    await page.unroute('**/api/lead-claims/admin/approve/8');
  });

  it.each([
    ['the screen is left', () => visit.page.getByRole('link', { name: 'Audit Trail' }).first().click()],
    ['the tab is closed', () => visit.page.close({ runBeforeUnload: true })],
  ])('sends at once what is held when %s', async (_, leave) => {
    const { page } = visit;
    await page.goto(INBOX);
    const first = Number(
      /\d+/.exec((await page.getByRole('heading', { level: 3 }).textContent()) ?? '')?.[0],
    );
    await hasFocus(first);
    await page.keyboard.press('a');
    await sees(undoable().getByText(`Claim #${first} approved`));
    expect(await status(first)).toBe('pending');
    await leave();
    await expect.poll(() => status(first)).toBe('approved');
  });
});

describe('many claims', () => {
  it('are decided with one note, and each says what became of it', async () => {
    visit = await site.visitAsAdmin(INBOX);
    const { page } = visit;
    await page.getByRole('checkbox', { name: 'Select claim 6' }).click();
    await page.getByRole('checkbox', { name: 'Select claim 4' }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Decide 3 claims together' }).click();
    const form = dialog(page, 'Decide 3 claims');
    await site.cloud.admin.ok('rejectClaim', { params: { claimId: 5 }, body: {} });
    await form.getByPlaceholder('Enter notes or reasons for your decision...').fill('Alle geprüft');
    expect(await accessibilityProblems(page)).toEqual([]);
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

  it('end in an empty inbox, where keys lead nowhere else', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Select all 4' }).click();
    await page.getByRole('button', { name: 'Decide 4 claims together' }).click();
    const form = dialog(page, 'Decide 4 claims');
    await form.getByRole('button', { name: 'Reject 4' }).click();
    // The list behind is empty by then; the dialog stays, to say what became of each.
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

describe('the specified screen of claims', () => {
  beforeAll(async () => {
    for (let number = 0; number < 3; number += 1)
      await addClaim(
        site.cloud,
        'alpha',
        'Der Interessent hat nach eigener Aussage nie eine Anfrage gestellt.',
      );
  });

  it.each([1280, 1440])('shows the reason without scrolling sideways at %d pixels', async (width) => {
    const { page } = visit;
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/dashboard/claimed-leads');
    for (const name of ['Claims', 'Pending claims']) {
      const table = page.getByRole('table', { name, exact: true });
      const reason = row(page, name, '#15')
        .first()
        .getByText(/^Der Interessent/);
      const box = await reason.boundingBox();
      expect(box?.width).toBeGreaterThan(110);
      const { x = 0, y = 0, width: across = 0, height = 0 } = box ?? {};
      const seen = await page.evaluate(
        `document.elementFromPoint(${x + across / 2}, ${y + height / 2})?.textContent ?? ''`,
      );
      expect(seen, `${name} at ${width}`).toMatch(/^Der Interessent/);
      const sideways = await table.evaluate((it) => it.scrollWidth - (it.parentElement?.clientWidth ?? 0));
      expect(sideways, `${name} at ${width}`).toBeLessThanOrEqual(0);
    }
  });

  it('keeps the focus in the list after a decision, and notes when the dialog is closed', async () => {
    const { page } = visit;
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
    await expect.poll(() => next.evaluate((it) => it.matches(':focus'))).toBe(true);
    expect(await claim(14)).toMatchObject({ claim_status: 'approved', admin_notes: 'noch offen' });
  });

  it('writes no error to the console', () => {
    expect(visit.problems).toEqual([]);
  });
});
