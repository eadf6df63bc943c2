/** How a function becomes a folder of code, for deployments, benchmarks and tests. */
import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

export const BUNDLE = {
  target: 'node24',
  mainFields: ['module', 'main'],
  // CommonJS inside the bundle (nodemailer, xlsx) requires Node's modules.
  banner: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
} as const;

export interface Bundle {
  readonly entry: string;
  /** Bytes that a start loads: the entry and its static imports. */
  readonly start: number;
  /** With what is loaded on demand. */
  readonly whole: number;
  readonly sources: readonly string[];
}

/**
 * Loaded by `import()` only. Bundled separately: esbuild splits code by file, so every start would load what these clients need.
 */
const BUNDLED_ALONE = ['#functions/exports/s3', '#functions/operator/bucket', '#functions/mail/ses'] as const;
/** An unused format of the sketches package. */
const NEVER_LOADED = ['*/proto/compiled'] as const;
const fileOf = (name: string) => `${name.replace('#functions/', '').replaceAll('/', '-')}.mjs`;

/**
 * Code that only `import()` reaches becomes a chunk that a start does not load. The same sources give the same bytes
 * (docs/adr/0013-bundles.md). @param entry from the project's root
 */
export function bundle(entry: string, folder: string): Bundle {
  const main = build({ index: entry }, folder, { splitting: true, external: [...BUNDLED_ALONE] });
  const alone = BUNDLED_ALONE.filter((name) =>
    Object.values(main.outputs).some(({ imports }) => imports.some(({ path }) => path === name)),
  );
  const others = alone.map((name) =>
    build({ [fileOf(name).replace('.mjs', '')]: `${name.replace('#', '')}.ts` }, folder, {}),
  );
  // Node resolves them by this file.
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
  // esbuild uses slashes on every platform.
  const atStart = new Set([relative(ROOT, join(folder, 'index.mjs')).replaceAll(sep, '/')]);
  // The set grows during the loop.
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
    // `--enable-source-maps` needs the comment at the end of a file.
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
