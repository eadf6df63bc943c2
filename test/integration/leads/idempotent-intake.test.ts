/** Posting a lead again with an idempotency key. */

import { describe, expect } from 'vitest';
import * as leadStore from '#functions/data/leads/lead-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { DomainError } from '#functions/domain/common/errors';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { ingest } from '#functions/domain/distribution/distribution';
import { ingestOnce } from '#functions/domain/distribution/intake';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { discardLead } from '#functions/domain/leads/leads';
import { changeLimit } from '#functions/domain/orders/orders';
import type { Runtime } from '#functions/platform/runtime';
import { aLeadRequest, aPerson } from '#test/factories/people';
import {
  addBuyers,
  adminOn,
  changedTable,
  distributionOn,
  quietRuntime,
  runDying,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const intakeOn = (table: Table, runtime: Runtime = quietRuntime): DistributionContext =>
  distributionOn(table, { runtime });
const later = (milliseconds: number): Runtime => ({
  ...quietRuntime,
  now: () => new Date(quietRuntime.now().getTime() + milliseconds),
});

const addAnna = (table: Table) => addBuyers(table, [{ id: 'anna', probability: 50, limit: 5 }]);

describe('a lead posted again with its idempotency key', () => {
  it('is the same lead for any order of its fields', async ({ cloud }) => {
    const lead = aLeadRequest();
    const post = async (fields: [string, unknown][]) =>
      cloud.admin.raw('POST', '/api/leads', Object.fromEntries(fields), { 'idempotency-key': 'order' });
    const fields: [string, unknown][] = Object.entries(lead);
    const first = await post(fields);
    expect(first.status).toBe(200);
    for (const [at] of fields.entries()) {
      const again = await post([...fields.slice(at), ...fields.slice(0, at)].toReversed());
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
  });

  it('is not stored by a delayed request after its repeat was rejected', async ({ table }) => {
    await addBuyers(table, [{ id: 'anna', probability: 50, limit: 1 }]);
    const lead = aPerson();
    for (const chosen of ['anna', undefined]) {
      let runtime = quietRuntime;
      const deps = intakeOn(table);
      // The request is delayed while it takes the key.
      const sleepy = changedTable(table, {
        put: async (write) => {
          const written = await table.put(write);
          if (write.put.sk === keys.intakeKey('').sk) runtime = later(30_000);
          return written;
        },
      });
      const asleep = intakeOn(sleepy, { ...quietRuntime, now: () => runtime.now() });
      const { status, lead_id } = await ingestOnce(asleep, `k-${chosen ?? ''}`, lead, chosen);
      expect(status).toBe('overtaken');
      expect(await leadStore.get(deps, lead_id)).toBeUndefined();
    }
    let now = quietRuntime;
    const sleepy = changedTable(table, {
      queryAll: async (query) => {
        if (query.partition === keys.pool()) now = later(30_000);
        return table.queryAll(query);
      },
    });
    const asleep = intakeOn(sleepy, { ...quietRuntime, now: () => now.now() });
    const { status, lead_id } = await ingestOnce(asleep, 'k-pool', lead, 'anna');
    expect(status).toBe('overtaken');
    expect(await leadStore.get(intakeOn(table), lead_id)).toBeUndefined();
  });

  it('is not rejected once the reconciliation has taken it over', async ({ table }) => {
    await addBuyers(table, [{ id: 'anna', probability: 50, limit: 1 }]);
    const deps = intakeOn(table);
    await ingest(deps, aPerson(), undefined);
    const lead = aPerson();
    // The process is delayed before it removes the lead, because the chosen buyer has no capacity.
    const slow = changedTable(table, {
      delete: async (removal) => {
        if (removal.delete.sk === keys.lead('').sk) await reconcile(distributionOn(table), -1000);
        return table.delete(removal);
      },
    });
    const first = await ingestOnce(intakeOn(slow), 'k', lead, 'anna');
    expect(first.status).toBe('overtaken');
    const again = await ingestOnce(deps, 'k', lead, 'anna');
    expect(again).toMatchObject({ status: 'pending', lead_id: first.lead_id });
    expect(await violations(table, 2)).toEqual([]);
  });

  it.for(['before', 'after'] as const)(
    'is accepted once if the first request crashes anywhere (%s a call)',
    async (when, { engine }) => {
      for (let n = 1; ; n += 1) {
        const table = await engine.freshTable();
        await addAnna(table);
        const lead = aPerson();
        const died = await runDying(table, n, when, (on) => ingestOnce(intakeOn(on), 'k', lead, undefined));
        const soon = await ingestOnce(intakeOn(table), 'k', lead, undefined).catch((error: unknown) => error);
        if (soon instanceof DomainError) expect(soon.code).toBe('request_under_way');
        await reconcile(distributionOn(table), -1000);
        const again = await Promise.allSettled([
          ingestOnce(intakeOn(table, later(61_000)), 'k', lead, undefined),
          ingestOnce(intakeOn(table, later(61_000)), 'k', lead, undefined),
        ]);
        const last = await ingestOnce(intakeOn(table, later(61_000)), 'k', lead, undefined);
        for (const outcome of again)
          if (outcome.status === 'fulfilled') expect(outcome.value.lead_id).toBe(last.lead_id);
          else expect(outcome.reason).toMatchObject({ code: 'request_under_way' });
        expect(await violations(table, 1)).toEqual([]);
        if (!died) return;
      }
    },
  );

  it('is rejected if the key was used for another lead', async ({ table }) => {
    await addAnna(table);
    await ingestOnce(intakeOn(table), 'k', aPerson(), undefined);
    await expect(ingestOnce(intakeOn(table), 'k', aPerson(), undefined)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'idempotency_key_reused',
    });
    expect(await violations(table, 1)).toEqual([]);
  });

  it('can be posted again after a rejection, and with the same key a day later', async ({ table }) => {
    await addBuyers(table, [{ id: 'anna', probability: 50, limit: 1 }]);
    const lead = aPerson();
    await ingestOnce(intakeOn(table), 'first', lead, 'anna');
    await expect(ingestOnce(intakeOn(table), 'k', lead, 'anna')).rejects.toMatchObject({
      code: 'buyer_has_no_capacity',
    });
    await changeLimit(adminOn(table), 'test', 'anna', 3);
    const result = await ingestOnce(intakeOn(table), 'k', lead, 'anna');
    expect(result).toMatchObject({ status: 'assigned', buyer_id: 'anna' });
    const nextDay = await ingestOnce(intakeOn(table, later(86_401_000)), 'k', lead, 'anna');
    expect(nextDay.lead_id).not.toBe(result.lead_id);
  });

  it('is answered as pending, and as removed after it was discarded', async ({ table }) => {
    const lead = aPerson();
    const first = await ingestOnce(intakeOn(table), 'k', lead, undefined);
    expect(first).toMatchObject({ status: 'pending', reason: 'no_active_order' });
    expect(await ingestOnce(intakeOn(table), 'k', lead, undefined)).toEqual(first);
    await discardLead({ ...distributionOn(table), ...adminOn(table) }, 'test', first.lead_id);
    await expect(ingestOnce(intakeOn(table), 'k', lead, undefined)).rejects.toMatchObject({
      code: 'lead_removed',
    });
  });
});

it('rejects a malformed Idempotency-Key header without storing anything', async ({ cloud }) => {
  const pending = async () => (await cloud.admin.ok('listPendingLeads')).total;
  const before = await pending();
  for (const key of ['', 'a b', 'k'.repeat(201)])
    expect(
      await cloud.admin.raw('POST', '/api/leads', aLeadRequest(), { 'idempotency-key': key }),
    ).toMatchObject({ body: { code: 'invalid_idempotency_key' } });
  expect(await pending()).toBe(before);
});
