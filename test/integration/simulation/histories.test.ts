/** Whole histories of the product under one scheduler: the ones that once broke a rule, fresh ones, and all of small worlds. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CODE_MUTANTS } from '#test/simulation/code-mutants';
import { enumerate } from '#test/simulation/enumerate';
import { watched } from '#test/simulation/guard';
import { told } from '#test/simulation/history';
import { MUTANTS } from '#test/simulation/mutants';
import { plant } from '#test/simulation/planted';
import { type Case, kindOf, optionsOf } from '#test/simulation/shrink';
import { simulate } from '#test/simulation/simulate-one';
import { SMALL_WORLDS } from '#test/simulation/small-worlds';

const ROOT = new URL('../../../', import.meta.url);
const CORPUS = new URL('../../simulation/corpus/', import.meta.url);
const FRESH_MS = 40_000;
const MAX_SMALL_RUNS = 400;
/** Mutants that die within a few seeds; all of them are run by `npm run simulate -- --mutants`. */
const QUICK_MUTANTS = ['an order reserves beyond its limit', 'a renewed link lives on'];
/** The same of those that are planted into the product's own rules. */
const QUICK_CODE_MUTANTS = CODE_MUTANTS.filter(({ name }) =>
  [
    'the minimum investment is ignored',
    'hours are ignored',
    'the smallest deficit wins',
    'weights are ignored',
    'a statement charges replacements',
    'a link of the audit trail does not hold the one before',
    'TrackBox is told n/a of what is not known',
  ].includes(name),
);
/** Those of which some interleaving of a small world shows the fault. */
const SMALL_MUTANTS = MUTANTS.flatMap(({ name, small, rewrite }) => {
  const world = SMALL_WORLDS.find((candidate) => candidate.name === small);
  return world === undefined ? [] : [{ name, world, rewrite }];
});

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, CORPUS), 'utf8'));
/** Seeds of which a history once broke a rule. */
const seeds = read('seeds.json') as { readonly seed: number; readonly found: string }[];
/** The same, shrunk. */
const cases = readdirSync(CORPUS)
  .filter((file) => file !== 'seeds.json')
  .map((file) => ({ file, shrunk: read(file) as Case }));

describe('a history', () => {
  it('is the same for the same seed', async () => {
    for (const seed of [5, 6, 7]) {
      const [one, other] = [
        await simulate({ seed, record: true }),
        await simulate({ seed, record: true, guarded: true }),
      ];
      expect(one.steps).toBeGreaterThan(50);
      expect(other.violation).toBeUndefined();
      expect(other.history).toEqual(one.history);
      expect(other.hash).toBe(one.hash);
    }
  });

  it.each<readonly [string, () => unknown]>([
    ['a timer', () => new Promise((resolve) => setTimeout(resolve, 0))],
    ['a file', () => readFile(new URL(import.meta.url))],
    ['the clock', () => new Date()],
    ['the clock', () => Date.now()],
    ['randomness', () => Math.random()],
    ['a round of its own', () => new Promise((resolve) => setImmediate(resolve))],
  ])('is refused when it leaves the scheduler: %s', async (_, leave) => {
    const { leaks } = await watched(async () => {
      await Promise.resolve();
      await leave();
    });
    expect(leaks).not.toEqual([]);
    expect((await watched(async () => new Date(Number.NaN))).leaks).toEqual([]);
  });

  it.each(seeds)('that broke a rule is mended: seed $seed, $found', async ({ seed }) => {
    expect((await simulate({ seed })).violation).toBeUndefined();
  });

  it('that broke a rule is mended: shrunk cases', async () => {
    for (const { file, shrunk } of cases) {
      const outcome = await simulate(optionsOf(shrunk, { record: true }));
      expect(outcome.violation, `${file}\n${told(outcome)}`).toBeUndefined();
    }
    expect(seeds.length).toBeGreaterThan(0);
  });

  it('from a fresh seed breaks no rule', async () => {
    const first = Math.floor(Date.now() / 1000) % 1_000_000_000;
    const endMs = Date.now() + FRESH_MS;
    let [seed, steps] = [first, 0];
    for (; Date.now() < endMs; seed += 1) {
      const outcome = await simulate({ seed });
      steps += outcome.steps;
      expect(outcome.violation, `npm run simulate -- --seed ${seed} --seeds 1`).toBeUndefined();
    }
    console.log(`Simulated seeds ${first} to ${seed - 1}: ${steps} steps`);
    expect(steps).toBeGreaterThan(0);
  });

  it.each(QUICK_MUTANTS)('shows when %s', async (name) => {
    const mutant = MUTANTS.find((candidate) => candidate.name === name);
    let kind: string | undefined;
    for (let seed = 1; seed <= 300 && kind === undefined; seed += 1) {
      const { violation } = await simulate({ seed, rewrite: mutant?.rewrite });
      kind = violation && kindOf(violation);
    }
    expect(kind).toBeDefined();
  });
});

describe('the referee', () => {
  it.each(QUICK_CODE_MUTANTS)('shows when $name', async (mutant) => {
    const file = await plant(mutant, 'test/simulation/simulate-one.ts');
    const planted = (await import(pathToFileURL(file).href)) as { readonly simulate: typeof simulate };
    let found: string | undefined;
    for (let seed = 1; seed <= 20 && found === undefined; seed += 1)
      found = (await planted.simulate({ seed })).violation;
    expect(found).toBeDefined();
  });

  it('knows every fault by the text that it is planted into', async () => {
    for (const { edits } of CODE_MUTANTS)
      for (const [path, from] of edits)
        expect((await readFile(new URL(path, ROOT), 'utf8')).split(from), `${path}: ${from}`).toHaveLength(2);
  });
});

describe('every interleaving of', () => {
  it.each(SMALL_MUTANTS)('a small world shows that $name', async ({ world, rewrite }) => {
    expect((await enumerate(world, MAX_SMALL_RUNS, rewrite)).violation).toBeDefined();
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
