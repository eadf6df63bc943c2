/** Sealed proofs: of an erased person, opened with a reason and saved as a file; of a present one, as a page to print. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { verifyConsentProof } from '#shared/rules/consent-proof';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { addBuyer, dialog, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aLeadRequest } from '#test/factories/people';

const WORDING = 'Ja, ich möchte zu Geldanlagen angerufen werden.';
const EMAIL = 'kept@web.example.org';
let erased = '';
let present = '';

const site = setUpSite(async () => {
  const { admin } = site.cloud;
  await addBuyer(site.cloud, { buyer_id: 'alpha' }, 5);
  const lead = async (email: string, telefon: string) => {
    const given_at = new Date(site.cloud.runtime.now().getTime() - 3_600_000).toISOString();
    const body = aLeadRequest({
      buyer_id: 'alpha',
      email,
      telefon,
      consent: { given_at, method: 'form', channels: ['phone', 'email'], text: WORDING, ip: '203.0.113.7' },
    });
    return (await admin.ok('createLead', { body })).lead_id;
  };
  erased = await lead(EMAIL, '+49 170 7777777');
  present = await lead('present@web.example.org', '+49 170 8888888');
  await site.cloud.settled();
  // The audit trail is sealed after its next entry.
  await site.cloud.advance(3_600_000);
  await addBuyer(site.cloud, { buyer_id: 'beta' }, 5);
  await admin.ok('beginErasure', { body: { lead_ids: [erased] } });
  await site.cloud.settled();
});

it('an admin finds the kept proof by the address, gives a reason, and saves the signed file', async () => {
  const { page } = await site.visitAsAdmin('/dashboard/people');
  await page.getByLabel('Find a person').fill(EMAIL);
  await sees(page.getByText('A sealed proof is kept for this person'));
  await expectAccessible(page, { everywhere: true });
  await page.getByRole('link', { name: `Lead …${erased.slice(-6)}` }).click();
  await page.getByRole('button', { name: 'Show proof…' }).click();
  const opened = dialog(page, 'Proof of consent');
  await opened.getByLabel('Reason').fill('short');
  await opened.getByRole('button', { name: 'Show proof' }).click();
  await sees(opened.getByText('Enter at least 10 characters'));
  await expectAccessible(page, { everywhere: true });
  await opened.getByLabel('Reason').fill('Asked by the authority, file 17');
  await opened.getByRole('button', { name: 'Show proof' }).click();
  for (const text of [WORDING, EMAIL, '203.0.113.7', 'phone, e-mail']) await sees(opened.getByText(text));
  await expectAccessible(page, { everywhere: true });
  const download = page.waitForEvent('download');
  await opened.getByRole('link', { name: 'Download' }).click();
  const file = readFileSync(await (await download).path());
  expect(await verifyConsentProof(file, await site.cloud.visitor.ok('listConsentCheckpoints'))).toMatchObject(
    {
      ok: true,
      level: 'anchored',
      proof: { format: 'consent-proof/1', person: { email: EMAIL }, wording: WORDING },
    },
  );
});

it('the lead page shows the consent with its proofs, of which the printed one shows the seal', async () => {
  const { page } = await site.visitAsAdmin(`/dashboard/leads/${present}`);
  await sees(page.getByText(WORDING));
  for (const name of ['Proof to print', 'Proof as a file']) await sees(page.getByRole('link', { name }));
  await expectAccessible(page, { everywhere: true });
  const address = await page.getByRole('link', { name: 'Proof to print' }).getAttribute('href');
  const printed = await (await page.request.get(address ?? '')).text();
  // The server allows the page no scripts, not even those of these tests, so its content is set.
  await page.goto('/robots.txt');
  await page.setContent(printed);
  await sees(page.getByRole('row', { name: /^Glied 1, versiegelt am \d\d\.\d\d\.\d{4}, \d\d:\d\d Uhr$/ }));
  await sees(page.getByRole('row', { name: /^Prüfpunkt Glied 1 vom / }));
  await sees(page.getByRole('row', { name: /^Prüfsumme des Prüfpunkts [\w-]{16} …$/ }));
  expect(await page.getByText('Noch nicht versiegelt').count()).toBe(0);
  await expectAccessible(page, { everywhere: true });
});
