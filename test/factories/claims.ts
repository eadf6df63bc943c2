import type { NewClaim } from '#functions/data/claims/claim-store';
import { LEAD_ID } from '#test/factories/leads';

/** A newly filed claim. */
export const aNewClaim = (changes: Partial<NewClaim> = {}): NewClaim => ({
  claim_id: 5,
  created_at: '2026-11-20T10:00:00.000Z',
  claim_reason: 'Fake',
  claim_reason_code: 'fake',
  lead_id: LEAD_ID,
  buyer: 7,
  order_id: 12,
  sequence: 3,
  ...changes,
});
