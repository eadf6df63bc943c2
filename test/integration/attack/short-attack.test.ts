/** The storm of `npm run attack` in its short form: it says in sentences what it found broken. */
import { expect, it } from 'vitest';
import { SHORT_STORM, storm } from '#test/attack/storm';

/** A new seed every day would find more, but nobody could repeat yesterday's failure. */
const SEED = 11;

it('nothing is broken by kills of product and engine under load', async () => {
  expect((await storm({ ...SHORT_STORM, seed: SEED })).broken).toEqual([]);
});
