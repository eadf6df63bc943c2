/** Bundles the simulation: with the product's code, or with a planted fault. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { context } from 'esbuild';
import { lazy } from '#shared/rules/lazy';
import type { Simulation } from '#test/simulation/simulation';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = dirname(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')));
/** Inside node_modules, so that the packages are found. */
const CACHE = join(MODULES, '.cache', 'simulation');

/** A text in a product file, and its replacement. */
export interface Replacement {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Replacements that make the product faulty, by the name of the fault. */
export type Faults = Readonly<Record<string, readonly Replacement[]>>;

/** @param texts pairs of a unique text of the file and its replacement, as short as possible */
export function swap(file: string, ...texts: readonly string[]): readonly Replacement[] {
  const [from, to, ...others] = texts;
  if (from === undefined || to === undefined) return [];
  return [{ file, from, to }, ...swap(file, ...others)];
}

/** The contents of files with a fault. */
const faulty = new Map<string, string>();
/** Files with a fault that have not been bundled. */
const unused = new Set<string>();

/** Reuses parsed files, so that a fault requires parsing only the faulty files. */
const bundler = lazy(() =>
  context({
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, 'test/simulation/simulation.ts')],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    alias: { '@aws-sdk/lib-dynamodb': join(ROOT, 'test/simulation/sdk-commands.ts') },
    plugins: [
      {
        name: 'faults',
        setup: (plugin) =>
          plugin.onLoad({ filter: /[/\\](functions|shared)[/\\].*\.ts$/ }, ({ path }) => {
            const contents = faulty.get(path);
            unused.delete(path);
            return contents === undefined ? undefined : { contents, loader: 'ts' };
          }),
      },
    ],
  }),
);

let bundles = 0;

/** @throws Error if a text does not occur exactly once, because the code has changed and the fault must be adapted */
export async function simulationWith(replacements: readonly Replacement[]): Promise<Simulation> {
  faulty.clear();
  for (const { file, from, to } of replacements) {
    const path = join(ROOT, file);
    const parts = (faulty.get(path) ?? readFileSync(path, 'utf8')).split(from);
    if (parts.length !== 2)
      throw new Error(`${file} contains ${parts.length - 1} times, and not once:\n${from}`);
    faulty.set(path, parts.join(to));
    unused.add(path);
  }
  const [output] = (await (await bundler()).rebuild()).outputFiles;
  if (unused.size > 0) throw new Error(`The simulation does not use ${[...unused].join(', ')}`);
  bundles += 1;
  const file = join(CACHE, `${process.pid}-${threadId}-${bundles}.mjs`);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, output?.contents ?? '');
  const loaded: { readonly simulation: Simulation } = await import(pathToFileURL(file).href);
  rmSync(file);
  return loaded.simulation;
}

/** Ends esbuild, which keeps the process alive. */
export const stopBundling = async () => (await bundler()).dispose();

/** The unchanged product. */
export const present = lazy(() => simulationWith([]));
