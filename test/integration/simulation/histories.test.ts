/** Whole histories of the product under one scheduler: past violations and new seeds. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { present, ROOT, simulationWith } from '#test/simulation/bundle';
import { faultOf, readCases } from '#test/simulation/cases';
import { CODE_MUTANTS } from '#test/simulation/code-mutants';
import { watched } from '#test/simulation/guard';
import { NOT_SHOWN, PAST_FAULTS } from '#test/simulation/past-faults';
import type { Script } from '#test/simulation/script';

const FRESH_MS = 6_000;
/** Code mutants detected within a few seeds; `npm run simulate -- --mutants` runs all of them. */
const QUICK_CODE_MUTANTS = [
  'the minimum investment is ignored',
  'sources are ignored',
  'hours are ignored',
  'the smallest deficit wins',
  'weights are ignored',
  'a statement bills replacements',
  'consent is not asked for',
  'a buyer gets people that it knows',
  'a chain link does not contain the previous one',
  'TrackBox gets n/a for unknown values',
];

const CASES = readCases();

describe('a history', () => {
  it('is the same for the same seed', async () => {
    const { simulate } = await present();
    for (const seed of [5, 6, 7]) {
      const one = await simulate({ seed, record: true });
      const other = await simulate({ seed, record: true, guarded: true });
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
    ['its own event loop turn', () => new Promise((resolve) => setImmediate(resolve))],
  ])('fails if it escapes the scheduler: %s', async (_, leave) => {
    const { leaks } = await watched(async () => {
      await Promise.resolve();
      await leave();
    });
    expect(leaks).not.toEqual([]);
    expect((await watched(async () => new Date(Number.NaN))).leaks).toEqual([]);
  });

  it('from a fresh seed breaks no rule', async () => {
    const { simulate } = await present();
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

  it('detects an order that reserves beyond its limit', async () => {
    const { simulate, MUTANTS } = await present();
    const mutant = MUTANTS.find(({ name }) => name === 'an order reserves beyond its limit');
    expect(mutant).toBeDefined();
    let found: string | undefined;
    for (let seed = 1; seed <= 20 && found === undefined; seed += 1)
      found = (await simulate({ seed, rewrite: mutant?.rewrite })).violation;
    expect(found).toBeDefined();
  });
});

describe('the referee', () => {
  it.each(QUICK_CODE_MUTANTS)('detects the mutant: %s', async (name) => {
    const { simulate } = await simulationWith(CODE_MUTANTS[name] ?? []);
    let found: string | undefined;
    for (let seed = 1; seed <= 20 && found === undefined; seed += 1)
      found = (await simulate({ seed })).violation;
    expect(found).toBeDefined();
  });

  it('finds the text of every planted fault in the code', async () => {
    for (const { file, from } of Object.values(CODE_MUTANTS).flat())
      expect((await readFile(join(ROOT, file), 'utf8')).split(from), `${file}: ${from}`).toHaveLength(2);
  });
});

describe('a stored history', () => {
  it('exists for every past fault', () => {
    const shown = new Set(CASES.map(({ script }) => script.fault));
    expect(new Set([...shown, NOT_SHOWN])).toEqual(new Set(Object.keys(PAST_FAULTS)));
    expect(shown).not.toContain(NOT_SHOWN);
  });

  it.each(CASES)('breaks no rule: $name', async ({ script }) => {
    const { runScript } = await present();
    expect(await runScript(script)).toMatchObject({ violation: undefined, stale: undefined });
  });

  it.each(CASES)(
    'shows its fault, even if each call of the code is preceded by another: $name',
    async (one) => {
      const { runScript } = await simulationWith(faultOf(one));
      for (const perturbed of [false, true]) {
        const { violation, isError, stale } = await runScript(one.script, { perturbed });
        expect(stale).toBeUndefined();
        expect(violation).toBeDefined();
        // An exception in the changed code would prove nothing.
        expect(isError).toBe(one.script.isError === true);
      }
    },
  );

  it.each([
    [
      'anna before write NOTHING#*',
      'is not reached: the calls of anna are over, and those of this kind were transact BUYERS/1',
    ],
    ['anna before write BUYERS/1 #2', 'is not reached'],
    ['carla', 'is no valid line'],
    ['anna sleeps', 'is no valid line'],
  ])('is reported as stale if the code does not match it: %s', async (line, why) => {
    const { runScript } = await present();
    const script: Script = {
      what: '',
      fault: '',
      before: [['buyer', 'north']],
      actors: { anna: [['change buyer', 'north', { probability: 20 }]] },
      order: [line],
    };
    expect(await runScript(script)).toMatchObject({ stale: expect.stringContaining(`"${line}" ${why}`) });
  });

  it('is stale if an actor ends before it should die', async () => {
    const { runScript } = await present();
    const script = { what: '', fault: '', before: [], actors: { anna: [] }, order: ['anna', 'anna dies'] };
    expect((await runScript(script)).stale).toContain('is not reached');
  });
});
