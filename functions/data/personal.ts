/**
 * Marks the fields of stored items that are personal data of a lead. What is removed when a lead is discarded or erased
 * is derived from these marks. `test/unit/leads/personal-data.test.ts` fails for a field that is neither marked nor listed
 * there as not personal.
 */
import type * as z from 'zod/mini';

interface Mark {
  /** Why the value is kept when the lead is erased; without a reason it is removed. */
  readonly kept?: string;
}

/** Not a registry of zod, because that would be loaded with every function. */
const marks = new WeakMap<z.ZodMiniType, Mark>();

/** Marks a field's schema as personal data. */
export function personal<Schema extends z.ZodMiniType>(schema: Schema, mark: Mark = {}): Schema {
  marks.set(schema, mark);
  return schema;
}

type Fields = { readonly shape: Readonly<Record<string, z.ZodMiniType>> };

/** The names of all marked fields, including those that are kept. */
export function personalFields({ shape }: Fields): string[] {
  return Object.keys(shape).filter((name) => shape[name] !== undefined && marks.has(shape[name]));
}

/** What replaces a removed value, in order of preference; undefined means that the attribute is removed. */
const BLANKS = [undefined, null, '', []] as const;

/**
 * The fields that are removed, each with the first of `BLANKS` that its schema allows.
 * @throws TypeError for a field that can be neither empty nor absent, and is not marked as kept
 */
export function blanked({ shape }: Fields): Record<string, (typeof BLANKS)[number]> {
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([, schema]) => marks.has(schema) && marks.get(schema)?.kept === undefined)
      .map(([name, schema]) => {
        if (!BLANKS.some((blank) => schema.safeParse(blank).success))
          throw new TypeError(`${name} is personal and cannot be empty`);
        return [name, BLANKS.find((blank) => schema.safeParse(blank).success)];
      }),
  );
}
