/** API keys over HTTP: what calls with them see, and what the audit trail says about them. */
import { expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { bearer, codeOf } from '#test/harness/admins';
import { openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();

let names = 0;
async function aKey(...scopes: ('read' | 'leads' | 'orders')[]) {
  names += 1;
  return cloud.admin.ok('createApiKey', { body: { name: `Tool ${names}`, scopes } });
}
const entries = async (entity: 'key' | 'order', entity_id: string) =>
  (await cloud.admin.ok('listAudit', { query: { entity, entity_id } })).entries;

it('is shown once, and listed with its creator and last use', async () => {
  const { key, ...made } = await aKey('read');
  expect(made).toMatchObject({ created_by: 'admin', last_used_at: null, prefix: key.slice(0, 10) });
  await cloud.visitor.ok('listBuyers', {}, bearer(key));
  const { keys } = await cloud.admin.ok('listApiKeys');
  const listed = keys.find(({ key_id }) => key_id === made.key_id);
  expect(listed).toEqual({ ...made, last_used_at: expect.stringMatching(/^20.*Z$/) });
  expect(JSON.stringify(keys)).not.toContain(key);
  expect(JSON.stringify(cloud.logs)).not.toContain(key);
});

it('is refused at once when it is revoked, and the audit trail says who did both', async () => {
  const { key, key_id, name, prefix } = await aKey('read', 'orders');
  await cloud.admin.ok('revokeApiKey', { params: { keyId: key_id } });
  const refused = await cloud.visitor.raw('GET', '/api/buyers', undefined, bearer(key));
  expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_key']);
  const trail = await entries('key', name);
  expect(trail.map(({ who, action, entity_id }) => [who, action, entity_id])).toEqual([
    ['admin', 'key_revoked', name],
    ['admin', 'key_created', name],
  ]);
  expect(trail[1]?.changes).toContainEqual({ field: 'key', from: null, to: prefix });
  expect(JSON.stringify(trail)).not.toContain(key);
});

it('is the actor of its changes, from another site and whatever the session is', async () => {
  const { orderId } = await openOrder(cloud.admin, { buyer_id: 'kapital' });
  const { key, name } = await aKey('orders');
  const path = `/api/admin/orders/${orderId}/comments`;
  const headers = { ...bearer(key), origin: 'https://n8n.example', cookie: 'session=expired' };
  const changed = await cloud.visitor.raw('PUT', path, { comments: 'from the shop' }, headers);
  expect(changed.status).toBe(200);
  expect(await entries('order', String(orderId))).toContainEqual(
    expect.objectContaining({ who: `API key ${name}`, action: 'comments_changed' }),
  );
});

it('counts for a claim as an admin', async () => {
  const { buyer_id, orderId } = await openOrder(cloud.admin, { buyer_id: 'claiming' });
  const { key } = await aKey('read', 'leads');
  const headers = bearer(key);
  const { lead_id } = await cloud.visitor.ok('createLead', { body: aLeadRequest({ buyer_id }) }, headers);
  const body = { lead_id, order_id: orderId, buyer_id, claim_reason: 'doppelt' };
  const { claim } = await cloud.visitor.ok('fileClaim', { body }, headers);
  expect(claim).toMatchObject({ claim_status: 'pending' });
  const found = await cloud.visitor.ok('getLeadClaim', { params: { leadId: lead_id } }, headers);
  expect(found.claim.claim_id).toBe(claim.claim_id);
});

it('learns no link that opens a page without a login', async () => {
  const { buyer_id, token, orderId } = await openOrder(cloud.admin, { buyer_id: 'linked' });
  const { source } = await cloud.admin.ok('createSource', { body: { name: 'Page', src: 'page' } });
  const { key } = await aKey('read', 'leads', 'orders');
  const headers = bearer(key);
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
  const answers = await Promise.all([
    cloud.visitor.ok('listBuyers', {}, headers),
    cloud.visitor.ok('listOrders', {}, headers),
    cloud.visitor.ok('getLead', { params: { leadId: lead_id } }, headers),
    cloud.visitor.ok('listSources', {}, headers),
    cloud.visitor.ok('updateOrderLimit', { params: { buyerId: buyer_id }, body: { lead_limit: 9 } }, headers),
    cloud.visitor.ok('listBuyerOrders', { params: { buyerId: buyer_id } }, headers),
  ]);
  const shown = JSON.stringify(answers);
  expect(shown).toContain(`"order_id":${orderId}`);
  expect(shown).not.toContain(token);
  expect(shown).not.toContain(source.specification_link?.split('/').at(-1));
  expect(shown).toContain('"excel_link":"********"');
});

it('has a name, and at least one of the known scopes', async () => {
  const attempt = async (body: object) => (await cloud.admin.raw('POST', '/api/api-keys', body)).status;
  expect(await attempt({ name: ' ', scopes: ['read'] })).toBe(400);
  expect(await attempt({ name: 'None', scopes: [] })).toBe(400);
  expect(await attempt({ name: 'All', scopes: ['admin'] })).toBe(400);
});
