import type { Decision, Lead } from '#functions/data/leads/lead';
import { RULE } from '#functions/domain/distribution/share-rule';
import { aPerson } from '#test/factories/people';

export const LEAD_ID = '01J00000000000000000000001';

/** An assigned lead. */
export const aLead = (changes: Partial<Lead> = {}): Lead => ({
  lead_id: LEAD_ID,
  status: 'assigned',
  ...aPerson(),
  received_at: '2026-11-20T10:00:00.000Z',
  distribution_attempt: 1,
  buyer: 7,
  order_id: 12,
  sequence: 3,
  lead_type: 'original',
  assigned_at: '2026-11-20T10:00:00.000Z',
  ...changes,
});

/** A lead in flight, in its first distribution attempt. */
export function aReceivedLead(changes: Partial<Lead> = {}): Lead {
  const now = new Date().toISOString();
  return {
    lead_id: LEAD_ID,
    status: 'received',
    ...aPerson(),
    received_at: now,
    distribution_attempt: 1,
    in_flight_since: now,
    ...changes,
  };
}

/** A decision record for buyer 1. */
export const aDecision = (changes: Partial<Decision> = {}): Decision => ({
  lead_id: LEAD_ID,
  distribution_attempt: 1,
  rule: RULE,
  decided_at: '2026-11-20T10:00:00.000Z',
  mode: 'weights',
  winner: 1,
  eligible: [
    [1, 6000, 0],
    [2, 3000, 0],
  ],
  not_eligible: {},
  ...changes,
});
