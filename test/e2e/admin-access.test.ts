/** A person becomes an admin and protects the account, in a browser with its own passkey. */
import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { dialog, REFRESHED_WITHIN_MS, row, sees, seesMessage } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

const site = setUpSite();

const PASSWORD = 'four words are enough';

/** A device with a passkey store, whose user confirms every request. */
async function withAuthenticator(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return devtools;
}

/** Logs in on the login page with name and password. */
async function showPassword(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('nina');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

it('is invited, registers a passkey, and logs in with it, with password and passkey, or with a recovery code', async () => {
  const inviting = await site.visitAsAdmin('/dashboard/admins');
  await inviting.page.getByRole('button', { name: 'Invite Admin' }).click();
  const invitation = dialog(inviting.page, 'Invite an admin');
  await invitation.getByLabel('Login name').fill('nina');
  await invitation.getByLabel('Role').selectOption({ label: 'Admin: everything' });
  await invitation.getByRole('button', { name: 'Create Link' }).click();
  const link = await invitation.getByLabel('Link', { exact: true }).inputValue();
  await invitation.getByRole('button', { name: 'Done' }).click();
  await sees(row(inviting.page, 'Unused links', 'nina'));

  // The link opens a page without a session, and works once.
  const visit = await site.visit(link.slice(site.cloud.url.length), { fresh: true });
  const { page } = visit;
  const devtools = await withAuthenticator(page);
  await sees(page.getByRole('heading', { name: 'Welcome, nina' }));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Save and log in' }).click();
  await page.waitForURL('**/dashboard');

  // Registers a passkey and gets recovery codes.
  await page.goto('/dashboard/admins');
  await page.getByRole('button', { name: 'Your Passkeys' }).click();
  const passkeys = dialog(page, 'Your passkeys');
  await passkeys.getByLabel('Name of the new passkey').fill('Laptop');
  await passkeys.getByRole('button', { name: 'Add Passkey' }).click();
  const shown = dialog(page, 'Recovery codes');
  await sees(shown.getByText('Save these recovery codes'));
  const codes = await shown.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await expectAccessible(page, { narrow: true });
  await shown.getByRole('button', { name: 'I Have Saved Them' }).click();
  await sees(passkeys.getByText('never used'));
  await expectAccessible(page, { narrow: true });
  await page.keyboard.press('Escape');
  await sees(row(page, 'Admins', 'nina').getByText('1 passkey, 10 codes'));

  // The last part of the dashboard, which loads only with a session.
  const onDashboard = () => page.waitForResponse('**/api/admin/silent-sources');
  // With only the passkey: the browser offers it for the name, and this user accepts immediately.
  const entered = page.waitForResponse('**/api/login/passkey');
  await page.getByRole('button', { name: 'Logout' }).click();
  expect((await entered).status()).toBe(200);
  await onDashboard();

  // With the button, if nothing is offered.
  const logOut = async () => {
    await page.route('**/api/login/passkey-options', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Logout' }).click();
    await sees(page.getByRole('button', { name: 'Log in', exact: true }));
  };
  await logOut();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await onDashboard();

  // With the password, which asks for the passkey.
  await logOut();
  await showPassword(page);
  await sees(page.getByText('Now use your passkey'));
  await expectAccessible(page, { narrow: true });
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await page.waitForURL('**/dashboard');

  // In another browser without a passkey, with a recovery code.
  const other = await site.visit('/', { fresh: true });
  await showPassword(other.page);
  await other.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.page.getByLabel('Recovery code').fill('WRONG-CODE');
  await other.page.getByRole('button', { name: 'Use the code' }).click();
  await sees(other.page.getByRole('alert').getByText('This code is not valid'));
  await other.page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await other.page.getByRole('button', { name: 'Use the code' }).click();
  await other.page.waitForURL('**/dashboard');
  await sees(other.page.getByRole('heading', { level: 1, name: 'Dashboard' }));
  await other.page.waitForLoadState('networkidle');

  // Ends that session remotely.
  await page.goto('/dashboard/admins');
  await sees(row(page, 'Admins', 'nina').getByText('1 passkey, 9 codes'));
  await page.getByRole('button', { name: 'Sessions of nina' }).click();
  const sessions = dialog(page, 'Sessions of nina');
  await sees(sessions.getByText('This session'));
  await expectAccessible(page, { narrow: true });
  await sessions.getByRole('button', { name: 'End All Others' }).click();
  await seesMessage(page, 'Session ended');
  await page.keyboard.press('Escape');
  await other.page.clock.fastForward(REFRESHED_WITHIN_MS);
  await sees(dialog(other.page, 'Your session has ended'));

  // Once required, an admin without a passkey must register one first.
  await page.getByRole('switch', { name: 'Require a passkey for every admin' }).click();
  await dialog(page, 'Require passkeys').getByRole('button', { name: 'Require', exact: true }).click();
  await seesMessage(page, 'Passkeys are now required for every admin');
  const late = await site.visitAsAdmin('/dashboard');
  await sees(late.page.getByRole('heading', { name: 'Register a passkey' }));
  await expectAccessible(late.page, { narrow: true });
  await withAuthenticator(late.page);
  await late.page.getByLabel('Name of the passkey').fill('Phone');
  await late.page.getByRole('button', { name: 'Register' }).click();
  await sees(late.page.getByText('Save these recovery codes'));
  await late.page.getByRole('button', { name: 'I Have Saved Them' }).click();
  await sees(late.page.getByRole('heading', { level: 1, name: 'Dashboard' }));
  await devtools.detach();
});

it('explains that passkeys belong to another host name of this machine', async () => {
  const { page } = await site.visit('/');
  await page.goto(site.cloud.url.replace('localhost', '127.0.0.1'));
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await sees(page.getByRole('alert').getByText(`Open it as ${site.cloud.url}.`));
});
