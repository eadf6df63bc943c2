import * as z from 'zod/mini';
import { BUYER_TYPES, DEFAULT_DECISIONS } from '#shared/rules/constants';

/** `used` counts pending and approved claims. Null: no limit. */
const claimQuota = z.nullable(z.object({ allowed: z.number(), used: z.number() }));

export const orderTerms = {
  max_claim_days: z.number(),
  min_days_for_ne: z.number(),
  /** Working days within which claims are decided; null: not agreed. */
  decision_days: z.nullable(z.number()),
  default_decision: z.enum(DEFAULT_DECISIONS),
  claim_quota: claimQuota,
  buyer_type: z.enum(BUYER_TYPES),
} as const;
