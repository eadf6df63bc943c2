/**
 * Pairs of what admins and the distribution do at the same moment: one is interrupted after each of its calls to the
 * table, the other runs from beginning to end, and the first goes on. Afterwards every figure, row, word and pool entry
 * adds up. The start is made on the engine; each of the hundreds of pairs then runs on the model of the table, which is
 * held to the engine by its own test.
 */

import { describe, expect } from 'vitest';
import { type Claim, claimSchema } from '#functions/data/claims/claim';
import { packRow } from '#functions/data/claims/claim-lists';
import { postingId, postingsOf } from '#functions/data/claims/claim-words';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import type { Item, Table } from '#functions/data/table/table';
import { deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { DomainError } from '#functions/domain/common/errors';
import { takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { editLead } from '#functions/domain/leads/leads';
import { changeLimit, createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  aroundCalls,
  distributionOn,
  itemsOf,
  leadsAmong,
  quietRuntime,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';
import { modelTable } from '#test/simulation/model-table';

let state: State;
it.beforeAll(async ({ engine }) => {
  state = await prepare(await engine.freshTable());
});

const runtime = { ...quietRuntime, sleep: async () => undefined };
const depsOn = (table: Table) => ({ ...distributionOn(table, { runtime }), ...adminOn(table, runtime) });
type OwnContext = ReturnType<typeof depsOn>;
type Op = (d: OwnContext) => Promise<unknown>;

async function take(d: OwnContext, buyer: string | undefined, changes = {}) {
  const result = await takeIn(d, aPerson({ nachname: 'Alt', ...changes }), buyer);
  return result;
}
const file = (d: OwnContext, leadId: string, orderId: number, buyerId: string) =>
  fileClaim(d, { admin: 't' }, { leadId, orderId, buyerId, reason: 'fake' });

const FIRST = ['limit', 'approve', 'edit', 'delete order'] as const;
const SECOND = ['change buyer', 'pause', 'edit otherwise', 'lead', 'delete order', 'delete buyer'] as const;

type Name = (typeof FIRST)[number] | (typeof SECOND)[number];
interface State {
  readonly items: readonly Item[];
  readonly ops: Readonly<Record<Name, Op>>;
}

/** A buyer with a full order that has claims, an open order that owes a replacement, and a lead that waits. */
async function prepare(table: Table): Promise<State> {
  const d = depsOn(table);
  await addBuyers(
    table,
    ['left', 'right'].map((id) => ({ id, probability: 30, minimum: 1000 })),
  );
  // left: order 1 completed with a pending claim; one claim approved moves to order 2.
  await createOrder(d, 't', { buyerId: 'left', leadLimit: 2, balance: 0 });
  const a = await take(d, 'left');
  const b = await take(d, 'left');
  const claimA = await file(d, a.lead_id, 1, 'left');
  await createOrder(d, 't', { buyerId: 'left', leadLimit: 2, balance: 0 });
  const c = await take(d, 'left');
  const claimC = await file(d, c.lead_id, 2, 'left');
  const claimB = await file(d, b.lead_id, 1, 'left');
  await decideClaim(d, { who: 't', claimId: claimB.claim_id, status: 'approved', notes: '' });
  // A delivered replacement, and one that is owed.
  await take(d, 'left');
  await decideClaim(d, { who: 't', claimId: claimC.claim_id, status: 'approved', notes: '' });
  // right: an order deleted with an owed replacement, so there is a balance.
  await createOrder(d, 't', { buyerId: 'right', leadLimit: 3, balance: 0 });
  const x = await take(d, 'right');
  const claimX = await file(d, x.lead_id, 3, 'right');
  await decideClaim(d, { who: 't', claimId: claimX.claim_id, status: 'approved', notes: '' });
  await deleteOrder(d, 't', 'right', 3);
  await createOrder(d, 't', { buyerId: 'right', leadLimit: 2, balance: 0 });
  // One that waits.
  await take(d, undefined, { anlagebetrag: 100 });
  await reconcile(d, 0);
  const items = await itemsOf(table);
  const edit = (n: string) => aPerson({ nachname: `Neu${n}`, email: `neu${n}@example.org`, laufzeit: 5 });
  const ops: Readonly<Record<Name, Op>> = {
    lead: (y) => takeIn(y, aPerson(), undefined),
    approve: (y) => decideClaim(y, { who: 't', claimId: claimA.claim_id, status: 'approved', notes: '' }),
    limit: (y) => changeLimit(y, 't', 'left', 6),
    'delete order': (y) => deleteOrder(y, 't', 'left', 2),
    edit: (y) => editLead(y, 't', a.lead_id, edit('a')),
    'edit otherwise': (y) => editLead(y, 't', a.lead_id, { ...edit('b'), email: 'alt@example.org' }),
    'change buyer': (y) =>
      updateBuyer(y, 't', 'left', {
        probability: 20,
        min_investment: 0,
        manual_review: true,
        buyer_email: 'y@example.org',
      }),
    pause: (y) => updateBuyer(y, 't', 'left', { active: false }),
    'delete buyer': (y) => deleteBuyer(y, 't', 'left'),
  };
  return { items, ops };
}

async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

async function check(table: Table, what: string) {
  const d = depsOn(table);
  await reconcile(d, -60_000);
  await reconcile(d, -60_000);
  const items = await itemsOf(table);
  expect(checkReplacements(await readReplacementRecords(table)), what).toEqual([]);
  expect(
    (await violations(table)).filter((what) => !what.startsWith('there are deliveries without')),
  ).toEqual([]);
  const leads = leadsAmong(items);
  const wordsOf = new Map<number, string[]>();
  for (const { pk, sk, claims } of items) {
    if (!String(pk).startsWith('CLAIMWORDS#') || !(claims instanceof Set)) continue;
    const tier = String(pk).split('#')[1];
    const word = String(sk).slice(0, String(sk).lastIndexOf('#'));
    for (const claim of claims as Set<number>)
      wordsOf.set(claim, [...(wordsOf.get(claim) ?? []), `${tier} ${word}`]);
  }
  const listed = new Map<string, string[]>();
  for (const { pk, claims, claims_edited } of items)
    if (String(pk).startsWith('CLAIMS#'))
      for (const set of [claims, claims_edited])
        if (set instanceof Set)
          listed.set(String(pk), [...(listed.get(String(pk)) ?? []), ...(set as Set<string>)]);
  const stored = items.filter(({ sk }) => sk === 'CLAIM').map((item) => claimSchema.parse(item));
  expect(stored.map(({ lead_id }) => lead_id).sort()).toEqual(
    leads.flatMap(({ lead_id, claim_id }) => (claim_id === undefined ? [] : [lead_id])).sort(),
  );
  for (const claim of stored) {
    const lead = leads.find(({ lead_id }) => lead_id === claim.lead_id)!;
    expect([lead.claim_id, lead.claim_status]).toEqual([claim.claim_id, claim.claim_status]);
    expect(claim.row).toBe(packRow(claim, lead));
    expect(wordsOf.get(claim.claim_id)?.sort()).toEqual(postingsOf(claim, lead).map(postingId).sort());
  }
  const scopesOf = ({ buyer, order_id }: Claim) => ['ALL', `BUYER#${buyer}`, `ORDER#${order_id}`];
  const expected = new Map<string, string[]>();
  for (const claim of stored)
    for (const scope of scopesOf(claim)) {
      const list = `CLAIMS#${scope}#${claim.claim_status}`;
      expected.set(list, [...(expected.get(list) ?? []), String(claim.row)].toSorted());
    }
  expect(new Map([...listed].map(([list, rows]) => [list, rows.toSorted()]))).toEqual(expected);
}

/** Has something happen right after the n-th call to a table. */
function interruptedAt(table: Table, n: number, happens: () => Promise<unknown>) {
  let calls = 0;
  const proxy = aroundCalls(table, async (send) => {
    calls += 1;
    const mine = calls;
    const result = await send();
    if (mine === n) await happens();
    return result;
  });
  return { proxy, wasInterrupted: () => calls >= n };
}

describe.each(FIRST)('Admins write at the same moment: %s', (first) => {
  it.for(SECOND)(
    'keeps every figure, list and pool entry consistent with %s after each of its calls',
    async (second) => {
      for (let n = 1; ; n += 1) {
        const table = modelTable(state.items);
        const ended: string[] = [];
        const { proxy, wasInterrupted } = interruptedAt(table, n, async () =>
          ended.push(await outcome(state.ops[second](depsOn(table)))),
        );
        ended.push(await outcome(state.ops[first](depsOn(proxy))));
        await check(table, `after call ${n}: ${ended.join(', ')}`);
        if (!wasInterrupted()) break;
      }
    },
  );
});
