import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSupply } from '#scripts/supply-list';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const { packages, complaints } = readSupply(ROOT);

it('no runtime package has an install script, a forbidden licence or no documented reason', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(complaints).toEqual([]);
});

it('every package is in docs/dependencies.md', () => {
  const document = readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8');
  // Versions are omitted because weekly pull requests change them.
  const named = new Set(
    [...document.matchAll(/^\| (?!package )(?:[^|]+ \| `(.+)` \|$|(\S+) \| \d)/gm)].flatMap(
      ([, required, own = '']) => required?.split(' ') ?? own,
    ),
  );
  expect([...named].toSorted()).toEqual([...new Set(packages.map(({ name }) => name))].toSorted());
});
