import type { CallbackRow } from '#shared/contract/rows/callback';
import type { CallbackEvent, Endpoint, Feedback } from '#shared/rules/constants';

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

const FEEDBACK_TEXTS = {
  reached: 'reached',
  not_reached: 'not reached',
  closed: 'closed',
} as const satisfies Record<Feedback, string>;

/** `Claim approved`, `Feedback: not reached` */
export function eventText({ event, feedback }: Pick<CallbackRow, 'event' | 'feedback'>): string {
  if (event !== 'lead.feedback') return EVENT_TEXTS[event];
  return `${EVENT_TEXTS[event]}: ${feedback === null ? 'taken back' : FEEDBACK_TEXTS[feedback]}`;
}
