import { expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { PHONE } from '#test/e2e/buyer-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder } from '#test/harness/cloud';

const site = setUpSite();

const letter = async () => {
  await site.cloud.settled();
  return site.cloud.inbox.mails.findLast(({ subject }) => subject.includes('zur Lead-Liste'))?.text ?? '';
};

it('a protected link on a phone opens with the code from the e-mail, and after its expiry with a new link', async () => {
  const { cloud } = site;
  const { buyer_id, token } = await openOrder(cloud.admin, {
    buyer_email: 'kontakt@kaeufer.example',
    probability: 0,
    email_template_id: await addTemplate(cloud),
    link_code: true,
    link_days: 30,
  });
  await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id, nachname: 'Musterfrau' }) });
  const visit = await site.visit(`/leads/${token}`, PHONE);
  const { page } = visit;
  await page.getByRole('heading', { name: 'Code eingeben' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Code an k…@…example senden' }).click();
  const field = page.getByLabel('Code aus der E-Mail (8 Ziffern)');
  await field.fill('0000 0000');
  await page.getByRole('button', { name: 'Liste öffnen' }).click();
  await page.getByText('Dieser Code ist falsch oder abgelaufen.').waitFor();
  await expectAccessible(page);
  await field.fill(/\d{4} \d{4}/.exec(await letter())?.[0] ?? '');
  await page.getByRole('button', { name: 'Liste öffnen' }).click();
  await page.getByText('Musterfrau').first().waitFor();
  await page.reload();
  await page.getByText('Musterfrau').first().waitFor();

  await cloud.advance(30 * 86_400_000);
  await page.reload();
  await page.getByRole('button', { name: 'Link erneuern' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Link erneuern' }).click();
  await page.getByText('Falls es zu diesem Link eine Liste gibt').waitFor();
  const renewed = /\/leads\/[\w-]{43}/.exec(await letter())?.[0] ?? '';
  expect(renewed).not.toBe(`/leads/${token}`);
  // The device is still recognised.
  await page.goto(renewed);
  await page.getByText('Musterfrau').first().waitFor();
});
