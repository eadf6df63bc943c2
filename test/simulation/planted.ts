/** Bundles the simulation with a fault planted into the product's own text. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import type { CodeMutant } from '#test/simulation/code-mutants';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = dirname(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')));
/** Inside of node_modules, so that the packages are found from there. */
export const CACHE = join(MODULES, '.cache', 'simulation');

export const bundling = (root: string, entry: string, outfile: string): BuildOptions => ({
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

/**
 * @returns the bundle's file
 * @throws Error where the text to be replaced is not there once
 */
export async function plant({ name, edits }: CodeMutant, entry: string): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const file = join(CACHE, `planted-${process.pid}-${name.replace(/\W+/g, '-')}.mjs`);
  const contents = new Map<string, string>();
  for (const [path, from, to] of edits) {
    const text = contents.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${name}: ${path} does not contain once: ${from}`);
    contents.set(
      path,
      text.replace(from, () => to),
    );
  }
  await build({
    ...bundling(ROOT, entry, file),
    plugins: [
      {
        name: 'planted fault',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const planted = contents.get(relative(ROOT, path));
            return planted === undefined ? undefined : { contents: planted, loader: 'ts' };
          }),
      },
    ],
  });
  return file;
}
