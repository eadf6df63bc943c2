/**
 * `npm run simulate`: bundles the simulation and runs it. As single files, tsx would name every function that is created, which
 * takes a quarter of the time.
 */
import { bundle } from '#test/simulation/bundle';
import { CODE_MUTANTS } from '#test/simulation/code-mutants';

const SIMULATE = 'test/simulation/simulate.ts';

// Stored histories are bundled one by one, each with its fault.
if (process.argv.some((given) => given === '--cases' || given === '--record'))
  await import('#test/simulation/stored');
else await import(await bundle(SIMULATE, 'simulate'));
// A fault that is planted into the product's text needs a bundle of its own.
const mutantsAt = process.argv.indexOf('--mutants');
const text = process.argv[mutantsAt + 1] ?? '';
const planted =
  mutantsAt < 0
    ? []
    : Object.entries(CODE_MUTANTS).filter(([name]) => text.startsWith('--') || name.includes(text));
for (const [name, replacements] of planted) {
  process.env.SIMULATE_PLANTED = name;
  await import(await bundle(SIMULATE, name, replacements));
}
