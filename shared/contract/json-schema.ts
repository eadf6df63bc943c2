import * as z from 'zod/mini';
import { publishedAs, publishedWith } from '#shared/contract/published';

export type Json = Record<string, unknown>;

/** @param io `input` for requests, which clients send before any transformation; `output` for answers */
export function toJsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...derived } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }) => {
      const instead = publishedAs.get(zodSchema);
      if (instead !== undefined) for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      Object.assign(jsonSchema, instead, publishedWith.get(zodSchema));
    },
  });
  return derived;
}

export const ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'The text to show' },
    code: { type: 'string', description: 'Stable, snake case' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'A message for each refused field',
    },
    request_id: { type: 'string', description: 'For server errors: the ID to quote in questions' },
  },
};
