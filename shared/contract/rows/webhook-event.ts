import * as z from 'zod/mini';
import { publishedWith } from '#shared/contract/published';
import { LEAD_TYPES, type WebhookEvent } from '#shared/rules/constants';

const ofOrder = { order_id: z.int(), buyer_id: z.string() };
const ofLead = {
  ...ofOrder,
  lead_id: z.string(),
  /** Null: the lead came by hand or by an import without a source. */
  source_id: z.nullable(z.int()),
};

/** `data` of each event. Without personal data. */
export const webhookData = {
  'lead.assigned': z.object({
    ...ofLead,
    lead_type: z.enum(LEAD_TYPES),
    price: z.nullable(z.number()).register(publishedWith, {
      description: 'Euro; 0 for a replacement, null if the order has no price',
    }),
  }),
  'claim.filed': z.object({ ...ofLead, claim_id: z.int() }),
  'order.full': z.object({ ...ofOrder, lead_limit: z.int() }),
} as const satisfies Record<WebhookEvent, z.ZodMiniType>;

export type WebhookData = { [Event in WebhookEvent]: z.output<(typeof webhookData)[Event]> }[WebhookEvent];
