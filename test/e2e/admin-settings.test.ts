import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { agree, dialog, fill, press, sees, seesMessage, seesTexts } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { startStub } from '#test/harness/stub-server';

let page: Page;
const site = setUpSite(async () => {
  ({ page } = await site.visitAsAdmin('/dashboard/settings'));
  // An incomplete form asks before the page is left.
  page.on('dialog', (question) => void question.accept());
});

const openSection = (title: string) =>
  page
    .getByRole('navigation', { name: 'Sections of the settings' })
    .getByRole('link', { name: title })
    .click();

it('verification settings have every check enabled by default, and each can be disabled', async () => {
  const section = page.getByRole('region', { name: 'API Verification Settings' });
  await sees(section.getByText('Enabled').nth(2));
  await section.getByRole('button', { name: 'Edit Settings' }).click();
  const form = dialog(page, 'Edit Settings');
  await form.getByRole('switch', { name: 'Phone Verification' }).uncheck();
  await form.getByRole('button', { name: 'Save Settings' }).click();
  await seesMessage(page, 'Settings saved successfully');
  await sees(section.getByText('Disabled'));
  expect(await site.cloud.admin.ok('getVerificationSettings')).toEqual({
    email_verification: true,
    phone_verification: false,
    name_verification: true,
  });
  await page.clock.fastForward(8000);
  await page.getByText('Settings saved successfully').waitFor({ state: 'detached' });
});

it('alerts can be enabled by kind and medium, show current incidents, and can be tested', async () => {
  const { admin } = site.cloud;
  await openSection('Alerts');
  await openOrder(admin, { buyer_id: 'nearly-full' });
  await admin.ok('createLead', { body: aLeadRequest({ buyer_id: 'nearly-full' }) });
  const section = page.getByRole('region', { name: 'Alerts', exact: true });
  await section.getByRole('button', { name: 'Edit Alerts' }).click();
  const form = dialog(page, 'Edit Alerts');
  const rule = form.getByRole('row', { name: /^Order nearly full/ });
  await form.getByLabel('Addresses').fill('anna@example.org, nobody');
  await form.getByRole('button', { name: 'Save Alerts' }).click();
  await sees(form.getByText('Not a valid address: nobody'));
  await rule.getByLabel('Percent of the limit').fill('10');
  await rule.getByLabel('E-mail').check();
  await form.getByLabel('Addresses').fill('anna@example.org');
  const now = /^Now: Order \d+ \(no\. 1 of nearly-full\) is nearly full: 1 of 10 leads/;
  await sees(rule.getByText(now));
  await form.getByRole('button', { name: 'Save Alerts' }).click();
  await seesMessage(page, 'Settings saved successfully');
  await sees(section.getByText(now));
  await sees(section.getByText('Percent of the limit: 10'));
  await sees(section.getByText('E-mails go to anna@example.org.'));

  await section.getByRole('button', { name: 'Send Test E-mail' }).click();
  await sees(section.getByText('Test alert sent'));
  expect(site.cloud.inbox.mails.filter(({ to }) => to[0] === 'anna@example.org')).toHaveLength(1);
  await section.getByRole('button', { name: 'Send Test Push' }).click();
  await sees(section.getByText('No recipient is configured for the test alert'));
});

it('how long proofs of consent are kept is changed in years, and keeping is turned off by an empty field', async () => {
  await openSection('Retention');
  const section = page.getByRole('region', { name: 'Retention' });
  await sees(section.getByText('Proof of consent after erasure: 5 years after the last delivery or use'));
  const form = dialog(page, 'Edit Retention');
  const years = form.getByLabel('Proof of consent after erasure, years');
  const enter = async (typed: string) => {
    await press(section, 'Edit Retention');
    await years.fill(typed);
    await press(form, 'Save Retention');
  };
  const stored = async () => (await site.cloud.admin.ok('getRetention')).consent_years;
  await enter('11');
  await sees(form.getByText('Enter whole years from 1 to 10, or leave empty'));
  await expectAccessible(page, { everywhere: true });
  await years.fill('7');
  await press(form, 'Save Retention');
  await form.waitFor({ state: 'detached' });
  expect(await stored()).toBe(7);
  await page.reload();
  await sees(section.getByText('Proof of consent after erasure: 7 years after the last delivery or use'));
  await enter('');
  await form.waitFor({ state: 'detached' });
  expect(await stored()).toBeNull();
  await page.reload();
  await sees(
    section.getByText(/erasure: off\. Proofs that are kept already stay until their period ends\.$/),
  );
  await expectAccessible(page, { everywhere: true });
  await press(section, 'Edit Retention');
  await sees(years);
  expect(await years.inputValue()).toBe('');
  await press(form, 'Cancel');
});

describe('e-mail templates', () => {
  it('can be created; the form shows missing fields', async () => {
    await openSection('Email Templates');
    await sees(page.getByText('No email templates found. Create one to get started.'));
    await page.getByRole('button', { name: 'Add Template' }).click();
    const form = dialog(page, 'Add Email Template');
    await fill(form, { 'SMTP port': '99999', Subject: '$$unknown$$', 'Body (plain text)': '' });
    await form.getByRole('button', { name: 'Create Template' }).click();
    await seesTexts(
      form,
      'SMTP host is required',
      'Must be a port number from 1 to 65535',
      'Unknown macro $$unknown$$',
      'Enter a text here or in the HTML body.',
    );
    await form.locator('[data-path=smtp_pass]').fill('secret');
    await fill(form, {
      'Template name': 'Welcome 2',
      'SMTP host': 'smtp.example.com',
      'SMTP port': '587',
      'SMTP user': 'user',
      'From address': 'leads@example.com',
      Subject: 'Lead $$order_lead_id$$',
      'Body (plain text)': 'Hallo $$vorname$$\n$$telefon$$',
    });
    await form.getByRole('button', { name: 'Create Template' }).click();
    await seesMessage(page, 'Email template created successfully');
    await sees(page.getByText('smtp.example.com:587 · Lead $$order_lead_id$$'));
  });

  it('require the password again for another server', async () => {
    await page.getByRole('button', { name: 'Edit Welcome 2' }).click();
    const form = dialog(page, 'Edit Email Template');
    const again = form.getByText('Enter it again, because the destination has changed');
    await form.getByLabel('SMTP host').fill('smtp.example.net');
    await sees(again);
    await form.locator('[data-path=smtp_pass]').fill('secret of example.net');
    await again.waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Save Template' }).click();
    await seesMessage(page, 'Email template updated successfully');
    await sees(page.getByText('smtp.example.net:587 · Lead $$order_lead_id$$'));
  });

  it('can be duplicated, and deleted after a confirmation', async () => {
    await press(page, 'Duplicate Welcome 2');
    const form = dialog(page, 'Add Email Template');
    expect(await form.getByLabel('Template name').inputValue()).toBe('Welcome 2 (Copy)');
    await fill(form, { 'SMTP password': 'secret' });
    await press(form, 'Create Template');
    await form.waitFor({ state: 'detached' });
    await press(page, 'Delete Welcome 2 (Copy)');
    await agree(page, 'Delete template', 'Are you sure you want to delete this email template?', 'Delete');
    await seesMessage(page, 'Email template deleted successfully');
    await page.getByText('Welcome 2 (Copy)').waitFor({ state: 'detached' });
  });

  it('can be tested in their form, which scrolls to the result', async () => {
    await page.getByRole('button', { name: 'Edit Welcome 2', exact: true }).click();
    const form = dialog(page, 'Edit Email Template');
    await form.getByLabel('Test recipient').fill('somebody@example.com');
    await form.getByRole('button', { name: 'Send test e-mail' }).click();
    const result = await form.getByRole('status').boundingBox();
    const save = await form.getByRole('button', { name: 'Save Template' }).boundingBox();
    expect(result!.y + result!.height).toBeLessThan(save!.y);
    await form.getByRole('button', { name: 'Cancel' }).click();
  });
});

it('webhooks are added with a secret shown once, tested, called when an order is full, and deleted', async () => {
  const stub = await startStub();
  await openSection('Webhooks');
  const section = page.getByRole('region', { name: 'Webhooks' });
  await sees(section.getByText(/^No webhooks yet/));
  await press(section, 'Add Webhook');
  const create = dialog(page, 'Add Webhook');
  await fill(create, { Name: 'CRM', Address: 'crm.example/hook' });
  await press(create, 'Add Webhook');
  await sees(create.getByText('Enter an address that starts with https:// or http://'));
  await fill(create, { Address: `${stub.url}/hook` });
  await create.getByLabel('Lead assigned').uncheck();
  await press(create, 'Add Webhook');
  await seesMessage(page, 'Webhook added');
  const form = dialog(page, 'CRM');
  const secret = await form.getByLabel('New secret').inputValue();
  await press(form, 'Send a test event');
  await sees(form.getByText('Delivered (status 200)'));
  const received = () =>
    stub.calls.map(({ headers, body }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    );
  expect(received()).toMatchObject([{ type: 'test', data: {} }]);

  stub.answer = () => ({ status: 500 });
  await openOrder(site.cloud.admin, { buyer_id: 'full' }, 1);
  await site.cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id: 'full' }) });
  await site.cloud.settled();
  await form.getByRole('tab', { name: 'Log' }).click();
  await sees(form.getByText(/^The receiver answered 500/));
  stub.answer = () => ({ status: 200 });
  await press(form, /^Resend Order full of Order \d+$/);
  await seesMessage(page, 'Event queued again');
  await site.cloud.settled();
  expect(received().slice(1)).toMatchObject([
    { type: 'order.full', data: { buyer_id: 'full', lead_limit: 1 } },
    { type: 'order.full', data: { buyer_id: 'full', lead_limit: 1 } },
  ]);
  expect(new Set(stub.calls.slice(1).map(({ headers }) => headers['webhook-id'])).size).toBe(1);

  stub.answer = () => ({ status: 410 });
  await press(form, /^Resend Order full of Order \d+$/);
  await site.cloud.settled();
  await form.getByRole('tab', { name: 'Settings' }).click();
  await page.clock.fastForward(60_000);
  await press(form, 'Turn on again');
  await form.getByText('Turned off', { exact: true }).waitFor({ state: 'detached' });
  await press(form, 'Create Secret');
  await press(form, 'Revoke secret A');
  await agree(page, 'Revoke secret', /will refuse every webhook/, 'Revoke');
  await seesMessage(page, 'Secret revoked');
  await fill(form, { Name: 'Accounting' });
  await press(form, 'Save Webhook');
  await seesMessage(page, 'Webhook saved');
  await expectAccessible(page);
  await press(dialog(page, 'Accounting'), 'Cancel');
  await press(section, 'Delete Accounting');
  await agree(page, 'Delete webhook', /its log is gone/, 'Delete');
  await sees(section.getByText(/^No webhooks yet/));
  await stub.stop();
});

describe('push notifications', () => {
  it('have credentials with their own events, deleted after a confirmation', async () => {
    await openSection('Pushover Notifications');
    const table = page.getByRole('table', { name: 'Pushover credentials' });
    await sees(table.getByText('No credentials configured yet'));
    await page.getByRole('button', { name: 'Add Credentials' }).click();
    const form = dialog(page, 'Add Credentials');
    await press(form, 'Add Credentials');
    await seesTexts(form, 'User key is required', 'App key is required');
    await form.getByLabel('App Key').fill('a'.repeat(30));
    await form.getByLabel('User Key').fill('u'.repeat(26) + '1234');
    await form.getByRole('button', { name: 'Add Credentials' }).click();
    await form.waitFor({ state: 'detached' });
    await sees(table.getByText(/1234/));
    await table.getByRole('switch', { name: /of claims/ }).click();
    await expect
      .poll(async () => (await site.cloud.admin.ok('listPushoverCredentials'))[0])
      .toMatchObject({ notify_lead_assignment: true, notify_lead_claims: false });
    await page.getByRole('button', { name: /Delete credentials/ }).click();
    await agree(page, 'Delete credentials', /these Pushover credentials\?$/, 'Delete');
    await sees(table.getByText('No credentials configured yet'));
  });

  it('have an editable text', async () => {
    await page.getByRole('button', { name: 'Edit Template', exact: true }).click();
    const form = dialog(page, 'Edit Template');
    const text = form.getByLabel('Notification text');
    expect(await text.getAttribute('rows')).toBe('10');
    await text.fill('Lead $$status$$: $$nope$$');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await sees(form.getByText('Unknown macro $$nope$$'));
    await text.fill('Lead $$status$$: $$nachname$$, $$date$$');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await seesMessage(page, 'Template saved successfully');
    expect(await site.cloud.admin.ok('getPushoverTemplate')).toEqual({
      template: 'Lead $$status$$: $$nachname$$, $$date$$',
    });
  });
});
