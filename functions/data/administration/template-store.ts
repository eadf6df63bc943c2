/** E-mail templates. */
import { type Template, templateSchema } from '#functions/data/administration/template';
import { keys } from '#functions/data/table/keys';
import type { Delete, Put, Table, Update } from '#functions/data/table/table';

export type TemplateStore = ReturnType<typeof createTemplateStore>;

export function createTemplateStore(table: Table) {
  return {
    async get(id: string): Promise<Template | undefined> {
      const item = await table.get(keys.template(id));
      return item && templateSchema.parse(item);
    },

    /** The oldest first. */
    async all(): Promise<Template[]> {
      const items = await table.queryAll({ partition: keys.templates(), consistent: true });
      return items.map((item) => templateSchema.parse(item));
    },

    created: (template: Template): Put => ({
      put: { ...keys.template(template.id), ...template },
      condition: 'attribute_not_exists(pk)',
    }),

    /** On the condition that it is still the one seen. */
    changed: (seen: Template, template: Template): Put => ({
      put: { ...keys.template(seen.id), ...template, version: seen.version + 1 },
      condition: 'version = :seen',
      values: { ':seen': seen.version },
    }),

    /**
     * The condition that a template exists, for a transaction that refers to it. It raises the version, so that a deletion
     * which found the template unused fails.
     */
    chosen: (id: string): Update => ({
      key: keys.template(id),
      update: 'SET version = version + :one',
      condition: 'attribute_exists(pk)',
      values: { ':one': 1 },
    }),

    removed: (seen: Template): Delete => ({
      delete: keys.template(seen.id),
      condition: 'version = :seen',
      values: { ':seen': seen.version },
    }),
  };
}
