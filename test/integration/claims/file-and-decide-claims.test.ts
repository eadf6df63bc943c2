/** Claims of buyers and admins over HTTP, on the whole product. */

import { expect } from 'vitest';
import type { Answer } from '#shared/contract/schemas';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

it('a claim is filed once for each lead by link, and decided once by concurrent admins', async ({
  cloud: { admin, visitor },
}) => {
  const { buyer_id, orderId, token } = await openOrder(admin, { probability: 0 });
  const { lead_id, display_id } = await admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
  const body = { lead_id, order_id: orderId, buyer_id, claim_reason: 'falsche_nummer' };
  const file = () => visitor.call('fileClaim', { query: { token }, body });
  const filed = await file();
  expect(filed.status).toBe(200);
  const { claim } = filed.body as Answer<'fileClaim'>;
  expect(claim).toMatchObject({
    lead_id,
    display_id,
    claim_status: 'pending',
    claim_reason: 'Falsche Telefonnummer',
    processed_at: null,
  });
  expect(await file()).toMatchObject({
    status: 409,
    body: { code: 'already_claimed', error: 'Dieser Lead wurde bereits reklamiert.' },
  });
  const seen = await visitor.ok('getLeadClaim', { params: { leadId: lead_id }, query: { token } });
  expect(seen.claim).toEqual(claim);
  const { leads } = await visitor.ok('viewLeads', { params: { token } });
  expect(leads.original.map(({ claim_status }) => claim_status)).toEqual(['pending']);

  const params = { claimId: claim.claim_id };
  const replies = await Promise.all([
    admin.call('approveClaim', { params, body: { admin_notes: 'ja' } }),
    admin.call('rejectClaim', { params, body: { admin_notes: 'nein' } }),
    admin.call('approveClaim', { params, body: {} }),
  ]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = { status: 409, body: { code: 'claim_already_decided' } };
  expect(replies.filter(({ status }) => status !== 200)).toMatchObject([refused, refused]);
  const { claims } = await admin.ok('listClaims', { query: { buyer_id } });
  const { processed_at, pending_claims, approved_claims, rejected_claims } = claims[0]!;
  expect(processed_at).not.toBeNull();
  expect([pending_claims, approved_claims + rejected_claims]).toEqual([0, 1]);
  expect((await admin.call('approveClaim', { params: { claimId: 999_999 }, body: {} })).status).toBe(404);
});
