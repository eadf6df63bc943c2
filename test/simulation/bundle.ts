/** Bundles the simulation: with the product as it is, or with a fault in its text. */
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

/** @param texts of the file, each followed by what stands there instead; as short as they are unique */
export function swap(file: string, ...texts: readonly string[]): readonly Replacement[] {
  const [from, to, ...others] = texts;
  if (from === undefined || to === undefined) return [];
  return [{ file, from, to }, ...swap(file, ...others)];
}

/** The contents of files in which there is a fault. */
const faulty = new Map<string, string>();
/** Those of them that have not been bundled. */
const unused = new Set<string>();

/** Keeps what it has parsed: with a fault only the faulty files are parsed again. */
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

/** @throws Error where a text is not there exactly once: the code has changed, and the fault has to be stated anew */
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

/** Until then esbuild keeps the process alive. */
export const stopBundling = async () => (await bundler()).dispose();

/** The product as it is. */
export const present = lazy(() => simulationWith([]));
