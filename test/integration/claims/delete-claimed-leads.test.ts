/** A lead whose claim was approved has been compensated: deleting it frees no place, whatever happens in which order. */

import { describe, expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as leadLists from '#functions/data/leads/lead-lists';
import { type Order, revenue } from '#functions/data/orders/order';
import { createOrderCache } from '#functions/data/orders/order-cache';
import * as orderStore from '#functions/data/orders/order-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { createBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { DomainError } from '#functions/domain/common/errors';
import { takeIn } from '#functions/domain/distribution/distribution';
import { deleteLead } from '#functions/domain/leads/leads';
import { createOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { buyerStatistics } from '#functions/domain/statistics/buyer-statistics';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import { aPerson } from '#test/factories/people';
import { adminOn, changedTable, distributionOn, violations } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

/** Not exact in binary. */
const PRICE_EURO = 19.99;
const PRICE_CENTS = 1999;

type Step = 'approve' | 'reject' | 'delete' | 'deliver' | 'delete replacement';

const depsOn = (table: Table) => ({ ...distributionOn(table), ...adminOn(table) });

/** A buyer with one order of which one lead is delivered and claimed. */
async function claimedLead(table: Table, buyerId: string, limit: number, type: 'prepay' | 'postpay') {
  const deps = depsOn(table);
  await createBuyer(deps, 'test', {
    buyer_id: buyerId,
    buyer_email: 'buyer@example.org',
    probability: 0,
    price_per_lead: PRICE_EURO,
    buyer_type: type,
    use_sellanylead_api: true,
  });
  const order = await createOrder(deps, 'test', { buyerId, leadLimit: limit, balance: 0 });
  const { lead_id: leadId } = await takeIn(distributionOn(table), aPerson(), buyerId);
  const claim = await fileClaim(
    deps,
    { admin: 'test' },
    { leadId, orderId: order.order_id, buyerId, reason: 'fake' },
  );
  return { buyerId, leadId, claimId: claim.claim_id, order, leadIds: [leadId] };
}
type Claimed = Awaited<ReturnType<typeof claimedLead>>;

async function leadsOf(table: Table, { order_id }: Order) {
  const leads = await leadLists.ofOrder(depsOn(table), order_id);
  return {
    originals: leads.filter(({ lead_type }) => lead_type === 'original'),
    replacements: leads.filter(({ lead_type }) => lead_type === 'reimbursement'),
  };
}

/** @returns false when the rules refuse the step */
async function take(table: Table, { buyerId, leadId, claimId, order, leadIds }: Claimed, step: Step) {
  const deps = depsOn(table);
  try {
    switch (step) {
      case 'approve':
      case 'reject':
        await decideClaim(deps, {
          who: 'test',
          claimId,
          status: step === 'approve' ? 'approved' : 'rejected',
          notes: '',
        });
        break;
      case 'delete':
        await deleteLead(deps, 'test', leadId);
        break;
      case 'deliver':
        leadIds.push((await takeIn(distributionOn(table), aPerson(), buyerId)).lead_id);
        break;
      case 'delete replacement': {
        const [replacement] = (await leadsOf(table, order)).replacements;
        if (replacement === undefined) return false;
        await deleteLead(deps, 'test', replacement.lead_id);
        break;
      }
    }
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Everything that says how many leads the buyer has and what they cost, compared with the leads themselves. */
async function expectAgreement(table: Table, { buyerId, order, leadIds }: Claimed): Promise<void> {
  const deps = depsOn(table);
  const { originals, replacements } = await leadsOf(table, order);
  const now = (await orderStore.get(deps, order.order_id))!;
  expect(now.reimbursement_delivered).toBe(replacements.length);
  expect(revenue(now)).toBe(originals.length * PRICE_CENTS);
  await count(deps, leadIds);
  const { buyers, days } = await buyerStatistics(
    { ...deps, orderCache: createOrderCache(table, deps.runtime.now) },
    { days: 7, buyerId },
  );
  expect(buyers).toMatchObject([
    {
      originals: originals.length,
      replacements: replacements.length,
      pendingReplacements: now.reimbursement_pending,
      revenue: originals.length * PRICE_CENTS,
    },
  ]);
  expect(days.at(-1)).toMatchObject({ originals: originals.length, replacements: replacements.length });
}

/** Leads that the buyer has for its money or will get: those not claimed with success, and all replacements. */
async function worth(table: Table, { buyerId, order }: Claimed): Promise<number> {
  const deps = depsOn(table);
  const { originals, replacements } = await leadsOf(table, order);
  const now = (await orderStore.get(deps, order.order_id))!;
  return (
    originals.filter(({ claim_status }) => claim_status !== 'approved').length +
    replacements.length +
    now.reimbursement_pending +
    (await buyerStore.byId(deps, buyerId))!.balance_count
  );
}

function permutations<T>(of: readonly T[]): T[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first, at) => permutations(of.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

const CASES: { steps: Step[]; limit: number; type: 'prepay' | 'postpay' }[] = [
  ...permutations<Step>(['approve', 'delete', 'deliver', 'delete replacement']).map((steps) => ({
    steps,
    limit: 1,
    type: 'prepay' as const,
  })),
  ...permutations<Step>(['approve', 'delete', 'deliver']).map((steps) => ({
    steps,
    limit: 2,
    type: 'prepay' as const,
  })),
  { steps: ['approve', 'delete', 'deliver'], limit: 2, type: 'postpay' },
  { steps: ['approve', 'deliver', 'delete'], limit: 2, type: 'postpay' },
  { steps: ['reject', 'delete', 'deliver'], limit: 1, type: 'prepay' },
  { steps: ['reject', 'deliver', 'delete'], limit: 2, type: 'prepay' },
];

describe('deleting a claimed lead', () => {
  it('compensates it once, in every order of decision, deletion and replacement', async ({ table }) => {
    const reached = new Set<string>();
    for (const [at, { steps, limit, type }] of CASES.entries()) {
      const claimed = await claimedLead(table, `buyer-${at}`, limit, type);
      const done: Step[] = [];
      for (const step of steps) if (await take(table, claimed, step)) done.push(step);
      const what = `${type}, limit ${limit}: ${done.join(', ')}`;
      reached.add(done.join(', '));
      await expectAgreement(table, claimed);
      while (await take(table, claimed, 'deliver'))
        expect(await worth(table, claimed), what).toBeLessThanOrEqual(limit);
      await expectAgreement(table, claimed);
      const [order] = await orderStore.getMany(depsOn(table), [claimed.order.order_id]);
      expect(order, what).toMatchObject({ leads_received: limit, reimbursement_pending: 0 });
      const approved = done.includes('approve');
      expect(await worth(table, claimed), what).toBe(approved && type === 'postpay' ? limit - 1 : limit);
    }
    for (const order of [
      'approve, delete, deliver',
      'approve, deliver, delete',
      'approve, deliver, delete, delete replacement',
      'approve, deliver, delete replacement, delete',
      'reject, delete, deliver',
    ])
      expect([...reached]).toContain(order);
    expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
    expect((await violations(table)).filter((what) => !what.includes('without an assigned lead'))).toEqual(
      [],
    );
    const rebuilt = await rebuildStatistics(depsOn(table), false);
    expect(rebuilt).toMatchObject({ leadsCorrected: 0, differences: [] });
  });

  it('notices a claim that was filed and approved after the lead was read', async ({ table }) => {
    const deps = depsOn(table);
    const claimed = await claimedLead(table, 'buyer', 1, 'prepay');
    const before = { ...(await table.get(keys.lead(claimed.leadId)))! };
    delete before.claim_id;
    delete before.claim_status;
    await take(table, claimed, 'approve');
    let reads = 0;
    const stale = changedTable(table, {
      get: async (key, options) => {
        if (key.sk !== keys.lead('').sk) return table.get(key, options);
        reads += 1;
        return reads === 1 ? before : table.get(key, options);
      },
    });
    await deleteLead(depsOn(stale), 'test', claimed.leadId);
    expect(reads).toBe(2);
    expect(await orderStore.get(deps, claimed.order.order_id)).toMatchObject({
      leads_received: 1,
      reimbursement_pending: 1,
    });
  });
});
