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
import { VERDICTS } from '#shared/rules/answer-rules';
import { DELIVERY_STATUSES } from '#shared/rules/constants';

export const deliverySchemas = {
  listDeliveries: {
    summary: 'List deliveries, the newest first',
    refusals: {
      ...cursorRefusals,
      buyer_required: 'the status `delivered` or `pending` was asked for without a buyer',
    },

    query: z.object({
      buyer_id: field.filter(field.buyerId),
      status: z.optional(
        z.enum(DELIVERY_STATUSES).register(publishedWith, {
          description: 'Without `buyer_id` only `failed` and `retrying`, which are also the default then',
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
    summary: 'Send a delivery again',

    params: z.object({ leadId: field.leadId, channel: z.enum(CHANNELS) }),
    answer: z.object({ message: z.string() }),
  },
  resendFailedDeliveries: {
    summary: 'Send all failed deliveries of a buyer again',

    params: z.object({ buyerId: field.buyerId }),
    answer: z.object({ message: z.string(), count: z.number() }),
  },
  sendTestLead: {
    summary: 'Send a test lead to a buyer over one channel',

    params: z.object({ buyerId: field.buyerId, channel: z.enum(CHANNELS) }),
    answer: z.object({
      outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown']),
      status_code: z.nullable(z.number()),
      answer: z.nullable(z.string()),
    }),
  },
  tryChannel: {
    summary: 'Send a test lead with settings that are not saved, and show the whole call',
    refusals: { ...both(channelFieldRefusals, channelRuleRefusals), ...secretAgain },

    params: z.object({ channel: z.enum(CONSOLE_CHANNELS) }),
    body: z
      .object({
        ...z.partial(z.object(channelSettings(sentSecret))).shape,
        /** The buyer whose stored secrets are used where none is sent; left out for a new one. */
        buyer_id: z.optional(field.buyerId),
      })
      .register(publishedWith, {
        description:
          'The settings of the channel as they are typed; what is left out is as stored, or at its default. Nothing of it is stored.',
      }),
    answer: z.object({
      outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown']),
      error: z.nullable(z.string()),
      duration_ms: z.number(),
      /** Without secrets. */
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
      /** The place of the rule that decided, from 0. */
      rule: z.nullable(z.number()),
      external_id: z.nullable(z.string()),
    }),
  },
  ...callbackSchemas,
} as const;
