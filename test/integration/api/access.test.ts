/**
 * Access rights of all calls. Calls without a session are listed by hand from the specification; all others are for admins. The
 * expectation must not come from the contract: a route opened there by mistake would be open here as well.
 */

import { describe, expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import { keys } from '#functions/data/table/keys';
import { personToken } from '#functions/domain/leads/person-links';
import { unsubscribeToken } from '#functions/domain/orders/notification-preferences';
import { createKeyLoader } from '#functions/keys/keys';
import { routes } from '#shared/contract/routes';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';
import { bearer, codeOf } from '#test/harness/admins';
import { ADMIN as ACCOUNT, addAdmin, Client, openOrder, tokenOf } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const EVERYBODY = `
  POST /api/join
  POST /api/login/passkey
  POST /api/login/passkey-options
  POST /api/login/second-factor
  POST /api/join/view
  GET /api/check-auth
  GET /api/consent-checkpoints
  GET /api/company
  GET /api/health
  GET /api/logout
  GET /api/openapi.json
  GET /api/ready
  GET /api/status
  OPTIONS /api/intake
  POST /api/link-renewals
  POST /api/login`;

/** The path contains the token. */
const LINK = `
  GET /api/leads-view/{token}
  GET /api/leads-view/{token}/share
  GET /api/leads-view/{token}/statement
  GET /api/leads-view/{token}/statement/{format}
  GET /api/leads-view/{token}/export/{format}
  GET /api/leads-view/{token}/export/{format}/{part}
  GET /api/leads-view/{token}/consent-proofs/{part}
  GET /api/leads-view/{token}/leads/{leadId}/consent
  GET /api/leads-view/{token}/leads/{leadId}/consent/{format}
  POST /api/leads-view/{token}/code
  GET /api/leads-view/{token}/leads/{leadId}/feedback
  PUT /api/leads-view/{token}/leads/{leadId}/feedback
  DELETE /api/leads-view/{token}/leads/{leadId}/feedback/{entry}
  POST /api/leads-view/{token}/code/confirmation
  POST /api/leads-view/{token}/reorder
  GET /api/leads-view/{token}/notification-preferences
  PUT /api/leads-view/{token}/notification-preferences`;

/** The path contains the token of a source's specification page, which opens nothing else. */
const SPECIFICATION = `
  GET /api/specifications/{token}
  GET /api/specifications/{token}/openapi.json`;

/** The path contains the token of an erasure e-mail, which opens nothing else. */
const LETTER = `
  GET /api/erasure-confirmations/{token}
  POST /api/erasure-confirmations/{token}`;

/** The path contains a person's own token, which opens nothing else. */
const PERSON = `
  GET /api/consent/{token}
  POST /api/consent/{token}`;

/** The path contains the token of a notification e-mail, which switches one kind for its buyer. */
const NEWS = `
  POST /api/unsubscriptions/{subscription}
  GET /api/unsubscriptions/{subscription}/state
  DELETE /api/unsubscriptions/{subscription}`;
/** Only redirects to the page. */
const PREFERENCES_PAGE = `
  GET /api/unsubscriptions/{subscription}`;

/** A source with its key; no session and no link opens them. */
const SOURCE = `
  GET /api/intake/{externalId}
  POST /api/intake/{externalId}/withdrawal
  POST /api/intake`;

/** An admin, or the holder of the token of the lead's order. */
const LINK_OR_ADMIN = `
  GET /api/lead-claims/lead/{leadId}
  POST /api/lead-claims`;

/** Roles of admins, by hand from the specification: what `operations` may not, and all that a `viewer` may. */
const ADMIN_ONLY = `
  PUT /api/passkey-requirement
  POST /api/invitations
  DELETE /api/invitations/{invitationId}
  POST /api/admins/{username}/reset
  PUT /api/admins/{username}/role
  DELETE /api/admins/{username}
  GET /api/admins/{username}/sessions
  DELETE /api/admins/{username}/sessions/{sessionId}
  DELETE /api/admins/{username}/sessions
  GET /api/api-keys
  POST /api/api-keys
  DELETE /api/api-keys/{keyId}
  POST /api/sources/{sourceId}/keys
  DELETE /api/sources/{sourceId}/keys/{slot}
  PUT /api/sources/{sourceId}/endpoints
  POST /api/sources/{sourceId}/endpoints/secrets
  DELETE /api/sources/{sourceId}/endpoints/secrets/{slot}
  GET /api/settings/verification
  POST /api/settings/verification
  GET /api/settings/retention
  POST /api/settings/retention
  GET /api/settings/retention/preview
  GET /api/settings/alerts
  POST /api/settings/alerts
  GET /api/settings/alerts/preview
  POST /api/settings/alerts/test
  GET /api/settings/status-page
  POST /api/settings/status-page
  POST /api/settings/company
  POST /api/settings/email-templates
  PUT /api/settings/email-templates/{id}
  DELETE /api/settings/email-templates/{id}
  POST /api/settings/email-templates/test
  POST /api/settings/email-templates/{id}/test
  GET /api/settings/webhooks
  POST /api/settings/webhooks
  PUT /api/settings/webhooks/{webhookId}
  DELETE /api/settings/webhooks/{webhookId}
  POST /api/settings/webhooks/{webhookId}/secrets
  DELETE /api/settings/webhooks/{webhookId}/secrets/{slot}
  GET /api/settings/webhooks/{webhookId}/calls
  POST /api/settings/webhooks/{webhookId}/calls/{eventId}/resend
  POST /api/settings/webhooks/{webhookId}/test
  GET /api/settings/pushover-template
  POST /api/settings/pushover-template
  POST /api/pushover-credentials
  PUT /api/pushover-credentials/{id}
  DELETE /api/pushover-credentials/{id}
  POST /api/pushover-credentials/{id}/test
  POST /api/people/erasures
  POST /api/people/erasures/{erasureId}/recipients/{buyer}/remind
  POST /api/people/erasures/{erasureId}/recipients/{buyer}/confirm
  POST /api/admin/leads/{leadId}/kept-consent`;

/** Files with personal data: granted to single viewers. */
const PERSONAL_EXPORT = `
  GET /api/ineligible-leads/export/{format}
  GET /api/admin/leads/export
  GET /api/admin/leads/{leadId}/consent-proof/{format}
  GET /api/people/stored/{format}
  GET /api/people/erasures/{erasureId}/certificate`;

/** Other calls of a viewer than reads: the own account, and a calculation. */
const VIEWER_SENDS = `
  PUT /api/account/password
  POST /api/account/reauthentication
  POST /api/account/reauthentication-options
  POST /api/account/passkey-options
  POST /api/account/passkeys
  DELETE /api/account/passkeys/{passkeyId}
  POST /api/account/recovery-codes
  POST /api/admin/simulate`;

/** Scopes of API keys, by hand from the specification: all that a key may call. */
const BY_KEY: Readonly<Record<string, string>> = {
  read: `
  GET /api/admin/dashboard-stats
  GET /api/buyers
  GET /api/buyers/active
  GET /api/buyers/{buyerId}
  GET /api/lead-claims/balance/{buyerId}
  GET /api/buyers/{buyerId}/statement
  GET /api/buyers/{buyerId}/statement/{format}
  GET /api/admin/buyers/{buyerId}/checklist
  GET /api/admin/orders
  GET /api/admin/orders/{buyerId}
  GET /api/admin/order-preview
  GET /api/ineligible-leads
  GET /api/admin/leads
  GET /api/admin/leads/{leadId}
  GET /api/admin/search
  GET /api/sources
  GET /api/sources/{sourceId}/consent-texts
  GET /api/admin/deliveries
  GET /api/sources/{sourceId}/callbacks
  GET /api/lead-claims/lead/{leadId}
  GET /api/lead-claims/admin/pending
  GET /api/lead-claims/admin/filtered
  GET /api/lead-claims/replacements/{buyerId}
  GET /api/lead-claims/admin/evidence/{claimId}
  GET /api/admin/buyer-stats
  GET /api/admin/buyer-stats/export/{format}
  GET /api/admin/source-stats
  GET /api/admin/silent-sources
  GET /api/admin/latencies
  GET /api/admin/latencies/export/{format}
  GET /api/admin/accounting/export/{format}
  POST /api/admin/simulate`,
  leads: `
  POST /api/leads
  PUT /api/admin/leads/{leadId}
  POST /api/sources/{sourceId}/leads
  POST /api/ineligible-leads/assign/{leadId}
  POST /api/ineligible-leads/distribute/{leadId}
  DELETE /api/ineligible-leads/{leadId}
  POST /api/ineligible-leads/confirmation/{leadId}
  POST /api/admin/deliveries/{leadId}/{channel}/resend
  POST /api/admin/deliveries/resend-failed/{buyerId}
  POST /api/admin/leads/{leadId}/callbacks/{callbackId}/resend
  POST /api/lead-claims
  POST /api/lead-claims/admin/approve/{claimId}
  POST /api/lead-claims/admin/reject/{claimId}
  POST /api/lead-claims/admin/reverse/{claimId}`,
  orders: `
  POST /api/admin
  PUT /api/admin/{buyerId}
  PUT /api/admin/orders/{orderId}/renewal
  PUT /api/admin/orders/{orderId}/comments
  POST /api/admin/orders/{orderId}/reorder
  PUT /api/admin/{buyerId}/delete-order/{orderId}
  PUT /api/admin/{buyerId}/restore-last-deleted-order`,
};

const listed = (table: string) => table.trim().split(/\n\s*/);

/** Whether the server authorizes the caller, whatever the answer. Most IDs are unknown and most bodies empty. */
const LET_IN = 'let in';

interface Caller {
  readonly client: Client;
  /** In the query of every call. */
  readonly token?: string;
}

let callers: Readonly<Record<string, Caller>> = {};
/** A claim filed with the link. */
let claim = {};
let link = { token: '', leadId: '' };

/** One product for the file, with an expired session. */
const cloud = cloudOfFile();
it.beforeAll(async () => {
  const loggedIn = async (username: string) => {
    const client = new Client(cloud.url);
    await client.logIn({ username, password: ACCOUNT.password });
    return client;
  };
  const withRole = async (body: { role: 'operations' | 'viewer'; exports_personal_data?: boolean }) => {
    const username = `${body.role}-${String(body.exports_personal_data)}`;
    await addAdmin(cloud, username);
    await cloud.admin.ok('changeRole', { params: { username }, body });
    return loggedIn(username);
  };
  await addAdmin(cloud, 'deleted');
  await addAdmin(cloud, 'gone');
  const expired = await loggedIn('gone');
  await cloud.advance(12 * 3_600_000 + 1000);
  await cloud.admin.logIn();
  const deleted = await loggedIn('deleted');
  await cloud.table.delete({ delete: keys.admin('deleted') });
  const loggedOut = await loggedIn('gone');
  const kept = new Map(loggedOut.cookies);
  await loggedOut.ok('logout');
  const copied = new CookieClient(cloud.url, `session=${kept.get('session')}`);

  const { token, buyer_id, orderId } = await openOrder(cloud.admin, { buyer_id: 'linked' });
  const body = aLeadRequest({ buyer_id, consent: aSentConsent() });
  const lead = await cloud.admin.ok('createLead', { body });
  link = { token, leadId: lead.lead_id };
  claim = { lead_id: lead.lead_id, order_id: orderId, buyer_id, claim_reason: 'doppelt' };
  callers = {
    nobody: { client: cloud.visitor },
    'link holder': { client: cloud.visitor, token },
    'holder of a made-up link': { client: cloud.visitor, token: 'A'.repeat(43) },
    'deleted admin': { client: deleted },
    'admin whose session is over': { client: expired },
    'admin who has logged out': { client: copied },
    admin: { client: cloud.admin },
    operations: { client: await withRole({ role: 'operations' }) },
    viewer: { client: await withRole({ role: 'viewer' }) },
    'viewer with exports': { client: await withRole({ role: 'viewer', exports_personal_data: true }) },
  };
});

/** Sends a cookie that the server has deleted in the browser. */
class CookieClient extends Client {
  readonly #cookie: string;
  constructor(url: string, cookie: string) {
    super(url);
    this.#cookie = cookie;
  }
  override raw(method: string, path: string, body?: unknown) {
    return super.raw(method, path, body, { cookie: this.#cookie });
  }
}

/** Calls that validate the request before the caller. */
const BODIES: Readonly<Record<string, () => object>> = {
  '/api/lead-claims': () => claim,
  '/api/leads-view/{token}/leads/{leadId}/feedback': () => ({ feedback: 'reached' }),
};

async function answerTo(caller: string, route: string): Promise<number | typeof LET_IN> {
  const { client, token } = callers[caller]!;
  const [method = '', path = ''] = route.split(' ');
  const params: Record<string, string> = {
    token: token ?? 'B'.repeat(43),
    leadId: link.leadId,
    entry: '1',
    ...(path.includes('/consent') ? { format: 'json', part: '1' } : { format: 'csv', part: 'original' }),
  };
  // The other IDs do not exist, so an admin's calls do not affect later ones.
  const itsOwn = method === 'GET' || path.startsWith('/api/leads-view/');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    itsOwn || name === 'token' ? (params[name] ?? '999') : '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  );
  const query = token === undefined ? '' : `?token=${token}`;
  const reply = await client.raw(
    method,
    filled + query,
    method === 'GET' ? undefined : (BODIES[path]?.() ?? {}),
  );
  expect(reply.status, `${caller}: ${route}`).toBeLessThan(500);
  return [401, 403, 404].includes(reply.status) ? reply.status : LET_IN;
}

const WITHOUT_SESSION = [
  'nobody',
  'link holder',
  'holder of a made-up link',
  'deleted admin',
  'admin whose session is over',
  'admin who has logged out',
];

const OPEN = [
  EVERYBODY,
  LINK,
  LINK_OR_ADMIN,
  SPECIFICATION,
  LETTER,
  PERSON,
  NEWS,
  PREFERENCES_PAGE,
  SOURCE,
].flatMap(listed);
const OFFERED = Object.values(routes).map(({ method, path }) => `${method} ${path}`);

it('the calls without a session exist in the API, each of one kind', () => {
  expect(OPEN.filter((route) => !OFFERED.includes(route))).toEqual([]);
  expect(new Set(OPEN).size).toBe(OPEN.length);
});

it.each(OFFERED.filter((route) => !OPEN.includes(route)))(
  'a call for admins %s is denied without a session',
  async (route) => {
    for (const caller of WITHOUT_SESSION)
      expect(await answerTo(caller, route), `${caller}: ${route}`).toBe(401);
    expect(await answerTo('admin', route)).not.toBe(401);
    expect(await answerTo('admin', route)).not.toBe(403);
  },
);

/** The refusal comes before the request is read, so no other answer than this one is expected. */
async function isRefused(caller: string, route: string): Promise<boolean> {
  const [method = '', path = ''] = route.split(' ');
  const { client } = callers[caller]!;
  const filled = path.replaceAll(/\{\w+\}/g, '01ARZ3NDEKTSV4RRFFQ69G5FAV');
  const reply = await client.raw(method, filled, method === 'GET' ? undefined : {});
  expect(reply.status, `${caller}: ${route}`).not.toBe(401);
  return reply.status === 403 && codeOf(reply) === 'role_required';
}

it.each([...OFFERED.filter((route) => !OPEN.includes(route)), ...listed(LINK_OR_ADMIN)])(
  'a call for admins %s needs the role of the specification',
  async (route) => {
    const needsAdmin = listed(ADMIN_ONLY).includes(route);
    const needsGrant = listed(PERSONAL_EXPORT).includes(route);
    const isRead = route.startsWith('GET ') || listed(VIEWER_SENDS).includes(route);
    expect({
      admin: await isRefused('admin', route),
      operations: await isRefused('operations', route),
      viewer: await isRefused('viewer', route),
      exporting: await isRefused('viewer with exports', route),
    }).toEqual({
      admin: false,
      operations: needsAdmin,
      viewer: needsAdmin || needsGrant || !isRead,
      exporting: needsAdmin || !isRead,
    });
  },
);

it('the calls listed by role exist in the API', () => {
  const tables = [ADMIN_ONLY, PERSONAL_EXPORT, VIEWER_SENDS].flatMap(listed);
  expect(tables.filter((route) => !OFFERED.includes(route))).toEqual([]);
  expect(new Set(tables).size).toBe(tables.length);
});

describe('a call with a link', () => {
  it.each(listed(LINK))('%s is open to link holders only, even with a session', async (route) => {
    for (const caller of [...WITHOUT_SESSION, 'admin'])
      expect(await answerTo(caller, route), caller).toBe(caller === 'link holder' ? LET_IN : 404);
  });

  it.each(listed(LINK_OR_ADMIN))('%s is open to link holders and admins', async (route) => {
    for (const caller of WITHOUT_SESSION.filter((one) => !one.includes('link')))
      expect(await answerTo(caller, route), caller).toBe(401);
    expect([401, 403]).not.toContain(await answerTo('link holder', route));
    expect([401, 403]).not.toContain(await answerTo('admin', route));
  });

  it('reads the claims of its own order only', async () => {
    const other = await openOrder(cloud.admin, { buyer_id: 'other' });
    const reply = await cloud.visitor.raw('GET', `/api/lead-claims/lead/${link.leadId}?token=${other.token}`);
    expect([403, 404]).toContain(reply.status);
  });
});

it.each(listed(LETTER))(
  'a call with an e-mail link %s is open to its holder, and to no other link or session',
  async (route) => {
    for (const caller of Object.keys(callers)) expect(await answerTo(caller, route), caller).toBe(404);
    const token = 'C'.repeat(43);
    const purpose = 'erasure' as const;
    const recipient = { erasure_id: 'e', purpose, buyer: 7, leads: [], by_hand: false, email_count: 1 };
    await cloud.table.transact(
      erasureStore.begun(
        {
          erasure_id: 'e',
          purpose,
          lead_ids: [],
          stage: 'done',
          begun_by: 'a',
          begun_at: '2026-01-01T00:00:00.000Z',
        },
        [recipient],
      ),
    );
    await erasureStore.tokenMade(cloud, token, recipient, cloud.runtime.now());
    expect(await answerTo('nobody', route.replace('{token}', token))).toBe(LET_IN);
    for (const { pk, sk } of [keys.erasure('e'), keys.erasureRecipient('e', 7)])
      await cloud.table.delete({ delete: { pk, sk } });
  },
);

it.each(listed(PERSON))(
  'a call with a person’s link %s is open to its holder, and to no other link',
  async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const { consentLink } = await createKeyLoader(cloud.environment)();
    const call = async (client: Client, token: string) =>
      (await client.raw(method, path.replace('{token}', token), method === 'GET' ? undefined : {})).status;
    for (const { client, token = 'x' } of Object.values(callers)) {
      expect(await call(client, `${link.leadId}${'A'.repeat(43)}`)).toBe(404);
      expect(await call(client, token)).toBe(400);
    }
    const unknown = personToken(consentLink, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'withdraw');
    expect(await call(cloud.visitor, unknown)).toBe(404);
    const { lead_id } = await cloud.admin.ok('createLead', {
      body: aLeadRequest({ email: 'own@example.org' }),
    });
    expect(await call(cloud.visitor, personToken(consentLink, lead_id, 'withdraw'))).toBe(200);
  },
);

it.each(listed(NEWS))(
  'a call with a notification e-mail link %s is open to its holder, and to no other link or session',
  async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const { unsubscription } = await createKeyLoader(cloud.environment)();
    const buyers = await buyerStore.all(cloud);
    const buyer = buyers.find(({ buyer_id }) => buyer_id === 'linked')!;
    const call = async (client: Client, letter: string) =>
      (await client.raw(method, path.replace('{subscription}', letter), method === 'GET' ? undefined : {}))
        .status;
    const made = `${buyer.buyer}-claim_decided-${'A'.repeat(43)}`;
    for (const { client, token = '' } of Object.values(callers)) {
      expect(await call(client, made)).toBe(404);
      expect(await call(client, token === '' ? 'x' : token)).toBe(400);
    }
    expect(await call(cloud.visitor, unsubscribeToken(unsubscription, buyer, 'claim_decided'))).toBe(200);
  },
);

it.each(listed(SPECIFICATION))(
  'a call with a specification link %s is open to its holder, and to no other link',
  async (route) => {
    for (const caller of Object.keys(callers)) expect(await answerTo(caller, route), caller).toBe(404);
    const { source } = await cloud.admin.ok('createSource', { body: { name: 'One', src: 'one' } });
    const token = tokenOf(source.specification_link);
    const client = cloud.visitor;
    callers = { ...callers, reader: { client, token } };
    expect(await answerTo('reader', route)).toBe(LET_IN);
    for (const other of listed(LINK)) expect(await answerTo('reader', other), other).toBe(404);
    const { reader: _, ...others } = callers;
    callers = others;
  },
);

it.each(listed(SOURCE))('a call with a key %s is denied without a key', async (route) => {
  for (const caller of Object.keys(callers)) expect(await answerTo(caller, route), caller).toBe(401);
});

it.each(listed(EVERYBODY).filter((route) => !/login|logout/.test(route)))(
  'a public call %s is open',
  async (route) => {
    for (const caller of Object.keys(callers)) expect(await answerTo(caller, route), caller).toBe(LET_IN);
  },
);

describe('a call with an API key', () => {
  const made: Record<string, string> = {};
  const SCOPES = ['read', 'leads', 'orders'] as const;
  it.beforeAll(async () => {
    for (const scope of SCOPES) {
      const body = { name: scope, scopes: [scope] };
      ({ key: made[scope] } = await cloud.admin.ok('createApiKey', { body }));
    }
  });

  const answer = async (route: string, key: string | undefined) => {
    const [method = '', path = ''] = route.split(' ');
    const filled = path.replaceAll(/\{\w+\}/g, '01ARZ3NDEKTSV4RRFFQ69G5FAV');
    const body = method === 'GET' ? undefined : {};
    const reply = await cloud.visitor.raw(method, filled, body, bearer(key ?? ''));
    expect(reply.status, route).toBeLessThan(500);
    return reply.status === 403 ? codeOf(reply) : reply.status === 401 ? 401 : LET_IN;
  };

  it.each([...OFFERED.filter((route) => !OPEN.includes(route)), ...listed(LINK_OR_ADMIN)])(
    '%s is open to the scope of the specification only',
    async (route) => {
      for (const scope of SCOPES) {
        const isOpen = listed(BY_KEY[scope] ?? '').includes(route);
        expect(await answer(route, made[scope]), scope).toBe(isOpen ? LET_IN : 'scope_required');
      }
    },
  );

  it('opens no link, no page of a source or person, and no lead of a source', async () => {
    const others = [LINK, SPECIFICATION, LETTER, SOURCE].flatMap(listed);
    for (const route of others) {
      const [method = '', path = ''] = route.split(' ');
      const filled = path.replaceAll(/\{\w+\}/g, 'B'.repeat(43));
      const body = method === 'GET' ? undefined : {};
      const { status } = await cloud.visitor.raw(method, filled, body, bearer(made.read ?? ''));
      expect([400, 401, 404], route).toContain(status);
    }
  });

  it('exists in the API for every listed call, each with one scope', () => {
    const all = Object.values(BY_KEY).flatMap(listed);
    expect(all.filter((route) => !OFFERED.includes(route))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });
});
