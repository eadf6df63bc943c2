import { Table } from '#functions/data/table/table';
import { sequence } from '#test/simulation/random';
import type { TableModel } from '#test/simulation/table-model';

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
