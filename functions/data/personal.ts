/**
 * Marks on the fields of stored items that say something about the person behind a lead. What goes when a lead is
 * discarded or erased is derived from them; test/unit/leads/personal-data.test.ts fails for a field that is neither marked nor
 * listed there as saying nothing about anybody.
 */
import type * as z from 'zod/mini';

interface Mark {
  /** Why the value stays where it is when the lead is erased; without a reason it goes. */
  readonly kept?: string;
}

/** No registry of zod: it would be loaded with every function. */
const marks = new WeakMap<z.ZodMiniType, Mark>();

export function personal<Schema extends z.ZodMiniType>(schema: Schema, mark: Mark = {}): Schema {
  marks.set(schema, mark);
  return schema;
}

type Fields = { readonly shape: Readonly<Record<string, z.ZodMiniType>> };

/** The names of all fields that are marked, those that stay included. */
export function personalFields({ shape }: Fields): string[] {
  return Object.keys(shape).filter((name) => shape[name] !== undefined && marks.has(shape[name]));
}

/** What stands in an item instead of a value that goes; undefined stands for no attribute at all. */
const BLANKS = [undefined, null, '', []] as const;

/**
 * The fields that go, each with the emptiest value that its schema allows.
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
