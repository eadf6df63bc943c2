import * as z from 'zod/mini';

export const metaSchemas = {
  getOpenApi: {
    summary: 'Read this document',
    answer: z.record(z.string(), z.unknown()),
  },
  getHealth: {
    summary: 'Check that the API is up',
    answer: z.object({ status: z.literal('ok') }),
  },
} as const;
