import { describe, expect } from 'vitest';
import { templateSchema } from '#functions/data/administration/template';
import { keys } from '#functions/data/table/keys';
import { SECRET_MASK } from '#shared/rules/constants';
import { SECRET_AGAIN_TEXT } from '#shared/rules/destinations';
import { aBuyerRequest } from '#test/factories/buyers';
import { aTemplateRequest, type TemplateRequest } from '#test/factories/templates';
import { Client } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();

const body = (changes: Partial<TemplateRequest> = {}) =>
  aTemplateRequest({ smtp_port: cloud.inbox.port, smtp_body: 'Guten Tag $$vorname$$', ...changes });
const create = async (changes: Parameters<typeof body>[0] = {}) =>
  (await cloud.admin.ok('createEmailTemplate', { body: body(changes) })).template;
const stored = async (id: string) => templateSchema.parse(await cloud.table.get(keys.template(id)));
const auditOf = async (entity: 'template' | 'setting') =>
  (await cloud.admin.ok('listAudit', { query: { entity } })).entries;

it('the status page is private until an admin makes it public, and can be made private again', async () => {
  const visitor = new Client(cloud.url);
  const closed = { public: false, error_percent: 2, ranges: [] };
  expect(await cloud.admin.ok('getStatusPage')).toEqual({ public: false });
  expect(await visitor.ok('getStatus')).toEqual(closed);
  await cloud.admin.ok('saveStatusPage', { body: { public: true, expected: { public: false } } });
  // No lead has arrived, so it is empty.
  expect(await visitor.ok('getStatus')).toEqual({
    public: true,
    error_percent: 2,
    ranges: [1, 7, 30].map((days) => ({ days, series: [] })),
  });
  expect((await auditOf('setting'))[0]).toMatchObject({
    entity_id: 'status-page',
    changes: [{ field: 'public', from: false, to: true }],
  });
  await cloud.admin.ok('saveStatusPage', { body: { public: false } });
  expect(await visitor.ok('getStatus')).toEqual(closed);
});

it('the company details are public, each can be set and cleared alone, and links must use https', async () => {
  const visitor = new Client(cloud.url);
  const none = { name: '', address: '', imprint_url: '', privacy_url: '', privacy_contact: '' };
  expect(await visitor.ok('getCompany')).toEqual(none);
  const company = {
    name: 'Muster GmbH',
    address: 'Weg 1\n12345 Berlin',
    imprint_url: 'https://muster.example/impressum',
    privacy_url: 'https://muster.example/datenschutz?a=1#b',
    privacy_contact: 'datenschutz@muster.example',
  };
  expect(await cloud.admin.ok('saveCompany', { body: company })).toMatchObject({ company });
  await cloud.admin.ok('saveCompany', { body: { imprint_url: '' } });
  expect(await visitor.ok('getCompany')).toEqual({ ...company, imprint_url: '' });
  expect((await auditOf('setting'))[0]).toMatchObject({
    entity_id: 'company',
    changes: [{ field: 'imprint_url', from: company.imprint_url, to: '' }],
  });
  for (const address of ['http://muster.example', 'javascript:alert(1)', 'https://', 'https://a b.example'])
    expect(await cloud.admin.call('saveCompany', { body: { privacy_url: address } })).toMatchObject({
      status: 400,
      body: { fields: { privacy_url: 'Enter an address that begins with https://' } },
    });
  await cloud.admin.ok('saveCompany', { body: none });
  expect(await visitor.ok('getCompany')).toEqual(none);
});

describe('e-mail templates', () => {
  it('are created and listed without their password', async () => {
    const template = await create();
    expect(template).toMatchObject({
      name: 'Standard',
      smtp_pass: SECRET_MASK,
      smtp_from: '',
      smtp_html_body: '',
    });
    const list = await cloud.admin.ok('listEmailTemplates');
    expect(list.map(({ id }) => id)).toContain(template.id);
    expect(JSON.stringify(await cloud.table.get(keys.template(template.id)))).not.toContain('planted-smtp');
  });

  it('keep their password until a new one is set, which is audited without its value', async () => {
    const { id } = await create();
    const { smtp_pass } = await stored(id);
    const change = (body: object) => cloud.admin.ok('updateEmailTemplate', { params: { id }, body });
    for (const same of [{}, { smtp_pass: SECRET_MASK }]) {
      expect(await change({ name: 'Neu', ...same })).toMatchObject({
        message: 'Email template updated successfully',
        template: { name: 'Neu' },
      });
      expect(await stored(id)).toMatchObject({ smtp_pass, smtp_host: 'localhost' });
    }
    await change({ smtp_pass: 'another-planted-one' });
    expect((await stored(id)).smtp_pass).not.toBe(smtp_pass);
    const [entry] = await auditOf('template');
    expect(entry?.changes).toEqual([{ field: 'smtp_pass', from: SECRET_MASK, to: 'changed' }]);
  });

  it('can be copied with their password', async () => {
    const original = await create();
    const copy = await create({ name: 'Standard (Copy)', smtp_pass: SECRET_MASK, copy_of: original.id });
    expect(copy.id).not.toBe(original.id);
    expect((await stored(copy.id)).smtp_pass).toBe((await stored(original.id)).smtp_pass);
    const none = await cloud.admin.call('createEmailTemplate', { body: body({ smtp_pass: SECRET_MASK }) });
    expect(none).toMatchObject({ status: 400, body: { fields: { smtp_pass: 'Required' } } });
  });

  it.each([
    { smtp_host: 'mail.attacker.example' },
    { smtp_port: 2526 },
    { smtp_user: 'somebody@else.example' },
  ])('require the password again for another destination: %j', async (elsewhere) => {
    const { id } = await create();
    const before = await stored(id);
    const refusal = {
      status: 400,
      body: { code: 'secret_required', fields: { smtp_pass: SECRET_AGAIN_TEXT } },
    };
    for (const masked of [{}, { smtp_pass: SECRET_MASK }])
      expect(
        await cloud.admin.call('updateEmailTemplate', { params: { id }, body: { ...elsewhere, ...masked } }),
      ).toMatchObject(refusal);
    expect(await stored(id)).toEqual(before);
    const copy = body({ ...elsewhere, smtp_pass: SECRET_MASK, copy_of: id });
    expect(await cloud.admin.call('createEmailTemplate', { body: copy })).toMatchObject(refusal);
    await cloud.admin.ok('updateEmailTemplate', {
      params: { id },
      body: { ...elsewhere, smtp_pass: 'entered-again' },
    });
    expect(await stored(id)).toMatchObject(elsewhere);
  });

  it.each([
    [{ smtp_port: 25 }, { smtp_port: 587 }],
    [{ smtp_body: '' }, { smtp_body: 'Lead' }],
  ])('of an earlier version with %j can only be changed to a valid one', async (old, mended) => {
    const { id } = await create();
    const before = { ...(await stored(id)), ...old };
    await cloud.table.put({ put: { ...keys.template(id), ...before } });
    const [field] = Object.keys(mended);
    const call = (body: object) => cloud.admin.call('updateEmailTemplate', { params: { id }, body });
    expect(await call({ name: 'Neu' })).toMatchObject({
      status: 400,
      body: { code: 'unusable_template', fields: { [field!]: expect.any(String) } },
    });
    const seen = Object.fromEntries(Object.entries(before).filter(([name]) => name in mended));
    const reply = await call({ ...mended, smtp_pass: 'entered-again', expected: seen });
    expect(reply).toMatchObject({ status: 200, body: { template: mended } });
  });

  it('cannot be deleted while used, and the error lists the buyers', async () => {
    const { id } = await create();
    await cloud.admin.ok('createBuyer', {
      body: aBuyerRequest({ buyer_id: 'user-of-it', send_email: true, email_template_id: id }),
    });
    const reply = await cloud.admin.call('deleteEmailTemplate', { params: { id } });
    expect(reply).toMatchObject({ status: 409, body: { code: 'template_in_use' } });
    expect((reply.body as { error: string }).error).toContain('user-of-it');
    await cloud.admin.ok('deleteBuyer', { params: { buyerId: 'user-of-it' } });
    expect(await cloud.admin.ok('deleteEmailTemplate', { params: { id } })).toEqual({
      message: 'Email template deleted successfully',
    });
    expect((await cloud.admin.call('deleteEmailTemplate', { params: { id } })).status).toBe(404);
    expect((await cloud.admin.call('updateEmailTemplate', { params: { id }, body: {} })).status).toBe(404);
  });

  it('can be sent as a test', async () => {
    const { id } = await create();
    cloud.inbox.clear();
    const sent = await cloud.admin.ok('sendTestEmail', { params: { id }, body: { to: 'me@admin.example' } });
    expect(sent).toMatchObject({ ok: true, message: 'Test email sent to me@admin.example' });
    expect(cloud.inbox.mails).toHaveLength(1);
    expect(cloud.inbox.mails[0]).toMatchObject({
      to: ['me@admin.example'],
      text: expect.stringContaining('Guten Tag Test'),
    });
    cloud.inbox.mode = 'auth-fail';
    const failed = await cloud.admin.ok('sendTestEmail', {
      params: { id },
      body: { to: 'me@admin.example' },
    });
    cloud.inbox.mode = 'ok';
    expect(failed).toMatchObject({ ok: false, detail: expect.stringContaining('535') });
    expect(JSON.stringify(failed)).not.toContain('planted-smtp-password');
  });

  describe('that are unsaved', () => {
    const tried = (changes: Partial<TemplateRequest>) =>
      cloud.admin.call('tryEmailTemplate', { body: { ...body(changes), to: 'me@admin.example' } });
    const names = async () => (await cloud.admin.ok('listEmailTemplates')).map(({ name }) => name);

    it('can be sent as a test, with example link, order number and lead number', async () => {
      cloud.inbox.clear();
      const before = await names();
      const sent = await tried({ name: 'Versuch', smtp_body: '$$order_lead_id$$: $$leads_link$$' });
      expect(sent).toMatchObject({ status: 200, body: { ok: true } });
      expect(cloud.inbox.mails.map(({ text }) => text.trim())).toEqual([`12-3: ${cloud.url}/leads/example`]);
      expect(await names()).toEqual(before);
    });

    it('use the stored password only for its own server', async () => {
      const { id } = await create();
      const masked = { smtp_pass: SECRET_MASK, copy_of: id };
      cloud.inbox.clear();
      expect(await tried(masked)).toMatchObject({ status: 200, body: { ok: true } });
      for (const elsewhere of [
        { smtp_host: '127.0.0.1' },
        { smtp_port: 2526 },
        { smtp_user: 'else@leads.example' },
      ])
        expect(await tried({ ...masked, ...elsewhere })).toMatchObject({
          status: 400,
          body: { code: 'secret_required', fields: { smtp_pass: SECRET_AGAIN_TEXT } },
        });
      expect(await tried({ smtp_pass: SECRET_MASK })).toMatchObject({ status: 400 });
      expect(cloud.inbox.mails).toHaveLength(1);
    });
  });
});

describe('push notifications', () => {
  const user_key = `u${'A1'.repeat(14)}Wxyz`.slice(0, 30);
  const app_key = `a${'B2'.repeat(14)}Mnop`.slice(0, 30);
  const add = async () =>
    (
      await cloud.admin.ok('createPushoverCredential', {
        body: { user_key, app_key, notify_lead_assignment: true },
      })
    ).credential;

  it('have credentials with only the last four characters visible', async () => {
    const credential = await add();
    expect(credential).toMatchObject({
      user_key: `${SECRET_MASK}${user_key.slice(-4)}`,
      app_key: `${SECRET_MASK}${app_key.slice(-4)}`,
      notify_lead_assignment: true,
      notify_lead_claims: false,
    });
    const { credential: changed } = await cloud.admin.ok('updatePushoverCredential', {
      params: { id: credential.id },
      body: { notify_lead_claims: true },
    });
    expect(changed).toMatchObject({ notify_lead_assignment: true, notify_lead_claims: true });
    expect(await cloud.admin.ok('listPushoverCredentials')).toEqual([changed]);
    await cloud.admin.ok('deletePushoverCredential', { params: { id: credential.id } });
    expect(await cloud.admin.ok('listPushoverCredentials')).toEqual([]);
    expect(
      (await cloud.admin.call('deletePushoverCredential', { params: { id: credential.id } })).status,
    ).toBe(404);
  });

  it('have a text with known macros only', async () => {
    expect((await cloud.admin.ok('getPushoverTemplate')).template).toContain('$$status$$');
    const saved = await cloud.admin.ok('savePushoverTemplate', { body: { template: 'Neu: $$nachname$$' } });
    expect(saved).toEqual({ message: 'Template saved successfully', template: 'Neu: $$nachname$$' });
    expect(await cloud.admin.ok('getPushoverTemplate')).toEqual({ template: 'Neu: $$nachname$$' });
    for (const template of ['$$laufzeit$$', ' '])
      expect((await cloud.admin.call('savePushoverTemplate', { body: { template } })).status).toBe(400);
  });

  it('can be sent as a test', async () => {
    const { id } = await add();
    expect(await cloud.admin.ok('sendTestPush', { params: { id } })).toMatchObject({ ok: true });
    cloud.partners.modes.pushover = 'wrong-credentials';
    const failed = await cloud.admin.ok('sendTestPush', { params: { id } });
    cloud.partners.modes.pushover = 'ok';
    expect(failed).toMatchObject({
      ok: false,
      detail: expect.stringContaining('application token is invalid'),
    });
    await cloud.admin.ok('deletePushoverCredential', { params: { id } });
  });
});
