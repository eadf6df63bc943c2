import { describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import {
  dialog,
  fill,
  hold,
  press,
  REFRESHED_WITHIN_MS,
  sees,
  seesBanner,
  unfold,
} from '#test/e2e/admin-setup';
import { logIn, setUpSite } from '#test/e2e/fixture';
import { ADMIN } from '#test/harness/cloud';

const site = setUpSite();

const pathOf = (url: string) => new URL(url).pathname;

describe('access', () => {
  it('without a session shows the login page on every path, with an error for a wrong password', async () => {
    const { page } = await site.visit();
    const release = await hold(page, '**/api/check-auth');
    await page.goto('/dashboard');
    await sees(page.getByText('Loading...', { exact: true }));
    release();
    for (const path of ['/dashboard/settings', '/api/docs', '/leads', '/nowhere/at/all']) {
      await page.goto(path);
      await sees(page.getByRole('button', { name: 'Log in' }));
      expect(pathOf(page.url()), path).toBe('/');
    }
    await fill(page, { Username: 'nobody' });
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await press(page, 'Log in');
    await sees(page.getByRole('alert').getByText('Invalid credentials'));
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password');
    expect(await page.getByLabel('Username').inputValue()).toBe('nobody');
    await expectAccessible(page, { narrow: true });
  });

  it('with a session redirects there to the dashboard, and back even when the logout call fails', async () => {
    const { page } = await site.visitAsAdmin();
    for (const path of ['/', '/dashboard/nowhere']) {
      await page.goto(path);
      await sees(page.getByRole('heading', { level: 1, name: 'Dashboard' }));
      expect(pathOf(page.url())).toBe('/dashboard');
    }
    await page.goto('/dashboard/audit/');
    await sees(page.getByRole('heading', { level: 1, name: 'Audit Trail' }));
    await page.route('**/api/logout', (route) => route.abort());
    await press(page, 'Logout');
    await sees(page.getByRole('button', { name: 'Log in' }));
    await sees(page.getByRole('alert').getByText('Logout failed'));
    expect(pathOf(page.url())).toBe('/');
  });
});

describe('login and logout', () => {
  it('shows a login dialog over a screen with an expired session, and keeps typed text', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/create-lead');
    await page.getByLabel('First name').fill('Erika');
    await page.getByRole('button', { name: 'Add Buyer' }).first().click();
    const form = dialog(page, 'Add New Buyer');
    await fill(form, { 'Buyer ID': 'patient', 'Buyer email': 'patient@example.com', Probability: '1' });
    await form.getByRole('switch', { name: 'Send e-mails' }).uncheck();
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await form.getByRole('button', { name: 'Add Buyer' }).click();
    const login = dialog(page, 'Your session has ended');
    await sees(login.locator('input:focus').and(login.getByLabel('Username')));
    // Neither it nor the dialog below can be closed by accident.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await login.getByLabel('Username').fill(ADMIN.username);
    await login.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await expectAccessible(page);
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.waitFor({ state: 'detached' });
    expect(pathOf(page.url())).toBe('/dashboard/create-lead');
    expect(await form.getByLabel('Buyer ID').inputValue()).toBe('patient');
    await form.getByRole('button', { name: 'Add Buyer' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await page.getByLabel('First name').inputValue()).toBe('Erika');
  });

  it('notices the session of another tab, and shows the login page when the screen is left', async () => {
    const { page } = await site.visitAsAdmin();
    await sees(page.getByRole('heading', { level: 1, name: 'Dashboard' }));
    await page.waitForLoadState('networkidle');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    const login = dialog(page, 'Your session has ended');
    await sees(login);
    await page.context().addCookies(cookies);
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    await login.waitFor({ state: 'detached' });
    await page.context().clearCookies();
    await page.clock.fastForward(REFRESHED_WITHIN_MS);
    await press(login, 'Leave this screen');
    await login.waitFor({ state: 'detached' });
    await sees(page.getByRole('button', { name: 'Log in' }));
    expect(pathOf(page.url())).toBe('/');
    await logIn(page);
    await sees(page.getByRole('heading', { level: 1, name: 'Dashboard' }));
  });
});

describe('the shell', () => {
  it('has a menu with every screen, and each screen shows its title', async () => {
    const { page } = await site.visitAsAdmin();
    for (const [entry, title] of [
      ['Pending Leads', 'Pending Leads'],
      ['Claimed Leads', 'All Claims'],
      ['Sources', 'Sources'],
      ['Create Lead', 'Create New Lead'],
      ['Buyer Statistics', 'Buyer Statistics'],
      ['Settings', 'Settings'],
      ['Dashboard', 'Dashboard'],
      ['What-if', 'What-if Simulator'],
      ['Deliveries', 'Deliveries'],
      ['Audit Trail', 'Audit Trail'],
      ['Data requests', 'People'],
      ['Admins', 'Admins'],
    ] as const) {
      if (entry === 'What-if') await unfold(page.getByRole('navigation'), 'More');
      await page.getByRole('navigation').getByRole('link', { name: entry }).first().click();
      await sees(page.getByRole('heading', { level: 1, name: title }));
      expect(await page.title()).toContain(title);
    }
  });

  it('has a menu behind a button on a phone', async () => {
    const { page } = await site.visitAsAdmin('/dashboard', { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
    await sees(page.getByRole('heading', { level: 1, name: 'Settings' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
    await sees(page.getByRole('button', { name: 'Log in' }));
  });

  it('keeps the choice of dark mode', async () => {
    const { page } = await site.visitAsAdmin('/dashboard', { colorScheme: 'light' });
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('light');
    await page.getByRole('button', { name: 'Dark mode' }).click();
    expect(await scheme()).toBe('dark');
    await page.reload();
    await sees(page.getByRole('button', { name: 'Light mode' }));
    expect(await scheme()).toBe('dark');
  });

  it('shows one message while the browser is offline', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/settings');
    await sees(page.getByText('API Verification Settings'));
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    const bar = page.getByRole('status', { name: 'Connection' }).getByText(/^Cannot reach the server since/);
    await sees(bar);
    await page.context().setOffline(false);
    await bar.waitFor({ state: 'detached' });
  });

  it('shows a screen with missing code as soon as the connection is back', async () => {
    const { page } = await site.visitAsAdmin('/dashboard', { fresh: true });
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await sees(page.getByRole('alert').getByText(/cannot be loaded offline/));
    await page.context().setOffline(false);
    await sees(page.getByText('API Verification Settings'));
  });

  it('retries a screen with missing code once, and then shows an error', async () => {
    const { page } = await site.visitAsAdmin('/dashboard/create-lead');
    await page.waitForLoadState('networkidle');
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    const gone = { status: 404, body: 'gone' };
    // A dialog must not discard text typed on the screen.
    await page.route('**/BuyerDialogs*.js', (route) => route.fulfill(gone));
    await page.getByLabel('First name').fill('Erika');
    await page.getByRole('button', { name: 'Add Buyer' }).first().click();
    await seesBanner(page, 'This could not be opened. Save what you have typed, then reload the page.');
    await page.getByLabel('First name').fill('');
    expect(loads).toBe(0);

    await page.route('**/SettingsPage*.js', (route) => route.fulfill(gone), { times: 1 });
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await sees(page.getByText('API Verification Settings'));
    expect(loads).toBe(1);

    await page.route('**/AuditPage*.js', (route) => route.fulfill(gone));
    await unfold(page.getByRole('navigation'), 'More');
    await page.getByRole('link', { name: 'Audit Trail' }).first().click();
    await sees(page.getByRole('alert').getByText('The page could not be shown.'));
    expect(loads).toBe(2);
  });
});
