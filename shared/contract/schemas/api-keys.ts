import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { SCOPES } from '#shared/contract/scopes';

const row = z.object({
  key_id: z.string(),
  name: z.string(),
  /** The first characters, by which an admin recognises the key. */
  prefix: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  /** Accurate to an hour. */
  last_used_at: z.nullable(z.iso.datetime()),
});

export const apiKeySchemas = {
  listApiKeys: {
    summary: 'List the API keys of admins’ own tools',
    answer: z.object({ keys: z.array(row) }),
  },
  createApiKey: {
    summary: 'Create an API key, shown once; at most 20',
    body: z.object({
      name: field.line(60),
      scopes: field.distinct(
        z.array(z.enum(SCOPES)).check(z.minLength(1, 'Choose at least one'), z.maxLength(SCOPES.length)),
      ),
    }),
    answer: z.extend(row, {
      /** Shown once. */
      key: z.string(),
    }),
  },
  revokeApiKey: {
    summary: 'Revoke an API key, from its next call',
    params: z.object({ keyId: z.string().check(z.minLength(1), z.maxLength(40)) }),
    answer: z.object({ message: z.string() }),
  },
} as const;
