import { WEBHOOK_EVENTS, type WebhookEvent } from '#shared/rules/constants';
import { callbackUrlProblem } from '#shared/rules/postback';
import type { Webhook } from '../../data/webhooks';
import { INVALID } from '../../invalid-texts';

export const WEBHOOK_EVENT_TEXTS = {
  'lead.assigned': 'Lead assigned',
  'claim.filed': 'Claim filed',
  'order.full': 'Order full',
} as const satisfies Record<WebhookEvent, string>;

export const WEBHOOK_LABELS = { name: 'Name', url: 'Address', events: 'Events' } as const;

/** What the form holds. */
export interface WebhookValues {
  name: string;
  url: string;
  events: string[];
}

export const webhookValuesOf = (stored: Webhook | undefined): WebhookValues => ({
  name: stored?.name ?? '',
  url: stored?.url ?? '',
  events: [...(stored?.events ?? WEBHOOK_EVENTS)],
});

/** Events in the order of the contract. */
export const webhookOf = ({ name, url, events }: WebhookValues) => ({
  name: name.trim(),
  url: url.trim(),
  events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
});

export function validateWebhook(values: WebhookValues): Record<string, string> {
  const { name, url, events } = webhookOf(values);
  const problem = callbackUrlProblem(url);
  return {
    ...(name === '' && { name: INVALID.required(WEBHOOK_LABELS.name) }),
    ...(problem !== undefined && { url: problem }),
    ...(events.length === 0 && { events: INVALID.events }),
  };
}
