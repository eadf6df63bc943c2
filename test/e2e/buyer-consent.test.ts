/** A lead's consent behind the buyer's link, and its proof on paper. */
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { DELIVERED, PHONE, rowOf, setUpShop } from '#test/e2e/buyer-setup';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';

const shop = setUpShop();
const WORDING = 'Ich bin einverstanden, dass mich Muster GmbH zu Geldanlagen anruft.';
let path = '';
let token = '';
let agreed = '';
let silent = '';

async function leadWith(buyer_id: string, wording: string) {
  const { lead_id } = await shop.cloud.admin.ok('createLead', {
    body: aLeadRequest({
      buyer_id,
      consent: aSentConsent({
        given_at: '2027-05-12T06:03:00Z',
        channels: ['phone', 'email'],
        text: wording,
        page_url: `https://example.org/geldanlage?${'a=1&'.repeat(40)}`,
        ip: '203.0.113.7',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)',
      }),
    }),
  });
  return lead_id;
}

beforeAll(async () => {
  await shop.at(DELIVERED);
  const order = await shop.order({ buyer_id: 'consent' });
  ({ path, token } = order);
  agreed = await leadWith(order.buyerId, WORDING);
  silent = (await shop.lead(order.buyerId)).lead_id;
  await shop.cloud.settled();
}, 120_000);

it('the consent of a lead opens by a sign next to the phone number, which only leads with consent have', async () => {
  const { page } = await shop.open(path, PHONE);
  const sign = rowOf(page, agreed).getByRole('button', { name: 'Einwilligung' });
  await sign.waitFor();
  expect(await rowOf(page, silent).getByRole('button', { name: 'Einwilligung' }).count()).toBe(0);
  const box = await sign.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  await sign.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Einwilligung' });
  await dialog.getByText('Einwilligung: 12.05.2027, 08:03 Uhr, Formular').waitFor();
  const text = await dialog.innerText();
  expect(text).toContain(WORDING);
  expect(text).toContain('Telefon, E-Mail');
  expect(text).not.toContain('203.0.113.7');
  await expectAccessible(page, { everywhere: true });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Exportieren' }).click();
  await page.getByRole('link', { name: 'ZIP: Einwilligungen herunterladen' }).waitFor();
});

/** The server allows the page no scripts, not even those of these tests, so they set its content. */
const proofOf = (leadId: string) =>
  fetch(`${shop.cloud.url}/api/leads-view/${token}/leads/${leadId}/consent/html`);

it('a proof is accessible, and one page on paper, even of the longest wording', async () => {
  const longest = await leadWith(
    'consent',
    `${'Ich bin einverstanden, dass man mich anruft. '.repeat(88)}Ende.`,
  );
  const { page } = await shop.open(path);
  for (const lead of [agreed, longest]) {
    await page.setContent(await (await proofOf(lead)).text());
    await expectAccessible(page, { everywhere: true });
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  }
});
