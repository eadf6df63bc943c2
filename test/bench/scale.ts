/** `npm run scale`: the tables of docs/scale.md, from the model. */
import { command, run } from '#scripts/command';
import { scaleTables } from '#test/bench/scale-tables';

await run(
  command(
    'scale',
    'Prints the maximum load of the design and its first bottleneck, as in docs/scale.md.',
  ).action(() => {
    console.log(scaleTables());
  }),
);
