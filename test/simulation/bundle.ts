/** Bundles the simulation: the code as it is, or with a fault put back. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = dirname(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')));
/** Inside of node_modules, so that the packages are found from there. */
const CACHE = join(MODULES, '.cache', 'simulation');

/** A text of a file of the product, and what stands there instead. */
export interface Replacement {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Texts that make the product faulty, by the name of the fault. */
export type Faults = Readonly<Record<string, readonly Replacement[]>>;

export const swap = (file: string, from: string, to: string): readonly Replacement[] => [{ file, from, to }];

/** @throws Error where the text is not there exactly once: the code has changed, and the fault has to be stated anew */
export function replaced(file: string, text: string, replacements: readonly Replacement[]): string {
  let changed = text;
  for (const { from, to } of replacements) {
    if (changed.split(from).length !== 2)
      throw new Error(`${file} contains ${changed.split(from).length - 1} times, and not once:\n${from}`);
    changed = changed.replace(from, () => to);
  }
  return changed;
}

/** @returns the address of the bundle */
export async function bundle(
  entry: string,
  name: string,
  replacements: readonly Replacement[] = [],
): Promise<string> {
  const outfile = join(CACHE, `${name.replace(/\W+/g, '-')}-${process.pid}.mjs`);
  const files = new Map(
    [...new Set(replacements.map(({ file }) => file))].map((file) => {
      const path = join(ROOT, file);
      const its = replacements.filter((replacement) => replacement.file === file);
      return [path, replaced(file, readFileSync(path, 'utf8'), its)];
    }),
  );
  const loaded = new Set<string>();
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    alias: { '@aws-sdk/lib-dynamodb': join(ROOT, 'test/simulation/sdk-commands.ts') },
    plugins: [
      {
        name: 'put back',
        setup: (plugin) =>
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = files.get(path);
            if (contents !== undefined) loaded.add(path);
            return contents === undefined ? undefined : { contents, loader: 'ts' };
          }),
      },
    ],
  });
  const unused = [...files.keys()].filter((path) => !loaded.has(path));
  if (unused.length > 0) throw new Error(`The simulation does not use ${unused.join(', ')}`);
  return pathToFileURL(outfile).href;
}
