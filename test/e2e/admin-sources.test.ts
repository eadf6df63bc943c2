/** The sources screen: from a new source to a landing page on another site whose leads reach a buyer. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import {
  agree,
  dialog,
  fill,
  hasFocus,
  press,
  row,
  rowAction,
  sees,
  seesMessage,
  seesTexts,
  step,
  unfold,
} from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { type StubServer, startStub } from '#test/harness/stub-server';

const shell = promisify(execFile);
const HAS_CURL = spawnSync('sh', ['-c', 'curl --version']).status === 0;

let page: Page;
let visitor: Page;
/** The landing page, served by its own server. */
let landing: StubServer;
let html = '';
const site = setUpSite(async () => {
  const email_template_id = await addTemplate(site.cloud, { smtp_subject: 'Lead $$nachname$$' });
  await openOrder(site.cloud.admin, {
    buyer_id: 'kapital',
    buyer_email: 'einkauf@kapital.example',
    probability: 50,
    send_email: true,
    email_template_id,
  });
  landing = await startStub(() => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }));
  ({ page } = await site.visitAsAdmin());
  visitor = await site.browser.newPage();
});
afterAll(() => landing.stop());

const source = async () => (await site.cloud.admin.ok('listSources'))[0];
const inTable = () => row(page, 'Sources', 'Festgeld');

async function openForm(button: string, title = button) {
  await (/^(Change|Form|Import|Callbacks)/.test(button) ? rowAction(page, button) : press(page, button));
  return dialog(page, title);
}

async function choose(state: string): Promise<void> {
  const form = await openForm('Change state of Festgeld', 'State of Festgeld');
  await form.getByRole('radio', { name: state }).check();
  await press(form, 'Save State');
  await form.waitFor({ state: 'detached' });
}

/** Submits the form from another site, like a visitor. */
async function sendForm(lastName: string, phone: string): Promise<string> {
  await visitor.goto(`${landing.url}/?clickId=click-7`);
  const email = `${phone.replace(' ', '')}@example.org`;
  await fill(visitor, { Vorname: 'Käthe', Nachname: lastName, 'E-Mail': email, Telefon: phone });
  await fill(visitor, { Anlagebetrag: '25.000,50' });
  const box = visitor.getByRole('checkbox');
  if ((await box.count()) > 0) {
    expect(await box.isChecked()).toBe(false);
    await box.check();
  }
  await press(visitor, 'Absenden');
  const status = visitor.getByRole('status').filter({ hasNotText: 'Wird gesendet' });
  const text = (await status.filter({ hasText: /./ }).textContent()) ?? '';
  if (!text.includes('Formular noch einmal')) return text;
  // A visitor as fast as this test is asked to send again.
  await visitor.waitForFunction('performance.now() > 2500');
  await press(visitor, 'Absenden');
  return (
    (await status.filter({ hasNotText: 'Formular noch einmal' }).filter({ hasText: /./ }).textContent()) ?? ''
  );
}

describe('sources', () => {
  it('are found in the menu and added; the form shows errors', async () => {
    await page.getByRole('link', { name: 'Sources' }).click();
    await sees(page.getByText('No sources yet'));
    const form = await openForm('Add Source');
    await unfold(form, 'Limits', 'Who may post', 'Fields of a lead');
    await fill(form, { 'Leads per minute': '0', 'Allowed web pages': `${landing.url}/path` });
    await press(form, 'Add Source');
    await seesTexts(form, 'Name is required', 'Must be a whole number from 1 to 100000');
    // A group with an error cannot be closed.
    await unfold(form, 'Limits');
    await sees(form.getByLabel('Leads per minute'));
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Festgeld');
    await fill(form, {
      'Source value (src)': 'festgeld-lp',
      'Leads per minute': '60',
      'Leads per day': '200',
      'Cost per lead (€)': '12,5',
      'Source’s name for Last name': 'name "last"',
      'Default value for Term (months)': '12',
    });
    await press(form, 'Add Source');
    await sees(form.getByText('Origin without path expected, such as https://example.com'));
    await fill(form, { 'Allowed web pages': landing.url });
    await unfold(form, 'Without consent');
    await form.getByLabel('Leads without consent to be called').selectOption('ignore');
    await press(form, 'Add Source');
    await seesMessage(page, 'Source Festgeld added, in test');
    await sees(inTable().getByText('No key'));
    expect(await source()).toMatchObject({
      src: 'festgeld-lp',
      state: 'test',
      per_minute: 60,
      per_day: 200,
      origins: [landing.url],
      consent: 'ignore',
      mapping: { nachname: 'name "last"' },
      defaults: { laufzeit: '12' },
    });
  });

  it('get a key, which is shown once and used in a form', async () => {
    const keys = await openForm('Keys of Festgeld');
    await press(keys, 'Create Key');
    const key = await keys.getByLabel('New key').inputValue();
    expect(await page.evaluate('document.activeElement.value'), 'the focus').toBe(key);
    await press(keys, 'Make a form with this key');
    const form = dialog(page, 'Form for Festgeld');
    await sees(form.getByText('This source is in test'));
    await press(form, 'Edit source');
    await press(dialog(page, 'Edit source Festgeld'), 'Cancel');
    const text = await form.getByLabel('HTML').inputValue();
    expect(text).toContain(key);
    html = `<!doctype html><html lang="de"><title>Festgeld</title><h1>Festgeld</h1>${text}</html>`;
    await press(form, 'Close');
    await press(page, 'Keys of Festgeld');
    await sees(keys.getByText(/^lds_1a_[0-9a-f]{6}…$/));
    expect(await keys.getByText(key).count()).toBe(0);
    await press(keys, 'Create Key');
    await sees(keys.getByLabel('New key'));
    await press(keys, /^Revoke lds_1b_/);
    await agree(page, 'Revoke key', /are refused at once/, 'Revoke');
    await expect.poll(async () => (await source())?.keys.length).toBe(1);
    await press(keys, 'Close');
  });

  it('get a wording, which is saved on its own, and is not lost with the other changes', async () => {
    const form = await openForm('Edit Festgeld', 'Edit source Festgeld');
    await unfold(form, 'Without consent');
    await press(form, 'Add wording');
    await hasFocus(form.getByLabel('New wording'));
    await page.keyboard.type('Ja, bitte rufen Sie mich an.');
    expect(await form.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await press(dialog(page, 'Unsaved changes'), 'Cancel');
    await press(form, 'Save as new version');
    await sees(form.getByText(/^v1 · /));
    await expectAccessible(page, { narrow: true });
    await press(form, 'Cancel');
    await form.waitFor({ state: 'detached' });
  });

  it('ingest leads for buyers while they are live', async () => {
    expect(await sendForm('Probe', '0170 1111111')).toMatch(/^Test: Das Formular funktioniert/);
    expect((await source())?.total).toBe(0);
    await choose('Paused');
    expect(await sendForm('Früh', '0170 7654321')).toMatch(/^Das hat nicht geklappt/);
    await choose('Live');
    await seesMessage(page, 'Source Festgeld saved');
    expect(await sendForm('Groß', '0170 1234567')).toBe('Vielen Dank! Wir melden uns.');
    await expect.poll(async () => (await source())?.total).toBe(1);
    await site.cloud.settled();
    expect(site.cloud.inbox.mails).toEqual([
      expect.objectContaining({ to: ['einkauf@kapital.example'], subject: 'Lead Groß' }),
    ]);
    await sees(inTable().getByText('1 of 200'));
  });

  it('import a dropped file a hundred rows at a time, and resume after a lost connection', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lead-import-'));
    const file = join(folder, 'leads.csv');
    await writeFile(file, fileOf(120, 3));
    const form = await openForm('Import leads of Festgeld');
    await drop(page, file, form.getByText('Drop a file here, or choose one'));
    await sees(form.getByText('leads.csv: 120 rows'));
    await rm(folder, { recursive: true });
    await sees(form.getByText('No column chosen for Phone.'));
    await form.getByLabel('Phone').selectOption({ label: 'Erreichbar unter' });
    await press(form, 'Check');
    await sees(
      form.getByText(/^Check finished: 120 of 120 rows · .*Invalid 3.*Nothing has been imported\.$/),
    );
    expect(await page.evaluate('document.activeElement.innerText'), 'the focus').toMatch(/^Check finished/);
    await sees(form.getByText('To kapital').first());
    await sees(form.getByText('E-mail: Please enter a valid email address').first());

    const sent: number[] = [];
    await page.route('**/api/sources/1/leads', (route) => {
      sent.push((route.request().postDataJSON() as { leads: object[] }).leads.length);
      return sent.length === 2 ? route.abort() : route.fallback();
    });
    await press(form, 'Import 120 rows');
    await sees(form.getByText('Import paused: 100 of 120 rows · Imported 97, Invalid 3'));
    await press(form, 'Close');
    await press(dialog(page, 'Unsaved changes'), 'Cancel');
    await press(form, 'Continue');
    await sees(form.getByText('Import finished: 120 of 120 rows · Imported 117, Invalid 3'));
    expect(sent).toEqual([100, 20, 20]);
    expect((await source())?.total).toBe(118);
    const [result] = await Promise.all([page.waitForEvent('download'), press(form, 'Result file')]);
    expect(result.suggestedFilename()).toBe('leads.csv-result.csv');
    await page.unroute('**/api/sources/1/leads');
    await press(form, 'Close');
    await form.waitFor({ state: 'detached' });
  });

  it('are notified of the outcomes of their leads by webhook and postback', async () => {
    const stub = await startStub();
    const form = await openForm('Callbacks of Festgeld');
    await fill(form, {
      'Address of the webhook': `${stub.url}/hook`,
      'Address of the postback': `${stub.url}/p?c={clickId}&s={status}&b={buyer}`,
    });
    await form.getByRole('group', { name: 'Events of the postback' }).getByLabel('Assigned').uncheck();
    await press(form, 'Save Callbacks');
    await seesMessage(page, 'Callbacks saved');
    const first = await form.getByLabel('New secret').inputValue();
    await press(form, 'Create Secret');
    await expect.poll(() => form.getByLabel('New secret').inputValue()).not.toBe(first);
    await press(form, 'Send a test webhook');
    await sees(form.getByText('Delivered (status 200)'));
    await press(form, 'Revoke secret A');
    await agree(page, 'Revoke secret', /will refuse every webhook/, 'Revoke');
    await seesMessage(page, 'Secret revoked');
    await press(form, 'Close');

    await sendForm('Folge', '0170 2222222');
    await site.cloud.settled();
    await expect.poll(() => stub.calls.length).toBe(3);
    expect(stub.calls.map(({ url }) => url)).toContain('/p?c=click-7&s=pending&b=');

    stub.answer = () => ({ status: 410 });
    await rowAction(page, 'Callbacks of Festgeld');
    await form.getByRole('tab', { name: 'Log' }).click();
    await press(form, /^Resend Pending of lead .* by Webhook$/);
    await seesMessage(page, 'Callback queued again');
    await sees(form.getByText('The receiver is gone (410)', { exact: true }));
    await press(form, 'Close');
    await rowAction(page, 'Callbacks of Festgeld');
    await sees(form.getByText(/^The receiver answered 410 \(Gone\) on /));
    await press(form, 'Turn on again');
    await form.getByText('Turned off', { exact: true }).waitFor({ state: 'detached' });
    await form.getByRole('tab', { name: 'Log' }).click();
    await form.getByRole('link').first().click();
    await sees(step(page, 'Source notified').getByText('Pending, by postback'));
    await page.goBack();
    await sees(inTable().getByText('Live'));
    await stub.stop();
  });

  it('have figures for a period with each buyer’s claim rate, and are reported when silent', async () => {
    await sees(
      row(page, 'Figures of sources', 'Festgeld')
        .getByRole('link', { name: '119, show the leads of Festgeld' })
        .first(),
    );
    // Its orders have no price.
    const margin = row(page, 'Margins of sources', 'Festgeld');
    await sees(margin.getByText('Loss'));
    expect(await margin.textContent()).toContain('-1.487,50\u00a0€');
    await page.getByText('By month').click();
    await sees(row(page, 'Margins by month', 'Festgeld').getByText('Loss').first());
    const rates = row(page, 'Claim rates', 'Festgeld');
    await sees(rates.getByText('0 of 10').first());
    await page.getByLabel('Time range').selectOption('custom');
    await fill(page, { 'From day': '2025-12-03', 'To day': '2026-01-01' });
    await sees(page.getByText(/^Of the leads that arrived from 03.12.2025 to 01.01.2026$/));
    await rates.waitFor({ state: 'detached' });

    const silent = { source_id: 1, name: 'Festgeld', last_day: '2026-11-20', last_hour: 14, usual: 12 };
    await page.route('**/api/admin/silent-sources', (route) => route.fulfill({ json: [silent] }));
    await page.goto('/dashboard');
    await sees(
      page.getByText(/^Festgeld: no lead since 20.11.2026, 14:00 to 15:00. In this time 12 usually/),
    );
  });

  it('are excluded for a buyer by its claim rate, once the admin has seen what would have changed', async () => {
    await page.goto('/dashboard/sources');
    const rate = row(page, 'Claim rates', 'Festgeld').getByRole('button', {
      name: /: exclude Festgeld for kapital$/,
    });
    await rate.click();
    const question = dialog(page, 'Exclude Festgeld for kapital?');
    const figures = row(page, 'Figures of kapital', 'Leads');
    await sees(figures.getByRole('cell', { name: '10', exact: true }));
    await sees(figures.getByRole('cell', { name: '0', exact: true }));
    await sees(question.getByText('No buyer: +10'));
    await expectAccessible(page);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await press(question, 'Exclude source');
    expect((await sent).postDataJSON()).toMatchObject({
      expected: { sources_allowed: [], sources_excluded: [] },
    });
    await question.waitFor({ state: 'detached' });
    await sees(row(page, 'Claim rates', 'Festgeld').getByText('excluded'));
    expect(await rate.count()).toBe(0);
    const { buyer } = await site.cloud.admin.ok('getBuyer', { params: { buyerId: 'kapital' } });
    expect(buyer.sources_excluded).toEqual([(await source())?.source_id]);
  });
});

describe('the specification page of a source', () => {
  it('opens only with its link, which an admin can renew and turn off', async () => {
    await page.goto('/dashboard/sources');
    const link = async () => new URL((await source())?.specification_link ?? '').pathname;
    const first = await link();
    const form = await openForm('Edit Festgeld', 'Edit source Festgeld');
    await unfold(form, 'Specification page');
    await press(form, 'Regenerate link');
    await agree(page, 'Regenerate link', /The old link stops working/, 'Regenerate');
    await seesMessage(page, 'Specification page has a new link');
    const reader = (await site.visit(first)).page;
    await sees(reader.getByRole('heading', { name: 'This link is not valid' }));
    await reader.goto(await link());
    await sees(reader.getByRole('heading', { name: 'Posting leads: festgeld-lp' }));

    await press(form, 'Turn off link');
    await agree(page, 'Turn off link', /Its link stops working permanently/, 'Turn off');
    await sees(form.getByText('The page is off.'));
    await press(form, 'Cancel');
  });

  it.skipIf(!HAS_CURL)('is enough to post leads with curl', async () => {
    const { admin } = site.cloud;
    const body = { name: 'Own names', src: 'own', mapping: { nachname: "last 'name' =ü" } };
    const made = await admin.ok('createSource', { body: { ...body, defaults: { laufzeit: '12' } } });
    const params = { sourceId: made.source.source_id };
    const { key } = await admin.ok('createSourceKey', { params });
    // The imported rows have filled the other order.
    await openOrder(admin, { buyer_id: 'careful', requires_consent: true });
    const { page } = await site.visit(new URL(made.source.specification_link ?? '').pathname);
    await sees(page.getByRole('heading', { name: 'Posting leads: own' }));
    const texts = await page.locator('pre').allTextContents();
    const [agreed = '', one = '', two = '', three = '', ask = ''] = texts.filter((text) =>
      text.startsWith('curl'),
    );
    const run = async (command: string) => {
      const { stdout } = await shell('sh', ['-c', command.replace('YOUR_KEY', key)]);
      const [head = '', answer = ''] = stdout.split('\r\n\r\n');
      return { status: Number(head.split(' ')[1]), answer: JSON.parse(answer) };
    };
    const states = async () => {
      const answers = [await run(agreed), await run(one), await run(two), await run(three)];
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      return answers.flatMap(({ answer }) => answer.results.map(({ status }: { status: string }) => status));
    };
    expect(await states()).toEqual(Array(5).fill('test'));
    await admin.ok('updateSource', { params, body: { state: 'live' } });
    expect(await states()).toEqual(Array(5).fill('accepted'));
    await site.cloud.settled();
    const { answer } = await run(ask);
    expect(answer).toMatchObject({ external_id: 'example-1', state: 'assigned', reason: null });
    const documented = await page.getByLabel('Answer about a lead', { exact: true }).textContent();
    expect(Object.keys(answer).toSorted()).toEqual(Object.keys(JSON.parse(documented ?? '')).toSorted());
    await expectAccessible(page, { narrow: true });
  });
});

/** Drops a file from outside the browser, like a mouse. */
async function drop(page: Page, file: string, on: Locator): Promise<void> {
  const { x, y, width, height } = (await on.boundingBox())!;
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  await devtools.detach();
}

/** As written by German Excel: semicolons, one byte per letter. The first rows have an invalid e-mail address. */
function fileOf(rows: number, bad: number): Buffer {
  const lines = Array.from(
    { length: rows },
    (_, at) =>
      `Frau;Käthe;Muster;${at < bad ? 'nobody' : `row${at}@example.org`};0170 ${2_000_000 + at};25.000,50`,
  );
  const heads = 'Anrede;Vorname;Nachname;E-Mail;Erreichbar unter;Anlagebetrag';
  return Buffer.from([heads, ...lines].join('\r\n'), 'latin1');
}
