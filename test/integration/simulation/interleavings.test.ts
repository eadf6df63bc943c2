/** Small worlds with every order of their calls. */
import { describe, expect, it } from 'vitest';
import { present } from '#test/simulation/bundle';

/** Limit for a world without violations; `npm run simulate -- --small` runs the rest. */
const MAX_SMALL_RUNS = 120;
const MAX_MUTANT_RUNS = 1_000;
const { enumerate, MUTANTS, SMALL_WORLDS } = await present();
/** Mutants that some interleaving of a small world detects. */
const SMALL_MUTANTS = MUTANTS.flatMap(({ world, ...mutant }) => (world ? [{ world, ...mutant }] : []));

describe('every interleaving of', () => {
  it.each(SMALL_MUTANTS)('a small world detects the mutant: $name', async ({ world, rewrite }) => {
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
