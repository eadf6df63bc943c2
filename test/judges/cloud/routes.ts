/** Every route of the contract once, under the rights of the function that answers it; those of admins also without a session. */
import { ApiClient } from '#local/api-client';
import { type EndpointId, type Route, routes } from '#shared/contract/routes';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { aTemplateRequest } from '#test/factories/templates';
import { openOrder } from '#test/harness/cloud';
import { expect, settled } from '#test/judges/cloud/findings';
import type { Stage } from '#test/judges/cloud/stage';

/** They would end the session of the judge or take away what later checks need; their paths are called with unknown IDs. */
const ENDS_SOMETHING = /^(delete|remove|revoke|end|switchOff|discard|reset|regenerate)/;
const NOT_CALLED: readonly EndpointId[] = ['logout'];
const UNKNOWN = '0';

/** @returns what was seen */
export async function everyRoute(stage: Stage): Promise<string> {
  const { admin, edge } = stage;
  const visitor = new ApiClient(edge.url);
  const { values, bodies } = await stored(stage);
  const wrong: string[] = [];
  const statuses = new Map<string, number>();
  for (const [id, route] of Object.entries<Route>(routes) as [EndpointId, Route][]) {
    if (NOT_CALLED.includes(id)) continue;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(ENDS_SOMETHING.test(id) ? UNKNOWN : (values[name] ?? UNKNOWN)),
    );
    const hasBody = route.method === 'POST' || route.method === 'PUT';
    const body = hasBody ? (bodies[id] ?? {}) : undefined;
    const refused = route.access === 'admin' ? await visitor.raw(route.method, path, body) : undefined;
    if (refused !== undefined && refused.status !== 401)
      wrong.push(`${id} without a session: ${refused.status}`);
    const reply = await admin.raw(route.method, path, body);
    if (reply.status >= 500) wrong.push(`${id}: ${reply.status} ${JSON.stringify(reply.body)}`);
    const kind = `${Math.floor(reply.status / 100)}xx`;
    statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
  }
  expect(wrong.length === 0, wrong.join('\n'));
  return `${Object.keys(routes).length - NOT_CALLED.length} routes: ${[...statuses].map(([kind, count]) => `${count} ${kind}`).join(', ')}`;
}

/** Values for parameters, and bodies that the product accepts. */
async function stored({ admin, mails }: Stage) {
  const template = aTemplateRequest({ name: 'Routen', smtp_host: '127.0.0.1', smtp_port: mails.port });
  const { id } = (await admin.ok('createEmailTemplate', { body: template })).template;
  const { buyer_id: buyerId, orderId, token } = await openOrder(admin, { email_template_id: id }, 1000);
  const lead = await admin.ok('createLead', { body: aLeadRequest({ buyer_id: buyerId }) });
  const other = await admin.ok('createLead', {
    body: aLeadRequest({ buyer_id: buyerId, email: 'zweite@example.org', telefon: '+4930111222' }),
  });
  const claimed = { lead_id: lead.lead_id, order_id: orderId, buyer_id: buyerId, claim_reason: 'fake' };
  const { claim } = await admin.ok('fileClaim', { body: claimed });
  const { source } = await admin.ok('createSource', {
    body: { name: 'Formular', src: 'formular', window_days: 0, consent: 'ignore' },
  });
  const sourceId = source.source_id;
  await admin.ok('updateSource', { params: { sourceId }, body: { state: 'live' } });
  await bothWays({ admin }, sourceId);
  const values: Readonly<Record<string, string>> = {
    id, buyerId, token, format: 'csv', channel: 'email', part: '1', username: 'nobody', leadId: lead.lead_id,
    orderId: String(orderId), claimId: String(claim.claim_id), sourceId: String(sourceId), buyer: buyerId,
  }; // biome-ignore format: short names
  const bodies: Readonly<Partial<Record<EndpointId, unknown>>> = {
    createBuyer: aBuyerRequest({ buyer_id: 'neu', buyer_email: 'neu@example.org' }),
    updateBuyer: { probability: 1 },
    createOrder: { buyer_id: buyerId, lead_limit: 3 },
    createLead: aLeadRequest({ email: 'dritte@example.org', telefon: '+4930111333' }),
    createEmailTemplate: { ...template, name: 'Noch eine' },
    updateEmailTemplate: { ...template, name: 'Umbenannt' },
    sendTestEmail: { to: 'probe@example.org' },
    createSource: { name: 'Anderes', src: 'anderes' },
    createPushoverCredential: { name: 'Wache', user_key: 'u'.repeat(30), api_token: 'a'.repeat(30) },
    fileClaim: { ...claimed, lead_id: other.lead_id },
    approveClaim: { admin_notes: 'Stimmt' },
    changeWeights: { weights: [{ buyer_id: buyerId, probability: 1 }] },
    inviteAdmin: { username: 'berta', email: 'berta@example.org' },
    beginErasure: { email: 'dritte@example.org' },
    simulate: { count: 10 },
  };
  return { values, bodies };
}

/** Leads of a source at once and in a queue, each seen assigned. */
async function bothWays({ admin }: Pick<Stage, 'admin'>, sourceId: number): Promise<void> {
  const { key } = await admin.ok('createSourceKey', { params: { sourceId } });
  const posted = aPostedLead();
  await admin.raw('POST', '/api/intake', posted, { authorization: `Bearer ${key}` });
  const leads = Array.from({ length: 12 }, () => aPostedLead());
  await admin.ok('importLeads', { params: { sourceId }, body: { leads } });
  for (const { external_id } of [posted, ...leads])
    await settled(async () => {
      const { body } = await admin.raw('GET', `/api/intake/${external_id}`, undefined, {
        authorization: `Bearer ${key}`,
      });
      const state = JSON.stringify(body);
      return state.includes('"assigned"') ? [] : [`A posted lead stays at ${state}`];
    });
}
