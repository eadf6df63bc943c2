/**
 * What the API's document says of a schema where zod cannot know it: a check written as code has no JSON Schema, and a
 * schema that also takes looser spellings is published as the one spelling that is always right. `openapi.ts` reads
 * both registries; a schema made from another one by `check` inherits its entries.
 */
import * as z from 'zod/mini';

type Keywords = z.core.JSONSchema.BaseSchema;

/** Keywords beside those that zod derives. */
export const publishedWith = z.registry<Keywords>();

/** Keywords in the place of those that zod derives. */
export const publishedAs = z.registry<Keywords>();

/** A rule over several fields of an object: what else holds where it `has` this. */
export const when = (has: Keywords, holds: Keywords): Keywords => ({
  if: has,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: holds,
});
