/** Code never works on a table that it would misread: docs/operations/table-format.md. */
import { newItem } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

/** Raised by every incompatible change. 1: tables without a version. */
export const TABLE_FORMAT = 6;

export class TableFormatError extends Error {
  override readonly name = 'TableFormatError';
  readonly stored: number;

  constructor(stored: number) {
    super(`The table is in format ${stored}; this version of the product works with format ${TABLE_FORMAT}.`);
    this.stored = stored;
  }
}

/** Writes the version into a new table, else compares it. @throws TableFormatError if the format differs */
export async function requireTableFormat(table: Pick<Table, 'get' | 'put' | 'query'>): Promise<void> {
  const item = await table.get(keys.format());
  if (item === undefined && (await isNew(table))) {
    await table.put(newItem(keys.format(), { version: TABLE_FORMAT }));
    return;
  }
  const stored = item === undefined ? 1 : Number(item.version);
  if (stored !== TABLE_FORMAT) throw new TableFormatError(stored);
}

/** The first admin is always the first item. */
async function isNew(table: Pick<Table, 'query'>): Promise<boolean> {
  const { items } = await table.query({ partition: keys.admins(), limit: 1, consistent: true });
  return items.length === 0;
}
