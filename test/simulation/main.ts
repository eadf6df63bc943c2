/**
 * `npm run simulate`: bundles the simulation and runs it. As single files, tsx would name every function that is created, which
 * takes a quarter of the time.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = dirname(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')));
/** Inside of node_modules, so that the packages are found from there. */
const CACHE = join(MODULES, '.cache', 'simulation');
const BUNDLE = join(CACHE, `simulate-${process.pid}.mjs`);
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;

const bundle = (root: string, entry: string, outfile: string) =>
  buildSync({
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    alias: { '@aws-sdk/lib-dynamodb': join(ROOT, 'test/simulation/sdk-commands.ts') },
  });

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
bundle(ROOT, 'test/simulation/simulate.ts', BUNDLE);
await import(pathToFileURL(BUNDLE).href);
