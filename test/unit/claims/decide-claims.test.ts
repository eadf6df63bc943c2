/** Requirements for filing a claim, and which order owes the replacement of an approved one. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as orderStore from '#functions/data/orders/order-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { keys } from '#functions/data/table/keys';
import { deleteBuyer } from '#functions/domain/buyers/buyers';
import { type ClaimAccess, claimOfLead, decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { deleteLead } from '#functions/domain/leads/leads';
import { createOrder, deleteOrder, restoreLastDeletedOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { aVisitor } from '#test/factories/links';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  changedTable,
  dieWithAReservation,
  distributionOn,
  interruptedTable,
  Killed,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

/** A buyer with a full order of one lead, a claim for that lead, and possibly a second order. */
async function claimed(second?: number) {
  const table = memoryTable();
  await addBuyers(table, [{ id: 'a', probability: 60, limit: 1 }]);
  const deps = {
    ...distributionOn(table),
    ...adminOn(table, { ...quietRuntime, sleep: async () => undefined }),
  };
  const lead = await ingest(deps, aPerson(), undefined);
  const by = (access: ClaimAccess, change: object = {}) =>
    fileClaim(deps, access, { leadId: lead.lead_id, orderId: 1, buyerId: 'a', reason: 'fake', ...change });
  const claim = await by({ admin: 'anna' });
  if (second !== undefined) await createOrder(deps, 'test', { buyerId: 'a', leadLimit: second, balance: 0 });
  const decide = (status: 'approved' | 'rejected' = 'approved', notes = '') =>
    decideClaim(deps, { who: 'bert', claimId: claim.claim_id, status, notes });
  const buyer = async () => (await buyerStore.get(deps, 1))!;
  const entry = () => poolStore.entry(deps, 1);
  const order = async (id: number) => (await orderStore.get(deps, id))!;
  const auditOf = async (id = claim.claim_id) =>
    (await auditStore.list(deps, { entity: 'claim', entityId: String(id) }, { limit: 20 })).entries;
  const consistent = async () => expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
  return { table, deps, lead, claim, by, decide, buyer, entry, order, auditOf, consistent };
}

const OPEN = { has_capacity: true, active: true };

interface Crediting {
  readonly what: string;
  /** The limit of a second order. */
  readonly second?: number;
  readonly before?: (world: Awaited<ReturnType<typeof claimed>>) => Promise<unknown>;
  /** Owed replacements by order after the decision. */
  readonly owed: readonly number[];
  readonly balance?: number;
  /** The pool entry after the decision. */
  readonly entry:
    | { readonly order_id?: number; readonly has_capacity?: boolean; readonly active: boolean }
    | undefined;
}

describe('filing a claim', () => {
  it('as an admin requires an assigned lead with its order and buyer', async () => {
    const { deps, by } = await claimed();
    const admin = { admin: 'anna' };
    await expect(by(admin, { leadId: 'nothing' })).rejects.toMatchObject({ kind: 'not_found' });
    const pending = await ingest(deps, aPerson(), undefined);
    await expect(by(admin, { leadId: pending.lead_id })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'lead_not_claimable',
    });
    for (const wrong of [{ orderId: 2 }, { buyerId: 'b' }])
      await expect(by(admin, wrong)).rejects.toMatchObject({ kind: 'invalid', code: 'claim_mismatch' });
  });

  it('with a link requires lead, order and buyer of the link, and reveals nothing else', async () => {
    const { deps, by, order, lead } = await claimed();
    const { token } = await order(1);
    await expect(by({ token: 'nothing', visitor: aVisitor() })).rejects.toMatchObject({ kind: 'not_found' });
    for (const wrong of [{ leadId: 'nothing' }, { orderId: 2 }, { buyerId: 'b' }])
      await expect(by({ token, visitor: aVisitor() }, wrong)).rejects.toMatchObject({
        code: 'token_mismatch',
      });
    const found = await claimOfLead(deps, { token, visitor: aVisitor() }, lead.lead_id);
    expect(found).toMatchObject({ lead_id: lead.lead_id, order_id: 1, claim_status: 'pending' });
  });

  it('is audited with its author, and found by its lead', async () => {
    const { table, deps, by, auditOf } = await claimed();
    expect((await auditOf()).map(({ who, action }) => [who, action])).toEqual([['anna', 'filed']]);
    await addBuyers(table, [{ id: 'b', probability: 30, limit: 1 }]);
    const { lead_id } = await ingest(deps, aPerson(), undefined);
    await expect(claimOfLead(deps, { admin: 'anna' }, lead_id)).rejects.toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining('Claim'),
    });
    const { token } = (await orderStore.get(deps, 2))!;
    const other = { leadId: lead_id, orderId: 2, buyerId: 'b' };
    const visitor = aVisitor({ admin: true, who: 'bert' });
    const { claim_id } = await by({ token, visitor }, other);
    expect(await auditOf(claim_id)).toMatchObject([
      {
        who: 'bert',
        changes: expect.arrayContaining([
          { field: 'claim_status', from: null, to: 'pending' },
          { field: 'lead_id', from: null, to: lead_id },
        ]),
      },
    ]);
  });
});

describe('deciding a claim', () => {
  it('is audited with its notes, and blank notes are not stored', async () => {
    for (const [written, kept] of [
      ['  ', null],
      [' so it is ', ' so it is '],
    ] as const) {
      const { decide, auditOf } = await claimed();
      expect(await decide('rejected', written)).toMatchObject({
        claim_status: 'rejected',
        admin_notes: kept,
      });
      const [notified] = await auditOf();
      expect(notified).toMatchObject({ who: 'bert', action: 'rejected' });
      expect(notified?.changes).toContainEqual({ field: 'claim_status', from: 'pending', to: 'rejected' });
      expect(notified?.changes.some(({ field }) => field === 'admin_notes')).toBe(kept !== null);
    }
  });

  it('requires a claim', async () => {
    const { deps } = await claimed();
    const unknown = { who: 'bert', claimId: 99, status: 'approved', notes: '' } as const;
    await expect(decideClaim(deps, unknown)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('credits nothing when it is rejected', async () => {
    const { decide, buyer, order, entry } = await claimed();
    await decide('rejected');
    expect(await order(1)).toMatchObject({ reimbursement_pending: 0, rejected_claims: 1 });
    expect(await buyer()).toMatchObject({ balance_count: 0, rejected_claims: 1 });
    expect(await entry()).toMatchObject({ has_capacity: false });
  });

  it.each<Crediting>([
    { what: 'a full order without a successor', owed: [1], entry: { ...OPEN, order_id: 1 } },
    { what: 'the currently open order', second: 5, owed: [0, 1], entry: { ...OPEN, order_id: 2 } },
    {
      what: 'the claimed order when its successor is full too',
      second: 1,
      before: ({ deps }) => ingest(deps, aPerson(), undefined),
      owed: [1, 0],
      entry: { ...OPEN, order_id: 1 },
    },
    {
      what: 'the claimed order of a buyer that becomes active again, after a later order was deleted',
      second: 5,
      before: ({ deps }) => deleteOrder(deps, 'test', 'a', 2),
      owed: [1, 0],
      entry: { ...OPEN, order_id: 1 },
    },
    {
      what: 'the order of an inactive buyer whose weight no longer fits with the others',
      second: 5,
      before: async ({ deps, table }) => {
        await deleteOrder(deps, 'test', 'a', 2);
        await addBuyers(table, [{ id: 'b', probability: 50, limit: 5 }]);
      },
      owed: [1, 0],
      entry: { ...OPEN, order_id: 1, active: false },
    },
    ...[
      { inEffect: 20, others: 80, active: true },
      { inEffect: 60, others: 40, active: true },
      { inEffect: 60, others: 50, active: false },
    ].map(
      ({ inEffect, others, active }): Crediting => ({
        what: `a buyer whose weight in effect is ${inEffect} next to ${others}, before the items are updated`,
        second: 5,
        before: async ({ deps, table }) => {
          await deleteOrder(deps, 'test', 'a', 2);
          await addBuyers(table, [{ id: 'b', probability: 40, limit: 5 }]);
          const weights = new Map([
            [1, inEffect * 100],
            [2, others * 100],
          ]);
          const { weightsVersion } = await poolStore.readForWeights(deps);
          await table.transact([poolStore.weightsChanged(weightsVersion, { weights, by: 'anna' })]);
        },
        owed: [1, 0],
        entry: { ...OPEN, active },
      }),
    ),
    {
      what: 'the order of a buyer that an admin has paused, which stays paused',
      before: async ({ table, buyer, entry }) => {
        const paused = (await entry())!;
        await table.transact([
          buyerStore.changed(await buyer(), { active: false }),
          poolStore.entryChanged(paused, { ...paused, active: false }),
        ]);
      },
      owed: [1],
      entry: { ...OPEN, active: false },
    },
    {
      what: 'the balance when the claimed order is deleted and none is open',
      before: ({ deps }) => deleteOrder(deps, 'test', 'a', 1),
      owed: [0],
      balance: 1,
      entry: { active: false },
    },
    {
      what: 'the balance of a buyer that is now postpay',
      before: async ({ deps, table, buyer }) => {
        await table.transact([buyerStore.changed(await buyer(), { buyer_type: 'postpay' })]);
        await createOrder(deps, 'test', { buyerId: 'a', leadLimit: 5, balance: 0 });
      },
      owed: [0, 0],
      balance: 1,
      entry: OPEN,
    },
    {
      what: 'the order of a deleted buyer, which takes no leads',
      before: async ({ deps, table }) => {
        await deleteBuyer(deps, 'test', 'a');
        await reconcile(distributionOn(table), -1000);
      },
      owed: [1],
      entry: undefined,
    },
  ])('credits $what', async ({ second, before, owed, balance = 0, entry }) => {
    const world = await claimed(second);
    await before?.(world);
    await world.decide();
    for (const [at, pending] of owed.entries())
      expect(await world.order(at + 1)).toMatchObject({ reimbursement_pending: pending });
    expect(await world.order(1)).toMatchObject({ approved_claims: 1 });
    expect(await world.buyer()).toMatchObject({
      balance_count: balance,
      approved_claims: 1,
      active: entry?.active ?? false,
    });
    if (entry === undefined) expect(await world.entry()).toBeUndefined();
    else expect(await world.entry()).toMatchObject(entry);
    await world.consistent();
  });

  it('is rejected while it is unknown whether the last slot of the open order is taken', async () => {
    const { table, decide, order, consistent } = await claimed(1);
    await expect(dieWithAReservation(table)).rejects.toThrow(Killed);
    await expect(decide()).rejects.toMatchObject({ code: 'order_in_use' });
    expect(await order(1)).toMatchObject({ reimbursement_pending: 0 });
    await reconcile(distributionOn(table), -1000);
    await decide();
    // The slot was released, so this is the open order.
    expect([await order(1), await order(2)]).toMatchObject([
      { reimbursement_pending: 0 },
      { leads_received: 0, reimbursement_pending: 1 },
    ]);
    await consistent();
  });

  it.each([
    ['opened', 2, (deps: Context) => createOrder(deps, 'test', { buyerId: 'a', leadLimit: 5, balance: 0 })],
    ['restored', 1, (deps: Context) => restoreLastDeletedOrder(deps, 'test', 'a')],
  ])('credits an order that is %s concurrently, if none was open before', async (_, id, open) => {
    const { deps, claim, order, buyer, consistent } = await claimed();
    await deleteOrder(deps, 'test', 'a', 1);
    const approved = { who: 'bert', claimId: claim.claim_id, status: 'approved', notes: '' } as const;
    await decideClaim(
      { ...deps, table: interruptedTable(deps.table, 'transact', () => open(deps)) },
      approved,
    );
    expect((await order(id)).reimbursement_pending).toBe(1);
    expect((await buyer()).balance_count).toBe(0);
    await consistent();
  });

  it('conflicts with a deletion that read the lead before the claim was filed', async () => {
    const { table, deps, lead, decide, order } = await claimed();
    const before = { ...(await table.get(keys.lead(lead.lead_id))) };
    delete before.claim_id;
    delete before.claim_status;
    await decide();
    let reads = 0;
    const stale = changedTable(table, {
      get: async (key, options) => {
        if (key.sk !== keys.lead('').sk) return table.get(key, options);
        reads += 1;
        return reads === 1 ? before : table.get(key, options);
      },
    });
    await deleteLead({ ...deps, table: stale }, 'anna', lead.lead_id);
    expect(reads).toBe(2);
    expect(await order(1)).toMatchObject({ leads_received: 1, reimbursement_pending: 1 });
  });
});
