/** The statement of a buyer, against the leads, the claims and the replacement ledger that it is made of. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { claimSchema } from '#functions/data/claims/claim';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { everyShard, nameOf, sumsPut } from '#functions/data/statistics/sums';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { reverseDecision } from '#functions/domain/claims/reversal';
import { DomainError } from '#functions/domain/common/errors';
import { takeIn } from '#functions/domain/distribution/distribution';
import { deleteLead } from '#functions/domain/leads/leads';
import { createOrder, deleteOrder, restoreLastDeletedOrder } from '#functions/domain/orders/orders';
import { addUp, checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { type Statement, statementOf } from '#functions/domain/orders/statement';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import { berlinDay } from '#shared/rules/working-days';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  distributionOn,
  itemsOf,
  leadsAmong,
  ordersAmong,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const BUYERS = ['prepaid', 'postpaid'] as const;
/** Seconds before midnight in Berlin and midnight, at the ends of months in summer and winter, and at the end of a year. */
const INSTANTS = [
  '2026-06-30T21:59:50.000Z',
  '2026-06-30T22:00:00.000Z',
  '2026-10-31T22:59:50.000Z',
  '2026-10-31T23:00:00.000Z',
  '2026-12-31T22:59:50.000Z',
  '2026-12-31T23:00:00.000Z',
  '2027-01-04T10:00:00.000Z',
];

const KINDS = [
  'lead',
  'lead',
  'lead',
  'lead',
  'claim',
  'claim',
  'decide',
  'decide',
  'reverse',
  'reverse',
  'remove',
  'order',
  'end',
  'restore',
  'price',
  'later',
] as const;
const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  buyer: fc.constantFrom(...BUYERS),
  number: fc.nat(1000),
});

/** Two approved claims, and the next leads by weight, of which every second is the buyer's. */
const ONE_REPLACED_ONE_OWED = [
  ...[1, 1].map((number) => ({ kind: 'lead' as const, buyer: 'prepaid' as const, number })),
  ...[0, 1].map((number) => ({ kind: 'claim' as const, buyer: 'prepaid' as const, number })),
  ...[1, 1].map((number) => ({ kind: 'decide' as const, buyer: 'prepaid' as const, number })),
  ...[3, 3].map((number) => ({ kind: 'lead' as const, buyer: 'postpaid' as const, number })),
];

/** A claim that was approved by a rule, which an admin reverses. */
const TAKEN_BACK = (['lead', 'claim', 'decide', 'reverse'] as const).map((kind) => ({
  kind,
  buyer: 'prepaid' as const,
  number: 1,
}));

/** As the product decides by itself. */
const byRule = (status: 'approved' | 'rejected') => ({
  proven: { rule: 'duplicate_same_buyer' as const, status, german: '', english: '' },
});

const world = async () => {
  const table = memoryTable();
  let at = 0;
  let milliseconds = 0;
  const runtime = {
    ...quietRuntime,
    sleep: async () => undefined,
    // The ledger is sorted by the millisecond.
    now: () => new Date(Date.parse(INSTANTS[at] ?? '') + milliseconds++),
  };
  await addBuyers(table, [
    { id: 'prepaid', probability: 50 },
    { id: 'postpaid', probability: 50 },
  ]);
  const deps = { ...distributionOn(table, { runtime }), ...adminOn(table, runtime) };
  const setBuyer = async (id: string, change: object) => {
    const buyer = (await buyerStore.byId(deps, id))!;
    await table.transact([buyerStore.changed(buyer, change)]);
  };
  await setBuyer('postpaid', { buyer_type: 'postpay', price_per_lead: null });
  await setBuyer('prepaid', { price_per_lead: 4567 });
  const apply = async ({
    kind,
    buyer,
    number,
  }: {
    kind: (typeof KINDS)[number];
    buyer: string;
    number: number;
  }) => {
    const internal = (await buyerStore.byId(deps, buyer))!.buyer;
    const orders = await orderStore.ofBuyer(deps, internal);
    const leads = (await Promise.all(orders.map(({ order_id }) => leadLists.ofOrder(deps, order_id)))).flat();
    const some = <T>(from: readonly T[]) => from[number % (from.length || 1)];
    const lead = some(leads);
    switch (kind) {
      case 'lead':
        return takeIn(deps, aPerson(), number % 3 === 0 ? undefined : buyer);
      case 'claim':
        return (
          lead &&
          fileClaim(
            deps,
            { admin: 'a' },
            { leadId: lead.lead_id, orderId: lead.order_id!, buyerId: buyer, reason: 'fake' },
          )
        );
      case 'decide': {
        const claimed = some(leads.filter(({ claim_status }) => claim_status === 'pending'));
        const status = number % 4 === 0 ? 'rejected' : 'approved';
        const decision = { who: 'a', claimId: claimed?.claim_id ?? 0, status, notes: '' } as const;
        return claimed && decideClaim(deps, decision, number % 3 === 0 ? {} : byRule(status));
      }
      case 'reverse': {
        const decided = some(
          leads.filter(({ claim_id, claim_status }) => claim_id && claim_status !== 'pending'),
        );
        const reversal = { who: 'a', claimId: decided?.claim_id ?? 0, notes: '' };
        return decided && reverseDecision(deps, reversal);
      }
      case 'remove':
        return lead && deleteLead(deps, 'a', lead.lead_id);
      case 'order': {
        const { balance_count } = (await buyerStore.byId(deps, buyer))!;
        const balance = buyer === 'postpaid' ? 0 : Math.min(balance_count, number % 3);
        return createOrder(deps, 'a', { buyerId: buyer, leadLimit: 1 + (number % 4), balance });
      }
      case 'end': {
        const order = some(orders);
        return order && deleteOrder(deps, 'a', buyer, order.order_id);
      }
      case 'restore':
        return restoreLastDeletedOrder(deps, 'a', buyer);
      case 'price':
        return setBuyer(buyer, { price_per_lead: number % 5 === 0 ? null : number * 7 });
      case 'later':
        expect(milliseconds).toBeLessThan(10_000);
        if (at === INSTANTS.length - 1) return undefined;
        milliseconds = 0;
        at += 1;
        return undefined;
    }
  };
  const statements = async (): Promise<Statement[]> => {
    const parts = deps;
    return Promise.all(BUYERS.map(async (id) => statementOf(parts, (await buyerStore.byId(deps, id))!)));
  };
  const settle = async () => {
    await count(
      deps,
      leadsAmong(await itemsOf(table)).map(({ lead_id }) => lead_id),
    );
  };
  return { table, deps, apply, statements, settle };
};

const monthOf = (instant: string | undefined) => berlinDay(new Date(instant ?? '')).slice(0, 7);

/** The same from nothing but leads, claims and orders. */
async function expected({ table }: Awaited<ReturnType<typeof world>>) {
  const items = await itemsOf(table);
  const leads = leadsAmong(items).filter(({ status }) => status === 'assigned');
  const claims = items.filter(({ sk }) => sk === 'CLAIM').map((item) => claimSchema.parse(item));
  const lines = new Map<string, Record<string, number>>();
  const add = (order: number | undefined, month: string, figure: string) => {
    const line = lines.get(`${order} ${month}`) ?? {};
    lines.set(`${order} ${month}`, line);
    line[figure] = (line[figure] ?? 0) + 1;
  };
  for (const { order_id, assigned_at, lead_type } of leads)
    add(order_id, monthOf(assigned_at), lead_type === 'original' ? 'originals' : 'replacements');
  for (const { order_id, created_at, claim_status } of claims) {
    add(order_id, monthOf(created_at), 'claims');
    if (claim_status !== 'pending') add(order_id, monthOf(created_at), claim_status);
  }
  const prices = new Map(ordersAmong(items).map((order) => [order.order_id, order.price_per_lead]));
  const sum = leads.reduce(
    (cents, { order_id = 0, lead_type }) =>
      cents + (lead_type === 'original' ? (prices.get(order_id) ?? 0) : 0),
    0,
  );
  return { lines, sum };
}

const FIGURES = ['originals', 'replacements', 'claims', 'approved', 'rejected'] as const;

const linesOf = (statements: readonly Statement[]) =>
  new Map(
    statements.flatMap(({ orders }) =>
      orders.flatMap(({ order, lines }) =>
        lines.map((line) => [
          `${order.order_id} ${line.month}`,
          Object.fromEntries(
            FIGURES.flatMap((figure) => (line[figure] === 0 ? [] : [[figure, line[figure]]])),
          ),
        ]),
      ),
    ),
  );

const sorted = (lines: ReadonlyMap<string, object>) => [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1));

describe('the statement of a buyer', () => {
  it('is what the leads, the claims and the ledger say, whatever happened, and its totals are even before', async () => {
    let billed = 0;
    let replaced = 0;
    let waiting = 0;
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 70 }), async (steps) => {
        const at = await world();
        for (const buyer of BUYERS) await at.apply({ kind: 'order', buyer, number: 3 });
        for (const [index, one] of steps.entries()) {
          try {
            await at.apply(one);
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
          }
          // Some of it is counted in time, and some later than others.
          if (index % 9 === 0) await at.settle();
        }
        const { lines, sum } = await expected(at);
        const sumOf = async () =>
          (await at.statements()).reduce((cents, statement) => cents + statement.sum, 0);
        expect(await sumOf()).toBe(sum);
        await at.settle();
        expect(await sumOf()).toBe(sum);

        const statements = await at.statements();
        expect(sorted(linesOf(statements))).toEqual(sorted(lines));
        expect(checkReplacements(await readReplacementRecords(at.table))).toEqual([]);
        for (const { buyer, orders, balance, owed } of statements) {
          const entries = await replacementStore.ofBuyer(at, buyer.buyer);
          const ledger = addUp(entries);
          undone += entries.filter(({ kind }) => kind === 'credit_undone').length;
          expect(balance).toBe(buyer.balance_count);
          expect(owed).toHaveLength(balance + orders.reduce((all, order) => all + order.owed, 0));
          expect(owed.map(({ since }) => since)).toEqual(owed.map(({ since }) => since).toSorted());
          for (const { order, total, owed: own } of orders) {
            expect(own).toBe(order.reimbursement_pending);
            expect(total.replacements).toBe(ledger.orders.get(order.order_id)?.delivered ?? 0);
            expect(total.sum).toBe(
              order.price_per_lead === null ? null : total.originals * order.price_per_lead,
            );
            billed += total.originals;
            replaced += total.replacements;
            waiting += own;
          }
        }
        expect(await rebuildStatistics(at.deps, false)).toMatchObject({
          leadsCorrected: 0,
          differences: [],
          moving: [],
        });
      }),
      { numRuns: 12, examples: [[ONE_REPLACED_ONE_OWED], [TAKEN_BACK]] },
    );
    expect([billed, replaced, waiting, undone].every((leads) => leads > 0)).toBe(true);
  });

  it('says what is not counted in its month yet, and is put right by a rebuild', async () => {
    const at = await world();
    await at.apply({ kind: 'order', buyer: 'prepaid', number: 3 });
    for (let lead = 0; lead < 3; lead += 1) await at.apply({ kind: 'lead', buyer: 'prepaid', number: 1 });
    const [before] = await at.statements();
    expect(before?.orders[0]?.lines).toEqual([
      { month: null, originals: 3, replacements: 0, claims: 0, approved: 0, rejected: 0, sum: 3 * 4567 },
    ]);
    const rebuilt = await rebuildStatistics(at.deps, true);
    expect(rebuilt.leadsCorrected).toBe(3);
    const [after] = await at.statements();
    expect(after?.orders[0]?.lines).toMatchObject([{ month: '2026-06', originals: 3, sum: 13_701 }]);

    // A figure that nobody counted is found and taken out.
    const [shard] = (await everyShard(at)).get(nameOf.accountMonth(1, '2026-06')) ?? [];
    await at.table.put(sumsPut({ ...shard!, value: new Map([['originals:1', 5]]) }));
    expect((await at.statements())[0]?.orders[0]?.lines).toMatchObject([
      { month: '2026-06', originals: 5 },
      { month: null, originals: -2, sum: -9134 },
    ]);
    const repaired = await rebuildStatistics(at.deps, true);
    expect(repaired.differences).toEqual([{ of: '1#2026-06 originals:1', stored: 5, actual: 3 }]);
    expect((await at.statements())[0]?.orders[0]?.lines).toHaveLength(1);
  });
});
