/** A lead that a buyer's partner rejects goes to the next buyer exactly once, despite crashes, delays and repeats. */

import { describe, expect, it, vi } from 'vitest';
import type { ChannelAdapter, Report } from '#functions/channels/channel';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import * as payloadStore from '#functions/data/deliveries/payloads';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import type { Delivery, Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { type Channels, type DeliverContext, deliver } from '#functions/domain/deliveries/deliveries';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { type AfterRefusal, reassign } from '#functions/domain/distribution/reassign';
import { reconcile, redistributeRefused } from '#functions/domain/distribution/reconciliation';
import { deleteLead } from '#functions/domain/leads/leads';
import { createOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { count } from '#functions/domain/statistics/statistics';
import type { DeliverMessage } from '#functions/queues/messages';
import type { Outgoing } from '#functions/queues/queue';
import { CHANNELS, type Channel } from '#shared/channels/channels';
import { aDeliverMessage, anAttempt, aReport } from '#test/factories/deliveries';
import { aPerson } from '#test/factories/people';
import { claimLead } from '#test/harness/claims';
import { deliverDepsOn, listQueue } from '#test/harness/deliveries';
import {
  addBuyers,
  adminOn,
  distributionOn,
  itemsOf,
  ledgerOf,
  ordersAmong,
  runDying,
  sumOfDecisions,
  tickingRuntime,
  violations,
} from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const MINUTE_MS = 60_000;
const REFUSAL: Partial<Report> = {
  outcome: 'permanent',
  refused: true,
  error: 'The partner refused the lead',
};
/** The partner may have the lead: its answer was lost, or a proxy answered. */
const LOST: Partial<Report> = { outcome: 'unknown', status_code: null };
const UNCLEAR = {
  lost: LOST,
  'not understood': { outcome: 'unknown', status_code: 200 },
  'gateway 502': { outcome: 'unknown', status_code: 502 },
  'gateway 504': { outcome: 'unknown', status_code: 504 },
  'CDN 520': { outcome: 'unknown', status_code: 520 },
} as const satisfies Record<string, Partial<Report>>;
/** The partner does not have the lead, or reported a failure itself. */
const NOT_ARRIVED = {
  'error 500': { outcome: 'unknown', status_code: 500 },
  'error 503': { outcome: 'unknown', status_code: 503 },
  'error 400': { outcome: 'unknown', status_code: 400 },
  later: { outcome: 'transient', status_code: 429 },
  'no connection': { outcome: 'transient', status_code: null },
} as const satisfies Record<string, Partial<Report>>;

interface Plan {
  readonly id: string;
  readonly probability: number;
  readonly limit?: number;
  readonly keeps?: boolean;
  readonly channels?: readonly Channel[];
}

const ANNA_AND_BEN: readonly Plan[] = [
  { id: 'anna', probability: 60, limit: 2 },
  { id: 'ben', probability: 40, limit: 2 },
];

async function aWorld(plans: readonly Plan[] = ANNA_AND_BEN) {
  const table = memoryTable();
  await addBuyers(table, plans);
  for (const [at, { keeps = false, channels = ['trackbox'] }] of plans.entries()) {
    await table.update({
      key: keys.poolEntry(at + 1),
      update: 'SET channels = :channels',
      values: { ':channels': channels },
    });
    await table.update({
      key: keys.buyer(at + 1),
      update: 'SET on_refusal = :is',
      values: { ':is': keeps ? 'keep' : 'reassign' },
    });
  }
  return {
    table,
    ...tickingRuntime(),
    /** By channel and buyer; by default, a lead is delivered. */
    answers: new Map<string, () => Partial<Report>>(),
    calls: [] as string[],
    notified: [] as string[],
    queue: [] as Outgoing<DeliverMessage>[],
  };
}
type World = Awaited<ReturnType<typeof aWorld>>;

const deliverDeps = (world: World, on: Table = world.table): DeliverContext => {
  const adapter = (channel: Channel): ChannelAdapter => ({
    async send({ buyer, lead_id }) {
      world.calls.push(`${channel} of ${buyer.buyer_id}: ${lead_id}`);
      return aReport(world.answers.get(`${channel} ${buyer.buyer_id}`)?.() ?? {});
    },
  });
  return deliverDepsOn(on, adapter('http'), {
    channels: Object.fromEntries(CHANNELS.map((channel) => [channel, adapter(channel)])) as Channels,
    queue: listQueue(world.queue),
    notifyOperator: async (subject) => void world.notified.push(subject),
    runtime: world.runtime,
  });
};

const distribution = ({ runtime }: World, on: Table) => distributionOn(on, { runtime });
const leadOf = async ({ table }: World, id: string): Promise<Lead> => (await leadStore.get({ table }, id))!;
const deliveryOf = ({ table }: World, id: string, channel: Channel = 'trackbox') =>
  deliveryStore.get({ table }, id, channel);
const orders = async ({ table }: World) =>
  ordersAmong(await itemsOf(table)).map(({ leads_received, last_sequence, reservations }) => ({
    leads_received,
    last_sequence,
    notes: Object.keys(reservations).length,
  }));

async function take(world: World): Promise<string> {
  return (await ingest(distribution(world, world.table), aPerson(), undefined)).lead_id;
}

const messageOf = ({ lead_id, channel, series, attempt_count }: Delivery) =>
  aDeliverMessage({ lead_id, channel, series, attempt_count });

/** Sends a lead's due deliveries and redistributes it while it is in flight, until nothing is due. */
async function settle(world: World, id: string, on: Table = world.table): Promise<void> {
  for (;;) {
    const details = (await leadStore.details({ table: on }, id))!;
    if (details.lead.status === 'received') {
      await redistributeRefused(distribution(world, on), id, details.lead.distribution_attempt);
      continue;
    }
    const open = details.deliveries.find(({ status }) => status === 'pending' || status === 'retrying');
    if (open === undefined) return;
    if (open.next_attempt_at !== null) world.later(MINUTE_MS * 60);
    // As long as an unfinished attempt may last.
    const waited = open.sending_by === undefined ? {} : { unfinished: open.sending_by };
    await deliver(deliverDeps(world, on), { ...messageOf(open), ...waited });
  }
}

/** The ledger contains the sum of the current decisions. */
async function sharesAreRight({ table }: World): Promise<void> {
  const { deficits } = await ledgerOf(table);
  const sums = await sumOfDecisions(table);
  for (const buyer of Object.keys(deficits)) expect(deficits[buyer]).toBe(sums[buyer] ?? 0);
}

const refuses = (world: World, ...ways: readonly string[]) => {
  for (const way of ways) world.answers.set(way, () => REFUSAL);
};

describe('a refused lead', () => {
  it('goes to the next buyer, frees its slot, and does not reuse its number', async () => {
    const world = await aWorld();
    refuses(world, 'trackbox anna');
    const id = await take(world);
    expect(await leadOf(world, id)).toMatchObject({ buyer: 1, sequence: 1 });
    await settle(world, id);
    expect(await leadOf(world, id)).toMatchObject({
      status: 'assigned',
      buyer: 2,
      distribution_attempt: 3,
      refused_by: [{ buyer: 1 }],
    });
    expect(world.calls).toEqual([`trackbox of anna: ${id}`, `trackbox of ben: ${id}`]);
    expect(world.notified).toEqual([]);
    expect(await orders(world)).toMatchObject([
      { leads_received: 0, last_sequence: 1, notes: 0 },
      { leads_received: 1, last_sequence: 1 },
    ]);
    const { decision, refusals } = (await leadStore.details(world, id))!;
    expect(decision).toMatchObject({ winner: 2, not_eligible: { refused_by_buyer: [1] } });
    expect(refusals).toMatchObject([
      {
        buyer: 1,
        sequence: 1,
        decision: { winner: 1 },
        deliveries: [{ channel: 'trackbox', status: 'failed', refused: true, error: REFUSAL.error }],
      },
    ]);
    await sharesAreRight(world);
    // The next lead gets the free slot immediately.
    const next = await take(world);
    expect(await leadOf(world, next)).toMatchObject({ buyer: 1, sequence: 2 });
    expect(await violations(world.table, 2)).toEqual([]);
  });

  it('is pending after every buyer refused it', async () => {
    const world = await aWorld();
    refuses(world, 'trackbox anna', 'trackbox ben');
    const id = await take(world);
    await settle(world, id);
    expect(await leadOf(world, id)).toMatchObject({ status: 'pending', reason: 'refused_by_buyers' });
    await expect(
      assignByHand(distribution(world, world.table), 'admin', id, { person: {}, buyerId: 'anna' }),
    ).rejects.toMatchObject({ code: 'refused_by_buyer' });
    await sharesAreRight(world);
    expect(await violations(world.table, 1)).toEqual([]);
  });

  it('is distributed as if the buyer had not been eligible', async () => {
    const [asked, spared] = [await aWorld(THREE), await aWorld(THREE)];
    refuses(asked, 'trackbox anna');
    const winner = async (world: World, lead_id: string) => {
      await ingest(distribution(world, world.table), aPerson(), undefined, { lead_id });
      await settle(world, lead_id);
      return leadOf(world, lead_id);
    };
    for (let at = 0; at < 20; at += 1) {
      const { buyer, refused_by } = await winner(asked, `lead-${at}`);
      await spared.table.update({
        key: keys.poolEntry(1),
        update: 'SET has_capacity = :has',
        values: { ':has': refused_by === undefined },
      });
      expect((await winner(spared, `lead-${at}`)).buyer).toBe(buyer);
    }
    expect((await ledgerOf(asked.table)).deficits).toEqual((await ledgerOf(spared.table)).deficits);
    await sharesAreRight(asked);
  });

  it('is owed again if it was a replacement', async () => {
    const world = await aWorld();
    const admin = adminOn(world.table, world.runtime);
    const first = await take(world);
    await settle(world, first);
    await claimLead(admin, first, { status: 'approved' });
    refuses(world, 'trackbox anna');
    await settle(world, await take(world));
    const replacement = await take(world);
    expect(await leadOf(world, replacement)).toMatchObject({ buyer: 1, lead_type: 'reimbursement' });
    await settle(world, replacement);
    expect(await leadOf(world, replacement)).toMatchObject({ buyer: 2, lead_type: 'original' });
    expect(await orderStore.get(world, 1)).toMatchObject({
      leads_received: 1,
      reimbursement_delivered: 0,
      reimbursement_pending: 1,
    });
    expect(checkReplacements(await readReplacementRecords(world.table))).toEqual([]);
    await sharesAreRight(world);
  });
});

describe('a refused lead stays', () => {
  const refusedBy = async (
    world: World,
    changes: (id: string) => Promise<unknown> = async () => undefined,
  ) => {
    const id = await take(world);
    await changes(id);
    await settle(world, id);
    return id;
  };

  it.each<[string, Partial<Plan>, Record<string, Partial<Report>[]>, string | undefined]>([
    ['if the buyer keeps refused leads', { keeps: true }, { trackbox: [REFUSAL] }, undefined],
    ['while an e-mail is in progress', { channels: ['trackbox', 'email'] }, { trackbox: [REFUSAL] }, 'mail'],
    [
      'after a failed e-mail',
      { channels: ['trackbox', 'email'] },
      { trackbox: [REFUSAL], email: [{ outcome: 'permanent' }] },
      'mail',
    ],
    [
      'if another channel delivered it',
      { channels: ['heroleads', 'trackbox'] },
      { trackbox: [REFUSAL] },
      'other_channel',
    ],
    [
      'if another channel failed for another reason',
      { channels: ['heroleads', 'trackbox'] },
      { trackbox: [REFUSAL], heroleads: [{ outcome: 'permanent', misconfigured: true }] },
      'other_channel',
    ],
    [
      'after an attempt that may have arrived',
      { channels: ['heroleads', 'trackbox'] },
      { trackbox: [LOST, REFUSAL], heroleads: [REFUSAL] },
      'may_have_arrived',
    ],
    [
      'if the settings are wrong',
      {},
      { trackbox: [{ outcome: 'permanent', misconfigured: true }] },
      undefined,
    ],
  ])('%s', async (_, plan, answers, kept) => {
    const world = await aWorld([{ id: 'anna', probability: 100, limit: 5, ...plan }]);
    await addBuyers(world.table, [{ id: 'ben', probability: 0, limit: 5 }]);
    for (const [channel, reports] of Object.entries(answers)) {
      const left = [...reports];
      world.answers.set(`${channel} anna`, () => left.shift() ?? {});
    }
    const id = await refusedBy(world);
    expect(await leadOf(world, id)).toMatchObject({ status: 'assigned', buyer: 1 });
    for (let again = 0; again < 3; again += 1) {
      world.later(24 * 60 * MINUTE_MS);
      await reported(world);
    }
    expect((await deliveryOf(world, id))?.reassignment_blocker).toBe(kept);
    expect(world.notified).toContain('Delivery failed: trackbox of buyer anna');
  });

  it('if it has a claim, was assigned by an admin, or was deleted', async () => {
    const world = await aWorld([
      { id: 'anna', probability: 100, limit: 5 },
      { id: 'ben', probability: 0, limit: 5 },
    ]);
    const admin = adminOn(world.table, world.runtime);
    refuses(world, 'trackbox anna');
    const claimed = await refusedBy(world, (leadId) => claimLead(admin, leadId));
    const byHand = (await ingest(distribution(world, world.table), aPerson(), 'anna')).lead_id;
    await settle(world, byHand);
    expect((await deliveryOf(world, claimed))?.reassignment_blocker).toBe('claimed');
    expect((await deliveryOf(world, byHand))?.reassignment_blocker).toBe('by_hand');
    const deleted = await take(world);
    const sent = (await deliveryOf(world, deleted))!;
    world.answers.set('trackbox anna', () => REFUSAL);
    await Promise.all([deliver(deliverDeps(world), messageOf(sent)), deleteLead(admin, 'test', deleted)]);
    expect(['deleted', 'received']).toContain((await leadOf(world, deleted)).status);
    await reconcile(distribution(world, world.table), 0);
    expect(await orders(world)).toMatchObject([{ leads_received: 2 }, { leads_received: 0 }]);
  });

  describe('of a finished order', () => {
    const followed = async (type: 'prepay' | 'postpay') => {
      const world = await aWorld([
        { id: 'anna', probability: 60, limit: 1 },
        { id: 'ben', probability: 40, limit: 2 },
      ]);
      const admin = adminOn(world.table, world.runtime);
      await world.table.update({
        key: keys.order(1),
        update: 'SET buyer_type = :type',
        values: { ':type': type },
      });
      refuses(world, 'trackbox anna');
      const id = await refusedBy(world, () =>
        createOrder(admin, 'test', { buyerId: 'anna', leadLimit: 1, balance: 0 }),
      );
      return { world, admin, id };
    };

    it('stays if the order is prepaid, and a claim replaces it in the next order', async () => {
      const { world, admin, id } = await followed('prepay');
      expect((await deliveryOf(world, id))?.reassignment_blocker).toBe('order_over');
      expect(await leadOf(world, id)).toMatchObject({ status: 'assigned', buyer: 1, order_id: 1 });
      await claimLead(admin, id, { status: 'approved' });
      expect(await orderStore.get(world, 3)).toMatchObject({ reimbursement_pending: 1 });
    });

    it('moves on if only delivered leads are paid', async () => {
      const { world, id } = await followed('postpay');
      expect(await leadOf(world, id)).toMatchObject({ status: 'assigned', buyer: 2 });
      expect(await orderStore.get(world, 1)).toMatchObject({ leads_received: 0 });
    });
  });
});

describe('a refusal after failed attempts', () => {
  // All in one test, because a mutation run tries thirty quick ones at most.
  it('reassigns the lead only if none of them may have arrived', async () => {
    const before: Record<string, Partial<Report>> = { ...UNCLEAR, ...NOT_ARRIVED };
    const sequences = [
      ...Object.keys(before).map((one) => [one]),
      ...['lost', 'error 503', 'later'].flatMap((one, _, all) =>
        all.flatMap((two) => [[one, two], ...all.map((three) => [one, two, three])]),
      ),
    ];
    for (const names of sequences) {
      const world = await aWorld([
        { id: 'anna', probability: 100, limit: 5 },
        { id: 'ben', probability: 0, limit: 5 },
      ]);
      const left = [...names.map((name) => before[name]!), REFUSAL];
      world.answers.set('trackbox anna', () => left.shift() ?? {});
      const id = await take(world);
      await settle(world, id);
      expect(left).toEqual([]);
      const { buyer, refused_by } = await leadOf(world, id);
      const blocker = (await deliveryOf(world, id))?.reassignment_blocker;
      if (names.some((name) => name in UNCLEAR))
        expect([names, buyer, blocker]).toEqual([names, 1, 'may_have_arrived']);
      else {
        expect([names, refused_by]).toMatchObject([names, [{ buyer: 1 }]]);
        expect(await orders(world)).toMatchObject([{ leads_received: 0 }, {}]);
      }
    }
  });

  it.each([
    [59, 2],
    [60, 1],
  ])(
    'in a log of %i attempts that cannot have arrived depends on whether earlier attempts were dropped',
    async (length, buyer) => {
      const world = await aWorld();
      const id = await take(world);
      await world.table.update({
        key: keys.delivery(id, 'trackbox'),
        update: 'SET attempts = :attempts',
        values: {
          ':attempts': Array.from({ length: length - 1 }, () => ({
            ...anAttempt('2026-11-20T10:00:00.000Z', 'transient'),
            status_code: 429,
          })),
        },
      });
      refuses(world, 'trackbox anna');
      // Without a ledger, there is no choice to withdraw.
      await world.table.delete({ delete: keys.ledger() });
      await settle(world, id);
      expect((await leadOf(world, id)).buyer).toBe(buyer);
    },
  );
});

/** Requeues open failures and handles them. */
async function reported(world: World): Promise<void> {
  const deps = deliverDeps(world);
  world.queue.length = 0;
  await requeueOverdueDeliveries(deps);
  for (const { message } of world.queue.splice(0)) await deliver(deps, message);
}

describe('with several channels', () => {
  it('only the last refusal reassigns the lead and notifies', async () => {
    const world = await aWorld([
      { id: 'anna', probability: 60, limit: 2, channels: ['trackbox', 'heroleads'] },
      { id: 'ben', probability: 40, limit: 2 },
    ]);
    refuses(world, 'trackbox anna', 'heroleads anna');
    const id = await take(world);
    await deliver(deliverDeps(world), messageOf((await deliveryOf(world, id))!));
    expect(await leadOf(world, id)).toMatchObject({ status: 'assigned', buyer: 1 });
    world.later(5 * MINUTE_MS);
    await reported(world);
    const open = (await deliveryOf(world, id))!;
    expect([world.notified, open.unreported]).toEqual([[], true]);
    expect(await reassign(distribution(world, world.table), open)).toEqual({ is: 'open' });
    await settle(world, id);
    expect(await leadOf(world, id)).toMatchObject({ buyer: 2 });
    expect(world.notified).toEqual([]);
    expect((await leadStore.details(world, id))?.refusals[0]?.deliveries).toHaveLength(2);
  });
});

describe('a late or repeated refusal', () => {
  it('reassigns the lead once for two concurrent workers', async () => {
    const world = await aWorld();
    refuses(world, 'trackbox anna');
    const id = await take(world);
    const deps = deliverDeps(world);
    const results: AfterRefusal[] = [];
    const metrics = { ...world.runtime.metrics, record: vi.fn() };
    const both = {
      ...deps,
      reassign: async (refused: Delivery) => {
        const admin = distribution(world, world.table);
        results.push(
          ...(await Promise.all(
            [1, 2].map(() => reassign({ ...admin, runtime: { ...admin.runtime, metrics } }, refused)),
          )),
        );
        return results[0]!;
      },
    };
    await deliver(both, messageOf((await deliveryOf(world, id))!));
    expect(results).toEqual([{ is: 'reassigned' }, { is: 'reassigned' }]);
    expect(metrics.record.mock.calls).toEqual([['LeadsReassigned', 1, {}]]);
    await settle(world, id);
    expect(await orders(world)).toMatchObject([{ leads_received: 0 }, { leads_received: 1 }]);
    expect((await leadOf(world, id)).refused_by).toHaveLength(1);
    await sharesAreRight(world);
  });

  it('by a former buyer does not take the lead from its current buyer', async () => {
    const world = await aWorld();
    refuses(world, 'trackbox anna');
    const id = await take(world);
    const old = (await deliveryOf(world, id))!;
    await settle(world, id);
    const context = distribution(world, world.table);
    for (const late of [old, { ...old, lead_id: 'gone' }])
      expect(await reassign(context, late)).toEqual({ is: 'reassigned' });
    expect(await leadOf(world, id)).toMatchObject({ buyer: 2, status: 'assigned' });
  });

  it('does not change the next delivery, neither by a message nor by a delayed worker', async () => {
    const world = await aWorld();
    const id = await take(world);
    const old = (await deliveryOf(world, id))!;
    refuses(world, 'trackbox anna');
    await deliver(deliverDeps(world), messageOf(old));
    // It is in flight again, but by a later attempt.
    expect(await redistributeRefused(distribution(world, world.table), id, 1)).toBe(false);
    await redistributeRefused(distribution(world, world.table), id, 2);
    const next = (await deliveryOf(world, id))!;
    expect(next).toMatchObject({ buyer: 2, status: 'pending' });
    // The same times as in the old delivery, as with clocks that differ.
    await world.table.update({
      key: keys.delivery(id, 'trackbox'),
      update: 'SET updated_at = :at',
      values: { ':at': old.updated_at },
    });
    const until = new Date('2026-11-20T12:00:00.000Z');
    expect(
      await sendingStore.claim(world, deliveryStore.DELIVERIES, old, anAttempt(old.updated_at), until),
    ).toBeUndefined();
    expect(await deliveryStore.setNextCheckAt(world, old, until)).toBe(false);
    const failed = { status: 'failed', attempts: [], attempt_count: 0, next_attempt_at: null } as const;
    expect(
      await sendingStore.recordSkipped(
        world,
        deliveryStore.DELIVERIES,
        old,
        { ...failed, external_id: null, error: 'late' },
        until,
      ),
    ).toBe(false);
    expect(await redistributeRefused(distribution(world, world.table), id, 2)).toBe(false);
    expect(await payloadStore.load(deliverDeps(world), old)).toMatchObject({ ok: false });
    expect(await deliveryOf(world, id)).toEqual({ ...next, updated_at: old.updated_at });
  });
});

describe('when a process dies at any call', () => {
  it('the lead has one buyer, and counters and shares are right', async () => {
    for (const when of ['before', 'after'] as const)
      for (let call = 1, died = true; died; call += 1) {
        const world = await aWorld();
        refuses(world, 'trackbox anna');
        const id = await take(world);
        died = await runDying(world.table, call, when, (on) => settle(world, id, on));
        // After an unknown outcome the lead stays.
        for (let minutes = 0; minutes < 4; minutes += 1) {
          world.later(20 * MINUTE_MS);
          await reconcile(distribution(world, world.table), 0);
          await reported(world);
          await settle(world, id);
        }
        const lead = await leadOf(world, id);
        const at = `${when} call ${call}`;
        expect([at, lead.status, await violations(world.table, 1)]).toEqual([at, 'assigned', []]);
        const kept = (await deliveryOf(world, id))?.reassignment_blocker;
        expect([at, lead.buyer]).toEqual([at, kept === undefined ? 2 : 1]);
        const [first, last] = [
          world.calls.findIndex((called) => called.includes('ben')),
          world.calls.findLastIndex((called) => called.includes('anna')),
        ];
        expect(lead.buyer === 1 ? first === -1 : last < first).toBe(true);
        expect(world.notified).toHaveLength(kept === undefined ? 0 : 1);
        expect((await orders(world)).map(({ leads_received }) => leads_received)).toEqual(
          lead.buyer === 2 ? [0, 1] : [1, 0],
        );
        const counting = { table: world.table, runtime: world.runtime };
        await count(counting, [id], () => ['trackbox']);
        expect((await rebuildStatistics(counting, false)).differences).toEqual([]);
      }
  });
});

const THREE: readonly Plan[] = [
  { id: 'anna', probability: 50, limit: 20 },
  { id: 'ben', probability: 30, limit: 20 },
  { id: 'carl', probability: 20, limit: 20 },
];
