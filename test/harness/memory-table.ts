/** The simulator's table behind the real data layer, for tests that need stores but neither an engine nor its faults. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { type Put, Table, type TableOptions } from '#functions/data/table/table';
import { type Input, TableModel } from '#test/simulation/table-model';

/** Whether integration tests are to run on it: faster, but only those that need no more than `table`. */
export const IN_MEMORY = process.env.TEST_ENGINE === 'memory';

/** Whether a test that needs an engine only if one is named runs in memory. */
export const NO_ENGINE_NAMED = IN_MEMORY || process.env.TEST_ENGINE === undefined;

/** These waits are for others in this process, which are faster than calls over a network. */
export const shortSleep = (milliseconds: number) => wait(milliseconds / 10);

const models = new WeakMap<Table, TableModel>();

/**
 * A client of the table that `model` returns at each call. Every answer takes a turn of the event loop, as over a network.
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

/** The model behind a table in memory. */
export function modelOf(table: Table): TableModel {
  const model = models.get(table);
  if (model === undefined) throw new Error('This table is not in memory');
  return model;
}
