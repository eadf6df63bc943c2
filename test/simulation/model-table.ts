import { type Item, Table } from '#functions/data/table/table';
import { sequence } from '#test/simulation/random';
import { TableModel } from '#test/simulation/table-model';

const NAME = 'simulated';

/** A table on the model whose calls take effect at once. @param seed of what the table draws for its retries */
export function tableOn(model: TableModel, seed: number): Table {
  return new Table({
    name: NAME,
    documents: {
      send: async (command: { constructor: { name: string }; input: object }) =>
        model.send(command.constructor.name, command.input),
    } as never,
    runtime: { random: sequence(seed), sleep: async () => undefined },
  });
}

/** The same on a model of its own that holds these items. */
export function modelTable(items: readonly Item[]): Table {
  const model = new TableModel();
  for (const item of items) model.send('PutCommand', { Item: item });
  return tableOn(model, 1);
}
