import * as z from 'zod/mini';
import { publishedAs, publishedWith } from '#shared/contract/published';
import { routes } from '#shared/contract/routes';
import { MAX_LISTED_SOURCES, MAX_TERM } from '#shared/rules/constants';
import { parseGermanNumber } from '#shared/rules/formats';
import { INVALID } from '#shared/rules/invalid-texts';
import { EMAIL_PATTERN, isEmailAddress } from '#shared/rules/validation';

/** Character ranges, to be used within the brackets of a pattern. */
const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f\\u2028\\u2029';
const CONTROL_EXCEPT_LINES = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f';
const isLine = without(CONTROL_CHARACTERS);
const isText = without(CONTROL_EXCEPT_LINES);

function without(characters: string): (text: string) => boolean {
  const pattern = new RegExp(`[${characters}]`);
  return (text) => !pattern.test(text);
}

const textExpected = ({ input }: { readonly input?: unknown }) =>
  input === undefined ? 'Required' : 'Text expected';

/** For the API document: blanks around a text are removed before it is checked. */
const trimmed = ({ source }: RegExp) => source.replace(/^\^/, '^\\s*').replace(/\$$/, '\\s*$');

const LINE = `^\\s*[^${CONTROL_CHARACTERS}]*\\s*$`;
const SOME_LINE = `^\\s*[^\\s${CONTROL_CHARACTERS}][^${CONTROL_CHARACTERS}]*\\s*$`;

export const line = (max: number, min: 0 | 1 = 1, message?: string) =>
  z
    .string({ error: message ?? textExpected })
    .check(
      z.trim(),
      z.minLength(min, message ?? 'Required'),
      z.maxLength(max, `At most ${max} characters`),
      z.refine(isLine, 'Control characters are not allowed'),
    )
    .register(publishedWith, { pattern: min === 0 ? LINE : SOME_LINE });

/** Without repetitions, because a transaction can write an item only once. */
export const distinct = <Value extends string>(list: z.ZodMiniType<Value[], Value[]>) =>
  z.pipe(
    list,
    z.transform((values) => [...new Set(values)]),
  );

export const text = (max: number) =>
  z
    .string({ error: textExpected })
    .check(
      z.maxLength(max, `At most ${max} characters`),
      z.refine(isText, 'Control characters are not allowed'),
    )
    .register(publishedWith, { pattern: `^[^${CONTROL_EXCEPT_LINES}]*$` });

/** A missing, null or empty value becomes `undefined`. */
export const optionalLine = (max: number) =>
  z.pipe(
    z.optional(z.union([line(max, 0), z.null()])),
    z.transform((value) => (value === null || value === '' ? undefined : value)),
  );

/** A missing value changes nothing; null and empty clear the field. */
export const clearableLine = (max: number) =>
  z.pipe(
    z.optional(z.union([line(max, 0), z.null()])),
    z.transform((value) => value || (value === undefined ? undefined : null)),
  );

/** A missing, null or blank value becomes `undefined`. */
export const optionalText = (max: number) =>
  z.pipe(
    z.optional(z.union([text(max), z.null()])),
    z.transform((value) => (!value?.trim() ? undefined : value)),
  );

export const email = line(254, 1, INVALID.email)
  .check(z.refine(isEmailAddress, INVALID.email))
  .register(publishedWith, {
    description: 'An e-mail address',
    pattern: SOME_LINE,
    allOf: [{ pattern: trimmed(EMAIL_PATTERN) }],
    not: { pattern: '\\.\\.' },
  });

/** The values before an edit, which the server compares with those that are stored. */
export const expectedFields = <Shape extends z.core.$ZodLooseShape>(fields: z.ZodMiniObject<Shape>) =>
  z.optional(
    fields.register(publishedWith, {
      description:
        'The values of the changed fields before the edit. If one has changed since, the answer is 409 `edited_meanwhile`, `fields` names it, and nothing is changed.',
    }),
  );
export const expected = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  expectedFields(z.partial(z.object(shape)));

export const edit = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.extend(z.partial(z.object(shape)), { expected: expected(shape) });

/** Whole cents, with the tolerance that sums such as 0.1 + 0.2 need. */
const hasTwoDecimals = (value: number) =>
  Math.abs(value * 100 - Math.round(value * 100)) <= 4 * Number.EPSILON * value * 100;

export const matching = (pattern: RegExp, message: string | ((text: string) => string | undefined)) =>
  z
    .string({ error: 'Required' })
    .check(
      z.trim(),
      z.regex(pattern, typeof message === 'string' ? message : { error: ({ input = '' }) => message(input) }),
    )
    .register(publishedWith, { pattern: trimmed(pattern) });

/** A number, or text in German or plain notation (12.500,50 or 12500.5), which the API document omits. */
const numberOrText = (message?: string) =>
  z.pipe(
    z.union([z.number(), z.string().check(z.trim(), z.maxLength(40))], {
      error: ({ input }) => message ?? (input === undefined ? 'Required' : 'Number expected'),
    }),
    z.transform((value, context) => {
      const parsed = typeof value === 'number' ? value : parseGermanNumber(value);
      if (parsed === undefined || !Number.isFinite(parsed)) {
        context.issues.push({ code: 'custom', message: message ?? 'Number expected', input: value });
        return z.NEVER;
      }
      return parsed;
    }),
  );

/** Euro, not cents. */
export const euro = (max = 100_000_000) =>
  z
    .pipe(
      numberOrText(),
      z
        .number()
        .check(
          z.minimum(0, 'Must not be negative'),
          z.maximum(max, `At most ${max}`),
          z.refine(hasTwoDecimals, 'At most two decimals'),
        ),
    )
    .register(publishedAs, { type: 'number', minimum: 0, maximum: max, multipleOf: 0.01 });

export const integer = (min: number, max: number, message?: string) =>
  z
    .pipe(
      numberOrText(message),
      z
        .int(message ?? 'Whole number expected')
        .check(z.minimum(min, message ?? `At least ${min}`), z.maximum(max, message ?? `At most ${max}`)),
    )
    .register(publishedAs, { type: 'integer', minimum: min, maximum: max });

/** The term of a lead. */
export const months = integer(0, MAX_TERM);

/** Sources that a buyer allows or excludes; none: no rule. */
export const sourceNumbers = z
  .pipe(
    z
      .array(z.int().check(z.minimum(1, 'At least 1')))
      .check(z.maxLength(MAX_LISTED_SOURCES, `At most ${MAX_LISTED_SOURCES} sources`)),
    z.transform((sources) => [...new Set(sources)].sort((a, b) => a - b)),
  )
  .register(publishedAs, {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    maxItems: MAX_LISTED_SOURCES,
  });

/** Percent, not hundredths of a percent. */
export const percent = z
  .pipe(
    numberOrText(),
    z
      .number()
      .check(
        z.minimum(0, INVALID.probability),
        z.maximum(100, INVALID.probability),
        z.refine(hasTwoDecimals, 'At most two decimals'),
      ),
  )
  .register(publishedAs, { type: 'number', minimum: 0, maximum: 100, multipleOf: 0.01 });

/** The use case checks that the day exists. */
export const day = matching(
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'Must be a day such as 2026-12-31',
);

export const flag = z.pipe(
  z.union([z.boolean(), z.literal(0), z.literal(1)], { error: 'true or false expected' }),
  z.transform((value) => Boolean(value)),
);

/** Words that a path has instead of a buyer's ID, such as `active` in `/api/buyers/active`. */
function pathWords(): ReadonlySet<string> {
  const paths = Object.values(routes).map(({ path }) => path);
  const starts = paths.flatMap((path) => path.split('{buyerId}').slice(0, -1));
  return new Set(
    paths.flatMap((path) =>
      starts.flatMap((start) =>
        path.startsWith(start) ? (/^[^/{]+/.exec(path.slice(start.length)) ?? []) : [],
      ),
    ),
  );
}
/** `__proto__` cannot be the key of an object; the others would change the meaning of a path. */
const RESERVED_BUYER_IDS = ['.', '..', ...pathWords(), '__proto__'];
const BUYER_ID = /^[A-Za-z0-9._-]+$/;

export const buyerId = z
  .string({ error: 'Buyer ID is required' })
  .check(
    z.trim(),
    z.minLength(1, 'Buyer ID is required'),
    z.maxLength(64, 'At most 64 characters'),
    z.regex(BUYER_ID, 'Only letters, digits, dot, underscore and hyphen'),
    z.refine((id) => !RESERVED_BUYER_IDS.includes(id), 'This ID cannot be used'),
  )
  .register(publishedWith, {
    pattern: trimmed(BUYER_ID),
    not: { pattern: `^\\s*(?:${RESERVED_BUYER_IDS.join('|').replaceAll('.', '\\.')})\\s*$` },
  });

export const leadId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'Not a lead id'));
export const entityId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'Not an id'));
export const unsubscribeToken = z
  .string()
  .check(z.regex(/^[1-9]\d{0,8}-[a-z_]{1,30}-[A-Za-z0-9_-]{43}$/, 'Not a token'));
/** ID of a lead and signature. */
export const personToken = z
  .string()
  .check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}[A-Za-z0-9_-]{43}$/, 'Not a token'));
export const token = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'Not a token'));
const MAX_ID = 999_999_999_999_999;
export const wholeNumberId = z
  .pipe(
    z.pipe(
      z.union([z.number(), z.string().check(z.regex(/^\d{1,15}$/, 'Not an id'))], { error: 'Not an id' }),
      z.transform(Number),
    ),
    z.int().check(z.minimum(1), z.maximum(MAX_ID)),
  )
  .register(publishedAs, { type: 'integer', minimum: 1, maximum: MAX_ID });

const blank = z.pipe(
  z.literal(''),
  z.transform(() => undefined),
);

export const filter = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.union([blank, schema]));

export const cursor = z.optional(
  z
    .string()
    .check(z.maxLength(2000))
    .register(publishedWith, { description: '`next_cursor` of the last answer, with the same filters' }),
);

export const RESERVED_KEYS: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** Not zod's `record`, which drops the key `__proto__`. */
const jsonObject = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** The unchecked entries of an object or of its JSON text. */
export const entries = z.pipe(
  z.union([jsonObject, z.string().check(z.maxLength(5000)), z.null()], {
    error: 'Must be valid JSON',
  }),
  z.transform((value, context): [string, unknown][] => {
    if (value === null || value === '') return [];
    if (typeof value !== 'string') return Object.entries(value);
    try {
      return Object.entries(jsonObject.parse(JSON.parse(value)));
    } catch {
      context.issues.push({ code: 'custom', message: 'Must be valid JSON', input: value });
      return z.NEVER;
    }
  }),
);

const HOST =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\d{1,5})?$/;
export const host = z
  .string({ error: 'Host name expected' })
  .check(z.trim(), z.maxLength(253), z.regex(HOST, 'Host name without protocol expected'))
  .register(publishedWith, { pattern: trimmed(HOST) });
