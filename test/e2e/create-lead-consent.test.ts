/** The consent of a lead that an admin creates. */
import { expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { fill, press, sees, seesTexts } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';

const site = setUpSite(async () => undefined);
it('the consent of a new lead is folded at first, checked next to its fields, and recorded', async () => {
  const { page } = await site.visitAsAdmin('/dashboard/create-lead');
  const email = 'max@example.com';
  await fill(page, {
    'First name': 'Max',
    'Last name': 'Muster',
    Email: email,
    Phone: '0151 1234567',
    'Investment amount': '25000',
    Term: '36',
  });
  const givenAt = page.getByLabel('Given at');
  expect(await givenAt.isVisible()).toBe(false);
  await page.locator('summary', { hasText: 'Consent' }).click();
  await sees(givenAt);
  await page.getByRole('checkbox', { name: 'phone' }).check();
  await press(page, 'Submit Lead');
  await seesTexts(page, 'Given at is required', 'Wording is required');
  await fill(page, { 'Given at': '2099-01-01T10:00', Wording: 'I agree to be called.' });
  await press(page, 'Submit Lead');
  await sees(page.getByText('Lies in the future'));
  await expectAccessible(page, { everywhere: true });
  await fill(page, { 'Given at': '2020-01-01T10:00' });
  await press(page, 'Submit Lead');
  await sees(page.getByRole('main').getByRole('alert'));
  expect(await givenAt.inputValue()).toBe('');
  const { ineligible_leads: leads } = await site.cloud.admin.ok('listPendingLeads', { query: {} });
  const created = leads.find((lead) => lead.email === email);
  const params = { leadId: created?.lead_id ?? '' };
  expect((await site.cloud.admin.ok('getLead', { params })).lead.consent).toMatchObject({
    method: 'form',
    channels: ['phone'],
    text: 'I agree to be called.',
  });
});
