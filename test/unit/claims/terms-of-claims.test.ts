/** The claim terms of an order: window, quota and default decision. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as claimStore from '#functions/data/claims/claim-store';
import { claimQuotaOf } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import { createBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim } from '#functions/domain/claims/claims';
import { decideByDefault } from '#functions/domain/claims/default-decision';
import { ingest } from '#functions/domain/distribution/distribution';
import { changeLimit, createOrder } from '#functions/domain/orders/orders';
import { claimsAllowed, decideByOf, isOverdue } from '#shared/rules/claim-windows';
import type { DefaultDecision } from '#shared/rules/constants';
import { aPerson } from '#test/factories/people';
import { claimLead } from '#test/harness/claims';
import { adminOn, changedTable, distributionOn, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

interface Terms {
  readonly max_claim_days?: number;
  readonly min_days_for_ne?: number;
  readonly decision_days?: number;
  readonly default_decision?: DefaultDecision;
  readonly claim_quota_percent?: number;
}

/** A Wednesday. */
const FILED = '2026-11-18T09:00:00.000Z';

/** A buyer with these terms and a full order of this many leads. */
async function fullOrder(leads: number, terms: Terms) {
  const table = memoryTable();
  let clock = new Date(FILED);
  const runtime = { ...quietRuntime, now: () => clock, sleep: async () => undefined };
  const deps = { ...distributionOn(table, { runtime }), ...adminOn(table, runtime) };
  await createBuyer(deps, 'test', {
    buyer_id: 'a',
    buyer_email: 'a@example.org',
    probability: 60,
    ...terms,
  });
  await createOrder(deps, 'test', { buyerId: 'a', leadLimit: leads, balance: 0 });
  const ids: string[] = [];
  for (let at = 0; at < leads; at += 1) ids.push((await ingest(deps, aPerson(), 'a')).lead_id);
  return {
    deps,
    ids,
    at: (instant: string) => {
      clock = new Date(instant);
    },
    file: (leadId: string, reason = 'fake') => claimLead(deps, leadId, { reason }),
    decide: (claimId: number, status: 'approved' | 'rejected') =>
      decideClaim(deps, { who: 'bert', claimId, status, notes: '' }),
    order: async () => (await orderStore.get(deps, 1))!,
  };
}

it('the window is copied from the buyer when the order is created', async () => {
  const { deps, file, ids, at } = await fullOrder(2, { max_claim_days: 3, min_days_for_ne: 2 });
  const [first = '', second = ''] = ids;
  await updateBuyer(deps, 'test', 'a', { max_claim_days: 20, min_days_for_ne: 1 });
  at('2026-11-19T22:59:59.000Z');
  await expect(file(first, 'ne')).rejects.toMatchObject({
    kind: 'invalid',
    code: 'ne_too_early',
    fields: { claim_reason: expect.stringContaining('20.11.2026') },
  });
  at('2026-11-19T23:00:00.000Z');
  await expect(file(first, 'ne')).resolves.toMatchObject({ claim_reason_code: 'ne' });
  at('2026-11-23T23:00:00.000Z');
  await expect(file(second)).rejects.toMatchObject({
    kind: 'invalid',
    code: 'claim_window_closed',
    message: 'Die Reklamationsfrist ist am 23.11.2026 abgelaufen.',
  });
  at('2026-11-23T22:59:59.000Z');
  await expect(file(second)).resolves.toMatchObject({ claim_status: 'pending' });
});

describe('the quota', () => {
  it('is a percentage of the leads, rounded up', () => {
    expect([0, 1, 10, 15, 100].map((percent) => claimsAllowed(105, percent))).toEqual([0, 2, 11, 16, 105]);
    expect(claimsAllowed(1, 1)).toBe(1);
  });

  it('is copied from the buyer when the order is created', async () => {
    const { deps, file, ids, order } = await fullOrder(4, { claim_quota_percent: 25 });
    await updateBuyer(deps, 'test', 'a', { claim_quota_percent: null });
    await file(ids[0]!);
    await expect(file(ids[1]!)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'claim_quota_reached',
      message: 'Das Kontingent von 1 Reklamation ist ausgeschöpft.',
    });
    expect(claimQuotaOf(await order())).toEqual({ allowed: 1, used: 1 });
    await changeLimit(deps, 'test', 'a', 5);
    await expect(file(ids[1]!)).resolves.toMatchObject({ claim_status: 'pending' });
  });

  it('of zero rejects every claim with a reason', async () => {
    const { file, ids } = await fullOrder(1, { claim_quota_percent: 0 });
    await expect(file(ids[0]!)).rejects.toMatchObject({
      code: 'claim_quota_reached',
      message: 'Für diese Bestellung sind keine Reklamationen vereinbart.',
    });
  });

  it('stays the same when the limit is lowered', async () => {
    const { deps, file, ids, order } = await fullOrder(2, { claim_quota_percent: 50 });
    await changeLimit(deps, 'test', 'a', 4);
    const seen = await order();
    await changeLimit(deps, 'test', 'a', 2);
    await file(ids[0]!);
    const late = await deps.table.transact(orderStore.claimFiled(seen));
    expect(late.ok).toBe(false);
  });
});

it('the decision deadline is the end of the day in Berlin', () => {
  expect(decideByOf(new Date(FILED), 10)).toBe('2026-12-02');
  expect(isOverdue('2026-12-02', new Date('2026-12-02T22:59:59Z'))).toBe(false);
  expect(isOverdue('2026-12-02', new Date('2026-12-02T23:00:00Z'))).toBe(true);
});

describe('the default decision', () => {
  const over = '2026-12-02T23:00:00.000Z';

  it.each([
    ['approve', 'approved', 'Automatisch genehmigt. Bis zum 02.12.2026 wurde nicht entschieden;', 1],
    ['reject', 'rejected', 'Automatisch abgelehnt. Bis zum 02.12.2026 wurde nicht entschieden;', 0],
  ] as const)('is to %s, made once after the deadline', async (default_decision, status, notes, owed) => {
    const { deps, ids, file, at, order } = await fullOrder(2, { decision_days: 10, default_decision });
    const claim = await file(ids[0]!);
    expect(claim).toMatchObject({ decide_by: '2026-12-02', default_decision });
    await updateBuyer(deps, 'test', 'a', { decision_days: null, default_decision: 'none' });
    at('2026-12-02T22:59:59.000Z');
    expect(await decideByDefault(deps)).toBe(0);
    at(over);
    const counts = await Promise.all([decideByDefault(deps), decideByDefault(deps)]);
    expect(counts.toSorted()).toEqual([0, 1]);
    expect(await decideByDefault(deps)).toBe(0);
    expect(await claimStore.get(deps, claim.claim_id)).toMatchObject({
      claim_status: status,
      admin_notes: expect.stringContaining(notes),
    });
    expect(await order()).toMatchObject({ pending_claims: 0, reimbursement_pending: owed });
    const { entries } = await auditStore.list(
      deps,
      { entity: 'claim', entityId: String(claim.claim_id) },
      { limit: 5 },
    );
    expect(entries.map(({ who, action }) => [who, action])).toContainEqual(['system', status]);
  });

  it('is not made without an agreement, or after an admin’s decision', async () => {
    const open = await fullOrder(1, { decision_days: 1, default_decision: 'none' });
    await open.file(open.ids[0]!);
    open.at(over);
    expect(await decideByDefault(open.deps)).toBe(0);
    expect(await open.order()).toMatchObject({ pending_claims: 1 });

    const decided = await fullOrder(1, { decision_days: 1, default_decision: 'approve' });
    const { claim_id } = await decided.file(decided.ids[0]!);
    await decided.decide(claim_id, 'rejected');
    decided.at(over);
    expect(await decideByDefault(decided.deps)).toBe(0);
    expect(await claimStore.overdue(decided.deps, '2027-01-01', 5)).toEqual([]);
  });

  it('continues with other claims if one cannot be decided', async () => {
    const { deps, ids, file, at } = await fullOrder(2, { decision_days: 1, default_decision: 'reject' });
    const [first, second] = [await file(ids[0]!), await file(ids[1]!)];
    at(over);
    const { table } = deps;
    const broken = changedTable(table, {
      get: (key, options) =>
        key.pk === keys.claim(first.claim_id).pk && key.sk === keys.claim(first.claim_id).sk
          ? Promise.reject(new Error('out of order'))
          : table.get(key, options),
    });
    expect(await decideByDefault({ ...deps, table: broken })).toBe(1);
    expect(await claimStore.get(deps, second.claim_id)).toMatchObject({ claim_status: 'rejected' });
    expect(await decideByDefault(deps)).toBe(1);
  });
});
