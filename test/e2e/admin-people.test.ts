/** A person's request: the leads are found, shown, exported and erased; the buyer confirms, and the certificate shows it. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { agree, sees, seesMessage, unfold } from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder } from '#test/harness/cloud';

let page: Page;
const PERSON = { vorname: 'Käthe', nachname: 'Kleinschmidt', email: 'kaethe@web.example.org' };

const site = setUpSite(async () => {
  const { admin } = site.cloud;
  const email_template_id = await addTemplate(site.cloud);
  await openOrder(admin, {
    buyer_id: 'kapital',
    buyer_email: 'einkauf@kapital.example',
    probability: 50,
    send_email: true,
    email_template_id,
  });
  await admin.ok('createLead', { body: aLeadRequest({ ...PERSON, buyer_id: 'kapital' }) });
  await site.cloud.settled();
  ({ page } = await site.visitAsAdmin('/dashboard'));
});

it('a person’s data is found, shown, exported and erased, and the buyer confirms the erasure', async () => {
  await unfold(page.getByRole('navigation'), 'More');
  await page.getByRole('link', { name: 'Data requests' }).click();
  await sees(page.getByText('No erasures yet'));
  await page.getByLabel('Find a person').fill(PERSON.email);
  await page.getByRole('checkbox', { name: PERSON.email }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show stored data of 1 lead' }).click();
  await page.locator('summary').filter({ hasText: 'Lead' }).first().click();
  await sees(page.getByText(PERSON.nachname).first());
  expect(await accessibilityProblems(page)).toEqual([]);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Disclosure as a page' }).click();
  expect((await download).suggestedFilename()).toBe('Auskunft.html');

  await page.getByRole('button', { name: 'Withdraw consent' }).click();
  await agree(page, 'Withdraw consent', /New leads are refused/, 'Withdraw');
  await seesMessage(page, 'Consent withdrawn');
  await sees(page.getByText('Consent withdrawn, verification pending'));
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show stored data of 1 lead' }).click();

  await page.getByRole('button', { name: 'Erase this person' }).click();
  await agree(page, 'Erase this person', /are notified and asked to confirm/, 'Erase');
  await seesMessage(page, 'Person erased');
  const erasure = page.getByRole('article', { name: /^Erasure of/ });
  await sees(erasure.getByText('open for 0 days'));
  expect(await accessibilityProblems(page)).toEqual([]);

  await site.cloud.settled();
  const letter = site.cloud.inbox.mails.find(({ subject }) => subject.includes('Bitte löschen'));
  const path = /\/erasure\/[\w-]+/.exec(letter?.text ?? '')?.[0] ?? '';
  const buyer = await site.visit(path);
  await buyer.page.getByRole('heading', { name: 'Löschung bestätigen' }).waitFor();
  await expectAccessible(buyer.page, { narrow: true });
  await buyer.page.getByRole('button', { name: 'Wir haben diese Daten gelöscht' }).click();
  await buyer.page.getByRole('heading', { name: 'Vielen Dank' }).waitFor();

  await site.cloud.advance(61_000);
  await page.reload();
  await sees(page.getByText('Erased and verified'));
  await sees(erasure.getByText('by link'));
  const certificate = page.waitForEvent('download');
  await erasure.getByRole('link', { name: 'Certificate' }).click();
  expect((await certificate).suggestedFilename()).toContain('.html');
  await page.goto(`${site.cloud.url}/dashboard/people?q=${PERSON.email}`);
  await sees(page.getByText('No person found'));

  const { buyers } = await site.cloud.admin.ok('listBuyers', { query: {} });
  const list = await site.visit(new URL(buyers[0]?.excel_link ?? '').pathname);
  await list.page.getByText('gelöscht').first().waitFor();
  expect(await list.page.getByRole('button', { name: /reklamieren/i }).count()).toBe(0);
}, 60_000);
