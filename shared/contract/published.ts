/**
 * JSON Schema keywords for the API document that zod cannot derive: those of checks written as code, and those of
 * schemas that accept several spellings, of which the document has only the preferred one. `openapi.ts` reads both
 * registries; a schema derived from another one by `check` inherits its entries.
 */
import * as z from 'zod/mini';

type Keywords = z.core.JSONSchema.BaseSchema;

/** Keywords in addition to those that zod derives. */
export const publishedWith = z.registry<Keywords>();

/** Keywords that replace those that zod derives. */
export const publishedAs = z.registry<Keywords>();

/** A rule over several fields: an object that matches `has` must also match `holds`. */
export const when = (has: Keywords, holds: Keywords): Keywords => ({
  if: has,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: holds,
});
