/** The buyer's page polls its list; without a change, the list is not sent and its leads are not read. */

import { expect } from 'vitest';
import { parseTag } from '#functions/domain/leads/list-tag';
import type { Answer } from '#shared/contract/schemas';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();

/** Like the page: keeps the last answer and sends its tag. */
function reader(token: string) {
  let view: Answer<'viewLeads'> | undefined;
  let tag = '';
  const ask = async () => {
    const reply = await cloud.visitor.raw('GET', `/api/leads-view/${token}`, undefined, {
      ...(tag !== '' && { 'if-none-match': tag }),
    });
    expect([200, 304]).toContain(reply.status);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    tag = reply.headers.get('etag') ?? '';
    if (reply.status === 200) view = reply.body as Answer<'viewLeads'>;
    else expect(Date.parse(reply.headers.get('server-time') ?? '')).toBeGreaterThan(0);
    return reply.status;
  };
  return {
    ask,
    /** Polls until the tag is settled. */
    async settle() {
      await cloud.reconcile();
      await ask();
      cloud.clock.advance(6000);
      expect(await ask()).toBe(304);
      expect(parseTag(tag)?.settled).toBe(true);
      expect(await ask()).toBe(304);
    },
    /** The page's data and the list itself, without the time. */
    async shown() {
      const { now: _, ...actual } = await cloud.visitor.ok('viewLeads', { params: { token } });
      const { now: __, ...shown } = view!;
      return { shown, actual };
    },
  };
}

const bytesOf = (buyerId: string) => aLeadRequest({ buyer_id: buyerId });

it('the newest leads of a list are sent as a marked part of the list, and a short list is complete with its tag', async () => {
  const { admin, visitor } = cloud;
  const { buyer_id: buyerId, token } = await openOrder(admin, { probability: 0 }, 9);
  for (let lead = 0; lead < 3; lead += 1) await admin.ok('createLead', { body: bytesOf(buyerId) });
  const all = await visitor.ok('viewLeads', { params: { token } });
  const part = await visitor.call('viewLeads', { params: { token }, query: { newest: 2 } });
  expect(part.headers.get('etag')).toBeNull();
  expect(part.body).toMatchObject({
    partial: true,
    order: all.order,
    summary: all.summary,
    leads: { original: all.leads.original.slice(0, 2), reimbursement: [] },
  });
  const short = await visitor.call('viewLeads', { params: { token }, query: { newest: 4 } });
  expect(short.body).toEqual({ ...all, now: expect.any(String) });
  const known = { 'if-none-match': short.headers.get('etag') ?? '' };
  const again = await visitor.raw('GET', `/api/leads-view/${token}`, undefined, known);
  expect(again.status).toBe(304);
});

it('a polled list is sent after every kind of change', async () => {
  const { admin, visitor } = cloud;
  const { buyer_id: buyerId, orderId, token } = await openOrder(admin, { probability: 0 }, 9);
  const { lead_id } = await admin.ok('createLead', { body: bytesOf(buyerId) });
  const claimed = await admin.ok('createLead', { body: bytesOf(buyerId) });
  let claimId = 0;
  const changes: Record<string, () => Promise<unknown>> = {
    'a lead': () => admin.ok('createLead', { body: bytesOf(buyerId) }),
    'an edit': () => admin.ok('updateLead', { params: { leadId: lead_id }, body: { vorname: 'Anders' } }),
    'the buyer’s feedback': () =>
      visitor.ok('saveFeedback', { params: { token, leadId: lead_id }, body: { feedback: 'reached' } }),
    'removed feedback': () =>
      visitor.ok('saveFeedback', { params: { token, leadId: lead_id }, body: { feedback: null } }),
    'a claim': async () => {
      const body = {
        lead_id: claimed.lead_id,
        order_id: orderId,
        buyer_id: buyerId,
        claim_reason: 'fake',
      };
      claimId = (await visitor.ok('fileClaim', { query: { token }, body })).claim.claim_id;
    },
    'an edit under a claim': () =>
      admin.ok('updateLead', { params: { leadId: claimed.lead_id }, body: { nachname: 'Neu' } }),
    'a decision': () => admin.ok('approveClaim', { params: { claimId }, body: {} }),
    'a replacement': () => admin.ok('createLead', { body: bytesOf(buyerId) }),
    'a deletion': () => admin.ok('deleteLead', { params: { leadId: lead_id } }),
    'a limit': () => admin.ok('updateOrderLimit', { params: { buyerId }, body: { lead_limit: 12 } }),
    'a comment': () =>
      admin.ok('updateOrderComments', { params: { orderId }, body: { comments: 'Bitte vormittags' } }),
    'a deleted buyer': () => admin.ok('deleteBuyer', { params: { buyerId } }),
  };
  const page = reader(token);
  for (const [name, change] of Object.entries(changes)) {
    await page.settle();
    await change();
    expect(await page.ask(), name).toBe(200);
    const { shown, actual } = await page.shown();
    expect(shown, name).toEqual(actual);
  }
});
