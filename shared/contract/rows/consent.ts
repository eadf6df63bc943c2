import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedAs, publishedWith } from '#shared/contract/published';
import { CONSENT_CHANNELS, CONSENT_LIMITS, CONSENT_METHODS, type ConsentField } from '#shared/rules/consent';

/** With time zone. @returns UTC with milliseconds */
const instant = z.pipe(
  z.iso.datetime({ offset: true, error: 'A time such as 2026-11-24T14:03:00Z expected' }),
  z.transform((value) => new Date(value).toISOString()),
);

/** A missing, null or empty value becomes `undefined`. */
const optional = <Schema extends z.ZodMiniType<string>>(schema: Schema, message: string) =>
  z.pipe(
    z.optional(z.union([z.literal(''), z.null(), schema], message)),
    z.transform((value) => value || undefined),
  );

const address = optional(
  field.matching(/^https?:\/\/[^\s"<>]+$/, 'Web address expected').check(z.maxLength(CONSENT_LIMITS.address)),
  `Web address such as https://example.com expected, at most ${CONSENT_LIMITS.address} characters`,
);
const ip = optional(z.union([z.ipv4(), z.ipv6()]), 'IP address expected');

/** A list, or a text with the channels separated by commas, semicolons or spaces. */
export const channels = z.pipe(
  z.pipe(
    z.union([z.array(z.string()), z.string()], 'List of channels expected'),
    z.transform((value) =>
      typeof value === 'string' ? value.split(/[\s,;]+/).filter((one) => one !== '') : value,
    ),
  ),
  field.distinct(
    z
      .array(z.enum(CONSENT_CHANNELS, `Channels expected: ${CONSENT_CHANNELS.join(', ')}`))
      .check(z.minLength(1, 'At least one channel expected')),
  ),
);

/** Kept letter by letter, because its hash is sealed. */
export const wording = field
  .text(CONSENT_LIMITS.text)
  .check(z.refine((text) => text.trim() !== '', 'Required'))
  .register(publishedWith, { allOf: [{ pattern: '\\S' }] });

export const consent = z
  .object({
    given_at: instant,
    method: z.enum(CONSENT_METHODS, `One of ${CONSENT_METHODS.join(', ')} expected`),
    channels: channels.check().register(publishedAs, {
      type: 'array',
      minItems: 1,
      items: { type: 'string', enum: [...CONSENT_CHANNELS] },
    }),
    text_id: optional(field.line(20), 'ID of a wording expected'),
    text: optional(wording, `Text of at most ${CONSENT_LIMITS.text} characters expected`),
    page_url: address,
    ip,
    user_agent: field.optionalLine(CONSENT_LIMITS.user_agent),
    confirmed_at: optional(instant, 'A time such as 2026-11-24T14:03:00Z expected'),
    confirmed_ip: ip,
    proof_url: address,
  } satisfies Record<ConsentField, z.ZodMiniType>)
  .check(
    z.refine(({ text_id, text }) => (text_id === undefined) !== (text === undefined), {
      path: ['text'],
      error: 'Either text or text_id expected',
    }),
  )
  .register(publishedWith, {
    oneOf: (['text', 'text_id'] as const).map((name) => ({
      required: [name],
      properties: { [name]: { type: 'string' as const, minLength: 1 } },
    })),
  });
