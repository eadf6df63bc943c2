/** A consent from the ready form of another site to its buyers, their proof, the withdrawal, and the proof kept after the erasure. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { verifyConsentProof } from '#shared/rules/consent-proof';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { agree, dialog, fill, press, rowAction, sees, seesMessage } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { memoryTable } from '#test/harness/memory-table';
import { aSealedChain } from '#test/harness/proofs';
import { type StubServer, startStub } from '#test/harness/stub-server';

const PERSON = { email: 'kaethe@web.example.org', telefon: '+49 170 5555555' };
const WORDING = 'Ich bin einverstanden, dass man mich zu <Geldanlagen> anruft.';
const HOUR_MS = 3_600_000;

let landing: StubServer;
let html = '';
let [key, listPath] = ['', ''];
/** As the buyer downloads it, and as an admin does after the withdrawal and the erasure. */
let [proof, keptProof] = [Buffer.of(), Buffer.of()];

const site = setUpSite(async () => {
  const { admin } = site.cloud;
  const email_template_id = await addTemplate(site.cloud, { smtp_subject: 'Lead $$nachname$$' });
  const buyer = { probability: 10, send_email: true, email_template_id };
  await openOrder(admin, { ...buyer, buyer_id: 'earlier', buyer_email: 'earlier@buyers.example' });
  await admin.ok('createLead', { body: aLeadRequest({ ...PERSON, buyer_id: 'earlier' }) });
  await admin.ok('updateBuyer', { params: { buyerId: 'earlier' }, body: { active: false } });
  const careful = await openOrder(admin, {
    ...buyer,
    buyer_id: 'careful',
    buyer_email: 'careful@buyers.example',
    requires_consent: true,
  });
  listPath = new URL(careful.excel_link).pathname;
  landing = await startStub(() => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }));
  await admin.ok('saveCompany', {
    body: { name: 'Müller Leads GmbH', privacy_url: 'https://leads.example/datenschutz' },
  });
  const { source } = await admin.ok('createSource', {
    body: {
      name: 'Festgeld',
      src: 'festgeld',
      origins: [landing.url],
      window_days: 0,
      defaults: { laufzeit: '12' },
    },
  });
  const params = { sourceId: source.source_id };
  await admin.ok('addConsentText', { params, body: { text: WORDING } });
  ({ key } = await admin.ok('createSourceKey', { params }));
  await admin.ok('updateSource', { params, body: { state: 'live', double_opt_in: true } });
});
afterAll(() => landing.stop());

const mailsTo = (address: string) => site.cloud.inbox.mails.filter(({ to }) => to[0] === address);
const linkIn = (text: string | undefined, page: string) =>
  new RegExp(`/${page}/[\\w-]+`).exec(text ?? '')?.[0] ?? `no link to ${page}`;

async function fileOf(page: Page, link: Locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return Buffer.from(await readFile(await download.path()));
}

/** @returns the link that withdraws the consent */
async function sendForm(visitor: Page): Promise<string> {
  await visitor.clock.install();
  await visitor.goto(landing.url);
  await fill(visitor, { Vorname: 'Käthe', Nachname: 'Kleinschmidt', Anlagebetrag: '25.000,50' });
  await fill(visitor, { 'E-Mail': PERSON.email, Telefon: PERSON.telefon });
  const box = visitor.getByRole('checkbox', { name: WORDING });
  expect(await box.isChecked()).toBe(false);
  await sees(visitor.getByRole('link', { name: 'Datenschutzhinweise' }));
  await visitor.clock.fastForward(2500);
  await press(visitor, 'Absenden');
  expect(await box.evaluate((it) => it.matches(':invalid'))).toBe(true);
  await box.check();
  await press(visitor, 'Absenden');
  const status = () => visitor.getByRole('status').textContent();
  await expect
    .poll(status, { timeout: 8000 })
    .toMatch(/^Vielen Dank! Bitte bestätigen Sie den Link in der E-Mail/);
  const link = visitor.getByRole('link', { name: 'Einwilligung widerrufen' });
  return new URL((await link.getAttribute('href')) ?? '').pathname;
}

it('a consent is confirmed, delivered, proven, withdrawn, and its proof kept after the erasure', async () => {
  const { admin } = site.cloud;
  const { page } = await site.visitAsAdmin('/dashboard/sources');
  await rowAction(page, 'Form for Festgeld');
  const form = dialog(page, 'Form for Festgeld');
  await fill(form, { Key: key });
  await expect.poll(() => form.getByLabel('HTML').inputValue()).toContain('&lt;Geldanlagen>');
  html = `<!doctype html><html lang="de"><title>Festgeld</title>${await form.getByLabel('HTML').inputValue()}</html>`;

  const visitor = await site.browser.newPage();
  const withdrawal = await sendForm(visitor);
  await visitor.close();
  await site.cloud.settled();
  expect(mailsTo('careful@buyers.example')).toEqual([]);
  const { ineligible_leads: waiting } = await admin.ok('listPendingLeads', { query: {} });
  await page.goto(`/dashboard/leads/${waiting[0]?.lead_id}`);
  await sees(page.getByText(/^The e-mail was sent on /));
  await press(page, 'Resend e-mail');
  await seesMessage(page, 'E-mail queued again');
  await expectAccessible(page, { everywhere: true });
  await site.cloud.settled();
  expect(mailsTo(PERSON.email)).toHaveLength(2);
  const confirmation = linkIn(mailsTo(PERSON.email)[0]?.text, 'bestaetigung');
  const person = (await site.visit(confirmation)).page;
  await sees(person.getByText(/^Bitte bestätigen Sie, dass die Einwilligung/));
  await expectAccessible(person, { narrow: true });
  await press(person, 'Einwilligung bestätigen');
  await sees(person.getByText(/^Vielen Dank, Ihre Einwilligung ist bestätigt/));
  await expectAccessible(person, { narrow: true });
  await site.cloud.settled();
  expect(mailsTo('careful@buyers.example').map(({ subject }) => subject)).toEqual(['Lead Kleinschmidt']);

  // The audit trail is sealed, and a checkpoint is published a day later.
  await site.cloud.advance(HOUR_MS);
  await openOrder(admin);
  await site.cloud.advance(25 * HOUR_MS);
  await admin.logIn();
  const buyer = (await site.visit(listPath)).page;
  const leadId = (await buyer.locator('[data-lead]').getAttribute('data-lead')) ?? '';
  await press(buyer, 'Einwilligung');
  proof = await fileOf(buyer, buyer.getByRole('link', { name: 'Nachweis als Datei (JSON)' }));

  const people = (await site.visitAsAdmin(`/dashboard/leads/${leadId}`)).page;
  await sees(people.getByText(WORDING));
  for (const name of ['Proof to print', 'Proof as a file']) await sees(people.getByRole('link', { name }));
  await expectAccessible(people, { everywhere: true });
  const address = await people.getByRole('link', { name: 'Proof to print' }).getAttribute('href');
  const printed = await (await people.request.get(address ?? '')).text();
  // The server allows the printed page no scripts, not even those of this test.
  await people.setContent(printed);
  for (const row of [/^Glied 1, versiegelt am /, /^Prüfpunkt Glied \d+ vom /, /^Prüfsumme .* [\w-]{16} …$/])
    await sees(people.getByRole('row', { name: row }));
  await expectAccessible(people, { everywhere: true });

  await person.goto(`/widerruf/${leadId}${'A'.repeat(43)}`);
  await sees(person.getByRole('heading', { name: 'Dieser Link gilt nicht' }));
  await person.goto(withdrawal);
  await sees(person.getByText(/^Sie haben eingewilligt/));
  await expectAccessible(person, { narrow: true });
  await press(person, 'Einwilligung widerrufen');
  await sees(person.getByText(/^Ihre Einwilligung ist widerrufen/));
  await person.goto(confirmation);
  await sees(person.getByText(/^Sie haben diese Einwilligung widerrufen/));
  await site.cloud.settled();
  const notices = ['careful', 'earlier'].map((name) =>
    mailsTo(`${name}@buyers.example`).filter(({ subject }) => subject.includes('nicht mehr kontaktieren')),
  );
  expect(notices.map((one) => one.length)).toEqual([1, 1]);
  await buyer.goto(listPath);
  await sees(buyer.getByRole('button', { name: 'Einwilligung widerrufen' }));
  await expectAccessible(buyer, { everywhere: true });
  await buyer.goto(linkIn(notices[0]?.[0]?.text, 'erasure'));
  await sees(buyer.getByRole('heading', { name: 'Widerruf bestätigen' }));
  await expectAccessible(buyer, { narrow: true });
  await press(buyer, 'Wir kontaktieren diese Person nicht mehr');
  await sees(buyer.getByRole('heading', { name: 'Vielen Dank' }));
  await people.goto(`/dashboard/people?q=${PERSON.email}`);
  const withdrawn = people.getByRole('article', { name: /^Withdrawal of/ });
  await sees(withdrawn.getByText(/^earlier .*open for 0 days/));
  await sees(withdrawn.getByText(/^careful .*confirmed/));
  await sees(people.getByText(/^consent withdrawn /).first());

  await press(people, /^Show stored data/, 'Erase this person');
  await agree(people, 'Erase this person', /are notified and asked to confirm/, 'Erase');
  await seesMessage(people, 'Person erased');
  await site.cloud.settled();
  await site.cloud.advance(61_000);
  await people.goto(`/dashboard/people?q=${PERSON.email}`);
  await sees(people.getByText('A sealed proof is kept for this person'));
  await expectAccessible(people, { everywhere: true });
  await people.getByRole('link', { name: `Lead …${leadId.slice(-6)}` }).click();
  await sees(people.getByText(/^Personal data erased /));
  expect(await people.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await sees(people.getByText(/^Kept until /));
  expect(await people.locator('main').innerText()).not.toMatch(/Kleinschmidt|5555555/);
  await press(people, 'Show proof…');
  const kept = dialog(people, 'Proof of consent');
  await fill(kept, { Reason: 'short' });
  await press(kept, 'Show proof');
  await sees(kept.getByText('Enter at least 10 characters'));
  await expectAccessible(people, { everywhere: true });
  await fill(kept, { Reason: 'Question of the authority, file 12' });
  await press(kept, 'Show proof');
  for (const text of [WORDING, 'Käthe Kleinschmidt', PERSON.email]) await sees(kept.getByText(text));
  await expectAccessible(people, { everywhere: true });
  keptProof = await fileOf(people, kept.getByRole('link', { name: 'Download' }));
  expect(
    await verifyConsentProof(keptProof, await site.cloud.visitor.ok('listConsentCheckpoints')),
  ).toMatchObject({
    ok: true,
    level: 'anchored',
    proof: { person: { email: PERSON.email }, wording: WORDING, withdrawn_at: expect.any(String) },
  });
}, 120_000);

const file = (buffer: Buffer) => ({ name: 'nachweis.json', mimeType: 'application/json', buffer });
const FIELD = 'Nachweis auswählen oder hier ablegen';

it('a visitor checks a valid, a changed and a foreign proof, without a connection once the page is loaded', async () => {
  const { page } = await site.visit('/nachweis');
  await sees(page.getByText(/^Verglichen wird mit \d+ veröffentlichten Prüfpunkten\.$/));
  await expectAccessible(page, { everywhere: true });
  await page.context().setOffline(true);
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('type')).toBe('file');
  await page.getByLabel(FIELD).setInputFiles(file(proof));
  await sees(page.getByRole('heading', { name: 'Der Nachweis ist gültig' }));
  await sees(page.getByText('durch einen veröffentlichten Prüfpunkt gesichert'));
  for (const text of ['Käthe Kleinschmidt', WORDING, 'Müller Leads GmbH'])
    await sees(page.getByRole('main').getByText(text));
  await expectAccessible(page, { everywhere: true });
  await page.getByLabel(FIELD).setInputFiles(file(keptProof));
  await sees(page.getByText(/^Die Einwilligung wurde am .* Uhr widerrufen\.$/));
  await page.getByLabel(FIELD).setInputFiles(file(Buffer.from(proof.toString().replace('Käthe', 'Kathe'))));
  await sees(page.getByRole('heading', { name: 'Am Nachweis wurde etwas geändert' }));
  await sees(page.getByText('Die Signatur passt nicht zum Inhalt.'));
  await expectAccessible(page, { everywhere: true });
  const chain = aSealedChain(memoryTable());
  const foreign = await chain.prove(await chain.consent('other'));
  await page.getByLabel(FIELD).setInputFiles(file(Buffer.from(foreign)));
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
  await page.getByLabel(FIELD).setInputFiles(file(proof));
  await sees(page.getByRole('heading', { name: 'Der Nachweis ist gültig' }));
  await sees(page.getByText('aber noch durch keinen veröffentlichten Prüfpunkt gesichert'));
  await expectAccessible(page, { everywhere: true });
});

it('without the published checkpoints, the file alone is checked until checkpoints are loaded from a file', async () => {
  const { page } = await site.visit('/robots.txt');
  await page.route('**/api/consent-checkpoints', (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto('/nachweis');
  await sees(page.getByText(/^Die veröffentlichten Prüfpunkte konnten nicht geladen werden\./));
  await page.getByLabel(FIELD).setInputFiles(file(proof));
  await sees(page.getByRole('heading', { name: 'Die Datei ist unverändert' }));
  await expectAccessible(page, { everywhere: true });
  const checkpoints = page.getByLabel('Prüfpunkte aus einer Datei laden');
  await checkpoints.setInputFiles(file(proof));
  await sees(page.getByText('In dieser Datei ist kein Prüfpunkt.'));
  const answer = await site.cloud.visitor.ok('listConsentCheckpoints');
  await checkpoints.setInputFiles(file(Buffer.from(JSON.stringify(answer))));
  await sees(page.getByRole('heading', { name: 'Der Nachweis ist gültig' }));
});
