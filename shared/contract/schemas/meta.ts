import * as z from 'zod/mini';

export const metaSchemas = {
  getOpenApi: { answer: z.record(z.string(), z.unknown()) },
  getHealth: { answer: z.object({ status: z.literal('ok') }) },
} as const;
