/** The screen of the sources: from a new one to a landing page of another site whose leads reach a buyer. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toXlsx } from '#functions/exports/xlsx';
import { agree, dialog, row, sees, seesMessage } from '#test/e2e/admin-setup';
import { accessibilityProblems, type Site, startSite, type Visit } from '#test/e2e/fixture';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { startStub } from '#test/harness/stub-server';

const shell = promisify(execFile);
const HAS_CURL = spawnSync('sh', ['-c', 'curl --version']).status === 0;

let site: Site;
let visit: Visit;
/** What the landing page's own server serves. */
let landing: { readonly server: Server; readonly origin: string; html: string };

beforeAll(async () => {
  site = await startSite();
  const email_template_id = await addTemplate(site.cloud, { smtp_subject: 'Lead $$nachname$$' });
  await openOrder(site.cloud.admin, {
    buyer_id: 'kapital',
    buyer_email: 'einkauf@kapital.example',
    probability: 50,
    send_email: true,
    email_template_id,
  });
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(landing.html),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  landing = { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, html: '' };
  visit = await site.visitAsAdmin('/dashboard');
});
afterAll(async () => {
  await site.stop();
  await new Promise((done) => landing.server.close(done));
});

const source = async () => (await site.cloud.admin.ok('listSources'))[0];

/** From another site, as a visitor fills it in. */
async function sendForm(lastName: string, phone: string): Promise<string> {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${landing.origin}/?clickId=click-7`);
  await page.getByLabel('Vorname').fill('Käthe');
  await page.getByLabel('Nachname').fill(lastName);
  await page.getByLabel('E-Mail').fill(`${phone.replace(' ', '')}@example.org`);
  await page.getByLabel('Telefon').fill(phone);
  await page.getByLabel('Anlagebetrag').fill('25.000,50');
  await page.getByRole('button', { name: 'Absenden' }).click();
  const answer = page.getByRole('status').filter({ hasNotText: 'Wird gesendet' }).filter({ hasText: /./ });
  const text = await answer.textContent();
  await context.close();
  return text ?? '';
}

describe('sources', () => {
  it('are found in the menu of the name and added; the form names what is wrong', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Admin' }).click();
    await page.getByRole('link', { name: 'Sources' }).click();
    await sees(page.getByText('No sources yet'));
    await page.getByRole('button', { name: 'Add Source' }).click();
    const form = dialog(page, 'Add Source');
    await form.getByLabel('Leads per minute').fill('0');
    await form.getByRole('button', { name: 'Add Source' }).click();
    for (const text of ['Name is required', 'Source is required', 'Must be a whole number from 1 to 100000'])
      await sees(form.getByText(text));
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Festgeld');
    await form.getByLabel('Source value (src)').fill('festgeld-lp');
    await form.getByLabel('Leads per minute').fill('60');
    await form.getByLabel('Leads per day').fill('100');
    await form.getByLabel('Allowed web pages').fill(`${landing.origin}/path`);
    await form.getByLabel('Source’s name for Last name').fill('name "last"');
    await form.getByLabel('Default value for Term (months)').fill('12');
    await form.getByRole('button', { name: 'Add Source' }).click();
    await sees(form.getByText('Origin without path expected, such as https://example.com'));
    await form.getByLabel('Allowed web pages').fill(landing.origin);
    await form.getByRole('button', { name: 'Add Source' }).click();
    await seesMessage(page, 'Source Festgeld added, in test');
    await sees(row(page, 'Sources', 'Festgeld').getByText('No key'));
    expect(await source()).toMatchObject({
      src: 'festgeld-lp',
      state: 'test',
      per_minute: 60,
      per_day: 100,
      in_total: null,
      origins: [landing.origin],
      mapping: { nachname: 'name "last"' },
      defaults: { laufzeit: '12' },
    });
  });

  it('get a key, which is shown this once and goes into a form', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Keys of Festgeld' }).click();
    const keys = dialog(page, 'Keys of Festgeld');
    await keys.getByRole('button', { name: 'Create Key' }).click();
    const key = await keys.getByLabel('New key').inputValue();
    expect(await page.evaluate('document.activeElement.value'), 'the focus').toBe(key);
    expect(key).toMatch(/^lds_1a_[0-9a-f]{72}$/);
    await keys.getByRole('button', { name: 'Close' }).click();
    await sees(row(page, 'Sources', 'Festgeld').getByText('never used'));
    await page.getByRole('button', { name: 'Keys of Festgeld' }).click();
    await sees(keys.getByText(/^lds_1a_[0-9a-f]{6}…$/));
    expect(await keys.getByText(key).count()).toBe(0);

    await keys.getByRole('button', { name: 'Create Key' }).click();
    await sees(keys.getByLabel('New key'));
    await expect.poll(() => keys.getByRole('button', { name: 'Create Key' }).isDisabled()).toBe(true);
    const second = await keys.getByLabel('New key').inputValue();
    await keys.getByRole('button', { name: 'Make a form with this key' }).click();
    const form = dialog(page, 'Form for Festgeld');
    const html = await form.getByLabel('HTML').inputValue();
    expect(html).toContain(second);
    landing.html = `<!doctype html><html lang="de"><title>Festgeld</title><h1>Festgeld</h1>${html}</html>`;
    await form.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Keys of Festgeld' }).click();
    await keys.getByRole('button', { name: /^Revoke lds_1a_/ }).click();
    await agree(page, 'Revoke key', /are refused at once/, 'Revoke');
    await expect.poll(async () => (await source())?.keys.length).toBe(1);
    await keys.getByRole('button', { name: 'Close' }).click();
  });

  it('take leads in once they are live, which reach the buyer', async () => {
    const { page } = visit;
    expect(await sendForm('Probe', '0170 1111111')).toBe('Vielen Dank! Wir melden uns.');
    expect((await source())?.total).toBe(0);
    await choose('Live');
    await seesMessage(page, 'Source Festgeld saved');

    expect(await sendForm('Groß', '0170 1234567')).toBe('Vielen Dank! Wir melden uns.');
    await expect.poll(async () => (await source())?.total).toBe(1);
    await site.cloud.settled();
    expect(site.cloud.inbox.mails).toEqual([
      expect.objectContaining({ to: ['einkauf@kapital.example'], subject: 'Lead Groß' }),
    ]);
    await sees(row(page, 'Sources', 'Festgeld').getByText('1 of 100'));
  });

  it('take in the rows of a file, each once, and say what became of them', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Import leads of Festgeld' }).click();
    const form = dialog(page, 'Import leads of Festgeld');
    const picture = {
      name: 'leads.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
    };
    await form.getByLabel('File', { exact: true }).setInputFiles(picture);
    await sees(form.getByText('This is neither CSV nor XLSX. Save it as one of the two.'));
    // A browser tells nothing of the same file chosen once more, as long as it is still chosen.
    expect(await form.getByLabel('File', { exact: true }).inputValue()).toBe('');
    const columns = [{ header: 'Nachname', width: 20, type: 'text', value: (name: string) => name }] as const;
    const workbook = await toXlsx({ name: 'Leads', columns, rows: ['Groß', 'Klein'] });
    const xlsx = { name: 'leads.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from(workbook) };
    await form.getByLabel('File', { exact: true }).setInputFiles(xlsx);
    await sees(form.getByText('leads.xlsx: 2 rows'));
    await sees(form.getByText('Groß', { exact: true }));
    await form.getByRole('button', { name: 'Another file' }).click();

    const csv = { name: 'leads.csv', mimeType: 'text/csv', buffer: fileOf(30, 3) };
    await form.getByLabel('File').setInputFiles(csv);
    await sees(form.getByText('leads.csv: 30 rows'));
    await sees(form.getByText('No column chosen for Phone.'));
    await form.getByLabel('Phone').selectOption({ label: 'Erreichbar unter' });
    await form.getByRole('button', { name: 'Check' }).click();
    await sees(
      form.getByText(/^Dry run finished: 30 of 30 rows · .*Invalid 3.*Nothing has been imported\.$/),
    );
    expect(await page.evaluate('document.activeElement.innerText'), 'the focus').toMatch(/^Dry run finished/);
    await sees(form.getByText('To kapital').first());
    await sees(form.getByText('E-mail: Please enter a valid email address').first());
    expect(await leadsStored()).toBe(1);

    await page.route('**/api/sources/1/leads', (route) => route.abort());
    await form.getByRole('button', { name: 'Import 30 rows' }).click();
    await sees(form.getByText(/No row is imported twice/));
    await page.unroute('**/api/sources/1/leads');
    await form.getByRole('button', { name: 'Continue' }).click();
    const finished = form.getByText('Import finished: 30 of 30 rows · Imported 27, Invalid 3');
    await sees(finished);
    expect(await leadsStored()).toBe(28);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      form.getByRole('button', { name: 'Result file' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(file.suggestedFilename()).toBe('leads.csv-result.csv');
    expect(lines).toHaveLength(31);
    expect(lines[1]).toMatch(/^"2";"Invalid";"";"E-mail: /);
    expect(lines[30]).toMatch(/^"31";"Imported";"[0-9A-Z]{26}";""$/);

    await form.getByRole('button', { name: 'Another file' }).click();
    await form.getByLabel('File').setInputFiles(csv);
    // The column is remembered.
    await form.getByRole('button', { name: 'Import 30 rows' }).click();
    await sees(finished);
    expect(await leadsStored()).toBe(28);
    await form.getByRole('button', { name: 'Close' }).click();
  });

  it('are told what became of their leads, signed and by postback', async () => {
    const { page } = visit;
    const stub = await startStub();
    await page.getByRole('button', { name: 'Callbacks of Festgeld' }).click();
    const form = dialog(page, 'Callbacks of Festgeld');
    await form.getByLabel('Address of the webhook').fill(`${stub.url}/hook`);
    await form.getByLabel('Address of the postback').fill(`${stub.url}/p?c={klick}`);
    await form.getByRole('button', { name: 'Save Callbacks' }).click();
    await sees(form.getByText(/^Unknown macro \{klick\}\. Available: \{clickId\}/));
    await form.getByLabel('Address of the postback').fill(`${stub.url}/p?c={clickId}&s={status}&b={buyer}`);
    await form.getByRole('group', { name: 'Events of the postback' }).getByLabel('Assigned').uncheck();
    await form.getByRole('button', { name: 'Save Callbacks' }).click();
    await seesMessage(page, 'Callbacks saved');
    const first = await form.getByLabel('New secret').inputValue();
    await form.getByRole('button', { name: 'Create Secret' }).click();
    await expect.poll(() => form.getByLabel('New secret').inputValue()).not.toBe(first);
    const second = await form.getByLabel('New secret').inputValue();
    await form.getByRole('button', { name: 'Send a test webhook' }).click();
    await sees(form.getByText('Delivered (status 200)'));
    const verified = (secret: string) => {
      const { body, headers } = stub.calls.findLast(({ url }) => url === '/hook')!;
      return new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string };
    };
    expect([verified(first).type, verified(second).type]).toEqual(['test', 'test']);
    await form.getByRole('button', { name: 'Revoke secret A' }).click();
    await agree(page, 'Revoke secret', /will refuse every webhook/, 'Revoke');
    await seesMessage(page, 'Secret revoked');
    await form.getByRole('button', { name: 'Close' }).click();

    await sendForm('Folge', '0170 2222222');
    await site.cloud.settled();
    await expect.poll(() => stub.calls.length).toBe(3);
    expect(verified(second)).toMatchObject({
      type: 'lead.pending',
      data: { clickId: 'click-7', buyer: null },
    });
    expect(() => verified(first)).toThrow('No matching signature');
    expect(stub.calls.map(({ url }) => url)).toContain('/p?c=click-7&s=pending&b=');

    stub.answer = () => ({ status: 410 });
    await page.getByRole('button', { name: 'Callbacks of Festgeld' }).click();
    await form.getByRole('tab', { name: 'Log' }).click();
    await sees(form.getByText('Pending, webhook'));
    await form.getByRole('button', { name: /^Resend Pending of lead .* by Webhook$/ }).click();
    await seesMessage(page, 'Callback queued again');
    await sees(form.getByText('The receiver is gone (410)', { exact: true }));
    const ids = stub.calls.flatMap(({ url, headers }) => (url === '/hook' ? [headers['webhook-id']] : []));
    expect(ids.at(-1)).toBe(ids.at(-2));
    await form.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Callbacks of Festgeld' }).click();
    await sees(form.getByText(/^Its receiver has answered 410 \(gone\) on /));
    await form.getByRole('button', { name: 'Turn on again' }).click();
    await form.getByText('Turned off', { exact: true }).waitFor({ state: 'detached' });

    await form.getByRole('tab', { name: 'Log' }).click();
    await form.getByRole('link').first().click();
    const told = page.getByRole('listitem').filter({ hasText: 'Source notified' });
    await sees(told.getByText('Pending, by postback'));
    await page.goBack();
    await sees(row(page, 'Sources', 'Festgeld').getByText('Live'));
    await stub.stop();
  });

  it('take in a file that is dropped, a hundred rows a call, from where the connection was lost', async () => {
    const { page } = visit;
    const folder = await mkdtemp(join(tmpdir(), 'lead-import-'));
    await writeFile(join(folder, 'many.csv'), fileOf(250, 0));
    await page.getByRole('button', { name: 'Import leads of Festgeld' }).click();
    const form = dialog(page, 'Import leads of Festgeld');
    await drop(page, join(folder, 'many.csv'), form.getByText('Drop a file here, or choose one'));
    await sees(form.getByText('many.csv: 250 rows'));
    await rm(folder, { recursive: true });
    const sent: string[] = [];
    await page.route('**/api/sources/1/leads', (route) => {
      const { leads } = route.request().postDataJSON() as { leads: { external_id: string }[] };
      const ids = leads.map(({ external_id }) => external_id);
      sent.push(`${ids[0]?.split(':')[1]} to ${ids.at(-1)?.split(':')[1]}`);
      const results = ids.map((external_id) => ({ external_id, status: 'accepted', lead_id: external_id }));
      return sent.length === 2 ? route.abort() : route.fulfill({ json: { results } });
    });
    await form.getByRole('button', { name: 'Import 250 rows' }).click();
    await sees(form.getByText('Import paused: 100 of 250 rows · Imported 100'));
    await form.getByRole('button', { name: 'Close' }).click();
    await dialog(page, 'Unsaved changes').getByRole('button', { name: 'Cancel' }).click();
    await form.getByRole('button', { name: 'Continue' }).click();
    await sees(form.getByText('Import finished: 250 of 250 rows · Imported 250'));
    expect(sent).toEqual(['2 to 101', '102 to 201', '102 to 201', '202 to 251']);
    await page.unroute('**/api/sources/1/leads');

    // With another file the paused import is given up, and closing asks nothing any more.
    await form.getByRole('button', { name: 'Another file' }).click();
    await page.route('**/api/sources/1/leads', (route) => route.abort());
    const few = { name: 'few.csv', mimeType: 'text/csv', buffer: fileOf(4, 0) };
    await form.getByLabel('File').setInputFiles(few);
    await form.getByRole('button', { name: 'Import 4 rows' }).click();
    await sees(form.getByText('Import paused: 0 of 4 rows'));
    await form.getByRole('button', { name: 'Another file' }).click();
    await sees(form.getByText('Drop a file here, or choose one'));
    await page.unroute('**/api/sources/1/leads');
    await form.getByRole('button', { name: 'Close' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('are edited, beside what somebody else has changed meanwhile', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Edit Festgeld' }).click();
    const form = dialog(page, 'Edit source Festgeld');
    await form.getByLabel('Leads per day').fill('200');
    await form.getByLabel('Source’s name for E-mail').fill('mail');
    await site.cloud.admin.ok('updateSource', {
      params: { sourceId: 1 },
      body: { in_total: 5000, mapping: { nachname: 'surname' } },
    });
    await form.getByRole('button', { name: 'Save Changes' }).click();
    const conflict = form.getByRole('group', { name: 'Field mapping' });
    await sees(conflict.getByText('nachname: name "last", email: mail'));
    await sees(conflict.getByText('nachname: surname'));
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await seesMessage(page, 'Source Festgeld saved');
    expect(await source()).toMatchObject({ per_day: 200, in_total: 5000, mapping: { nachname: 'surname' } });
  });

  it('take nothing in while they are paused', async () => {
    const { page } = visit;
    await choose('Paused');
    await sees(row(page, 'Sources', 'Festgeld').getByText('Paused'));
    expect(await sendForm('Spät', '0170 7654321')).toMatch(/^Das hat nicht geklappt/);
    expect((await source())?.total).toBe(29);
    expect(visit.problems).toEqual([]);
  });
});

describe('the figures of sources', () => {
  it('are shown for a period, with the claim rate of each buyer', async () => {
    const { page } = visit;
    const figures = row(page, 'Figures of sources', 'Festgeld');
    await sees(figures.getByRole('cell', { name: '29', exact: true }));
    const rates = row(page, 'Claim rates', 'Festgeld');
    await sees(rates.getByText('0 of 10').first());
    await page.getByLabel('To day').fill('2026-01-01');
    await sees(page.getByText(/^Of the leads that arrived from 03.12.2025 to 01.01.2026$/));
    await rates.waitFor({ state: 'detached' });
    await page.getByLabel('To day').fill('');
    await rates.waitFor();
  });

  it('tell on the dashboard that one fell silent', async () => {
    const { page, close } = await site.visitAsAdmin('/robots.txt');
    const silent = { source_id: 1, name: 'Festgeld', last_day: '2026-11-20', last_hour: 14, usual: 12 };
    await page.route('**/api/admin/silent-sources', (route) => route.fulfill({ json: [silent] }));
    await page.goto('/dashboard');
    await sees(
      page.getByText(/^Festgeld: no lead since 20.11.2026, 14:00 to 15:00. In this time 12 usually/),
    );
    await close();
  });
});

describe('the specification page of a source', () => {
  it('is opened by its link alone, which an admin copies, renews and switches off', async () => {
    const { page } = visit;
    const link = async () => (await source())?.specification_link;
    const first = await link();
    await page.getByRole('button', { name: 'Edit Festgeld' }).click();
    const form = dialog(page, 'Edit source Festgeld');
    await expect.poll(() => form.getByLabel('Link', { exact: true }).inputValue()).toBe(first);
    await form.getByRole('button', { name: 'Renew link' }).click();
    await agree(page, 'Renew link', /The old link stops working/, 'Renew');
    await seesMessage(page, 'Specification page has a new link');
    await expect.poll(() => form.getByLabel('Link', { exact: true }).inputValue()).toBe(await link());
    expect(await link()).not.toBe(first);

    const reader = await site.visit(new URL(first ?? '').pathname);
    await sees(reader.page.getByRole('heading', { name: 'This link is not valid' }));
    await reader.page.route('**/api/specifications/*', (route) => route.abort());
    await reader.page.goto(new URL((await link()) ?? '').pathname);
    await sees(reader.page.getByText('The specification could not be loaded.'));
    await reader.page.unroute('**/api/specifications/*');
    await reader.page.getByRole('button', { name: 'Try again' }).click();
    await sees(reader.page.getByRole('heading', { name: 'Posting leads: festgeld-lp' }));
    await sees(reader.page.getByText('This source is paused.'));
    await sees(reader.page.getByLabel('Form', { exact: true }));
    await sees(reader.page.getByLabel('Webhook', { exact: true }));
    await reader.close();

    await form.getByRole('button', { name: 'Turn off link' }).click();
    await agree(page, 'Turn off link', /Its link stops working permanently/, 'Turn off');
    await sees(form.getByText('The page is off.'));
    expect(await link()).toBeNull();
    await form.getByRole('button', { name: 'Turn on' }).click();
    await sees(form.getByLabel('Link', { exact: true }));
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  it.skipIf(!HAS_CURL)('is enough to post leads with curl', async () => {
    const { admin } = site.cloud;
    const body = { name: 'Own names', src: 'own', mapping: { nachname: "last 'name' =ü" } };
    const made = await admin.ok('createSource', { body: { ...body, defaults: { laufzeit: '12' } } });
    const params = { sourceId: made.source.source_id };
    const { key } = await admin.ok('createSourceKey', { params });
    const { page, problems, close } = await site.visit(
      new URL(made.source.specification_link ?? '').pathname,
    );
    await sees(page.getByRole('heading', { name: 'Posting leads: own' }));
    const texts = await page.locator('pre').allTextContents();
    const commands = texts.filter((text) => text.startsWith('curl'));
    expect(commands).toHaveLength(4);
    const posts = commands.slice(0, 3);
    const run = async (command: string) => {
      const { stdout } = await shell('sh', ['-c', command.replace('YOUR_KEY', key)]);
      const [head = '', answer = ''] = stdout.split('\r\n\r\n');
      return { status: Number(head.split(' ')[1]), answer: JSON.parse(answer) };
    };
    const runAll = async () => {
      const rows = [];
      for (const post of posts) {
        const { status, answer } = await run(post);
        expect(status).toBe(202);
        rows.push(...answer.results);
      }
      return rows;
    };
    const documented = (label: string) => page.getByLabel(label, { exact: true }).textContent();
    const inTest = await runAll();
    expect(inTest[0]).toMatchObject({ external_id: 'example-1', status: 'test' });
    expect(inTest.map(({ status }) => status)).toEqual(['test', 'test', 'test', 'test']);
    expect(JSON.parse((await documented('Answer to one lead')) ?? '').results[0].status).toBe('test');

    await admin.ok('updateSource', { params, body: { state: 'live' } });
    const live = await runAll();
    expect(live.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    expect(await runAll()).toEqual(live);
    await site.cloud.settled();
    const asked = await run(commands[3] ?? '');
    // The rows of the file have filled the order.
    expect(asked.answer).toMatchObject({ external_id: 'example-1', state: 'pending' });
    const shown = Object.keys(JSON.parse((await documented('Answer about a lead')) ?? ''));
    expect(Object.keys(asked.answer).toSorted()).toEqual(shown.toSorted());
    expect((await run(posts[0]?.replace('Anna', 'Berta') ?? '')).status).toBe(409);
    const invalid = await run(posts[0]?.replace('@', ' at ').replace('example-1', 'example-9') ?? '');
    const { results } = JSON.parse((await documented('Answer to an invalid lead')) ?? '');
    expect(invalid.answer).toEqual({ results: [{ ...results[0], external_id: 'example-9' }] });

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(page), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });
});

/** Those that were assigned, and those that wait. */
async function leadsStored(): Promise<number> {
  await site.cloud.settled();
  const { buyers } = await site.cloud.admin.ok('listBuyers');
  const stats = await site.cloud.admin.ok('getDashboardStats');
  return (buyers[0]?.leads_received ?? 0) + stats.ineligible_leads_count;
}

/** Drops a file from outside of the browser, as the mouse of a person does. */
async function drop(page: Page, file: string, on: Locator): Promise<void> {
  const { x, y, width, height } = (await on.boundingBox())!;
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  await devtools.detach();
}

/** As Excel writes it in Germany: semicolons, and one byte a letter. The first rows have no e-mail address that is one. */
function fileOf(rows: number, bad: number): Buffer {
  const lines = Array.from({ length: rows }, (_, at) =>
    [
      'Frau',
      'Käthe',
      'Muster',
      at < bad ? 'nobody' : `row${at}@example.org`,
      `0170 ${2_000_000 + at}`,
      '25.000,50',
    ].join(';'),
  );
  const heads = 'Anrede;Vorname;Nachname;E-Mail;Erreichbar unter;Anlagebetrag';
  return Buffer.from([heads, ...lines].join('\r\n'), 'latin1');
}

async function choose(state: string): Promise<void> {
  const { page } = visit;
  await page.getByRole('button', { name: 'Change state of Festgeld' }).click();
  const form = dialog(page, 'State of Festgeld');
  await form.getByRole('radio', { name: state }).check();
  await form.getByRole('button', { name: 'Save State' }).click();
  await form.waitFor({ state: 'detached' });
}
