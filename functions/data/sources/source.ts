import * as z from 'zod/mini';
import { DUPLICATE_POLICIES, KEY_SLOTS, SOURCE_STATES } from '#shared/rules/constants';
import { INTAKE_FIELDS } from '#shared/rules/lead-fields';

/** A key as it is stored: what it begins with, and the SHA-256 of the whole (base64url). */
export const sourceKeySchema = z.object({
  prefix: z.string(),
  hash: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
});
export type SourceKey = z.output<typeof sourceKeySchema>;

/** Stands for "any number" where leads are counted down. */
export const UNLIMITED = 1_000_000_000_000;

/**
 * Who posts leads by a key. One item with its settings and what is left of its limits, so that one conditional write
 * recognises a key, counts, and reads the settings.
 */
export const sourceSchema = z.object({
  source: z.int(),
  name: z.string(),
  /** The `src` of its leads. */
  src: z.string(),
  state: z.enum(SOURCE_STATES),
  /** Addresses and ranges that may post; none: all. */
  addresses: z.array(z.string()),
  /** Of web pages that may post. */
  origins: z.array(z.string()),
  /** Its own names of fields, by ours. */
  mapping: z.partialRecord(z.enum(INTAKE_FIELDS), z.string()),
  defaults: z.partialRecord(z.enum(INTAKE_FIELDS), z.string()),
  /** Leads in a minute. */
  per_minute: z.int(),
  /** Leads in a day of Berlin, and altogether; `UNLIMITED` for any number. */
  per_day: z.int(),
  in_total: z.int(),
  /** Days in which a person counts as the same; 0: never. */
  window_days: z.int(),
  on_duplicate: z.enum(DUPLICATE_POLICIES),
  sees_buyers: z.boolean(),
  /** Opens the page about posting leads to it; left out while its link is switched off. */
  specification_token: z.optional(z.string()),
  keys: z.partialRecord(z.enum(KEY_SLOTS), sourceKeySchema),
  /** Makes the ids and marks of its leads unguessable; 256 random bits, base64url. */
  salt: z.string(),
  created_at: z.string(),
  /** Raised by every change of the settings; a change states the one it read. */
  version: z.int(),
  /** Minutes since 1970 (UTC) of the last call, and what was left of them then. */
  minute: z.int(),
  minute_left: z.int(),
  /** The day (Berlin) of the last call. */
  day: z.string(),
  day_left: z.int(),
  total_left: z.int(),
});
export type Source = z.output<typeof sourceSchema>;
