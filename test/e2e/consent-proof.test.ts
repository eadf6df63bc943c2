import { expect, it } from 'vitest';
import * as consentStore from '#functions/data/leads/consent';
import { createProver } from '#functions/domain/leads/consent-proof';
import { createKeyLoader } from '#functions/keys/keys';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { addBuyer, sees } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';
import { memoryTable } from '#test/harness/memory-table';
import { aSealedChain } from '#test/harness/proofs';

let own = Buffer.of();
let foreign = Buffer.of();
let withdrawn = Buffer.of();

const site = setUpSite(async () => {
  const { admin, table, environment } = site.cloud;
  await addBuyer(site.cloud, { buyer_id: 'alpha' }, 5);
  const { lead_id } = await admin.ok('createLead', {
    body: aLeadRequest({
      buyer_id: 'alpha',
      vorname: 'Jürgen',
      consent: aSentConsent(),
    }),
  });
  await site.cloud.advance(3_600_000);
  await addBuyer(site.cloud, { buyer_id: 'beta' }, 5);
  await site.cloud.advance(25 * 3_600_000);
  const loadKeys = createKeyLoader({ KEYS_JSON: environment.KEYS_JSON, KEYS_ARN: undefined });
  const prove = createProver({ table, proofSigner: async () => (await loadKeys()).proofSigner() });
  const item = await consentStore.get({ table }, lead_id);
  const seller = { name: 'Müller Leads GmbH', address: 'Hauptstraße 1, 10115 Berlin' };
  const of = { item: item!, number: '1-1', seller };
  own = Buffer.from((await prove({ ...of, withdrawn_at: undefined }))!);
  withdrawn = Buffer.from((await prove({ ...of, withdrawn_at: '2026-11-02T12:00:00Z' }))!);
  const chain = aSealedChain(memoryTable());
  const other = await chain.consent('other');
  await chain.seal();
  foreign = Buffer.from(await chain.prove(other));
});

const file = (buffer: Buffer) => ({ name: 'nachweis.json', mimeType: 'application/json', buffer });
const FIELD = 'Nachweis auswählen oder hier ablegen';

it('a visitor checks a valid, a changed and a foreign proof, without a connection once the page is loaded', async () => {
  const { page } = await site.visit('/nachweis');
  await sees(page.getByText(/^Verglichen wird mit \d+ veröffentlichten Prüfpunkten\.$/));
  await expectAccessible(page, { everywhere: true });
  await page.context().setOffline(true);
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('type')).toBe('file');
  await page.getByLabel(FIELD).setInputFiles(file(own));
  await sees(page.getByRole('heading', { name: 'Der Nachweis ist gültig' }));
  await sees(page.getByText('durch einen veröffentlichten Prüfpunkt gesichert'));
  for (const text of ['Jürgen Muster', aSentConsent().text!, '01.01.2026, 11:00 Uhr', 'Müller Leads GmbH'])
    await sees(page.getByText(text));
  await expectAccessible(page, { everywhere: true });
  await page.getByLabel(FIELD).setInputFiles(file(withdrawn));
  await sees(page.getByText('Die Einwilligung wurde am 02.11.2026, 13:00 Uhr widerrufen.'));
  await page.getByLabel(FIELD).setInputFiles(file(Buffer.from(own.toString().replace('Jürgen', 'Jörgen'))));
  await sees(page.getByRole('heading', { name: 'Am Nachweis wurde etwas geändert' }));
  await sees(page.getByText('Die Signatur passt nicht zum Inhalt.'));
  await expectAccessible(page, { everywhere: true });
  await page.getByLabel(FIELD).setInputFiles(file(foreign));
  await sees(page.getByText('Er ist nicht mit einem veröffentlichten Schlüssel signiert.'));
  await page.getByLabel(FIELD).setInputFiles(file(Buffer.from('PK')));
  await sees(page.getByRole('heading', { name: 'Das ist kein gültiger Nachweis' }));
  await page.context().setOffline(false);
});

it('before the first checkpoint is published, a valid proof is checked by its signature and seal', async () => {
  const { page } = await site.visit('/robots.txt');
  const { keys } = await site.cloud.visitor.ok('listConsentCheckpoints');
  await page.route('**/api/consent-checkpoints', (route) =>
    route.fulfill({ json: { keys, checkpoints: [] } }),
  );
  await page.goto('/nachweis');
  await sees(page.getByText(/^Es gibt noch keinen veröffentlichten Prüfpunkt\./));
  await page.getByLabel(FIELD).setInputFiles(file(own));
  await sees(page.getByRole('heading', { name: 'Der Nachweis ist gültig' }));
  await sees(page.getByText('aber noch durch keinen veröffentlichten Prüfpunkt gesichert'));
  await expectAccessible(page, { everywhere: true });
});

it('without the published checkpoints, the file alone is checked until checkpoints are loaded from a file', async () => {
  const { page } = await site.visit('/robots.txt');
  await page.route('**/api/consent-checkpoints', (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto('/nachweis');
  await sees(page.getByText(/^Die veröffentlichten Prüfpunkte konnten nicht geladen werden\./));
  await page.getByLabel(FIELD).setInputFiles(file(own));
  await sees(page.getByRole('heading', { name: 'Die Datei ist unverändert' }));
  await expectAccessible(page, { everywhere: true });
  const checkpoints = page.getByLabel('Prüfpunkte aus einer Datei laden');
  await checkpoints.setInputFiles(file(own));
  await sees(page.getByText('In dieser Datei ist kein Prüfpunkt.'));
  const answer = await site.cloud.visitor.ok('listConsentCheckpoints');
  await checkpoints.setInputFiles(file(Buffer.from(JSON.stringify(answer))));
  await sees(page.getByRole('heading', { name: 'Der Nachweis ist gültig' }));
});
