/**
 * `npm run simulate`: bundles the simulation and runs it. As single files, tsx would name every function that is created, which
 * takes a quarter of the time.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { CODE_MUTANTS } from '#test/simulation/code-mutants';
import { bundling, CACHE, plant, ROOT } from '#test/simulation/planted';

const BUNDLE = join(CACHE, `simulate-${process.pid}.mjs`);
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;

const bundle = (root: string, entry: string, outfile: string) => buildSync(bundling(root, entry, outfile));

const CODE = 'test/simulation/code.ts';

/** Bundles what processes run as it was in an earlier revision. @returns the bundle's file */
function bundleEarlier(revision: string): string {
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
  const file = join(CACHE, `earlier-${process.pid}.mjs`);
  bundle(root, CODE, file);
  return file;
}

const besideAt = process.argv.indexOf('--beside');
const revision = besideAt < 0 ? undefined : process.argv[besideAt + 1];
if (revision !== undefined) process.env.SIMULATE_EARLIER = pathToFileURL(bundleEarlier(revision)).href;
const SIMULATE = 'test/simulation/simulate.ts';
bundle(ROOT, SIMULATE, BUNDLE);
await import(pathToFileURL(BUNDLE).href);
// A fault that is planted into the product's text needs a bundle of its own.
const mutantsAt = process.argv.indexOf('--mutants');
const text = process.argv[mutantsAt + 1] ?? '';
const those =
  mutantsAt < 0 ? [] : CODE_MUTANTS.filter(({ name }) => text.startsWith('--') || name.includes(text));
for (const mutant of those) {
  process.env.SIMULATE_PLANTED = mutant.name;
  await import(pathToFileURL(await plant(mutant, SIMULATE)).href);
}
