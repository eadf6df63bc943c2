/** The circuit breaker under concurrent use stays readable and closes again for any order of writes. */

import fc from 'fast-check';
import { describe, expect } from 'vitest';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { channelCircuit, FAILURES_TO_OPEN, type Permit } from '#functions/data/deliveries/circuits';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { changedTable } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';
import { MINUTE_MS } from '#test/harness/time';

const BUYER = 7;
const START = new Date('2026-03-02T09:00:00Z');
const after = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS);
const CLOSED: Permit = { ok: true, probe: false, failures: 0 };

let table: Table;
const CIRCUIT = channelCircuit(BUYER, 'email');

it.beforeAll(async ({ engine }) => {
  table = await engine.freshTable();
});

const fail = async (times: number, permit: Permit = CLOSED, now = START) => {
  for (let time = 0; time < times; time += 1) await circuitStore.failed({ table }, CIRCUIT, permit, now);
};
const permitted = async (now: Date) => {
  const permit = await circuitStore.permit({ table }, CIRCUIT, now);
  if (!permit.ok) throw new Error('The circuit is open');
  return permit;
};
const close = () => table.delete({ delete: keys.circuit(BUYER, 'email') });

describe('the circuit breaker of a destination', () => {
  it('stays closed if a delivery succeeds between the last failure and the write that opens it', async () => {
    await close();
    await fail(FAILURES_TO_OPEN - 1);
    const permit = await permitted(START);
    const overtaken = changedTable(table, {
      update: async (write) => {
        const written = await table.update(write);
        await circuitStore.succeeded({ table }, CIRCUIT, permit);
        return written;
      },
    });
    expect(await circuitStore.failed({ table: overtaken }, CIRCUIT, permit, START)).toBe(false);
    expect(await circuitStore.permit({ table }, CIRCUIT, START)).toEqual(CLOSED);
  });

  it('restarts at one if the probe fails after the circuit was closed', async () => {
    await close();
    await fail(FAILURES_TO_OPEN);
    const probe = await permitted(after(6));
    expect(probe.probe).toBe(true);
    // A delivery sent before the circuit opened arrives late.
    await circuitStore.succeeded({ table }, CIRCUIT, { ok: true, probe: false, failures: 3 });
    expect(await circuitStore.failed({ table }, CIRCUIT, probe, after(7))).toBe(false);
    expect(await permitted(after(7))).toEqual({ ok: true, probe: false, failures: 1 });
  });

  it('stays open longer after each failed probe, and is reported once', async () => {
    await close();
    await fail(FAILURES_TO_OPEN - 1);
    expect(await circuitStore.failed({ table }, CIRCUIT, CLOSED, START)).toBe(true);
    let now = START;
    for (const pause of [5, 10, 20, 40, 60, 60]) {
      const open = await circuitStore.permit({ table }, CIRCUIT, now);
      expect(open).toEqual({ ok: false, until: new Date(now.getTime() + pause * MINUTE_MS) });
      now = new Date(now.getTime() + pause * MINUTE_MS);
      const probe = await permitted(now);
      expect(probe.probe).toBe(true);
      expect(await circuitStore.failed({ table }, CIRCUIT, probe, now)).toBe(false);
    }
  });

  it('stays readable for any order of reads and writes, and closes once deliveries succeed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 8 }),
        async (scheduler, workers) => {
          await close();
          const interleaved = changedTable(table, {
            get: scheduler.scheduleFunction(table.get.bind(table)),
            update: scheduler.scheduleFunction(table.update.bind(table)),
            delete: scheduler.scheduleFunction(table.delete.bind(table)),
          });
          const work = workers.map(async (tries, worker) => {
            for (const [at, arrives] of tries.entries()) {
              const now = after(worker + at * 30);
              const permit = await circuitStore.permit({ table: interleaved }, CIRCUIT, now);
              if (!permit.ok) continue;
              if (arrives) await circuitStore.succeeded({ table: interleaved }, CIRCUIT, permit);
              else await circuitStore.failed({ table: interleaved }, CIRCUIT, permit, now);
            }
          });
          await scheduler.waitFor(Promise.all(work));
          // Every remaining item has a time to live.
          const item = await table.get(keys.circuit(BUYER, 'email'));
          if (item !== undefined)
            expect(item).toMatchObject({ failures: expect.any(Number), expires_at: expect.any(Number) });
          const later = after(24 * 60);
          await circuitStore.succeeded({ table }, CIRCUIT, await permitted(later));
          expect(await circuitStore.permit({ table }, CIRCUIT, later)).toEqual(CLOSED);
        },
      ),
      { numRuns: 60 },
    ));
});
