/** Building blocks of the request schemas: every text is bounded, trimmed and free of control characters. */
import * as z from 'zod';
import { parseGermanNumber } from '#shared/rules/formats';
import { isEmailAddress } from '#shared/rules/validation';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;
// oxlint-disable-next-line no-control-regex
const CONTROL_EXCEPT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const textExpected = ({ input }: { readonly input?: unknown }) =>
  input === undefined ? 'Required' : 'Text expected';

/** One line of text, trimmed, `min` to `max` characters, without control characters. */
export const line = (max: number, min = 1, message?: string) =>
  z
    .string({ error: message ?? textExpected })
    .trim()
    .min(min, message ?? (min === 1 ? 'Required' : `At least ${min} characters`))
    .max(max, `At most ${max} characters`)
    .refine((text) => !CONTROL.test(text), 'Control characters are not allowed');

/** Text that may hold line breaks and tabs; not trimmed. */
export const text = (max: number) =>
  z
    .string({ error: textExpected })
    .max(max, `At most ${max} characters`)
    .refine((value) => !CONTROL_EXCEPT_LINES.test(value), 'Control characters are not allowed');

/** A line that may be left out, be null or be empty; all three become `undefined`. */
export const optionalLine = (max: number) =>
  z
    .union([line(max, 0), z.null()])
    .optional()
    .transform((value) => (value === null || value === '' ? undefined : value));

export const email = line(254, 1, 'Please enter a valid email address').refine(
  isEmailAddress,
  'Please enter a valid email address',
);

/** A number, or its German or plain spelling as text ("12.500,50", "12500.5"). */
const numberOrText = z
  .union([z.number(), z.string().trim().max(40)], {
    error: ({ input }) => (input === undefined ? 'Required' : 'Number expected'),
  })
  .transform((value, context) => {
    const parsed = typeof value === 'number' ? value : parseGermanNumber(value);
    if (parsed === undefined || !Number.isFinite(parsed)) {
      context.addIssue({ code: 'custom', message: 'Number expected' });
      return z.NEVER;
    }
    return parsed;
  });

/** Euro with at most two decimals, 0 to `max`; the wire speaks euro, the inside whole cents. */
export const euro = (max = 100_000_000) =>
  numberOrText.pipe(
    z
      .number()
      .min(0, 'Must not be negative')
      .max(max, `At most ${max}`)
      .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'At most two decimals'),
  );

export const integer = (min: number, max: number, message?: string) =>
  numberOrText.pipe(
    z
      .number()
      .int(message ?? 'Whole number expected')
      .min(min, message ?? `At least ${min}`)
      .max(max, message ?? `At most ${max}`),
  );

/** 0 to 100 with at most two decimals. */
export const percent = numberOrText.pipe(
  z
    .number()
    .min(0, 'Probability must be a number from 0 to 100')
    .max(100, 'Probability must be a number from 0 to 100')
    .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'At most two decimals'),
);

export const flag = z
  .union([z.boolean(), z.literal(0), z.literal(1)], { error: 'true or false expected' })
  .transform(Boolean);

export const buyerId = z
  .string({ error: 'Buyer ID is required' })
  .trim()
  .min(1, 'Buyer ID is required')
  .max(64, 'At most 64 characters')
  .regex(/^[A-Za-z0-9._-]+$/, 'Only letters, digits, dot, underscore and hyphen');

export const leadId = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'Not a lead id');
export const entityId = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'Not an id');
export const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Not a token');
/** Whole-number ids arrive as text in a path and as a number or text in a body. */
export const wholeNumberId = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/, 'Not an id')], { error: 'Not an id' })
  .transform(Number)
  .pipe(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER));

/** An object, or the JSON text of one, from short keys to short texts; empty text and null mean none. */
export const mapping = z
  .union([z.record(z.string(), z.unknown()), z.string().max(5000), z.null()], { error: 'Must be valid JSON' })
  .transform((value, context) => {
    if (value === null || value === '') return {};
    if (typeof value !== 'string') return value;
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(value));
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be valid JSON' });
      return z.NEVER;
    }
  });

/** A host as in `box.example.com` or `localhost:2525`, never with a protocol or a path. */
export const host = z
  .string({ error: 'Host name expected' })
  .trim()
  .max(253)
  .regex(
    /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\d{1,5})?$/,
    'Host name without protocol expected',
  );
