import type { CallbackEvent, Endpoint } from '#shared/rules/constants';

export const EVENT_TEXTS = {
  'lead.assigned': 'Assigned',
  'lead.pending': 'Pending',
  'lead.discarded': 'Discarded',
  'lead.feedback': 'Feedback',
  'claim.approved': 'Claim approved',
  'claim.rejected': 'Claim rejected',
} as const satisfies Record<CallbackEvent, string>;

export const ENDPOINT_TEXTS = {
  webhook: 'Webhook',
  postback: 'Postback',
} as const satisfies Record<Endpoint, string>;
