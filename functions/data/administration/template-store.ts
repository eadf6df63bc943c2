import { type Template, templateSchema } from '#functions/data/administration/template';
import type { DataContext } from '#functions/data/context';
import { newItem, read, readAll } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Delete, Put, Update } from '#functions/data/table/table';

export const get = (context: DataContext, id: string): Promise<Template | undefined> =>
  read(context, keys.template(id), templateSchema);

export async function getMany(
  { table }: DataContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Template>> {
  const items = await table.getMany(ids.map(keys.template));
  return new Map(
    items.flatMap((item) => {
      const template = item && templateSchema.parse(item);
      return template ? [[template.id, template] as const] : [];
    }),
  );
}

export const all = (context: DataContext): Promise<Template[]> =>
  readAll(context, { partition: keys.templates() }, templateSchema);

export const created = (template: Template): Put => newItem(keys.template(template.id), template);

export const changed = (expected: Template, template: Template): Put => ({
  put: { ...keys.template(expected.id), ...template, version: expected.version + 1 },
  condition: 'version = :expected',
  values: { ':expected': expected.version },
});

/** Increments the version, so that a concurrent deletion that found the template unused fails. */
export const chosen = (id: string): Update => ({
  key: keys.template(id),
  update: 'SET version = version + :one',
  condition: 'attribute_exists(pk)',
  values: { ':one': 1 },
});

export const removed = (expected: Template): Delete => ({
  delete: keys.template(expected.id),
  condition: 'version = :expected',
  values: { ':expected': expected.version },
});
