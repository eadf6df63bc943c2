import { expect } from 'vitest';
import * as leadStore from '#functions/data/leads/lead-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { keys } from '#functions/data/table/keys';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { listAudit } from '#functions/domain/common/audit';
import { assignByHand, ingest } from '#functions/domain/distribution/distribution';
import { aPerson } from '#test/factories/people';
import { addBuyers, violations } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it('a manual assignment that fails changes nothing, and succeeds once there is capacity', async ({
  table,
  deps,
  admin,
}) => {
  await addBuyers(table, [
    { id: 'anna', probability: 60, limit: 1 },
    { id: 'without order', probability: 10 },
  ]);
  await ingest(deps, aPerson(), undefined);
  const { lead_id } = await ingest(deps, aPerson(), undefined);
  const assign = (change: Partial<Parameters<typeof assignByHand>[3]> = {}) =>
    assignByHand(deps, 'test', lead_id, { person: {}, buyerId: 'anna', ...change });
  const email = async () => ({ status: 'invalid', note: null }) as const;
  const failed = await ingest({ ...deps, checks: { ...deps.checks, email } }, aPerson(), 'anna');
  expect(await leadStore.get(deps, failed.lead_id)).toMatchObject({ status: 'pending', intended_buyer: 1 });
  const refused = { code: 'buyer_has_no_capacity' };
  await expect(assign()).rejects.toMatchObject(refused);
  const pending = await leadStore.get(deps, lead_id);
  expect(pending).toMatchObject({ status: 'pending', reason: 'limits_reached' });
  await expect(assign({ buyerId: 'without order' })).rejects.toMatchObject(refused);
  expect(await leadStore.get(deps, lead_id)).toEqual(pending);
  await table.update({ key: keys.order(1), update: 'SET reimbursement_pending = lead_limit' });
  await updateBuyer(admin, 'test', 'anna', { active: false });
  await expect(assign()).rejects.toMatchObject(refused);
  await updateBuyer(admin, 'test', 'anna', { active: true });
  const person = { vorname: 'Geändert' };
  await expect(assign({ person, expected: { vorname: 'Anders' } })).rejects.toMatchObject({
    code: 'edited_meanwhile',
    fields: { vorname: expect.any(String) },
  });
  expect(await assign({ person, expected: { vorname: 'Erika' } })).toMatchObject({
    buyer_id: 'anna',
    sequence: 2,
  });
  const { lead, decision } = (await leadStore.details(deps, lead_id))!;
  expect([lead.vorname, decision?.winner, decision?.earlier_choice]).toEqual(['Geändert', 1, undefined]);
  expect(await violations(table, 3)).toEqual([]);
  await expect(assign()).rejects.toMatchObject({ code: 'lead_not_pending' });
  expect(await replacementStore.ofBuyer(deps, 1)).toMatchObject([{ kind: 'delivery', lead_id }]);
  const { entries } = await listAudit(admin, { entity: 'lead', entityId: lead_id, limit: 9 });
  expect(entries).toMatchObject([
    {
      who: 'test',
      action: 'assigned',
      changes: expect.arrayContaining([{ field: 'order_id', from: null, to: 1 }]),
    },
    { who: 'test', action: 'updated', changes: [{ field: 'vorname', from: 'Erika', to: 'Geändert' }] },
  ]);
});
