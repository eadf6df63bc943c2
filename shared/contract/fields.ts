/** Building blocks of the request schemas: every text is bounded, trimmed and free of control characters. */
import * as z from 'zod/mini';
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
  z.string({ error: message ?? textExpected }).check(
    z.trim(),
    z.minLength(min, message ?? (min === 1 ? 'Required' : `At least ${min} characters`)),
    z.maxLength(max, `At most ${max} characters`),
    z.refine((text) => !CONTROL.test(text), 'Control characters are not allowed'),
  );

/** Text that may hold line breaks and tabs; not trimmed. */
export const text = (max: number) =>
  z.string({ error: textExpected }).check(
    z.maxLength(max, `At most ${max} characters`),
    z.refine((value) => !CONTROL_EXCEPT_LINES.test(value), 'Control characters are not allowed'),
  );

/** A line that may be left out, be null or be empty; all three become `undefined`. */
export const optionalLine = (max: number) =>
  z.pipe(
    z.optional(z.union([line(max, 0), z.null()])),
    z.transform((value) => (value === null || value === '' ? undefined : value)),
  );

export const email = line(254, 1, 'Please enter a valid email address').check(
  z.refine(isEmailAddress, 'Please enter a valid email address'),
);

const hasTwoDecimals = (value: number) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;

/** A number, or its German or plain spelling as text ("12.500,50", "12500.5"). */
const numberOrText = z.pipe(
  z.union([z.number(), z.string().check(z.trim(), z.maxLength(40))], {
    error: ({ input }) => (input === undefined ? 'Required' : 'Number expected'),
  }),
  z.transform((value, context) => {
    const parsed = typeof value === 'number' ? value : parseGermanNumber(value);
    if (parsed === undefined || !Number.isFinite(parsed)) {
      context.issues.push({ code: 'custom', message: 'Number expected', input: value });
      return z.NEVER;
    }
    return parsed;
  }),
);

/** Euro with at most two decimals, 0 to `max`; the wire speaks euro, the inside whole cents. */
export const euro = (max = 100_000_000) =>
  z.pipe(
    numberOrText,
    z
      .number()
      .check(
        z.minimum(0, 'Must not be negative'),
        z.maximum(max, `At most ${max}`),
        z.refine(hasTwoDecimals, 'At most two decimals'),
      ),
  );

export const integer = (min: number, max: number, message?: string) =>
  z.pipe(
    numberOrText,
    z
      .int(message ?? 'Whole number expected')
      .check(z.minimum(min, message ?? `At least ${min}`), z.maximum(max, message ?? `At most ${max}`)),
  );

/** 0 to 100 with at most two decimals. */
export const percent = z.pipe(
  numberOrText,
  z
    .number()
    .check(
      z.minimum(0, 'Probability must be a number from 0 to 100'),
      z.maximum(100, 'Probability must be a number from 0 to 100'),
      z.refine(hasTwoDecimals, 'At most two decimals'),
    ),
);

export const flag = z.pipe(
  z.union([z.boolean(), z.literal(0), z.literal(1)], { error: 'true or false expected' }),
  z.transform((value) => Boolean(value)),
);

export const buyerId = z.string({ error: 'Buyer ID is required' }).check(
  z.trim(),
  z.minLength(1, 'Buyer ID is required'),
  z.maxLength(64, 'At most 64 characters'),
  z.regex(/^[A-Za-z0-9._-]+$/, 'Only letters, digits, dot, underscore and hyphen'),
  // A path with one of the first four is another one; the last is no name of a field.
  z.refine((id) => !['.', '..', 'active', 'leads', '__proto__'].includes(id), 'This ID cannot be used'),
);

export const leadId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'Not a lead id'));
export const entityId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'Not an id'));
export const token = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'Not a token'));
/** Whole-number ids arrive as text in a path and as a number or text in a body. */
export const wholeNumberId = z.pipe(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\d{1,15}$/, 'Not an id'))], { error: 'Not an id' }),
    z.transform(Number),
  ),
  z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
);

const blank = z.pipe(
  z.literal(''),
  z.transform(() => undefined),
);

/** A filter in a query: left out or empty it is `undefined`. */
export const filter = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.union([blank, schema]));

/** Where the next page begins, as the last answer named it. */
export const cursor = z.optional(z.string().check(z.maxLength(2000)));

const jsonObject = z.record(z.string(), z.unknown());

/** An object, or the JSON text of one, from short keys to short texts; empty text and null mean none. */
export const mapping = z.pipe(
  z.union([jsonObject, z.string().check(z.maxLength(5000)), z.null()], {
    error: 'Must be valid JSON',
  }),
  z.transform((value, context) => {
    if (value === null || value === '') return {};
    if (typeof value !== 'string') return value;
    try {
      return jsonObject.parse(JSON.parse(value));
    } catch {
      context.issues.push({ code: 'custom', message: 'Must be valid JSON', input: value });
      return z.NEVER;
    }
  }),
);

/** A host as in `box.example.com` or `localhost:2525`, never with a protocol or a path. */
export const host = z
  .string({ error: 'Host name expected' })
  .check(
    z.trim(),
    z.maxLength(253),
    z.regex(
      /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\d{1,5})?$/,
      'Host name without protocol expected',
    ),
  );
