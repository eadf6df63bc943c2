/** Circuit breakers, markers and leases prevent deliveries at the wrong time or twice. Runs on the in-memory table. */

import { describe, expect, it } from 'vitest';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { channelCircuit, FAILURES_TO_OPEN, type Permit } from '#functions/data/deliveries/circuits';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { createDestinationLeases } from '#functions/data/deliveries/destination-leases';
import type { Query } from '#functions/data/table/table';
import { aDelivery } from '#test/factories/deliveries';
import { putDelivery } from '#test/harness/deliveries';
import { memoryTable } from '#test/harness/memory-table';

const START = new Date('2026-11-20T10:00:00.000Z');
const after = (milliseconds: number) => new Date(START.getTime() + milliseconds);
const MINUTE_MS = 60_000;

const CIRCUIT = channelCircuit(7, 'email');

describe('a circuit', () => {
  it('opens at the fifth consecutive failure, lets one probe through at a time, and closes on a late success', async () => {
    const table = memoryTable();
    const permit = (now: Date) => circuitStore.permit({ table }, CIRCUIT, now);
    const fail = async (now: Date) => circuitStore.failed({ table }, CIRCUIT, await permit(now), now);
    for (let time = 1; time < FAILURES_TO_OPEN; time += 1) {
      expect(await fail(START)).toBe(false);
      expect(await permit(START)).toEqual({ ok: true, probe: false, failures: time });
    }
    expect(await fail(START)).toBe(true);
    expect(await permit(START)).toEqual({ ok: false, until: after(5 * MINUTE_MS) });
    // Calls that started before the circuit opened do not change it.
    const early = { ok: true, probe: false, failures: 4 } as const;
    expect(await circuitStore.failed({ table }, CIRCUIT, early, after(1000))).toBe(false);
    expect(await permit(after(1000))).toEqual({ ok: false, until: after(5 * MINUTE_MS) });
    const probe = await permit(after(5 * MINUTE_MS));
    expect(probe).toMatchObject({ ok: true, probe: true });
    expect(await permit(after(5 * MINUTE_MS))).toEqual({ ok: false, until: after(5.5 * MINUTE_MS) });
    await circuitStore.succeeded({ table }, CIRCUIT, { ok: true, probe: false, failures: 0 });
    expect(await permit(after(5.4 * MINUTE_MS))).toMatchObject({ ok: false });
    await circuitStore.succeeded({ table }, CIRCUIT, probe);
    expect(await permit(after(6 * MINUTE_MS))).toEqual({ ok: true, probe: false, failures: 0 });
  });

  it('gives the probe to one of two concurrent calls', async () => {
    const table = memoryTable();
    const closed = { ok: true, probe: false, failures: 0 } as const;
    for (let time = 0; time < FAILURES_TO_OPEN; time += 1)
      await circuitStore.failed({ table }, CIRCUIT, closed, START);
    const asked = await Promise.all(
      [1, 2, 3].map(() => circuitStore.permit({ table }, CIRCUIT, after(5 * MINUTE_MS))),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1);
    expect(asked.filter(({ ok }) => !ok)).toEqual(
      [1, 2].map(() => ({ ok: false, until: after(5.5 * MINUTE_MS) })),
    );
  });
});

describe('a marker', () => {
  it('is set while taken or confirmed, until it expires', async () => {
    const table = memoryTable();
    const isSet = (seconds: number) => dedupMarkerStore.isSet({ table }, 'x', after(seconds * 1000));
    expect(await isSet(0)).toBe(false);
    expect(await dedupMarkerStore.reserve({ table }, 'x', START, 60)).toBe('taken');
    expect(await dedupMarkerStore.reserve({ table }, 'x', START, 60)).toBe('busy');
    expect([await isSet(59), await isSet(60)]).toEqual([true, false]);
    await dedupMarkerStore.confirm({ table }, 'x', START, 120);
    expect(await dedupMarkerStore.reserve({ table }, 'x', after(61_000), 60)).toBe('sent');
    expect([await isSet(119), await isSet(120)]).toEqual([true, false]);
    await dedupMarkerStore.release({ table }, 'x');
    expect(await isSet(1)).toBe(false);
  });
});

describe('a circuit opened by a clock an hour ahead', () => {
  it.each([1, 2, 3])('allows the probe immediately after %i openings', async (openings) => {
    const table = memoryTable();
    let at = START;
    let permit: Permit = { ok: true, probe: false, failures: 0 };
    for (let opened = 1; opened < openings; opened += 1) {
      for (let time = 0; time < FAILURES_TO_OPEN; time += 1)
        await circuitStore.failed({ table }, CIRCUIT, permit, at);
      at = after(opened * 3 * 60 * MINUTE_MS);
      permit = await circuitStore.permit({ table }, CIRCUIT, at);
    }
    const ahead = new Date(at.getTime() + 60 * MINUTE_MS);
    for (let time = 0; time < FAILURES_TO_OPEN; time += 1)
      await circuitStore.failed({ table }, CIRCUIT, permit, ahead);
    expect(await circuitStore.permit({ table }, CIRCUIT, ahead)).toMatchObject({ ok: false });
    expect(await circuitStore.permit({ table }, CIRCUIT, at)).toMatchObject({ ok: true, probe: true });
  });
});

describe('the leases of a destination', () => {
  it('are taken singly, last at least 200 ms, and expire ten seconds after their worker died', async () => {
    const leases = createDestinationLeases(memoryTable(), 2);
    const free = async () => (await leases.freeFrom('x', START)).map((at) => at.getTime() - START.getTime());
    expect(leases.count).toBe(2);
    const lease = (await leases.take('x', 1, START))!;
    expect(await leases.take('x', 1, after(9_999))).toBeUndefined();
    expect(await free()).toEqual([-START.getTime(), 10_000]);
    await leases.release(lease, after(50));
    expect((await free())[1]).toBe(200);
    const next = (await leases.take('x', 1, after(200)))!;
    // The former holder has lost the lease.
    await leases.release(lease, after(300));
    expect(await leases.renew(lease, after(300))).toBeUndefined();
    expect((await free())[1]).toBe(10_200);
    await leases.release(next, after(700));
    expect((await free())[1]).toBe(700);
    expect(await leases.take('x', 1, after(700))).toBeDefined();
    expect(await leases.take('x', 1, after(10_700))).toBeDefined();
  });

  it.each([
    ['taken', false],
    ['released', true],
  ])('are free for others if they were %s by a clock an hour ahead', async (_, released) => {
    const leases = createDestinationLeases(memoryTable(), 1);
    const ahead = (milliseconds: number) => after(60 * MINUTE_MS + milliseconds);
    const lease = (await leases.take('x', 0, ahead(0)))!;
    if (released) await leases.release(lease, ahead(50));
    expect(await leases.freeFrom('x', START)).toEqual([new Date(0)]);
    expect(await leases.take('x', 0, START)).toBeDefined();
  });
});

describe('open deliveries', () => {
  it('are listed once each, page by page, and the longest-waiting one is known', async () => {
    const table = memoryTable();
    expect(await deliveryStore.waitingLongest({ table })).toBeUndefined();
    const at = (number: number) => after(number * MINUTE_MS).toISOString();
    for (const number of [3, 1, 2, 5, 4])
      await putDelivery(
        table,
        aDelivery({ lead_id: `l${number}`, created_at: at(number), updated_at: at(number) }),
      );
    expect((await deliveryStore.waitingLongest({ table }))?.lead_id).toBe('l1');
    for (const number of [1, 2, 3]) {
      const delivery = (await deliveryStore.get({ table }, `l${number}`, 'email'))!;
      expect(await deliveryStore.setNextCheckAt({ table }, delivery, after((10 - number) * MINUTE_MS))).toBe(
        true,
      );
    }
    expect((await deliveryStore.waitingLongest({ table }))?.lead_id).toBe('l1');
    const query = table.query.bind(table);
    Object.assign(table, { query: (one: Query) => query({ ...one, limit: Math.min(2, one.limit ?? 2) }) });
    const found: string[] = [];
    for await (const page of deliveryStore.open({ table })) found.push(...page.map(({ lead_id }) => lead_id));
    expect(found.toSorted()).toEqual(['l1', 'l2', 'l3', 'l4', 'l5']);
  });
});
