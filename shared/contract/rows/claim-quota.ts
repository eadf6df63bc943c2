import * as z from 'zod/mini';

/**
 * How many claims an order may have, and how many count against that: those that are pending or approved. Null: any number
 * may be filed.
 */
export const claimQuota = z.nullable(z.object({ allowed: z.number(), used: z.number() }));
