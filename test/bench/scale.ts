/** `npm run scale`: the tables of docs/scale.md, from the model. */
import { command, run } from '#scripts/command';
import { scaleTables } from '#test/bench/scale-tables';

await run(
  command('scale', 'Prints at which load the design ends, and what ends first, as docs/scale.md.').action(
    () => {
      console.log(scaleTables());
    },
  ),
);
