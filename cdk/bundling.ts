/** How a function becomes a folder of code: one way for the deployment, the benchmark and the tests. */
import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

export const BUNDLE = {
  target: 'node24',
  mainFields: ['module', 'main'],
  // What is CommonJS inside the bundle (nodemailer, xlsx) asks for Node's own modules by require.
  banner: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
} as const;

export interface Bundle {
  /** The module that exports `handler`. */
  readonly entry: string;
  /** Bytes that a start loads: the entry and every file that it imports, however indirectly, without `import()`. */
  readonly start: number;
  /** Bytes of the whole folder's code, with what is only loaded when it is needed. */
  readonly whole: number;
  /** Every file, from the project's root, of which something is in the folder. */
  readonly sources: readonly string[];
}

/**
 * Imported only by `import()`, and bundled alone: esbuild shares code by file, so what the other clients of the SDK need of
 * the client's packages (XML, uploads) would be loaded by every start, too.
 */
const BUNDLED_ALONE = ['#functions/exports/s3', '#functions/operator/bucket', '#functions/mail/ses'] as const;
/** Part of the package of sketches that asks for another package, for a format that is not used. */
const NEVER_LOADED = ['*/proto/compiled'] as const;
const fileOf = (name: string) => `${name.replace('#functions/', '').replaceAll('/', '-')}.mjs`;

/**
 * Puts `index.mjs` and its chunks into a folder: whatever is only reached by `import()` is a chunk of its own, which a
 * start does not load. The same sources give the same bytes. Why so: docs/adr/0013-bundles.md.
 * @param entry from the project's root
 * @throws Error when the code cannot be bundled
 */
export function bundle(entry: string, folder: string): Bundle {
  const main = build({ index: entry }, folder, { splitting: true, external: [...BUNDLED_ALONE] });
  const alone = BUNDLED_ALONE.filter((name) =>
    Object.values(main.outputs).some(({ imports }) => imports.some(({ path }) => path === name)),
  );
  const others = alone.map((name) =>
    build({ [fileOf(name).replace('.mjs', '')]: `${name.replace('#', '')}.ts` }, folder, {}),
  );
  // By this file Node finds them.
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ imports: Object.fromEntries(alone.map((name) => [name, `./${fileOf(name)}`])) }),
  );
  const outputs: Metafile['outputs'] = Object.fromEntries(
    [main, ...others].flatMap((part) => Object.entries(part.outputs)),
  );
  const sizes = new Map(
    Object.entries(outputs)
      .filter(([path]) => path.endsWith('.mjs'))
      .map(([path, { bytes }]) => [path, bytes]),
  );
  // esbuild writes its paths with slashes on every platform.
  const atStart = new Set([relative(ROOT, join(folder, 'index.mjs')).replaceAll(sep, '/')]);
  // The set grows while it is walked.
  for (const path of atStart)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && sizes.has(imported)) atStart.add(imported);
  return {
    entry: join(folder, 'index.mjs'),
    start: sum(Array.from(atStart, (path) => sizes.get(path) ?? Number.NaN)),
    whole: sum([...sizes.values()]),
    sources: Object.values(outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0),
    ),
  };
}

function build(
  entryPoints: Record<string, string>,
  folder: string,
  { external = [], ...options }: Pick<BuildOptions, 'splitting' | 'external'>,
): Metafile {
  return buildSync({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: BUNDLE.target,
    mainFields: [...BUNDLE.mainFields],
    banner: { js: BUNDLE.banner },
    external: [...NEVER_LOADED, ...external],
    alias: { '@aws-sdk/credential-provider-node': './cdk/environment-credentials.ts' },
    // Linked: without the comment at a file's end `--enable-source-maps` finds no map.
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'error',
    ...options,
  }).metafile;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
