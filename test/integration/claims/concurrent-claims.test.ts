/** When claims are taken, by the clock of Berlin, and what happens when much happens at once; on the embedded table. */

import { describe, expect } from 'vitest';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import type { Table } from '#functions/data/table/table';
import { createBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeIn } from '#functions/domain/distribution/distribution';
import { createOrder } from '#functions/domain/orders/orders';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { aVisitor } from '#test/factories/links';
import { aPerson } from '#test/factories/people';
import { adminOn, distributionOn, quietRuntime } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

let table: Table;
it.beforeAll(async ({ engine }) => {
  table = await engine.freshTable();
});

let counter = 0;

/** A product whose clock stands where it is put. */
function at(instant: string) {
  const runtime = { ...quietRuntime, now: () => new Date(instant) };
  return { ...distributionOn(table, { runtime }), ...adminOn(table, runtime) };
}

/** Leads delivered at an instant to a buyer of their own. */
async function delivered(instant: string, count = 1, terms: { max?: number; ne?: number } = {}) {
  counter += 1;
  const buyerId = `buyer-${counter}`;
  const deps = at(instant);
  await createBuyer(deps, 'test', {
    buyer_id: buyerId,
    buyer_email: `${buyerId}@example.org`,
    probability: 0,
    max_claim_days: terms.max ?? 7,
    min_days_for_ne: terms.ne ?? 5,
  });
  const order = await createOrder(deps, 'test', { buyerId, leadLimit: count, balance: 0 });
  const leads: string[] = [];
  for (let number = 0; number < count; number += 1)
    leads.push((await takeIn(deps, aPerson(), buyerId)).lead_id);
  return { buyerId, order, leads };
}

async function claimed(
  instant: string,
  from: Awaited<ReturnType<typeof delivered>>,
  reason: string,
  lead = 0,
) {
  return fileClaim(
    at(instant),
    { token: from.order.token, visitor: aVisitor() },
    {
      leadId: from.leads[lead]!,
      orderId: from.order.order_id,
      buyerId: from.buyerId,
      reason,
    },
  );
}

describe('claim window', () => {
  it.each([
    // Delivered on Monday 12 May 2025; seven working days later it is Wednesday 21 May.
    {
      day: '2025-05-12T08:00:00.000Z',
      last: '2025-05-21T21:59:59.000Z',
      late: '2025-05-21T22:00:00.000Z',
      until: '21.05.2025',
    },
    // Just before midnight in Berlin it is still the 12th, just after it the 13th.
    {
      day: '2025-05-12T21:59:59.000Z',
      last: '2025-05-21T21:59:59.000Z',
      late: '2025-05-21T22:00:00.000Z',
      until: '21.05.2025',
    },
    {
      day: '2025-05-12T22:00:00.000Z',
      last: '2025-05-22T21:59:59.000Z',
      late: '2025-05-22T22:00:00.000Z',
      until: '22.05.2025',
    },
    // Over Good Friday, Easter Monday and 1 May.
    {
      day: '2025-04-17T08:00:00.000Z',
      last: '2025-04-30T21:00:00.000Z',
      late: '2025-05-02T08:00:00.000Z',
      until: '01.05.2025',
    },
    // Over the change of the clock in March, and a weekend after the last working day counts.
    {
      day: '2026-03-27T12:00:00.000Z',
      last: '2026-04-08T21:59:59.000Z',
      late: '2026-04-09T22:00:00.000Z',
      until: '08.04.2026',
    },
  ])('of a lead delivered at $day is open until $until', async ({ day, last, late, until }) => {
    const from = await delivered(day, 2);
    if (until !== '08.04.2026')
      await expect(claimed(late, from, 'fake')).rejects.toMatchObject({
        kind: 'invalid',
        code: 'claim_window_closed',
        message: `Die Reklamationsfrist ist am ${until} abgelaufen.`,
      });
    else
      await expect(claimed('2026-04-11T08:00:00.000Z', from, 'fake')).rejects.toMatchObject({
        code: 'claim_window_closed',
      });
    await expect(claimed(last, from, 'fake')).resolves.toMatchObject({ claim_status: 'pending' });
  });

  it('opens for NE only after the working days agreed when the order was created', async () => {
    const from = await delivered('2025-05-12T08:00:00.000Z', 1, { max: 10, ne: 3 });
    await expect(claimed('2025-05-14T20:00:00.000Z', from, 'ne')).rejects.toMatchObject({
      kind: 'invalid',
      code: 'ne_too_early',
      fields: { claim_reason: expect.stringContaining('15.05.2025') },
    });
    await expect(claimed('2025-05-14T22:00:00.000Z', from, 'ne')).resolves.toMatchObject({
      claim_reason: 'Nicht erreichbar (nach 3 Tagen)',
      claim_reason_code: 'ne',
    });
  });
});

describe('concurrent claims', () => {
  const now = '2025-05-14T08:00:00.000Z';

  it('approves twenty claims of one buyer at once while their replacements are delivered', async () => {
    const from = await delivered(now, 20);
    const claims = await Promise.all(from.leads.map((_, lead) => claimed(now, from, 'fake', lead)));
    expect(new Set(claims.map(({ claim_id }) => claim_id)).size).toBe(20);
    const deps = at(now);
    await Promise.all([
      ...claims.map(({ claim_id }) =>
        decideClaim(deps, { who: 'test', claimId: claim_id, status: 'approved', notes: '' }),
      ),
      (async () => {
        let replaced = 0;
        // A buyer without room refuses; the next claim that is approved gives it some again.
        while (replaced < 20) {
          const result = await takeIn(deps, aPerson(), from.buyerId).catch(() => undefined);
          if (result?.status === 'assigned') replaced += 1;
        }
      })(),
    ]);
    expect(await deps.orders.get(from.order.order_id)).toMatchObject({
      leads_received: 20,
      reimbursement_pending: 0,
      reimbursement_delivered: 20,
      total_claims: 20,
      pending_claims: 0,
      approved_claims: 20,
    });
    expect(await deps.buyers.byId(from.buyerId)).toMatchObject({
      total_claims: 20,
      approved_claims: 20,
      balance_count: 0,
    });
    expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
  });

  it('accepts one of ten decisions on the same claim', async () => {
    const from = await delivered(now);
    const claim = await claimed(now, from, 'fake');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, number) =>
        decideClaim(at(now), {
          who: `admin-${number}`,
          claimId: claim.claim_id,
          status: number % 2 === 0 ? 'approved' : 'rejected',
          notes: `${number}`,
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'claim_already_decided' });
    expect(checkReplacements(await readReplacementRecords(table))).toEqual([]);
  });
});
