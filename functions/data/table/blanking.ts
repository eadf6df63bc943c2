import { blanked } from '#functions/data/personal';
import { equations } from '#functions/data/table/table';

/** The parts of an update expression that remove the personal values from an item. @param schema of the item */
export function blanking(schema: Parameters<typeof blanked>[0]): {
  readonly sets: readonly string[];
  readonly removes: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
} {
  const fields = blanked(schema);
  const removed = Object.keys(fields).filter((name) => fields[name] === undefined);
  const { texts, names, values } = equations(fields, 'blank');
  return {
    sets: texts,
    removes: removed.map((_, at) => `#removed${at}`),
    names: { ...names, ...Object.fromEntries(removed.map((name, at) => [`#removed${at}`, name])) },
    values,
  };
}
