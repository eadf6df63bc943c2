/** Programs of this repository for child processes of the tests, each as one file: loaded that way they start four times as fast. */
import { randomUUID } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
/** Inside of node_modules, so that what is not bundled is found from there. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'programs');
const bundled = new Map<string, Promise<string>>();

/**
 * Bundles a program once in each process.
 * @param entry its module, from the root of the repository
 * @returns the file to start with Node alone
 */
export function bundledProgram(entry: string): Promise<string> {
  const known = bundled.get(entry) ?? bundleProgram(entry);
  bundled.set(entry, known);
  return known;
}

async function bundleProgram(entry: string): Promise<string> {
  const name = join(FOLDER, entry.replaceAll('/', '-').replace(/\.ts$/, ''));
  const own = `${name}-${randomUUID()}.mjs`;
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // Chooses a file for this machine when it is loaded; what is never loaded asks for a package that is not there; takes five
    // seconds to bundle.
    external: ['libsql', '*/proto/compiled', 'aws-cdk-lib'],
    plugins: [ownPlaces],
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
  });
  // Whole at any moment: other workers start the same file.
  await rename(own, `${name}.mjs`);
  return `${name}.mjs`;
}

/** Modules look for the files alongside them where they themselves are, not alongside the bundle. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};
