/**
 * JSON Schema keywords for the API document that zod cannot derive: checks written as code, and the preferred of several
 * notations. A schema derived by `check` inherits them.
 */
import * as z from 'zod/mini';

type Keywords = z.core.JSONSchema.BaseSchema;

export const publishedWith = z.registry<Keywords>();

export const publishedAs = z.registry<Keywords>();

/** An object that matches `has` must also match `holds`. */
export const when = (has: Keywords, holds: Keywords): Keywords => ({
  if: has,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: holds,
});
