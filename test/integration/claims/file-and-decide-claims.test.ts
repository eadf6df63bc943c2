/** Claims of buyers and admins over HTTP, on the whole product. */

import { describe, expect } from 'vitest';
import type { Answer } from '#shared/contract/schemas';
import type { BuyerRequest } from '#test/factories/buyers';
import { aLeadRequest, type LeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
const NAMES = ['Nordmann', 'Nordstern', 'Nordwald'];

it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

interface Delivered {
  readonly buyerId: string;
  readonly orderId: number;
  readonly token: string;
  readonly leads: readonly Answer<'viewLeads'>['leads']['original'][number][];
}

const lead = (changes: Partial<LeadRequest> = {}) =>
  aLeadRequest({ email: 'erika.mustermann@web.example.org', telefon: '+49 151 23456789', ...changes });

interface Options
  extends Pick<Partial<BuyerRequest>, 'claim_quota_percent' | 'decision_days' | 'default_decision'> {
  readonly limit?: number;
  readonly type?: 'prepay' | 'postpay';
}

/** A buyer with an open order and manually assigned leads. */
async function delivered(
  count: number,
  { limit, type = 'prepay', ...terms }: Options = {},
): Promise<Delivered> {
  const {
    buyer_id: buyerId,
    orderId,
    token,
  } = await openOrder(cloud.admin, { probability: 0, buyer_type: type, ...terms }, limit);
  for (let at = 0; at < count; at += 1)
    await cloud.admin.ok('createLead', { body: { ...lead({ nachname: NAMES[at]! }), buyer_id: buyerId } });
  const view = await cloud.visitor.ok('viewLeads', { params: { token } });
  return { buyerId, orderId, token, leads: view.leads.original };
}

const file = (from: Delivered, leadId: string, changes: Record<string, unknown> = {}) =>
  cloud.visitor.call('fileClaim', {
    query: { token: from.token },
    body: {
      lead_id: leadId,
      order_id: from.orderId,
      buyer_id: from.buyerId,
      claim_reason: 'falsche_nummer',
      ...changes,
    },
  });

const errorOf = (reply: { status: number; body: unknown }) => ({
  status: reply.status,
  ...(reply.body as { code: string; error: string }),
});

const ascending = (a: number, b: number) => a - b;

describe('filing a claim', () => {
  it('is open to holders of the link, once for each lead', async () => {
    const from = await delivered(2);
    const [first] = from.leads;
    const filed = await file(from, first!.lead_id);
    expect(filed.status).toBe(200);
    const { claim } = filed.body as Answer<'fileClaim'>;
    expect(claim).toMatchObject({
      lead_id: first!.lead_id,
      display_id: first!.display_id,
      claim_status: 'pending',
      claim_reason: 'Falsche Telefonnummer',
      processed_at: null,
    });
    expect(errorOf(await file(from, first!.lead_id))).toMatchObject({
      status: 409,
      code: 'already_claimed',
      error: 'Dieser Lead wurde bereits reklamiert.',
    });
    const seen = await cloud.visitor.ok('getLeadClaim', {
      params: { leadId: first!.lead_id },
      query: { token: from.token },
    });
    expect(seen.claim).toEqual(claim);
    const view = await cloud.visitor.ok('viewLeads', { params: { token: from.token } });
    expect(view.leads.original.map(({ claim_status }) => claim_status)).toContain('pending');
  });

  it('ends at the quota of the order, which is visible before', async () => {
    const from = await delivered(2, {
      claim_quota_percent: 5,
      decision_days: 10,
      default_decision: 'approve',
    });
    const quota = async () => ({
      buyer: (await cloud.visitor.ok('viewLeads', { params: { token: from.token } })).order.claim_quota,
      admin: (await cloud.admin.ok('listBuyerOrders', { params: { buyerId: from.buyerId } })).orders[0]
        ?.claim_quota,
    });
    const free = { allowed: 1, used: 0 };
    expect(await quota()).toEqual({ buyer: free, admin: free });
    const filed = await file(from, from.leads[0]!.lead_id);
    const { claim } = filed.body as Answer<'fileClaim'>;
    const full = { allowed: 1, used: 1 };
    expect(await quota()).toEqual({ buyer: full, admin: full });
    const { leads } = await cloud.visitor.ok('viewLeads', { params: { token: from.token } });
    expect(leads.original.map(({ decide_by }) => decide_by).filter(Boolean)).toEqual([claim.decide_by]);
    const refused = {
      status: 409,
      code: 'claim_quota_reached',
      error: 'Das Kontingent von 1 Reklamation ist ausgeschöpft.',
    };
    expect(errorOf(await file(from, from.leads[1]!.lead_id))).toMatchObject(refused);
    await cloud.admin.ok('rejectClaim', { params: { claimId: claim.claim_id }, body: {} });
    expect(await quota()).toEqual({ buyer: free, admin: free });
    expect((await file(from, from.leads[1]!.lead_id)).status).toBe(200);
  });
});

const claimOf = async (from: Delivered, at = 0) => {
  const reply = await file(from, from.leads[at]!.lead_id);
  return (reply.body as Answer<'fileClaim'>).claim.claim_id;
};
const buyerRow = async (from: Delivered) => {
  const { buyers } = await cloud.admin.ok('listBuyers');
  return buyers.find(({ buyer_id }) => buyer_id === from.buyerId)!;
};

describe('deciding a claim', () => {
  it('is final, and only one of several concurrent admins succeeds', async () => {
    const from = await delivered(1);
    const claimId = await claimOf(from);
    const replies = await Promise.all([
      cloud.admin.call('approveClaim', { params: { claimId }, body: { admin_notes: 'ja' } }),
      cloud.admin.call('rejectClaim', { params: { claimId }, body: { admin_notes: 'nein' } }),
      cloud.admin.call('approveClaim', { params: { claimId }, body: {} }),
    ]);
    expect(replies.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409, 409]);
    expect(replies.filter(({ status }) => status === 409).map((reply) => errorOf(reply).code)).toEqual([
      'claim_already_decided',
      'claim_already_decided',
    ]);
    const { claims } = await cloud.admin.ok('listClaims', { query: { buyer_id: from.buyerId } });
    const [decided] = claims;
    expect(decided!.processed_at).not.toBeNull();
    expect([decided!.approved_claims, decided!.rejected_claims].toSorted(ascending)).toEqual([0, 1]);
    expect(decided!.pending_claims).toBe(0);
    expect(await cloud.admin.call('approveClaim', { params: { claimId: 999_999 }, body: {} })).toMatchObject({
      status: 404,
    });
  });

  it('credits the order of a prepay buyer, and the next lead replaces the claimed one', async () => {
    const from = await delivered(2, { limit: 2 });
    const claimId = await claimOf(from);
    expect(await buyerRow(from)).toMatchObject({ order_status: 'Completed', reimbursement_pending: 0 });
    await cloud.admin.ok('approveClaim', { params: { claimId }, body: { admin_notes: 'Stimmt.' } });
    expect(await buyerRow(from)).toMatchObject({
      order_status: 'Active',
      reimbursement_pending: 1,
      total_claims: 1,
      approved_claims: 1,
      balance_count: 0,
    });

    await cloud.admin.ok('createLead', { body: { ...lead({ nachname: 'Ersatz' }), buyer_id: from.buyerId } });
    const view = await cloud.visitor.ok('viewLeads', { params: { token: from.token } });
    expect(view.leads.original).toHaveLength(2);
    expect(view.leads.reimbursement).toMatchObject([{ nachname: 'Ersatz', lead_type: 'reimbursement' }]);
    expect(view.order).toMatchObject({ leads_received: 2, status: 'Completed' });
    expect(view.summary).toMatchObject({ pending_reimbursements: 0, delivered_reimbursements: 1 });
    const lead_id = view.leads.reimbursement[0]!.lead_id;
    const ledger = await cloud.admin.ok('listReplacements', { params: { buyerId: from.buyerId } });
    expect(ledger).toMatchObject({
      balance_count: 0,
      owed: 0,
      entries: [
        {
          kind: 'delivery',
          claim_id: claimId,
          lead_id,
          order_id: from.orderId,
          balance_after: 0,
          owed_after: 0,
        },
        { kind: 'credit', claim_id: claimId, lead_id: null, order_id: from.orderId, owed_after: 1 },
      ],
    });
    expect(errorOf(await file(from, lead_id))).toMatchObject({
      status: 409,
      code: 'replacement_not_claimable',
    });
  });
});
