/**
 * The version of everything that is stored: keys, index keys, attributes. It stands in the table itself, so that code never
 * works on a table that it would misread. How a format changes without a stop: docs/operations/table-format.md.
 */
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

/** Raised with every change that earlier code or earlier items do not survive. 1: tables that carried no version yet. */
export const TABLE_FORMAT = 4;

export class TableFormatError extends Error {
  override readonly name = 'TableFormatError';
  /** The version that the table is in. */
  readonly stored: number;

  constructor(stored: number) {
    super(`The table is in format ${stored}; this version of the product works with format ${TABLE_FORMAT}.`);
    this.stored = stored;
  }
}

/**
 * Writes the version into a new table and compares it otherwise.
 * @throws TableFormatError when the table is in another format
 */
export async function requireTableFormat(table: Pick<Table, 'get' | 'put' | 'query'>): Promise<void> {
  const item = await table.get(keys.format());
  if (item === undefined && (await isNew(table))) {
    await table.put({
      put: { ...keys.format(), version: TABLE_FORMAT },
      condition: 'attribute_not_exists(pk)',
    });
    return;
  }
  const stored = item === undefined ? 1 : Number(item.version);
  if (stored !== TABLE_FORMAT) throw new TableFormatError(stored);
}

/** Before the first admin is made, nothing else can be. */
async function isNew(table: Pick<Table, 'query'>): Promise<boolean> {
  const { items } = await table.query({ partition: keys.admins(), limit: 1, consistent: true });
  return items.length === 0;
}
