import * as z from 'zod';

export const authSchemas = {
  checkAuth: { answer: z.object({ authenticated: z.boolean(), username: z.string().optional() }) },
  login: {
    body: z.object({
      username: z.string({ error: 'Required' }).trim().min(1, 'Required').max(100),
      password: z.string({ error: 'Required' }).min(1, 'Required').max(200),
    }),
    answer: z.object({ message: z.literal('Logged in') }),
  },
  logout: { answer: z.object({ message: z.literal('Logged out') }) },
} as const;
