import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSupply } from '#scripts/supply-list';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const { packages, complaints } = readSupply(ROOT);

it('runs with no package that has an install script, another licence than is allowed, or no reason', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(complaints).toEqual([]);
});

it('names every package in docs/dependencies.md', () => {
  const document = readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8');
  // Versions change every week, by pull requests that need no other change.
  const named = new Set(
    [...document.matchAll(/^\| (?!package )(?:[^|]+ \| `(.+)` \|$|(\S+) \| \d)/gm)].flatMap(
      ([, required, own = '']) => required?.split(' ') ?? own,
    ),
  );
  expect([...named].toSorted()).toEqual([...new Set(packages.map(({ name }) => name))].toSorted());
});
