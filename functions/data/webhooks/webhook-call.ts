import * as z from 'zod/mini';
import { sendingShape } from '#functions/data/deliveries/sending';
import { LEAD_TYPES, WEBHOOK_EVENTS } from '#shared/rules/constants';

/** An event, sent to one webhook of the installation. */
export const webhookCallSchema = z.object({
  webhook: z.int(),
  /** Derived from webhook and event, so that the same event makes the same call. */
  callback_id: z.string(),
  event: z.enum(WEBHOOK_EVENTS),
  occurred_at: z.string(),
  buyer: z.int(),
  order_id: z.int(),
  /** Of `order.full`: the limit to which it is full. */
  lead_limit: z.optional(z.int()),
  lead_id: z.optional(z.string()),
  lead_type: z.optional(z.enum(LEAD_TYPES)),
  source: z.optional(z.int()),
  distribution_attempt: z.optional(z.int()),
  claim_id: z.optional(z.int()),
  ...sendingShape,
});
export type WebhookCall = z.output<typeof webhookCallSchema>;

/** `order.full` comes without its limit, which only the order knows. */
export type InstallationEvent = Omit<WebhookCall, 'webhook' | 'callback_id' | keyof typeof sendingShape>;

export const callPrefix = (webhook: number) => `webhook${webhook}_`;

/** An order is full once to each limit, and a lead is assigned once in an attempt. */
export const callId = (
  webhook: number,
  { event, lead_limit, claim_id, distribution_attempt }: InstallationEvent,
): string =>
  `${callPrefix(webhook)}${event.replace('.', '_')}_${lead_limit ?? claim_id ?? distribution_attempt ?? 0}`;
