import type { Channel, PendingReason } from '#shared/contract/constants';
import { formatNumber } from '#shared/rules/formats';

/** The delivery channels as admins call them. */
export const CHANNEL_TEXT = {
  email: 'E-mail',
  heroleads: 'Lead broker',
  trackbox: 'Tracking platform',
  sellanylead: 'SellAnyLead',
} as const satisfies Record<Channel, string>;

/** Why a lead waits. */
export const PENDING_TEXT = {
  no_active_order: 'No buyer has an active order',
  limits_reached: 'All order limits are reached',
  below_min_investment: "Below every buyer's minimum investment",
  email_verification_failed: 'E-mail verification failed',
  phone_verification_failed: 'Phone verification failed',
  name_verification_failed: 'Name verification failed',
  verification_unavailable: 'Verification was not available',
  manual_review: 'Held for manual review',
} as const satisfies Record<PendingReason, string>;

/** `12,5%` from percent. */
export function percentText(percent: number): string {
  return `${formatNumber(percent)}%`;
}

/** `1 lead`, `2 leads` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Whole percent of `part` in `whole`, 0 if there is no whole. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 100) : 0;
}
