import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

/** Starts at 1 and never returns a number twice. */
export async function takeNumber(
  table: Pick<Table, 'update'>,
  counter: Parameters<typeof keys.counter>[0],
): Promise<number> {
  const written = await table.update({
    key: keys.counter(counter),
    update: 'ADD #value :one',
    names: { '#value': 'value' },
    values: { ':one': 1 },
  });
  return Number(written.item?.value);
}
