import { describe, expect } from 'vitest';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import { redistribute } from '#functions/domain/distribution/backlog';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { changeLimit } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import { addBuyers, distributionOn, violations } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const soon = () => new Date(Date.now() + 60_000);

describe('distributing one lead', () => {
  it('rejects a chosen buyer without capacity and stores nothing', async ({ table, deps }) => {
    await addBuyers(table, [{ id: 'anna', probability: 60, limit: 1 }]);
    await ingest(deps, aPerson(), undefined);
    await expect(ingest(deps, aPerson(), 'anna')).rejects.toMatchObject({
      kind: 'conflict',
      code: 'buyer_has_no_capacity',
    });
    await expect(ingest(deps, aPerson(), 'nobody')).rejects.toMatchObject({ kind: 'not_found' });
    expect(await leadLists.countPending(deps)).toBe(0);
    expect(await violations(table, 1)).toEqual([]);
  });

  it('changes nothing if a manual assignment fails, and assigns it once there is capacity', async ({
    table,
    deps,
    admin,
  }) => {
    await addBuyers(table, [{ id: 'anna', probability: 60, limit: 1 }]);
    await ingest(deps, aPerson(), undefined);
    const { lead_id } = await ingest(deps, aPerson(), undefined);
    const assign = (change: Partial<Parameters<typeof assignByHand>[3]> = {}) =>
      assignByHand(deps, 'test', lead_id, { person: {}, buyerId: 'anna', ...change });
    await expect(assign()).rejects.toMatchObject({ code: 'buyer_has_no_capacity' });
    expect(await leadStore.get(deps, lead_id)).toMatchObject({ status: 'pending', reason: 'limits_reached' });
    await changeLimit(admin, 'test', 'anna', 2);
    const person = { vorname: 'Geändert' };
    await expect(assign({ person, expected: { vorname: 'Anders' } })).rejects.toMatchObject({
      code: 'edited_meanwhile',
      fields: { vorname: expect.any(String) },
    });
    expect(await assign({ person, expected: { vorname: 'Erika' } })).toMatchObject({
      buyer_id: 'anna',
      sequence: 2,
    });
    expect(await leadStore.get(deps, lead_id)).toMatchObject({ vorname: 'Geändert' });
    expect(await violations(table, 2)).toEqual([]);
  });

  it('leaves it pending for a buyer with manual review, and an admin can assign it', async ({
    table: fresh,
  }) => {
    await addBuyers(fresh, [{ id: 'careful', probability: 50, limit: 5, review: true }]);
    const result = await ingest(distributionOn(fresh), aPerson(), undefined);
    expect(result).toMatchObject({ status: 'pending', reason: 'manual_review' });
    expect(await redistribute(distributionOn(fresh), soon())).toEqual({ assigned: 0, more: false });
    const assigned = await assignByHand(distributionOn(fresh), 'test', result.lead_id, {
      person: {},
      buyerId: 'careful',
    });
    expect(assigned.sequence).toBe(1);
  });
});
