import type { PendingReason } from '#shared/rules/constants';

const TEXTS: Readonly<Record<PendingReason, string>> = {
  no_active_order: 'No active buyer has an order and a probability above 0%',
  limits_reached: 'All orders have reached their lead limit or belong to buyers with probability 0%',
  below_min_investment: 'The investment is below the minimum of every buyer with open capacity',
  above_max_investment: 'The investment is above the maximum of every buyer with open capacity',
  outside_term: 'No buyer with open capacity takes this term',
  source_excluded: 'No buyer with open capacity takes leads of this source',
  email_verification_failed: 'E-mail verification failed',
  phone_verification_failed: 'Phone verification failed',
  name_verification_failed: 'Name verification failed',
  verification_unavailable: 'Verification was inconclusive',
  manual_review: 'Manual review',
  already_received: 'Every buyer with open capacity already received this person',
  already_known: 'The person is known to every buyer with open capacity, or must not be sold',
  duplicate: 'The source already sent this person',
  waits_for_opening: 'Every eligible buyer is outside its hours or at its cap',
  refused_by_buyers: 'Every buyer with open capacity refused this lead',
  consent_missing: 'The person has not agreed to be called',
  consent_unconfirmed: 'The person has not confirmed the e-mail address yet',
};

/** @param intendedFor the buyer of a lead in manual review */
export function pendingReasonText(reason: PendingReason, intendedFor?: string): string {
  return reason === 'manual_review' && intendedFor !== undefined
    ? `${TEXTS.manual_review} for ${intendedFor}`
    : TEXTS[reason];
}
