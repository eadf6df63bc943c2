/** The buyer's page asks for its list again and again; while nothing changes, neither the list is sent nor its leads read. */

import { describe, expect } from 'vitest';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as leadWrites from '#functions/data/leads/lead-writes';
import * as orderStore from '#functions/data/orders/order-store';
import { Table } from '#functions/data/table/table';
import { viewLeads } from '#functions/domain/leads/leads-view';
import { type ListTag, parseTag } from '#functions/domain/leads/list-tag';
import { TABLE_NAME } from '#local/running';
import type { Answer } from '#shared/contract/schemas';
import { aVisitor } from '#test/factories/links';
import { aLeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it, itOnEngine } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

/** As the page does: it keeps the last answer, and asks with its tag. */
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
    /** Asks until the tag speaks for itself. */
    async settle() {
      await cloud.reconcile();
      await ask();
      cloud.clock.advance(6000);
      expect(await ask()).toBe(304);
      expect(parseTag(tag)?.settled).toBe(true);
      expect(await ask()).toBe(304);
    },
    /** What the page shows, and what the list is, but for the time. */
    async shown() {
      const { now: _, ...actual } = await cloud.visitor.ok('viewLeads', { params: { token } });
      const { now: __, ...shown } = view!;
      return { shown, actual };
    },
  };
}

const bytesOf = (buyerId: string) => aLeadRequest({ buyer_id: buyerId });

describe('the newest leads of a list', () => {
  it('come without the others, and say so; a short list comes whole, with its tag', async () => {
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
});

describe('a list that is asked for again', () => {
  it('is sent whenever it has changed, whatever changed it', async () => {
    const { admin, visitor } = cloud;
    const { buyer_id: buyerId, orderId, token } = await openOrder(admin, { probability: 0 }, 9);
    const { lead_id } = await admin.ok('createLead', { body: bytesOf(buyerId) });
    const claimed = await admin.ok('createLead', { body: bytesOf(buyerId) });
    let claimId = 0;
    const changes: Record<string, () => Promise<unknown>> = {
      'a lead': () => admin.ok('createLead', { body: bytesOf(buyerId) }),
      'an edit': () => admin.ok('updateLead', { params: { leadId: lead_id }, body: { vorname: 'Anders' } }),
      'what the buyer says of a lead': () =>
        visitor.ok('saveFeedback', { params: { token, leadId: lead_id }, body: { feedback: 'reached' } }),
      'and no longer says': () =>
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
      'a buyer switched off': () => admin.ok('deleteBuyer', { params: { buyerId } }),
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

  it('is read again while a lead may be assigned without a trace at its order', async () => {
    const { admin } = cloud;
    const { buyer_id: buyerId, token } = await openOrder(admin, { probability: 0 }, 9);
    await admin.ok('createLead', { body: bytesOf(buyerId) });
    const page = reader(token);
    await page.ask();
    // The note of the reservation stands on the order until the next one, or the reconciliation.
    cloud.clock.advance(60_000);
    expect(await page.ask()).toBe(304);
    const order = await orderStore.byToken(cloud, token);
    const [lead] = await leadLists.ofOrder(cloud, order!.order_id);
    // As if only now assigned: the state of the order is the same before and after.
    await cloud.table.transact([leadWrites.edited(lead!, { vorname: 'Später' })]);
    expect(await page.ask()).toBe(200);
    expect((await page.shown()).shown.leads.original[0]?.vorname).toBe('Später');
  });

  itOnEngine('is read once, and then costs what an order costs', async ({ cloud }) => {
    const { admin } = cloud;
    const { buyer_id: buyerId, token } = await openOrder(admin, { probability: 0 }, 60);
    for (let lead = 0; lead < 60; lead += 1) await admin.ok('createLead', { body: bytesOf(buyerId) });
    await cloud.reconcile();
    let units = 0;
    const table = new Table({
      name: TABLE_NAME,
      endpoint: cloud.environment.DYNAMODB_ENDPOINT,
      meter: ({ read }) => {
        units += read;
      },
    });
    const deps = { table, runtime: cloud.runtime };
    let known: ListTag | undefined;
    const spent: number[] = [];
    for (let poll = 0; poll < 4; poll += 1) {
      units = 0;
      known = (await viewLeads(deps, token, aVisitor({ admin: true }), { known })).tag;
      spent.push(units);
      cloud.clock.advance(10_000);
    }
    expect(spent[1]).toBe(spent[0]);
    expect(spent[2]).toBeLessThanOrEqual(6);
    expect(spent[3]).toBe(spent[2]);
    expect(spent[0]).toBeGreaterThanOrEqual(spent[2]! + 2);
  });
});
