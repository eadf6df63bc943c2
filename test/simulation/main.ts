/**
 * `npm run simulate`: bundles the simulation and runs it. As single files, tsx would name every function that is created, which
 * takes a quarter of the time.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle, CACHE, ROOT } from '#test/simulation/bundle';
import { CODE_MUTANTS } from '#test/simulation/code-mutants';

const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;
const SIMULATE = 'test/simulation/simulate.ts';
const CODE = 'test/simulation/code.ts';

/** Bundles what processes run as it was in an earlier revision. @returns the bundle's file */
async function bundleEarlier(revision: string): Promise<string> {
  const root = join(CACHE, `earlier-${process.pid}`);
  mkdirSync(join(root, dirname(CODE)), { recursive: true });
  const archive = execFileSync(
    'git',
    ['archive', revision, 'functions', 'shared', 'package.json', 'tsconfig.json'],
    {
      cwd: ROOT,
      maxBuffer: MAX_ARCHIVE_BYTES,
    },
  );
  execFileSync('tar', ['-x'], { cwd: root, input: archive });
  copyFileSync(join(ROOT, CODE), join(root, CODE));
  return bundle(CODE, 'earlier', { root });
}

const besideAt = process.argv.indexOf('--beside');
const revision = besideAt < 0 ? undefined : process.argv[besideAt + 1];
if (revision !== undefined) process.env.SIMULATE_EARLIER = await bundleEarlier(revision);
// Stored histories are bundled one by one, each with its fault.
if (process.argv.some((given) => given === '--cases' || given === '--record'))
  await import('#test/simulation/stored');
else await import(await bundle(SIMULATE, 'simulate'));
// A fault that is planted into the product's text needs a bundle of its own.
const mutantsAt = process.argv.indexOf('--mutants');
const text = process.argv[mutantsAt + 1] ?? '';
const planted =
  mutantsAt < 0 ? [] : CODE_MUTANTS.filter(({ name }) => text.startsWith('--') || name.includes(text));
for (const { name, replacements } of planted) {
  process.env.SIMULATE_PLANTED = name;
  await import(await bundle(SIMULATE, name.replace(/\W+/g, '-'), { replacements }));
}
