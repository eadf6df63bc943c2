/** The simulator's table behind the real data layer, for tests that need stores but no engine. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { type Put, Table, type TableOptions } from '#functions/data/table/table';
import { type Input, TableModel } from '#test/simulation/table-model';

/** Whether integration tests run on it: faster, but only for tests that need just `table`. */
export const IN_MEMORY = process.env.TEST_ENGINE === 'memory';

/** Whether tests with an optional engine run in memory. */
export const NO_ENGINE_NAMED = IN_MEMORY || process.env.TEST_ENGINE === undefined;

/** Short waits, because calls within this process are faster than over a network. */
export const shortSleep = (milliseconds: number) => wait(milliseconds / 10);

const models = new WeakMap<Table, TableModel>();

/**
 * A client of the table that `model` returns. Every answer takes a turn of the event loop, as over a network.
 * Otherwise a loop of calls would block timers.
 */
export const documentsOf = (model: () => TableModel) => ({
  async send(command: { readonly input: Input }) {
    await turn();
    return model().send(command.constructor.name, command.input);
  },
});

/** A new table: empty, or with the content of this model. */
export function memoryTable(options: Partial<TableOptions> = {}, model = new TableModel()): Table {
  const documents = documentsOf(() => model) as never;
  const table = new Table({ name: `memory-${randomUUID()}`, documents, ...options });
  models.set(table, model);
  return table;
}

/** A new table with these items. */
export async function memoryTableWith(items: readonly Put['put'][]): Promise<Table> {
  const table = memoryTable();
  await Promise.all(items.map((put) => table.put({ put })));
  return table;
}

/** The model behind an in-memory table. */
export function modelOf(table: Table): TableModel {
  const model = models.get(table);
  if (model === undefined) throw new Error('This table is not in memory');
  return model;
}
