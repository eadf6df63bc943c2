import * as z from 'zod/mini';
import { CONSENT_POLICIES } from '#shared/rules/consent';
import { DUPLICATE_POLICIES, KEY_SLOTS, SOURCE_STATES } from '#shared/rules/constants';
import { INTAKE_FIELDS } from '#shared/rules/lead-fields';

/** `hash`: SHA-256 of the whole key (base64url). */
export const sourceKeySchema = z.object({
  prefix: z.string(),
  hash: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
});
export type SourceKey = z.output<typeof sourceKeySchema>;

/** `hash`: SHA-256 of the wording, base64url. */
export const consentTextSchema = z.object({ id: z.string(), hash: z.string(), created_at: z.string() });
export type ConsentText = z.output<typeof consentTextSchema>;

/** Stands for "any number" where leads are counted down. */
export const UNLIMITED = 1_000_000_000_000;

/** One item, so that one conditional write recognises a key, counts, and reads the settings. */
export const sourceSchema = z.object({
  source: z.int(),
  name: z.string(),
  src: z.string(),
  state: z.enum(SOURCE_STATES),
  addresses: z.array(z.string()),
  origins: z.array(z.string()),
  mapping: z.partialRecord(z.enum(INTAKE_FIELDS), z.string()),
  defaults: z.partialRecord(z.enum(INTAKE_FIELDS), z.string()),
  per_minute: z.int(),
  /** Per day (Berlin) and in total; `UNLIMITED` for any number. */
  per_day: z.int(),
  in_total: z.int(),
  /** Cents, of today; null: unknown. Earlier days keep theirs. */
  cost_per_lead: z._default(z.nullable(z.int()), null),
  /** Days in which a person counts as the same; 0: never. */
  window_days: z.int(),
  on_duplicate: z.enum(DUPLICATE_POLICIES),
  sees_buyers: z.boolean(),
  consent: z._default(z.enum(CONSENT_POLICIES), 'ignore'),
  /** Whether a person confirms the consent of a form by a link in an e-mail before the lead is distributed. */
  double_opt_in: z._default(z.boolean(), false),
  /** Wordings that its leads may name, newest last. They never change. */
  consent_texts: z._default(z.array(consentTextSchema), []),
  /** Wordings ever added, so that the ID of a retired one is not used again. */
  consent_text_count: z._default(z.int(), 0),
  specification_token: z.optional(z.string()),
  keys: z.partialRecord(z.enum(KEY_SLOTS), sourceKeySchema),
  /** Makes the IDs and fingerprints of its leads unguessable; 256 random bits, base64url. */
  salt: z.string(),
  created_at: z.string(),
  /** Incremented by every change of the settings. A write requires the version that was read. */
  version: z.int(),
  /** Minutes since 1970 of the last call. */
  minute: z.int(),
  minute_left: z.int(),
  /** Of the last call (Berlin). */
  day: z.string(),
  day_left: z.int(),
  total_left: z.int(),
});
export type Source = z.output<typeof sourceSchema>;

/** Of every lead that arrives on this day (Berlin) or later, until the next one. Null: unknown. */
export const costSchema = z.object({ source: z.int(), from: z.string(), cents: z.nullable(z.int()) });
export type Cost = z.output<typeof costSchema>;
