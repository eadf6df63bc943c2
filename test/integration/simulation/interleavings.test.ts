/** Small worlds in every order of their calls. */
import { describe, expect, it } from 'vitest';
import { present } from '#test/simulation/bundle';

/** For a world that breaks no rule; `npm run simulate -- --small` runs the rest. */
const MAX_SMALL_RUNS = 120;
const MAX_MUTANT_RUNS = 400;
const { enumerate, MUTANTS, SMALL_WORLDS } = await present();
/** Those of which some interleaving of a small world shows the fault. */
const SMALL_MUTANTS = MUTANTS.flatMap(({ world, ...mutant }) => (world ? [{ world, ...mutant }] : []));

describe('every interleaving of', () => {
  it.each(SMALL_MUTANTS)('a small world shows that $name', async ({ world, rewrite }) => {
    expect((await enumerate(world, MAX_MUTANT_RUNS, rewrite)).violation).toBeDefined();
  });

  it.each(SMALL_WORLDS)('$name keeps the rules', async (small) => {
    const { runs, cut, complete, violation } = await enumerate(small, MAX_SMALL_RUNS);
    console.log(
      `${small.name}: ${runs} interleavings, ${cut} cut off${complete ? '' : ', and more in npm run simulate -- --small'}`,
    );
    expect(violation).toBeUndefined();
    expect(runs).toBeGreaterThan(3);
  });
});
