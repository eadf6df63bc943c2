/** Admins and the distribution at the same moment, call by call in any order, on the embedded table. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { totalOf } from '#functions/data/claim-lists';
import { buyerSchema, channelsOf } from '#functions/data/entities/buyer';
import { leadSchema } from '#functions/data/entities/lead';
import { hasRoom, orderSchema } from '#functions/data/entities/order';
import type { ClaimScope } from '#functions/data/keys';
import { createOrderBook } from '#functions/data/order-book';
import { readBooks } from '#functions/data/replacements';
import type { Item, Table } from '#functions/data/table';
import { createBuyer, deleteBuyer, updateBuyer } from '#functions/domain/buyers';
import { listClaims } from '#functions/domain/claim-list';
import { decideClaim, fileClaim } from '#functions/domain/claims';
import { assignByHand, takeIn } from '#functions/domain/distribution';
import { DomainError } from '#functions/domain/errors';
import { deleteLead, discardLead, editLead } from '#functions/domain/leads';
import {
  changeLimit,
  createOrder,
  deleteOrder,
  regenerateToken,
  restoreLastDeletedOrder,
} from '#functions/domain/orders';
import { refill } from '#functions/domain/refill';
import { checkReplacements } from '#functions/domain/replacements';
import { sweep } from '#functions/domain/sweep';
import { CLAIM_STATUSES } from '#shared/contract/constants';
import { adminOn, distributionOn, person, quietRuntime, violations } from '#test/harness/distribution';
import { startTestEngine, type TestEngine } from '#test/harness/engine';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

const runtime = { ...quietRuntime, sleep: async () => undefined };
const KINDS = [
  'lead',
  'lead',
  'file',
  'decide',
  'decide',
  'order',
  'limit',
  'delete',
  'restore',
  'link',
  'erase',
  'edit',
  'edit',
  'buyer',
  'buyer',
  'pause',
  'rename',
  'kill',
  'assign',
  'discard',
  'editPending',
  'refill',
  'exclusive',
] as const;
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly buyer: number;
  readonly number: number;
}

const depsOn = (table: Table) => ({ ...distributionOn(table, { runtime }), ...adminOn(table, runtime) });
type Deps = ReturnType<typeof depsOn>;

/** What is aimed at is chosen before, from the table at rest. */
async function aim(table: Table, step: Step): Promise<(deps: Deps) => Promise<unknown>> {
  const d = depsOn(table);
  const { number } = step;
  const some = <T>(from: readonly T[]): T | undefined => from[number % (from.length || 1)];
  const buyer = (await d.buyers.get(step.buyer))!;
  const id = buyer.buyer_id;
  const orders = await d.orders.ofBuyer(buyer.buyer);
  const leads = (await Promise.all(orders.map(({ order_id }) => d.leads.ofOrder(order_id)))).flat();
  const pending = [...(await d.leads.pending({ limit: 100 })).items];
  const lead = some(leads);
  const waiting = some(pending);
  const order = some(orders);
  const nothing = async () => undefined;
  const edit = {
    nachname: `Neu${'abc'.charAt(number % 3)}`,
    email: `neu${number % 4}@example.org`,
    laufzeit: number,
  };
  switch (step.kind) {
    case 'lead':
      return (x) =>
        takeIn(x, person({ anlagebetrag: 100 * (number % 900) }), number % 3 === 0 ? id : undefined);
    case 'file':
      return lead === undefined
        ? nothing
        : (x) =>
            fileClaim(
              x,
              { admin: 't' },
              { leadId: lead.lead_id, orderId: lead.order_id!, buyerId: id, reason: 'fake' },
            );
    case 'decide': {
      const claimed = some(leads.filter(({ claim_status }) => claim_status === 'pending'));
      return claimed === undefined
        ? nothing
        : (x) =>
            decideClaim(x, {
              who: 't',
              claimId: claimed.claim_id!,
              status: number % 4 === 0 ? 'rejected' : 'approved',
              notes: '',
            });
    }
    case 'order':
      return (x) =>
        createOrder(x, 't', {
          buyerId: id,
          leadLimit: 1 + (number % 4),
          balance: Math.min(buyer.balance_count, number % 3),
        });
    case 'limit':
      return (x) => changeLimit(x, 't', id, 1 + (number % 6));
    case 'delete':
      return order === undefined ? nothing : (x) => deleteOrder(x, 't', id, order.order_id);
    case 'restore':
      return (x) => restoreLastDeletedOrder(x, 't', id);
    case 'link':
      return (x) => regenerateToken(x, 't', id);
    case 'erase':
      return lead === undefined ? nothing : (x) => deleteLead(x, 't', lead.lead_id);
    case 'edit':
      return lead === undefined ? nothing : (x) => editLead(x, 't', lead.lead_id, edit);
    case 'editPending':
      return waiting === undefined ? nothing : (x) => editLead(x, 't', waiting.lead_id, edit);
    case 'discard':
      return waiting === undefined ? nothing : (x) => discardLead(x, 't', waiting.lead_id);
    case 'assign':
      return waiting === undefined
        ? nothing
        : (x) => assignByHand(x, 't', waiting.lead_id, { person: number % 2 ? edit : {}, buyerId: id });
    case 'buyer':
      return (x) =>
        updateBuyer(x, 't', id, {
          probability: number % 60,
          min_investment: number % 7,
          manual_review: number % 5 === 0,
          send_email: true,
          max_claim_days: 7,
        });
    case 'exclusive':
      return (x) => updateBuyer(x, 't', id, { probability: 100, confirm_exclusive: true });
    case 'pause':
      return (x) => updateBuyer(x, 't', id, { active: number % 2 === 0 });
    case 'rename':
      return (x) => updateBuyer(x, 't', id, { new_buyer_id: `name${number % 3}` });
    case 'kill':
      return number % 4 === 0 ? (x) => deleteBuyer(x, 't', id) : nothing;
    case 'refill':
      return (x) => refill(x, new Date(Date.now() + 5000));
  }
}

async function settle(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

async function check(table: Table) {
  const d = depsOn(table);
  await sweep(d, 0);
  await sweep(d, 0);
  const items: Item[] = [];
  for await (const page of table.scan()) items.push(...page);
  expect(checkReplacements(await readBooks(table))).toEqual([]);
  expect(
    (await violations(table)).filter((what) => !what.startsWith('there are deliveries without')),
  ).toEqual([]);
  const buyers = items.filter(({ pk }) => pk === 'BUYERS').map((item) => buyerSchema.parse(item));
  const orders = items
    .filter(({ pk, sk }) => String(pk).startsWith('ORDERS#') && !String(sk).includes('#'))
    .map((item) => orderSchema.parse(item));
  const leads = items.filter(({ sk }) => sk === 'LEAD').map((item) => leadSchema.parse(item));
  const { slots } = await d.pool.read();
  const guards = items
    .filter(({ sk }) => sk === 'BUYERID')
    .map(({ pk, buyer }) => [String(pk).slice(8), buyer]);
  expect(new Map(guards as never)).toEqual(new Map(buyers.map((b) => [b.buyer_id, b.buyer])));
  for (const buyer of buyers) {
    const slot = slots.find((s) => s.buyer === buyer.buyer);
    expect(slot === undefined).toBe(buyer.deleted_at !== null);
    const mine = orders.filter((o) => o.buyer === buyer.buyer);
    expect(mine.length).toBe(buyer.order_count);
    if (slot === undefined) continue;
    expect([
      slot.buyer_id,
      slot.probability,
      slot.active,
      slot.manual_review,
      slot.min_investment,
      slot.channels,
    ]).toEqual([
      buyer.buyer_id,
      buyer.probability,
      buyer.active,
      buyer.manual_review,
      buyer.min_investment ?? 0,
      channelsOf(buyer),
    ]);
    const current = mine.find((o) => o.order_id === slot.order_id);
    expect(slot.has_room).toBe(current !== undefined && hasRoom(current));
    // What is owed is owed by the current order.
    for (const order of mine)
      if (order.order_id !== slot.order_id || order.deleted_at !== null)
        expect([order.order_id, order.reimbursement_pending]).toEqual([order.order_id, 0]);
    for (const order of mine)
      expect([Object.keys(order.held), Object.keys(order.held_replacements)]).toEqual([[], []]);
  }
  expect(
    slots.filter((s) => s.active && s.order_id !== null).reduce((sum, s) => sum + s.probability, 0),
  ).toBeLessThanOrEqual(10_000);
  const tokens = items.filter(({ sk }) => sk === 'TOKEN');
  expect(new Map(tokens.map(({ pk, order_id }) => [String(pk), order_id]))).toEqual(
    new Map(orders.map((o) => [`TOKEN#${o.token}`, o.order_id])),
  );
  for (const lead of leads) {
    const claim = lead.claim_id === undefined ? undefined : await d.claims.get(lead.claim_id);
    expect(lead.claim_status).toBe(claim?.claim_status);
    if (claim) {
      const found = await listClaims(d, {
        page: 1,
        limit: 10,
        search: `${lead.email} ${lead.nachname} ${lead.vorname}`,
        sortBy: 'claim_id',
        descending: false,
      });
      expect(found.claims.map(({ claim: c }) => c.claim_id)).toContain(claim.claim_id);
      expect(d.claims.rowOf(claim)).toMatchObject({
        anlagebetrag: lead.anlagebetrag,
        nachname: lead.nachname.toLowerCase(),
      });
    }
  }
  const scopes: ClaimScope[] = [
    { all: true },
    ...buyers.map(({ buyer }) => ({ buyer })),
    ...orders.map(({ order_id }) => ({ order: order_id })),
  ];
  for (const scope of scopes) {
    const rows = await d.claims.rows(scope, CLAIM_STATUSES);
    const counts = await d.claims.counts(scope);
    const claims = await d.claims.getMany(rows.map(({ claim_id }) => claim_id));
    expect(rows).toEqual(claims.map((claim) => d.claims.rowOf(claim!)));
    const figures = CLAIM_STATUSES.map((status) => rows.filter((r) => r.claim_status === status).length);
    expect(CLAIM_STATUSES.map((status) => totalOf(counts, [status]))).toEqual(figures);
    const [pendingCount, approved, rejected] = figures;
    if ('order' in scope) {
      const o = orders.find(({ order_id }) => order_id === scope.order)!;
      expect([o.total_claims, o.pending_claims, o.approved_claims, o.rejected_claims]).toEqual([
        rows.length,
        pendingCount,
        approved,
        rejected,
      ]);
    }
    if ('buyer' in scope) {
      const b = buyers.find(({ buyer }) => buyer === scope.buyer)!;
      expect([b.total_claims, b.approved_claims, b.rejected_claims]).toEqual([
        rows.length,
        approved,
        rejected,
      ]);
    }
  }
  // No word finds a claim that it should not.
  const words = items.filter(
    ({ pk, claims }) => String(pk).startsWith('CLAIMWORDS#') && claims instanceof Set,
  );
  const people = new Map(
    leads.filter(({ claim_id }) => claim_id !== undefined).map((lead) => [lead.claim_id!, lead]),
  );
  for (const { sk, claims } of words)
    for (const claim of claims as Set<number>) {
      const lead = people.get(claim)!;
      const word = String(sk).slice(0, String(sk).lastIndexOf('#'));
      const all = [
        lead.email,
        lead.email.split('@')[1],
        lead.nachname,
        lead.vorname,
        lead.telefon.replace('+49', ''),
        String(claim),
        `${lead.order_id}-${lead.sequence}`,
        lead.lead_id,
      ].map((t) => t!.toLowerCase());
      expect(
        all.some((t) => t.startsWith(word)),
        `${word} of claim ${claim}`,
      ).toBe(true);
    }
}

describe('several at the same moment', () => {
  it('leave a product that adds up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(
          fc.array(
            fc.record({
              kind: fc.constantFrom(...KINDS),
              buyer: fc.integer({ min: 1, max: 2 }),
              number: fc.nat(1000),
            }),
            { minLength: 2, maxLength: 4 },
          ),
          { minLength: 8, maxLength: 14 },
        ),
        async (scheduler, rounds) => {
          const table = await engine.freshTable();
          const admin = adminOn(table, runtime);
          for (const id of ['left', 'right'])
            await createBuyer(admin, 't', {
              buyer_id: id,
              buyer_email: 'x@example.org',
              probability: 40,
              send_email: true,
            });
          for (const id of ['left', 'right']) {
            await createOrder(depsOn(table), 't', { buyerId: id, leadLimit: 2, balance: 0 });
            for (let n = 0; n < 2; n += 1) await takeIn(depsOn(table), person(), id);
          }
          const verbs = [
            'get',
            'getMany',
            'query',
            'queryAll',
            'put',
            'update',
            'delete',
            'transact',
          ] as const;
          let open = false;
          const scheduled = new Proxy(table, {
            get(target, name) {
              const value: unknown = Reflect.get(target, name, target);
              if (typeof value !== 'function') return value;
              if (!verbs.some((verb) => verb === name)) return value.bind(target);
              const free = value.bind(target);
              const held = scheduler.scheduleFunction(free);
              return (...args: unknown[]) => (open ? held(...args) : free(...args));
            },
          });
          const book = createOrderBook(table, () => new Date());
          for (const round of rounds) {
            const actions = await Promise.all(round.map((step) => aim(table, step)));
            open = true;
            const work = Promise.all(actions.map((action) => settle(action(depsOn(scheduled)))));
            await scheduler.waitFor(work);
            open = false;
            const remembered = (await book.all()).orders.sort((a, b) => a.order_id - b.order_id);
            expect(remembered).toEqual(
              (await createOrderBook(table, () => new Date()).all()).orders.sort(
                (a, b) => a.order_id - b.order_id,
              ),
            );
          }
          await check(table);
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
