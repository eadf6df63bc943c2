import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { cursorRefusals } from '#shared/contract/refusals';
import { attempt } from '#shared/contract/rows/delivery';
import { DELIVERY_STATUSES, KEY_SLOTS, MAX_WEBHOOK_NAME, WEBHOOK_EVENTS } from '#shared/rules/constants';
import { INVALID } from '#shared/rules/invalid-texts';
import { CALLBACK_URL, callbackUrlProblem } from '#shared/rules/postback';

const choices = {
  name: field.line(MAX_WEBHOOK_NAME),
  url: field.matching(CALLBACK_URL, callbackUrlProblem).check(z.maxLength(2000, 'At most 2000 characters')),
  events: field.distinct(
    z
      .array(z.enum(WEBHOOK_EVENTS))
      .check(z.minLength(1, INVALID.events), z.maxLength(WEBHOOK_EVENTS.length, 'Every event once')),
  ),
};

const webhook = z.object({
  webhook_id: z.int(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  /** Since when nothing is sent, because the receiver answered 410. */
  gone_at: z.nullable(z.string()),
  secrets: z.array(z.object({ slot: z.enum(KEY_SLOTS), created_at: z.string() })),
});
export type WebhookRow = z.output<typeof webhook>;

const params = z.object({ webhookId: field.wholeNumberId });
const one = z.object({ message: z.string(), webhook });
/** Shown once. */
const withSecret = z.extend(one, { secret: z.string() });

export const webhookSchemas = {
  listWebhooks: { summary: 'List the webhooks of the installation', answer: z.array(webhook) },
  createWebhook: {
    summary: 'Add a webhook; its secret is shown once',
    body: z.object(choices),
    answer: withSecret,
  },
  updateWebhook: {
    summary: 'Change a webhook, and turn it on again',
    params,
    body: field.edit(choices),
    answer: one,
  },
  deleteWebhook: { summary: 'Delete a webhook', params, answer: z.object({ message: z.string() }) },
  createWebhookSecret: {
    summary: 'Create a second signing secret of a webhook, shown once',
    params,
    answer: withSecret,
  },
  revokeWebhookSecret: {
    summary: 'Revoke a signing secret of a webhook',
    params: z.extend(params, { slot: z.enum(KEY_SLOTS) }),
    answer: one,
  },
} as const;

/** An event, as it was sent to one webhook. */
const webhookCall = z.object({
  event_id: z.string(),
  event: z.enum(WEBHOOK_EVENTS),
  occurred_at: z.string(),
  order_id: z.int(),
  lead_id: z.nullable(z.string()),
  status: z.enum(DELIVERY_STATUSES),
  created_at: z.string(),
  updated_at: z.string(),
  next_attempt_at: z.nullable(z.string()),
  error: z.nullable(z.string()),
  attempts: z.array(attempt),
});

const EVENT_ID =
  /^(?:[0-9A-HJKMNP-TV-Z]{26}_(?:lead_assigned|claim_filed)|order-\d{1,15}_order_full)_\d{1,15}$/;

export const webhookCallSchemas = {
  listWebhookCalls: {
    summary: 'List the calls of a webhook, newest first',
    refusals: cursorRefusals,
    params,
    query: z.object({ limit: z._default(field.integer(1, 200), 50), cursor: field.cursor }),
    answer: z.object({ calls: z.array(webhookCall), next_cursor: z.nullable(z.string()) }),
  },
  resendWebhookCall: {
    summary: 'Resend an event to a webhook with the same ID',
    params: z.extend(params, { eventId: z.string().check(z.regex(EVENT_ID, 'Not an event')) }),
    answer: z.object({ message: z.string() }),
  },
  sendTestEvent: {
    summary: 'Send a test event to a webhook',
    params,
    answer: z.object({
      outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown']),
      status_code: z.nullable(z.number()),
      answer: z.nullable(z.string()),
    }),
  },
} as const;
