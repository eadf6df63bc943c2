import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedWith } from '#shared/contract/published';
import { CONSENT_CHANNELS, CONSENT_LIMITS, CONSENT_METHODS } from '#shared/rules/consent';

/** With time zone. @returns UTC with milliseconds */
const instant = z.pipe(
  z.iso.datetime({ offset: true, error: 'A time such as 2026-11-24T14:03:00Z expected' }),
  z.transform((value) => new Date(value).toISOString()),
);
const when = z.pipe(
  z.optional(z.union([instant, z.literal(''), z.null()])),
  z.transform((value) => value || undefined),
);
const address = field.optionalLine(CONSENT_LIMITS.address);
const ip = field.optionalLine(CONSENT_LIMITS.ip);

/** Kept letter by letter, because its hash is sealed. */
export const wording = field
  .text(CONSENT_LIMITS.text)
  .check(z.refine((text) => text.trim() !== '', 'Required'))
  .register(publishedWith, { allOf: [{ pattern: '\\S' }] });

export const consent = z
  .object({
    given_at: instant,
    method: z.enum(CONSENT_METHODS),
    channels: z.array(z.enum(CONSENT_CHANNELS)).check(z.minLength(1, 'At least one channel expected')),
    text_id: z.optional(field.line(20)),
    text: z.optional(wording),
    page_url: address,
    ip,
    user_agent: field.optionalLine(CONSENT_LIMITS.user_agent),
    confirmed_at: when,
    confirmed_ip: ip,
    proof_url: address,
  })
  .check(
    z.refine(({ text_id, text }) => (text_id === undefined) !== (text === undefined), {
      path: ['text'],
      error: 'Either text or text_id expected',
    }),
  )
  .register(publishedWith, {
    oneOf: [{ required: ['text'] }, { required: ['text_id'] }],
  });
