/** Random histories of one whole product on the embedded table: two at a time, so that they get in each other's way. */

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { totalOf } from '#functions/data/claims/claim-lists';
import * as claimStore from '#functions/data/claims/claim-store';
import * as leadLists from '#functions/data/leads/lead-lists';
import { createOrderCache, type OrderCache } from '#functions/data/orders/order-cache';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import type { ClaimScope } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { listClaims } from '#functions/domain/claims/claim-list';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { reverseDecision } from '#functions/domain/claims/reversal';
import { reversibleUntil } from '#functions/domain/claims/reversible';
import { DomainError } from '#functions/domain/common/errors';
import { takeIn } from '#functions/domain/distribution/distribution';
import { deleteLead, editLead } from '#functions/domain/leads/leads';
import { regenerateToken, renewLink, switchOffLink } from '#functions/domain/orders/links';
import {
  changeComments,
  changeLimit,
  createOrder,
  deleteOrder,
  restoreLastDeletedOrder,
} from '#functions/domain/orders/orders';
import { checkReplacements, historyOf } from '#functions/domain/orders/replacement-ledger';
import { CLAIM_STATUSES } from '#shared/rules/constants';
import { aPerson } from '#test/factories/people';
import { addBuyers, adminOn, distributionOn, violations } from '#test/harness/distribution';
import { itAtEveryCall as it } from '#test/harness/fixtures';

const BUYERS = ['left', 'right'] as const;
const STEPS = 300;

const KINDS = [
  'lead',
  'lead',
  'lead',
  'lead',
  'file',
  'file',
  'decide',
  'decide',
  'reverse',
  'reverse',
  'order',
  'limit',
  'delete',
  'restore',
  'comments',
  'link',
  'erase',
  'edit',
] as const;
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly buyer: (typeof BUYERS)[number];
  readonly number: number;
}

/** Does a step; what the rules refuse is no failure, anything else is. */
async function apply(table: Table, { kind, buyer, number }: Step): Promise<'done' | 'refused'> {
  const deps = { ...distributionOn(table), ...adminOn(table) };
  const internal = (await buyerStore.byId(deps, buyer))!.buyer;
  const orders = await orderStore.ofBuyer(deps, internal);
  const leads = (await Promise.all(orders.map(({ order_id }) => leadLists.ofOrder(deps, order_id)))).flat();
  const some = <T>(from: readonly T[]): T | undefined => from[number % (from.length || 1)];
  try {
    switch (kind) {
      case 'lead':
        await takeIn(distributionOn(table), aPerson(), number % 4 === 0 ? undefined : buyer);
        break;
      case 'file': {
        const lead = some(leads);
        if (lead === undefined) return 'refused';
        await fileClaim(
          deps,
          { admin: 'test' },
          {
            leadId: lead.lead_id,
            orderId: lead.order_id!,
            buyerId: buyer,
            reason: 'fake',
          },
        );
        break;
      }
      case 'decide': {
        const lead = some(leads.filter(({ claim_status }) => claim_status === 'pending'));
        if (lead === undefined) return 'refused';
        const status = number % 5 === 0 ? 'rejected' : 'approved';
        const proven = { rule: 'duplicate_same_buyer' as const, status, german: '', english: '' } as const;
        const decision = { who: 'test', claimId: lead.claim_id!, status, notes: '' } as const;
        await decideClaim(deps, decision, number % 3 === 0 ? {} : { proven });
        break;
      }
      case 'reverse': {
        const claims = await claimStore.getMany(
          deps,
          leads.flatMap(({ claim_id }) => claim_id ?? []),
        );
        const claim = some(claims.flatMap((one) => (one && reversibleUntil(one) ? [one] : [])));
        if (claim === undefined) return 'refused';
        await reverseDecision(deps, { who: 'test', claimId: claim.claim_id, notes: '' });
        break;
      }
      case 'order': {
        const { balance_count } = (await buyerStore.byId(deps, buyer))!;
        const balance = Math.min(balance_count, number % 3);
        await createOrder(deps, 'test', { buyerId: buyer, leadLimit: 1 + (number % 4), balance });
        break;
      }
      case 'limit':
        await changeLimit(deps, 'test', buyer, 1 + (number % 9));
        break;
      case 'delete': {
        const order = some(orders);
        if (order === undefined) return 'refused';
        await deleteOrder(deps, 'test', buyer, order.order_id);
        break;
      }
      case 'comments': {
        const order = some(orders);
        if (order === undefined) return 'refused';
        await changeComments(deps, 'test', order.order_id, `Nummer ${number}`);
        break;
      }
      case 'link': {
        const order = some(orders);
        if (order === undefined || number % 3 === 0) await regenerateToken(deps, 'test', buyer);
        else await (number % 3 === 1 ? renewLink : switchOffLink)(deps, 'test', order.order_id);
        break;
      }
      case 'restore':
        await restoreLastDeletedOrder(deps, 'test', buyer);
        break;
      case 'erase': {
        const lead = some(leads);
        if (lead === undefined) return 'refused';
        await deleteLead(deps, 'test', lead.lead_id);
        break;
      }
      case 'edit': {
        const lead = some(leads);
        if (lead === undefined) return 'refused';
        await editLead(deps, 'test', lead.lead_id, { nachname: `Neu${'abcdefg'.charAt(number % 7)}` });
        break;
      }
    }
    return 'done';
  } catch (error) {
    if (error instanceof DomainError) return 'refused';
    throw error;
  }
}

const bookOn = (table: Table) => createOrderCache(table, () => new Date());

/** What a list shows of the orders, by their numbers; some of them are asked for before. */
async function everyOrder(orderCache: OrderCache) {
  const some = await orderCache.some([1, 2, 3, 17, 18]);
  const { orders, comments } = await orderCache.all();
  for (const order of some.values()) expect(orders).toContainEqual(order);
  return { orders: orders.sort((a, b) => a.order_id - b.order_id), comments };
}

describe('random histories of claims, orders and leads', () => {
  it(`keep replacements, lists and counters consistent (${STEPS} steps)`, async ({ table }) => {
    const admin = adminOn(table);
    await addBuyers(
      table,
      BUYERS.map((id) => ({ id, probability: 50 })),
    );
    const steps = fc.sample(
      fc.record({ kind: fc.constantFrom(...KINDS), buyer: fc.constantFrom(...BUYERS), number: fc.nat(1000) }),
      { numRuns: STEPS, seed: 20_251_114 },
    );
    const done = new Map<string, number>();
    const remembering = bookOn(table);
    for (let at = 0; at < steps.length; at += 2) {
      const pair = steps.slice(at, at + 2);
      const outcomes = await Promise.all(pair.map((step) => apply(table, step)));
      for (const [index, outcome] of outcomes.entries())
        if (outcome === 'done') done.set(pair[index]!.kind, (done.get(pair[index]!.kind) ?? 0) + 1);
      if (at % 20 === 0) expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
      if (at % 4 === 0) expect(await everyOrder(remembering)).toEqual(await everyOrder(bookOn(table)));
    }
    for (const kind of KINDS) expect(done.get(kind) ?? 0, kind).toBeGreaterThan(0);

    expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
    // Leads that were deleted later keep what was delivered of them.
    const violated = await violations(table);
    expect(violated.filter((what) => !what.startsWith('there are deliveries without'))).toEqual([]);
    const entries = await replacementStore.ofBuyer({ table }, 1);
    expect(entries.some(({ kind }) => kind === 'delivery')).toBe(true);
    expect(historyOf(entries).at(-1)!.balance).toBe((await buyerStore.get(admin, 1))!.balance_count);

    const { orders } = await remembering.all();
    const scopes: ClaimScope[] = [
      { all: true },
      { buyer: 1 },
      { buyer: 2 },
      ...orders.map(({ order_id }) => ({ order: order_id })),
    ];
    for (const scope of scopes) {
      const rows = await claimStore.rows(admin, scope, CLAIM_STATUSES);
      const counts = await claimStore.counts(admin, scope);
      const claims = await claimStore.getMany(
        admin,
        rows.map(({ claim_id }) => claim_id),
      );
      for (const status of CLAIM_STATUSES)
        expect(totalOf(counts, [status])).toBe(
          rows.filter(({ claim_status }) => claim_status === status).length,
        );
      expect(rows).toEqual(claims.map((claim) => claimStore.rowOf(claim!)));
      if ('order' in scope) {
        const order = orders.find(({ order_id }) => order_id === scope.order)!;
        expect([
          order.total_claims,
          order.pending_claims,
          order.approved_claims,
          order.rejected_claims,
        ]).toEqual([
          rows.length,
          totalOf(counts, ['pending']),
          totalOf(counts, ['approved']),
          totalOf(counts, ['rejected']),
        ]);
      }
      if ('buyer' in scope) {
        const buyer = (await buyerStore.get(admin, scope.buyer))!;
        expect([buyer.total_claims, buyer.approved_claims, buyer.rejected_claims]).toEqual([
          rows.length,
          totalOf(counts, ['approved']),
          totalOf(counts, ['rejected']),
        ]);
      }
    }

    // The search knows every claim by the name that its lead has now, and by no other.
    const all = await listClaims(admin, { page: 1, limit: 100, sortBy: 'claim_id', descending: false });
    for (const name of new Set(all.claims.map(({ lead }) => lead!.nachname))) {
      const found = await listClaims(admin, {
        page: 1,
        limit: 100,
        search: name,
        sortBy: 'claim_id',
        descending: false,
      });
      expect(found.claims.map(({ claim }) => claim.claim_id)).toEqual(
        all.claims.filter(({ lead }) => lead!.nachname === name).map(({ claim }) => claim.claim_id),
      );
    }
  }, 300_000);
});
