import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { publishedAs, publishedWith } from '#shared/contract/published';
import { INVALID } from '#shared/rules/invalid-texts';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const END = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

const weekdays = z
  .pipe(
    z
      .array(z.int().check(z.minimum(1, 'Must be from 1 to 7'), z.maximum(7, 'Must be from 1 to 7')), {
        error: INVALID.weekdays,
      })
      .check(z.minLength(1, INVALID.weekdays), z.maxLength(7, 'At most seven days')),
    z.transform((days) => [...new Set(days)].sort((a, b) => a - b)),
  )
  .register(publishedAs, {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 7 },
    minItems: 1,
    maxItems: 7,
    description: '1 for Monday to 7 for Sunday',
  });

/** The use case checks that the window ends after it starts. */
export const scheduleField = z
  .object({
    weekdays,
    from: field.matching(TIME, INVALID.time),
    to: field.matching(END, 'Must be a time such as 18:00, up to 24:00'),
    holidays_off: z._default(field.flag, false),
  })
  .register(publishedWith, {
    description: 'On these weekdays from start (inclusive) to end (exclusive), Berlin time',
  });
