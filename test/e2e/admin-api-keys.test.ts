/** An admin creates an API key, a tool uses it, and the admin revokes it. */
import { expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { agree, dialog, press, row, sees, seesMessage } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { bearer } from '#test/harness/admins';

const site = setUpSite();

it('is created and copied, used by a tool, and revoked', async () => {
  const { page } = await site.visitAsAdmin('/dashboard/admins');
  await sees(page.getByText('No API keys yet'));
  await page.getByRole('button', { name: 'Create API Key' }).click();
  const form = dialog(page, 'Create an API key');
  await press(form, 'Create Key');
  await sees(form.getByText('Name is required'));
  await form.getByLabel('Name').fill('Make');
  await form.getByLabel('Orders').check();
  await expectAccessible(page, { everywhere: true });
  await press(form, 'Create Key');
  const made = dialog(page, 'API key Make');
  const key = await made.getByLabel('New key', { exact: true }).inputValue();
  expect(key).toMatch(/^lda_[0-9a-f]{72}$/);
  await expectAccessible(page, { narrow: true });
  await press(made, 'Done');

  const call = (path: string) => site.cloud.visitor.raw('GET', path, undefined, bearer(key));
  expect((await call('/api/admin/orders')).status).toBe(200);
  expect((await call('/api/settings/retention')).status).toBe(403);
  await page.reload();
  const listed = row(page, 'API keys', 'Make');
  await sees(listed.getByText('Read, Orders'));
  await sees(listed.getByText(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/).nth(1));
  await expectAccessible(page, { everywhere: true });

  await press(listed, 'Revoke Make');
  await agree(page, 'Revoke API key', /Revoke API key Make \(lda_/, 'Revoke');
  await seesMessage(page, 'Key Make revoked');
  expect((await call('/api/admin/orders')).status).toBe(401);
  await sees(page.getByText('No API keys yet'));
});
