/** Pending leads that an admin redistributes. */

import { describe, expect } from 'vitest';
import * as leadStore from '#functions/data/leads/lead-store';
import { listAudit } from '#functions/domain/common/audit';
import { assignByHand, distributeAgain, ingest } from '#functions/domain/distribution/distribution';
import { editLead } from '#functions/domain/leads/leads';
import { createOrder } from '#functions/domain/orders/orders';
import { aPerson } from '#test/factories/people';
import {
  addBuyers,
  distributionOn,
  interruptedTable,
  ledgerOf,
  PASSING_CHECKS,
  sumOfDecisions,
  violations,
} from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const invalidPhone = {
  ...PASSING_CHECKS,
  phone: async () => ({ status: 'invalid', note: 'no such number' }) as const,
};

describe('a redistributed pending lead', () => {
  it('is verified again only after a failed verification, and audited', async ({ table, deps, admin }) => {
    const failing = distributionOn(table, { checks: invalidPhone });
    const { lead_id: passed } = await ingest(deps, aPerson(), undefined);
    const failed = await ingest(failing, aPerson(), undefined);
    await addBuyers(table, [{ id: 'anna', probability: 60, limit: 5 }]);
    expect(await distributeAgain(failing, 'ada', failed.lead_id)).toMatchObject({
      status: 'pending',
      reason: 'phone_verification_failed',
    });
    expect(await distributeAgain(failing, 'ada', passed)).toMatchObject({ buyer_id: 'anna' });
    expect(await distributeAgain(deps, 'ada', failed.lead_id)).toMatchObject({ buyer_id: 'anna' });
    const { entries } = await listAudit(admin, { entity: 'lead', entityId: passed, limit: 10 });
    expect(entries).toMatchObject([{ who: 'ada', action: 'distributed_again' }]);
    expect(await violations(table, 2)).toEqual([]);
  });

  it('is rejected if it is under manual review, assigned or unknown', async ({ table, deps }) => {
    await addBuyers(table, [{ id: 'careful', probability: 60, limit: 5, review: true }]);
    const { lead_id } = await ingest(deps, aPerson(), undefined);
    await expect(distributeAgain(deps, 'ada', lead_id)).rejects.toMatchObject({ code: 'lead_under_review' });
    expect((await ledgerOf(table)).deficits).toEqual(await sumOfDecisions(table));
    await assignByHand(deps, 'ada', lead_id, { person: {}, buyerId: 'careful' });
    const { decision } = (await leadStore.details(deps, lead_id))!;
    expect(decision?.earlier_choice).toMatchObject({ mode: 'weights', winner: 1 });
    await expect(distributeAgain(deps, 'ada', lead_id)).rejects.toMatchObject({ code: 'lead_not_pending' });
    await expect(distributeAgain(deps, 'ada', 'unknown')).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is distributed in its state after a concurrent edit', async ({ table, admin }) => {
    await addBuyers(table, [{ id: 'anna', probability: 60, minimum: 50_000 }]);
    const { lead_id } = await ingest(
      distributionOn(table),
      aPerson({ anlagebetrag: 60_000_00, telefon: '+491701234567' }),
      undefined,
    );
    await createOrder(admin, 'test', { buyerId: 'anna', leadLimit: 1, balance: 0 });
    const edited = interruptedTable(table, 'transact', () =>
      editLead(admin, 'bob', lead_id, { anlagebetrag: 10_000_00 }),
    );
    expect(await distributeAgain(distributionOn(table, { table: edited }), 'ada', lead_id)).toMatchObject({
      status: 'pending',
      reason: 'below_min_investment',
    });
  });
});
