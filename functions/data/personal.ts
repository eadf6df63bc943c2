/** Marks the personal data of a lead in schemas; discarding and erasing derive from it. */
import type * as z from 'zod/mini';

interface Mark {
  /** Why an erasure keeps the value; without a reason it is removed. */
  readonly kept?: string;
}

/** Not a registry of zod, because that would be loaded with every function. */
const marks = new WeakMap<z.ZodMiniType, Mark>();

export function personal<Schema extends z.ZodMiniType>(schema: Schema, mark: Mark = {}): Schema {
  marks.set(schema, mark);
  return schema;
}

type Fields = { readonly shape: Readonly<Record<string, z.ZodMiniType>> };

/** Includes fields that are kept. */
export function personalFields({ shape }: Fields): string[] {
  return Object.keys(shape).filter((name) => shape[name] !== undefined && marks.has(shape[name]));
}

/** In order of preference; undefined removes the attribute. */
const BLANKS = [undefined, null, '', []] as const;

/** @throws TypeError for a field that allows none of `BLANKS` */
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
