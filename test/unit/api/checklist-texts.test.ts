/** How the checklist of a buyer names its criteria. */
import { expect, it } from 'vitest';
import { limitsText } from '#functions/api/insights/checklist';

const ANY = {
  max_investment: null,
  min_term: null,
  max_term: null,
  sources_allowed: [],
  sources_excluded: [],
};

it.each([
  [{}, ''],
  [{ max_investment: 5_000_000 }, 'up to 50.000\u00a0€'],
  [{ max_investment: 5_000_050 }, 'up to 50.000,50\u00a0€'],
  [{ min_term: 12 }, 'of at least 12 months'],
  [{ min_term: 0, max_term: 60 }, 'of 0 to 60 months'],
  [{ max_investment: 900_000, max_term: 60 }, 'up to 9.000\u00a0€ and of at most 60 months'],
  [{ sources_allowed: [1, 2] }, 'only from 2 sources'],
  [
    { max_investment: 900_000, max_term: 60, sources_excluded: [3] },
    'up to 9.000\u00a0€, of at most 60 months, and not from 1 source',
  ],
])('the criteria %j are named %j', (limits, text) => {
  expect(limitsText({ ...ANY, ...limits })).toBe(text);
});
