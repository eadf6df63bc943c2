/**
 * Bundles this repository's programs into single files for child processes of tests, which start four times as fast from
 * them.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
/** Inside node_modules, so that external packages are found. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'programs');
const bundled = new Map<string, Promise<string>>();

/**
 * Bundles a program, once per process.
 * @param entry its module, relative to the repository's root
 * @returns the file to run with plain Node
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
    // `libsql` loads a file for this machine; the compiled protocols are unused and import a missing package; the CDK takes five
    // seconds to bundle.
    external: ['libsql', '*/proto/compiled', 'aws-cdk-lib'],
    plugins: [ownPlaces],
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
  });
  // Replaced atomically, because other workers start the same file.
  await rename(own, `${name}.mjs`);
  return `${name}.mjs`;
}

/** Modules look for files next to their source, not next to the bundle. */
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
