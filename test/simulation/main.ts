/**
 * `npm run simulate`: bundles the simulation and runs it. As single files, tsx would name every function that is created, which
 * takes a quarter of the time.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = dirname(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')));
/** Inside of node_modules, so that the packages are found from there. */
const BUNDLE = join(MODULES, '.cache', 'simulation', `simulate-${process.pid}.mjs`);

buildSync({
  entryPoints: [join(ROOT, 'test/simulation/simulate.ts')],
  outfile: BUNDLE,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
  alias: { '@aws-sdk/lib-dynamodb': join(ROOT, 'test/simulation/sdk-commands.ts') },
});
await import(pathToFileURL(BUNDLE).href);
