import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type EndpointId, routes } from '#shared/contract/routes';
import { type EndpointSchemas, schemas } from '#shared/contract/schemas';
import { SECRET_MASK } from '#shared/rules/constants';
import { aBuyerRequest } from '#test/factories/buyers';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { aTemplateRequest } from '#test/factories/templates';
import { cloudOfFile, it } from '#test/harness/fixtures';
import {
  type JsonSchema,
  operationOf,
  publishedSchema,
  validBy,
  violations,
} from '#test/harness/published-schema';

const cloud = cloudOfFile();
/** The ID of a buyer without an order. */
const known = 'known';
it.beforeAll(async () => {
  await cloud.admin.ok('createBuyer', { body: aBuyerRequest({ buyer_id: known }) });
});

const ids = Object.keys(routes) as EndpointId[];

const refusalsOf = (id: EndpointId) => Object.keys((schemas[id] as EndpointSchemas).refusals ?? {});

/** `code`, or `code.field` for a single field, of an answer with status 400. */
function refusalName(code: string, fields: Readonly<Record<string, string>> = {}): string {
  const [field, ...others] = Object.keys(fields);
  return code === 'invalid_input' && field !== undefined && others.length === 0 ? `${code}.${field}` : code;
}

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const TOKEN = 'A'.repeat(43);
const PARAMS: Record<string, string> = {
  buyerId: 'nobody',
  orderId: '999',
  claimId: '999',
  leadId: ULID,
  id: ULID,
  token: TOKEN,
  subscription: `1-claim_decided-${TOKEN}`,
  format: 'csv',
  part: 'original',
  channel: 'email',
  sourceId: '999',
  slot: 'a',
  endpoint: 'webhook',
  callbackId: 'webhook_lead_assigned_1',
  webhookId: '999',
  eventId: 'order-1_order_full_5',
  externalId: 'form-1',
  username: 'nobody',
  passkeyId: 'AAAA',
  invitationId: ULID,
  sessionId: ULID,
  erasureId: ULID,
  listId: ULID,
  number: '1',
  buyer: '999',
  keyId: ULID,
};
/** Channels with a console. */
const paramsOf = (id: EndpointId) => (id === 'tryChannel' ? { ...PARAMS, channel: 'http' } : PARAMS);
const pathOf = (id: EndpointId, params: Record<string, string> = paramsOf(id)) =>
  routes[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

const ASSERTION = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

/** Valid bodies, possibly with unknown IDs. */
const BODIES: Partial<Record<EndpointId, Record<string, unknown>>> = {
  login: { username: 'nobody', password: 'wrong' },
  viewInvitation: { token: TOKEN },
  acceptInvitation: { token: TOKEN, password: 'a password of mine' },
  changePassword: { current_password: 'wrong', password: 'a password of mine' },
  reauthenticate: { password: 'wrong' },
  passkeyLogin: { ticket: TOKEN, response: ASSERTION },
  finishLogin: { ticket: TOKEN, code: 'AAAA-BBBB' },
  addPasskey: {
    ticket: TOKEN,
    name: 'Laptop',
    response: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: ['internal'] },
    },
  },
  requirePasskeys: { demanded: true },
  inviteAdmin: { username: 'new.admin', email: 'new@example.org' },
  createApiKey: { name: 'Make', scopes: ['read'] },
  resetAdmin: { email: 'nobody@example.org' },
  changeRole: { role: 'viewer', exports_personal_data: true },
  createBuyer: aBuyerRequest({ buyer_id: 'walker' }),
  updateBuyer: {
    probability: 1,
    min_investment: 100,
    custom_data_mapping: {},
    max_claim_days: 7,
    decision_days: 10,
    default_decision: 'approve',
    claim_quota_percent: 15,
  },
  changeWeights: { buyers: [{ buyer_id: 'nobody', probability: 1, expected: 0 }] },
  deleteBuyer: { links: 'off' },
  createOrder: { buyer_id: 'nobody', lead_limit: 5, use_balance: false, balance_amount: 0 },
  updateOrderLimit: { lead_limit: 5 },
  updateOrderRenewal: { renewal: 'ask' },
  decideReorder: { decision: 'declined' },
  requestReorder: { lead_limit: 5 },
  updateOrderComments: { comments: 'text' },
  assignPendingLead: { buyer_id: 'nobody', vorname: 'Erika', anlagebetrag: '10.000,50' },
  createLead: aLeadRequest({ buyer_id: 'nobody', consent: aSentConsent() }),
  updateLead: { vorname: 'Erika' },
  beginErasure: { lead_ids: [ULID] },
  withdrawConsent: { lead_ids: [ULID] },
  beginKnownPeople: { buyer_id: 'nobody', name: 'people.csv', file: TOKEN },
  addKnownPeople: { hashes: [TOKEN], people: 1 },
  openKeptConsent: { reason: 'Asked by the authority' },
  fileClaim: { lead_id: ULID, order_id: 1, buyer_id: 'nobody', claim_reason: 'doppelt' },
  approveClaim: { admin_notes: 'ok' },
  rejectClaim: { admin_notes: 'ok' },
  reverseClaim: { admin_notes: 'ok' },
  confirmLinkCode: { code: '12345678' },
  changeNotificationPreferences: { weekly_statement: true },
  saveFeedback: { feedback: 'reached' },
  requestNewLink: { token: TOKEN },
  simulate: { days: 7, buyers: [{ buyer_id: 'nobody', probability: 5 }] },
  saveRetention: { pending: 90, delivered: null },
  saveAlertSettings: {
    emails: ['me@example.org'],
    order_full: { email: true, push: false, threshold: null },
    replacements_owed: { email: true, push: true, threshold: 3 },
  },
  sendTestAlert: { medium: 'email' },
  saveCompany: { name: 'Muster GmbH', address: 'Weg 1\n12345 Berlin', imprint_url: '' },
  saveStatusPage: { public: false },
  saveVerificationSettings: { email_verification: true },
  createEmailTemplate: aTemplateRequest({ smtp_host: 'mail.example.org', smtp_port: 587 }),
  updateEmailTemplate: { name: 'Template' },
  tryChannel: {
    buyer_id: 'nobody',
    http_method: 'POST',
    http_url: 'https://partner.example/leads',
    http_headers: [{ name: 'x-partner', value: '1' }],
    http_body: '{}',
    http_rules: [{ subject: 'status', path: '', value: '409', verdict: 'duplicate' }],
  },
  sendTestEmail: { to: 'me@example.org' },
  tryEmailTemplate: {
    ...aTemplateRequest({ smtp_host: 'mail.example.org', smtp_port: 587 }),
    to: 'me@example.org',
  },
  savePushoverTemplate: { template: '$$status$$' },
  createPushoverCredential: { user_key: 'u'.repeat(30), app_key: 'a'.repeat(30) },
  updatePushoverCredential: { notify_lead_claims: true },
  updateEndpoints: {
    webhook: { url: 'https://source.example/hook', events: ['lead.assigned'] },
    postback: { url: 'https://tracker.example/?c={clickId}', events: ['lead.assigned', 'claim.approved'] },
  },
  createWebhook: { name: 'CRM', url: 'https://crm.example/hook', events: ['order.full', 'lead.assigned'] },
  updateWebhook: { events: ['claim.filed'] },
  createSource: { name: 'Page', src: 'page', mapping: { email: 'mail' }, addresses: ['203.0.113.0/24'] },
  updateSource: { state: 'live', per_day: null },
  addConsentText: { text: 'I agree to be called.' },
  importLeads: { leads: [{ external_id: 'file:1' }], dry_run: '' },
  postIntake: { leads: [{ external_id: 'form-1' }] },
};

/** Values that no field may accept. */
const NONSENSE: readonly unknown[] = [
  {},
  [],
  [[]],
  { $ne: null },
  'x'.repeat(100_001),
  'a\u0000b',
  -1e308,
  1e308,
  '1e999',
  '🦄'.repeat(2000),
];

const expectError = (reply: { readonly body: unknown }) => {
  expect(reply.body).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/^[a-z_]+$/) });
  // Users read the text, so it contains no technical names.
  const { error } = reply.body as { readonly error: string };
  expect(error).not.toMatch(/[a-z]_[a-z]|^[a-z]\w*:/);
};

/** The API document must list the status for this call. */
const expectDocumented = (id: EndpointId, reply: { readonly status: number }, what = '') =>
  expect(Object.keys(operationOf(id).responses), `${id} ${what}`).toContain(String(reply.status));

it('answers every endpoint of the contract', async () => {
  const missing: string[] = [];
  for (const id of ids) {
    const { method } = routes[id];
    if (id === 'logout') continue;
    const reply = await cloud.admin.raw(
      method,
      pathOf(id),
      method === 'GET' ? undefined : (BODIES[id] ?? {}),
    );
    if (reply.status < 500) expectDocumented(id, reply);
    else missing.push(`${id} ${reply.status} ${JSON.stringify(reply.body).slice(0, 80)}`);
  }
  expect(missing).toEqual([]);
});

describe('bad input', () => {
  const withBody = ids.filter((id) => 'body' in schemas[id]);

  it('has a sample body for every endpoint with a body', () => {
    expect(withBody.filter((id) => BODIES[id] === undefined)).toEqual([]);
  });

  it.each(withBody)('%s answers invalid values in any field with a clear 4xx', async (id) => {
    const { method } = routes[id];
    const sample = BODIES[id] ?? {};
    for (const field of Object.keys(sample)) {
      for (const value of NONSENSE) {
        const reply = await cloud.admin.raw(method, pathOf(id), { ...sample, [field]: value });
        const what = `${id}.${field} = ${JSON.stringify(value)?.slice(0, 40)}`;
        expectDocumented(id, reply, what);
        if (reply.status >= 400) expectError(reply);
      }
      const { [field]: _, ...without } = sample;
      const reply = await cloud.admin.raw(method, pathOf(id), without);
      expectDocumented(id, reply, `without ${field}`);
    }
  });

  it.each(ids.filter((id) => routes[id].path.includes('{')))('%s answers 4xx to odd ids', async (id) => {
    const { method } = routes[id];
    for (const odd of ['..', '%00', 'ü', "' OR 1=1", 'x'.repeat(300), '-1', '9'.repeat(30), '__proto__']) {
      const params = Object.fromEntries(Object.keys(PARAMS).map((name) => [name, odd]));
      const reply = await cloud.admin.raw(
        method,
        pathOf(id, params),
        method === 'GET' ? undefined : (BODIES[id] ?? {}),
      );
      // A client resolves `..` to another path, which may not have this method.
      if (odd !== '..' || reply.status !== 405) expectDocumented(id, reply, odd);
    }
  });

  it.each(ids.filter((id) => 'query' in schemas[id]))('%s answers 4xx to odd queries', async (id) => {
    for (const query of [
      '?page=-1&limit=7',
      '?limit=abc',
      '?time_range=5',
      '?cursor=%00',
      '?sort_by=password',
      '?token=x',
      '?q=',
      '?search=%25%00',
      '?claim_status=maybe',
      '?order_id=x',
      '?buyer_id=a%20b',
    ]) {
      const { method } = routes[id];
      const reply = await cloud.admin.raw(
        method,
        pathOf(id) + query,
        method === 'GET' ? undefined : (BODIES[id] ?? {}),
      );
      expectDocumented(id, reply, query);
    }
  });
});

const rules = [{ subject: 'status', path: '', value: '409', verdict: 'duplicate' }];
const LISTS_OF_BUYER = {
  schedule: { weekdays: [1], from: '08:00', to: '18:00', holidays_off: false },
  http_method: 'POST',
  http_url: 'https://partner.example/leads',
  http_headers: [{ name: 'x-partner', value: '1' }],
  http_body: '{}',
  http_rules: rules,
  heroleads_rules: rules,
  sellanylead_rules: rules,
};
const LISTS_OF_SOURCE = { origins: ['https://a.example'], addresses: ['127.0.0.0/8'] };
let people = 0;
/** Bodies with one existing entry in each list. */
let listId: string = ULID;
/** The first source is there before these tests. */
const LISTS_OF_SOURCES = { sources_allowed: [], sources_excluded: [1] };
const WITH_LISTS: Partial<Record<EndpointId, () => object | Promise<object>>> = {
  addPasskey: () => ({ ...BODIES.addPasskey }),
  createApiKey: () => ({ name: 'A list', scopes: ['read'] }),
  createBuyer: () => aBuyerRequest({ ...LISTS_OF_BUYER, ...LISTS_OF_SOURCES } as object),
  updateBuyer: () => ({ ...LISTS_OF_BUYER, ...LISTS_OF_SOURCES }),
  changeWeights: () => ({ buyers: [{ buyer_id: known, probability: 2 }] }),
  simulate: () => ({ days: 7, buyers: [{ buyer_id: known, probability: 2, ...LISTS_OF_SOURCES }] }),
  tryChannel: () => {
    const { schedule: _, ...settings } = LISTS_OF_BUYER;
    return { buyer_id: known, ...settings };
  },
  createLead: () => aLeadRequest({ consent: aSentConsent() }),
  beginErasure: async () => ({
    lead_ids: [(await cloud.admin.ok('createLead', { body: aLeadRequest() })).lead_id],
  }),
  addKnownPeople: async () => {
    const body = { buyer_id: null, name: 'people.csv', file: TOKEN };
    listId = (await cloud.admin.ok('beginKnownPeople', { body })).list.list_id;
    return { hashes: [TOKEN], people: 1 };
  },
  // Of another person each time, because its new leads are refused.
  withdrawConsent: async () => {
    people += 1;
    const body = aLeadRequest({
      email: `withdrawn${people}@example.org`,
      telefon: `+49 151 ${10_000_000 + people}`,
    });
    return { lead_ids: [(await cloud.admin.ok('createLead', { body })).lead_id] };
  },
  saveAlertSettings: () => ({ emails: ['me@example.org'] }),
  createSource: () => ({ name: 'Page', src: 'page', ...LISTS_OF_SOURCE }),
  updateSource: () => LISTS_OF_SOURCE,
  updateEndpoints: () => ({ ...BODIES.updateEndpoints }),
  createWebhook: () => ({ ...BODIES.createWebhook }),
  updateWebhook: () => ({ ...BODIES.updateWebhook }),
  importLeads: () => ({ leads: [aPostedLead()] }),
  postIntake: () => ({ leads: [aPostedLead()] }),
};

/** The paths of lists in a schema, such as `schedule.weekdays`. `expected` repeats them. */
function listsIn({ properties = {}, items, anyOf = [] }: JsonSchema, path = ''): string[] {
  return [
    ...(items === undefined ? [] : [path, ...listsIn(items, path)]),
    ...anyOf.flatMap((one) => listsIn(one, path)),
    ...Object.entries(properties).flatMap(([name, one]) =>
      name === 'expected' ? [] : listsIn(one, path === '' ? name : `${path}.${name}`),
    ),
  ];
}

function listsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((one) => listsOf(one, path))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => listsOf(one, path === '' ? name : `${path}.${name}`));
}

/** JSON with every entry of every list twice. */
const doubled = (body: object) =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    Array.isArray(value) ? [...value, ...value] : value,
  ) as object;

describe('a list with every entry twice', () => {
  const withLists = ids.filter(
    (id) => 'body' in schemas[id] && listsIn(publishedSchema(id, 'body')!).length > 0,
  );
  let [sourceId, webhookId] = [0, 0];
  let key = '';
  it.beforeAll(async () => {
    const { source } = await cloud.admin.ok('createSource', { body: { name: 'Page', src: 'page' } });
    sourceId = source.source_id;
    const { webhook } = await cloud.admin.ok('createWebhook', {
      body: { name: 'CRM', url: 'https://crm.example/hook', events: ['claim.filed'] },
    });
    webhookId = webhook.webhook_id;
    const params = { sourceId };
    await cloud.admin.ok('updateSource', { params, body: { state: 'live' } });
    ({ key } = await cloud.admin.ok('createSourceKey', { params }));
  });

  it.each(withLists)('is deduplicated or rejected by %s', async (id) => {
    const make = WITH_LISTS[id];
    if (make === undefined) throw new Error(`${id} takes a list: it needs a sample`);
    const sample = await make();
    expect(new Set(listsOf(sample))).toEqual(new Set(listsIn(publishedSchema(id, 'body')!)));
    const existing = { buyerId: known, sourceId: String(sourceId), webhookId: String(webhookId), listId };
    const path = pathOf(id, { ...paramsOf(id), ...existing });
    const headers: Record<string, string> = id === 'postIntake' ? { authorization: `Bearer ${key}` } : {};
    const send = (body: object) => cloud.admin.raw(routes[id].method, path, body, headers);
    const once = await send(await make());
    if (id !== 'addPasskey') expect(once.status, `${id} ${JSON.stringify(once.body)}`).toBeLessThan(300);
    const twice = await send(doubled(await make()));
    expect(twice.status, `${id} ${JSON.stringify(twice.body)}`).toBeLessThan(500);
    expectDocumented(id, twice);
  });

  it('is stored once', async () => {
    const twice = ['https://a.example', 'https://A.example:443', 'https://a.example', 'http://a.example'];
    const body = { name: 'Page', src: 'page', origins: twice, addresses: ['203.0.113.7', '203.0.113.7'] };
    const { source } = await cloud.admin.ok('createSource', { body });
    expect(source).toMatchObject({
      origins: ['https://a.example', 'http://a.example'],
      addresses: ['203.0.113.7'],
    });
  });
});

describe('input valid by the API document', () => {
  const withBody = ids.filter((id) => 'body' in schemas[id] && id !== 'login');

  it.each(withBody)('%s accepts its format', async (id) => {
    const published = publishedSchema(id, 'body')!;
    for (const body of fc.sample(validBy(published), { numRuns: 10, seed: 1 })) {
      const reply = await cloud.admin.raw(routes[id].method, pathOf(id), body);
      expectDocumented(id, reply, JSON.stringify(body));
      if (reply.status !== 400) continue;
      const { code, fields } = reply.body as { code: string; fields?: Record<string, string> };
      expect(refusalsOf(id), `${id} ${JSON.stringify([body, reply.body])}`).toContain(
        refusalName(code, fields),
      );
    }
  });

  it.each([
    ['createBuyer', { use_trackbox_api: true, trackbox_domain: '' }],
    ['createBuyer', { send_email: true, email_template_id: null }],
    ['createOrder', { buyer_id: known, use_balance: 1, balance_amount: null }],
    ['createEmailTemplate', { smtp_pass: SECRET_MASK, copy_of: undefined }],
  ] as const)('%s rejects input that breaks its rule across fields', async (id, breaking) => {
    const published = publishedSchema(id, 'body')!;
    for (const valid of fc.sample(validBy(published), { numRuns: 5, seed: 1 })) {
      const body = { ...(valid as object), ...breaking };
      expect(violations(published, JSON.parse(JSON.stringify(body)))).not.toEqual([]);
      expect((await cloud.admin.raw('POST', pathOf(id), body)).status).toBe(400);
    }
  });

  it('includes the samples, except for numbers as text', () => {
    const refused = withBody.flatMap((id) =>
      violations(publishedSchema(id, 'body')!, BODIES[id]).map(({ instancePath }) => id + instancePath),
    );
    expect(refused).toEqual(['assignPendingLead/anlagebetrag']);
  });
});

it('answers a URL that is too long with 431 and an error body', async () => {
  const reply = await cloud.admin.raw('GET', `/api/admin/audit?cursor=${'x'.repeat(20_000)}`);
  expect(reply.status).toBe(431);
  expectError(reply);
});

it.each(['GET', 'PATCH'])('answers %s of an unknown path with 404 and an error body', async (method) => {
  const reply = await cloud.admin.raw(method, '/api/nothing/here');
  expect(reply.status).toBe(404);
  expectError(reply);
});
