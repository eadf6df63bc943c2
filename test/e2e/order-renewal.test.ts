import { expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { dialog, sees, seesMessage, unfold } from '#test/e2e/admin-setup';
import { PHONE } from '#test/e2e/buyer-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { tokenOf } from '#test/harness/cloud';

const site = setUpSite();

it('a buyer requests the next order on a phone, and it opens when the current one is full', async () => {
  const { admin } = site.cloud;
  const post = () => admin.ok('createLead', { body: aLeadRequest({ buyer_id: 'nord' }) });
  await admin.ok('createBuyer', { body: aBuyerRequest({ buyer_id: 'nord', probability: 0 }) });
  const visit = await site.visitAsAdmin('/dashboard');
  const { page } = visit;
  await page.getByRole('button', { name: 'Create Order' }).first().click();
  const form = dialog(page, 'Create New Order');
  await form.getByLabel('Buyer').selectOption('nord');
  await form.getByLabel('Lead limit').fill('5');
  await unfold(form, 'When the order is full');
  expect(await form.getByRole('option', { name: /opens automatically/ }).isDisabled()).toBe(true);
  await form.getByLabel('When the order is full').selectOption('ask');
  await form.getByRole('button', { name: 'Create Order' }).click();
  await seesMessage(page, 'Order 1 created');
  for (let at = 0; at < 4; at += 1) await post();
  await site.cloud.settled();

  const { orders } = await admin.ok('listBuyerOrders', { params: { buyerId: 'nord' } });
  const phone = await site.visit(`/leads/${tokenOf(orders[0]?.excel_link)}`, PHONE);
  await phone.page.getByRole('button', { name: 'Nachbestellen' }).click();
  const ask = phone.page.getByRole('dialog', { name: 'Nachbestellen' });
  await ask.getByLabel('Anzahl Leads').fill('0');
  await ask.getByRole('button', { name: 'Nachbestellung senden' }).click();
  await sees(ask.getByText('Bitte geben Sie eine ganze Zahl ab 1 ein.'));
  await ask.getByLabel('Anzahl Leads').fill('7');
  await expectAccessible(phone.page);
  await ask.getByRole('button', { name: 'Nachbestellung senden' }).click();
  await sees(phone.page.getByText('Ihre Nachbestellung über 7 Leads wird geprüft.'));
  await expectAccessible(phone.page);

  await site.cloud.settled();
  const mails = site.cloud.inbox.mails.map(({ subject }) => subject);
  expect(mails).toContain('nord requests the next order');

  await page.reload();
  await sees(page.getByText('A buyer requests the next order'));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm the order of nord' }).click();
  await seesMessage(page, 'Confirmed: the next order opens when order 1 is full');
  await post();
  await site.cloud.settled();
  const { orders: after } = await admin.ok('listBuyerOrders', { params: { buyerId: 'nord' } });
  expect(after.map(({ lead_limit, status }) => [lead_limit, status])).toEqual([
    [7, 'Active'],
    [5, 'Completed'],
  ]);
  const renewed = site.cloud.inbox.mails.find(({ subject }) => subject === 'Ihre Bestellung #2 ist eröffnet');
  expect(renewed?.text).toContain(after[0]?.excel_link);
});
