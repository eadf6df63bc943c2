import * as z from 'zod/mini';
import { CHANNELS } from '#shared/channels/channels';
import { DELIVERY_STATUSES } from '#shared/contract/constants';
import * as field from '#shared/contract/fields';
import { publishedWith } from '#shared/contract/published';
import { deliveryRow } from '#shared/contract/rows/delivery';
import { callbackSchemas } from '#shared/contract/schemas/callbacks';

export const deliverySchemas = {
  listDeliveries: {
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
    params: z.object({ leadId: field.leadId, channel: z.enum(CHANNELS) }),
    answer: z.object({ message: z.string() }),
  },
  resendFailedDeliveries: {
    params: z.object({ buyerId: field.buyerId }),
    answer: z.object({ message: z.string(), count: z.number() }),
  },
  sendTestLead: {
    params: z.object({ buyerId: field.buyerId, channel: z.enum(CHANNELS) }),
    answer: z.object({
      outcome: z.enum(['delivered', 'transient', 'permanent', 'unknown']),
      status_code: z.nullable(z.number()),
      answer: z.nullable(z.string()),
    }),
  },
  ...callbackSchemas,
} as const;
