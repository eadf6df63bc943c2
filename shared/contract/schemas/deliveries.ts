import * as z from 'zod';
import { CHANNELS, DELIVERY_STATUSES } from '#shared/contract/constants';
import * as field from '#shared/contract/fields';
import { deliveryRow } from '#shared/contract/schemas/leads';

export const deliverySchemas = {
  listDeliveries: {
    query: z.object({
      buyer_id: z
        .union([z.literal(''), field.buyerId])
        .transform((value) => value || undefined)
        .optional(),
      /** Without a buyer, the failed and retrying ones of all buyers. */
      status: z.enum(DELIVERY_STATUSES).optional(),
      limit: field.integer(1, 200).default(50),
      cursor: z.string().max(2000).optional(),
    }),
    answer: z.object({
      deliveries: z.array(deliveryRow),
      next_cursor: z.string().nullable(),
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
      status_code: z.number().nullable(),
      answer: z.string().nullable(),
    }),
  },
} as const;
