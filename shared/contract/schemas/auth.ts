import * as z from 'zod/mini';
import { publishedWith } from '#shared/contract/published';

export const authSchemas = {
  checkAuth: { answer: z.object({ authenticated: z.boolean(), username: z.optional(z.string()) }) },
  login: {
    body: z.object({
      username: z
        .string({ error: 'Required' })
        .check(z.trim(), z.minLength(1, 'Required'), z.maxLength(100))
        .register(publishedWith, { pattern: '\\S' }),
      password: z.string({ error: 'Required' }).check(z.minLength(1, 'Required'), z.maxLength(200)),
    }),
    answer: z.object({ message: z.literal('Logged in') }),
  },
  logout: { answer: z.object({ message: z.literal('Logged out') }) },
  getReadiness: { answer: z.object({ status: z.literal('ok') }) },
} as const;
