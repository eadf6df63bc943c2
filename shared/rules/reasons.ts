/** The texts for why a lead waits. */
import type { PendingReason } from '#shared/contract/constants';

const TEXTS: Readonly<Record<PendingReason, string>> = {
  no_active_order: 'No buyer has an active order',
  limits_reached: 'All orders have reached their lead limit',
  below_min_investment: 'The investment is below the minimum of every buyer with room',
  email_verification_failed: 'E-mail verification failed',
  phone_verification_failed: 'Phone verification failed',
  name_verification_failed: 'Name verification failed',
  verification_unavailable: 'Verification gave no certain answer',
  manual_review: 'Manual review',
};

/** @param meantFor the id of the buyer that a lead under review was meant for */
export function pendingReasonText(reason: PendingReason, meantFor?: string): string {
  return reason === 'manual_review' && meantFor !== undefined
    ? `${TEXTS.manual_review} for ${meantFor}`
    : TEXTS[reason];
}
