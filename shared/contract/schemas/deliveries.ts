import * as z from 'zod/mini';
import { CHANNELS, CONSOLE_CHANNELS } from '#shared/channels/channels';
import * as field from '#shared/contract/fields';
import { publishedWith } from '#shared/contract/published';
import { cursorRefusals, secretAgain } from '#shared/contract/refusals';
import { pair } from '#shared/contract/rows/channel-values';
import { deliveryRow } from '#shared/contract/rows/delivery';
import { callbackSchemas } from '#shared/contract/schemas/callbacks';
import {
  both,
  channelFieldRefusals,
  channelRuleRefusals,
  channelSettings,
  sentSecret,
} from '#shared/contract/schemas/channel-settings';
import { webhookCallSchemas } from '#shared/contract/schemas/webhooks';
import { VERDICTS } from '#shared/rules/answer-rules';
import { DELIVERY_STATUSES } from '#shared/rules/constants';

export const deliverySchemas = {
  listDeliveries: {
    summary: 'List deliveries, newest first',
    refusals: {
      ...cursorRefusals,
      buyer_required: 'the status `delivered` or `pending` requires a buyer',
    },

    query: z.object({
      buyer_id: field.filter(field.buyerId),
      status: z.optional(
        z.enum(DELIVERY_STATUSES).register(publishedWith, {
          description:
            'Without `buyer_id` only `failed` and `retrying` are allowed, and they are the default',
        }),
      ),
      limit: z._default(field.integer(1, 200), 50),
      cursor: field.cursor,
    }),
    answer: z.object({
      deliveries: z.array(deliveryRow),
      next_cursor: z.nullable(z.string()),
      failed_count: z.number(),
    }),
  },
  resendDelivery: {
    summary: 'Resend a delivery',

    params: z.object({ leadId: field.leadId, channel: z.enum(CHANNELS) }),
    answer: z.object({ message: z.string() }),
  },
  resendFailedDeliveries: {
    summary: 'Resend all failed deliveries of a buyer',

    params: z.object({ buyerId: field.buyerId }),
    answer: z.object({ message: z.string(), count: z.number() }),
  },
  sendTestLead: {
    summary: 'Send a test lead to a buyer through one channel',

    params: z.object({ buyerId: field.buyerId, channel: z.enum(CHANNELS) }),
    answer: z.object({
      outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown']),
      status_code: z.nullable(z.number()),
      answer: z.nullable(z.string()),
    }),
  },
  tryChannel: {
    summary: 'Send a test lead with unsaved settings and show the whole call',
    refusals: { ...both(channelFieldRefusals, channelRuleRefusals), ...secretAgain },

    params: z.object({ channel: z.enum(CONSOLE_CHANNELS) }),
    body: z
      .object({
        ...z.partial(z.object(channelSettings(sentSecret))).shape,
        /** Whose stored secrets are used if none is sent. */
        buyer_id: z.optional(field.buyerId),
      })
      .register(publishedWith, {
        description:
          'The channel settings to test. Omitted fields use the stored value or the default. Nothing is stored.',
      }),
    answer: z.object({
      outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown']),
      error: z.nullable(z.string()),
      duration_ms: z.number(),
      request: z.nullable(
        z.object({
          method: z.string(),
          url: z.string(),
          headers: z.array(pair),
          body: z.nullable(z.string()),
        }),
      ),
      answer: z.nullable(z.object({ status: z.number(), headers: z.array(pair), body: z.string() })),
      verdict: z.nullable(z.enum([...VERDICTS, 'by_status', 'unclear'])),
      /** Index of the rule that decided. */
      rule: z.nullable(z.number()),
      external_id: z.nullable(z.string()),
    }),
  },
  ...callbackSchemas,
  ...webhookCallSchemas,
} as const;
