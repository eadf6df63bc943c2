import { blanked } from '#functions/data/personal';
import { equations } from '#functions/data/table/table';

/** The parts of an update that take the personal values out of an item. */
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
    removes: removed.map((_, at) => `#gone${at}`),
    names: { ...names, ...Object.fromEntries(removed.map((name, at) => [`#gone${at}`, name])) },
    values,
  };
}
