/** The automatic review of claims, and how admins reverse it. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as settingStore from '#functions/data/administration/settings-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as claimStore from '#functions/data/claims/claim-store';
import type { FrozenEvidence } from '#functions/data/claims/evidence';
import * as evidenceStore from '#functions/data/claims/evidence';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import * as listViewStore from '#functions/data/orders/list-view-store';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { keys } from '#functions/data/table/keys';
import { decideClaim } from '#functions/domain/claims/claims';
import { knownOfClaim } from '#functions/domain/claims/evidence';
import { reverseDecision } from '#functions/domain/claims/reversal';
import { reversibleUntil } from '#functions/domain/claims/reversible';
import { type ReviewContext, reviewClaim } from '#functions/domain/claims/review';
import { noteEvent } from '#functions/domain/common/addresses';
import { ingest } from '#functions/domain/distribution/distribution';
import { saveFeedback } from '#functions/domain/leads/feedback';
import { deleteLead } from '#functions/domain/leads/leads';
import { createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { checkReplacements, creditedClaims } from '#functions/domain/orders/replacement-ledger';
import { count } from '#functions/domain/statistics/statistics';
import type { ClaimReason } from '#shared/rules/constants';
import { aVisitor } from '#test/factories/links';
import { aPerson } from '#test/factories/people';
import { claimLead } from '#test/harness/claims';
import {
  addBuyers,
  adminOn,
  changedTable,
  distributionOn,
  itemsOf,
  leadsAmong,
  quietRuntime,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const SAME = aPerson({ email: 'Erika@Example.org', telefon: '0151 23456789' });
const TWIN = aPerson({ email: 'other@example.org', telefon: '+49 151 23456789', nachname: 'Anders' });

/** Two buyers; the first has an earlier lead of the person and claims the later lead. */
async function world(auto_decide_claims = true) {
  const table = memoryTable();
  let shift = 0;
  const runtime = {
    ...quietRuntime,
    sleep: async () => undefined,
    now: () => new Date(Date.parse('2026-11-20T10:00:00.000Z') + shift++),
  };
  await addBuyers(table, [
    { id: 'a', probability: 50, limit: 2 },
    { id: 'b', probability: 50, limit: 9 },
  ]);
  const aProcess = () => ({
    ...distributionOn(table, { runtime }),
    ...adminOn(table, runtime),
    personKey: async () => Buffer.alloc(32, 7),
  });
  const deps = aProcess();
  await table.transact([buyerStore.changed((await buyerStore.get(deps, 1))!, { auto_decide_claims })]);
  const index = async () =>
    count(
      deps,
      leadsAmong(await itemsOf(table)).map(({ lead_id }) => lead_id),
    );
  const lead = async (buyer: string, person = aPerson()) => {
    const { lead_id } = await ingest(deps, person, buyer);
    await index();
    return lead_id;
  };
  const file = (leadId: string, reason: ClaimReason = 'doppelt', status?: 'approved') =>
    claimLead(deps, leadId, { reason, ...(status && { status }) });
  const claim = async (id: number) => (await claimStore.get(deps, id))!;
  const order = async (id: number) => (await orderStore.get(deps, id))!;
  const later = (ms: number) => void (shift += ms);
  const consistent = async () => expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
  const audited = async (id: number) =>
    (await auditStore.list(deps, { entity: 'claim', entityId: String(id) }, { limit: 20 })).entries;
  return { table, deps, aProcess, lead, file, claim, order, later, consistent, audited };
}

/** A claimed duplicate and the first lead. */
async function duplicate(isDecided?: boolean) {
  const at = await world(isDecided);
  const first = await at.lead('a', SAME);
  const second = await at.lead('a', TWIN);
  const { claim_id: id } = await at.file(second);
  return { ...at, first, second, id };
}

describe('a claim proven by a rule', () => {
  it('is decided automatically once, with rule and evidence, however often it is reviewed', async () => {
    const { deps, second, id, claim, order, audited, consistent } = await duplicate();
    await Promise.all([1, 2, 3].map(() => reviewClaim(deps, second)));
    await reviewClaim(deps, second);
    expect(await claim(id)).toMatchObject({
      claim_status: 'approved',
      rule: 'duplicate_same_buyer',
      admin_notes: expect.stringMatching(/^Ihr Lead 1-1, .* dieselbe Telefonnummer\.$/),
    });
    expect(await order(1)).toMatchObject({ approved_claims: 1, pending_claims: 0, reimbursement_pending: 1 });
    const [notified, ...before] = await audited(id);
    expect(notified).toMatchObject({ who: 'system', action: 'approved' });
    expect(notified?.changes).toEqual(
      expect.arrayContaining([
        { field: 'rule', from: null, to: 'duplicate_same_buyer' },
        { field: 'evidence', from: null, to: expect.stringContaining('lead 1-1') },
      ]),
    );
    expect(before).toHaveLength(1);
    expect((await evidenceStore.ofClaim(deps, id)).decided).toMatchObject({
      automatic: { rule: 'duplicate_same_buyer', status: 'approved' },
      duplicates: [{ order_id: 1, sequence: 1, same: ['phone'] }],
    });
    const letter = await notificationStore.get(deps, {
      about: 'claim_decided',
      lead_id: second,
      status: 'approved',
    });
    expect(letter).toBeDefined();
    await consistent();
  });

  it('is only a suggestion if automatic decisions are off for the buyer', async () => {
    const { deps, second, id, claim } = await duplicate(false);
    await reviewClaim(deps, second);
    expect((await claim(id)).claim_status).toBe('pending');
    expect((await knownOfClaim(deps, id)).suggestion?.status).toBe('approved');
    expect((await evidenceStore.ofClaim(deps, id)).filed).toBeDefined();
  });

  it('is left to an admin who decides first', async () => {
    const { deps, second, id, claim, consistent } = await duplicate();
    const decided = decideClaim(deps, { who: 'anna', claimId: id, status: 'rejected', notes: 'no' });
    await Promise.all([decided.catch(() => undefined), reviewClaim(deps, second)]);
    const { claim_status, rule } = await claim(id);
    expect([claim_status, rule]).toEqual(
      claim_status === 'rejected' ? ['rejected', undefined] : ['approved', 'duplicate_same_buyer'],
    );
    await consistent();
  });
});

it('only one of two leads of a person is compensated if the earlier one was compensated after a review died with its evidence', async () => {
  const { deps, first, second, id, file, claim } = await duplicate();
  const dying = changedTable(deps.table, { transact: () => Promise.reject(new Error('killed')) });
  await expect(reviewClaim({ ...deps, table: dying }, second)).rejects.toThrow('killed');
  expect((await evidenceStore.ofClaim(deps, id)).filed).toMatchObject({
    automatic: { status: 'approved' },
  });
  await file(first, 'fake', 'approved');
  await reviewClaim(deps, second);
  expect((await claim(id)).claim_status).toBe('pending');
});

describe('the evidence about a claim', () => {
  it('has the checks at ingestion, today’s provider result, list views, feedback and source data', async () => {
    const { deps, lead, file, claim } = await world();
    const id = await lead('a', SAME);
    const asked: string[] = [];
    const review: ReviewContext = {
      ...deps,
      checks: {
        ...deps.checks,
        phone: async ({ telefon }) => {
          asked.push(telefon);
          return { status: 'invalid', note: null, dead: true, by: 'Twilio' };
        },
      },
    };
    const event = { id: '1', state: 'bounced_soft', by: 'smtp', code: '4.2.2', diagnostic: null } as const;
    await noteEvent(deps, SAME.email, { ...event, at: '2026-11-19T10:00:00.000Z' });
    const { assigned_at } = (await leadStore.get(deps, id))!;
    await listViewStore.opened(deps, 1, assigned_at!, '2026-11-20T10:30:00.000Z');
    const { token } = (await orderStore.get(deps, 1))!;
    await saveFeedback(deps, token, aVisitor(), { leadId: id, feedback: 'not_reached' });
    const { claim_id } = await file(id, 'falsche_nummer');
    await reviewClaim(review, id);
    await reviewClaim(review, id);
    expect(asked).toEqual(['0151 23456789']);
    expect(await claim(claim_id)).toMatchObject({ claim_status: 'approved', rule: 'phone_dead' });
    const { filed, decided } = await evidenceStore.ofClaim(deps, claim_id);
    expect(filed).toMatchObject({
      checks: [
        { kind: 'email', by: 'offline', result: 'valid' },
        { kind: 'phone', by: 'offline' },
        { kind: 'name' },
        { kind: 'phone', by: 'Twilio', result: 'dead' },
      ],
      opened_at: '2026-11-20T10:30:00.000Z',
      feedback: { said: 'not_reached' },
      address: { state: 'bounced_soft', at: '2026-11-19T10:00:00.000Z', code: '4.2.2' },
      deliveries: [{ channel: 'email', status: 'pending', attempts: [] }],
      delivered_at: null,
      source_claims: null,
      automatic: { rule: 'phone_dead' },
    } satisfies { [K in keyof FrozenEvidence]?: unknown });
    expect(decided).toEqual(filed);
  });

  it('does not wait for a silent provider, and calls none that is disabled', async () => {
    const { deps, table, lead, file, claim } = await world();
    const id = await lead('a');
    const { claim_id } = await file(id, 'falsche_email');
    const asked: string[] = [];
    const email: ReviewContext['checks']['email'] = async () => {
      asked.push('email');
      return { status: 'unknown', note: 'timeout', by: 'ZeroBounce' };
    };
    await reviewClaim({ ...deps, checks: { ...deps.checks, email } }, id);
    expect((await claim(claim_id)).claim_status).toBe('pending');
    expect((await evidenceStore.ofClaim(deps, claim_id)).filed?.checks.at(-1)).toMatchObject({
      result: 'unknown',
    });
    const switches = await settingStore.switches(deps);
    await table.transact([settingStore.switchesChanged(switches, { email_verification: false })]);
    const other = await lead('a');
    await file(other, 'falsche_email');
    await reviewClaim({ ...deps, checks: { ...deps.checks, email } }, other);
    expect(asked).toEqual(['email']);
  });
});

describe('an automatic decision', () => {
  const reverse = (deps: Parameters<typeof reverseDecision>[0], claimId: number) =>
    reverseDecision(deps, { who: 'anna', claimId, notes: 'Geprüft.' });

  it('can be reversed once by an admin, with all its effects', async () => {
    const { deps, second, id, order, audited, consistent } = await duplicate();
    await reviewClaim(deps, second);
    const reversed = await reverse(deps, id);
    expect(reversed).toMatchObject({ claim_status: 'rejected', admin_notes: 'Geprüft.' });
    expect(await order(1)).toMatchObject({
      approved_claims: 0,
      rejected_claims: 1,
      pending_claims: 0,
      reimbursement_pending: 0,
    });
    expect(await buyerStore.get(deps, 1)).toMatchObject({ approved_claims: 0, rejected_claims: 1 });
    expect(await poolStore.entry(deps, 1)).toMatchObject({ has_capacity: false });
    expect(await leadStore.get(deps, second)).toMatchObject({ claim_status: 'rejected' });
    expect((await audited(id))[0]).toMatchObject({ who: 'anna', action: 'decision_reversed' });
    expect(
      await notificationStore.get(deps, { about: 'claim_decided', lead_id: second, status: 'rejected' }),
    ).toBeDefined();
    await consistent();
    await expect(reverse(deps, id)).rejects.toMatchObject({ code: 'claim_already_reversed' });
  });

  it('that rejected can be turned into an approval, which credits a replacement', async () => {
    const { deps, aProcess, lead, file, claim, order, later, consistent } = await world();
    const id = await lead('a');
    later(7 * 24 * 3600_000);
    const { assigned_at } = (await leadStore.get(deps, id))!;
    await listViewStore.opened(deps, 1, assigned_at!, deps.runtime.now().toISOString());
    const { claim_id } = await file(id, 'ne');
    await reviewClaim(deps, id);
    expect(await claim(claim_id)).toMatchObject({ claim_status: 'rejected', rule: 'ne_out_of_window' });
    await Promise.allSettled([reverse(deps, claim_id), reverse(aProcess(), claim_id)]);
    expect(await claim(claim_id)).toMatchObject({ claim_status: 'approved' });
    expect(await order(1)).toMatchObject({
      reimbursement_pending: 1,
      approved_claims: 1,
      rejected_claims: 0,
    });
    await consistent();
  });

  it('cannot be reversed after an admin’s decision or the deletion of the lead', async () => {
    const { deps, second, id } = await duplicate();
    await expect(reverse(deps, 99)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(reverse(deps, id)).rejects.toMatchObject({ code: 'not_decided_by_rule' });
    await reviewClaim(deps, second);
    await deleteLead(deps, 'anna', second);
    await expect(reverse(deps, id)).rejects.toMatchObject({ code: 'lead_deleted_since' });
  });

  it('can be reversed for exactly 24 hours', async () => {
    for (const [seconds, status] of [
      [24 * 3600 - 1, 'rejected'],
      [24 * 3600, 'approved'],
    ] as const) {
      const { deps, second, id, claim, later } = await duplicate();
      await reviewClaim(deps, second);
      later(Date.parse((await claim(id)).processed_at!) - deps.runtime.now().getTime() + seconds * 1000);
      await reverse(deps, id).catch(() => undefined);
      expect(await claim(id), `after ${seconds} s`).toMatchObject({ claim_status: status });
    }
  });

  it('cannot be reversed after the replacement was delivered', async () => {
    const { deps, second, id, lead, consistent } = await duplicate();
    await reviewClaim(deps, second);
    await lead('a');
    await expect(reverse(deps, id)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'replacement_delivered',
    });
    await consistent();
  });

  it('leaves a concurrently delivered replacement to the next claim, which is then owed nothing', async () => {
    const { deps, first, second, id, lead, file, consistent } = await duplicate();
    await reviewClaim(deps, second);
    const { claim_id: other } = await file(first, 'fake', 'approved');
    let delivered = '';
    const { table } = deps;
    const slow = changedTable(table, {
      queryAll: async (query) => {
        const items = await table.queryAll(query);
        if (query.partition === keys.replacements(1)) delivered ||= await lead('a');
        return items;
      },
    });
    // The delivery began before the ledger was read, and is written after.
    const at = new Date(deps.runtime.now().getTime() + 1000);
    const runtime = { ...deps.runtime, now: () => at };
    await reverse({ ...deps, table: slow, runtime }, id);
    expect(creditedClaims(await replacementStore.ofBuyer(deps, 1))).toMatchObject([
      { claim_id: other, delivery: { lead_id: delivered } },
    ]);
    await consistent();
  });

  it('removes the replacement from wherever it is owed at that time', async () => {
    const { deps, second, id, order, consistent } = await duplicate();
    await reviewClaim(deps, second);
    await deleteOrder(deps, 'anna', 'a', 1);
    expect(await buyerStore.get(deps, 1)).toMatchObject({ balance_count: 1 });
    await createOrder(deps, 'anna', { buyerId: 'a', leadLimit: 1, balance: 1 });
    await reverse(deps, id);
    expect(await order(3)).toMatchObject({ reimbursement_pending: 0 });
    await consistent();
    const other = await duplicate();
    await reviewClaim(other.deps, other.second);
    await deleteOrder(other.deps, 'anna', 'a', 1);
    await reverse(other.deps, other.id);
    expect(await buyerStore.get(other.deps, 1)).toMatchObject({ balance_count: 0, approved_claims: 0 });
    await other.consistent();
  });

  it('is audited when it is reversed, without blank notes', async () => {
    const { deps, second, id, audited } = await duplicate();
    await reviewClaim(deps, second);
    const input = { who: 'anna', claimId: id, notes: ' ' };
    expect(await reverseDecision(deps, input)).toMatchObject({ admin_notes: null });
    const [reversal] = await audited(id);
    expect(reversal?.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'claim_status', from: 'approved', to: 'rejected' }),
        expect.objectContaining({ field: 'admin_notes', from: expect.any(String), to: null }),
      ]),
    );
  });

  it('removes the replacement from the order that owes it, not from the balance', async () => {
    const { table, deps, second, id, order } = await duplicate();
    await reviewClaim(deps, second);
    await table.transact([buyerStore.changed((await buyerStore.get(deps, 1))!, { balance_count: 1 })]);
    expect(reversibleUntil((await claimStore.get(deps, id))!)).toBeInstanceOf(Date);
    expect(reversibleUntil(await reverse(deps, id))).toBeUndefined();
    expect(await order(1)).toMatchObject({ reimbursement_pending: 0 });
    expect(await buyerStore.get(deps, 1)).toMatchObject({ balance_count: 1 });
  });

  it('credits nothing to a postpay order', async () => {
    const { table, deps, lead, file, claim, order, later, consistent } = await world();
    const values = { ':type': 'postpay' };
    await table.update({ key: keys.order(1), update: 'SET buyer_type = :type', values });
    const id = await lead('a');
    later(7 * 24 * 3600_000);
    await listViewStore.opened(deps, 1, deps.runtime.now().toISOString(), deps.runtime.now().toISOString());
    const { claim_id } = await file(id, 'ne');
    await reviewClaim(deps, id);
    expect(await claim(claim_id)).toMatchObject({ claim_status: 'rejected' });
    expect(await reverse(deps, claim_id)).toMatchObject({ claim_status: 'approved' });
    expect(await order(1)).toMatchObject({ approved_claims: 1, reimbursement_pending: 0 });
    await consistent();
  });

  it('with a delivered replacement does not remove one that is owed for another claim', async () => {
    const { deps, first, second, id, lead, file, order } = await duplicate();
    await reviewClaim(deps, second);
    await lead('a');
    const { claim_id: claimId } = await file(first, 'fake');
    await decideClaim(deps, { who: 'anna', claimId, status: 'approved', notes: '' });
    await expect(reverse(deps, id)).rejects.toMatchObject({ code: 'replacement_delivered' });
    expect(await order(1)).toMatchObject({ reimbursement_pending: 1 });
  });
});
