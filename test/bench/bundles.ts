/** Size and import time of every function's bundle against an empty handler that only has the DynamoDB client. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { BUNDLE, ROOT } from '#cdk/bundling';
import { entryOf } from '#cdk/functions';
import { FUNCTIONS, type FunctionName } from '#functions/functions';
import { median } from '#test/bench/stage';

export interface Bundle {
  readonly name: string;
  /** Bytes, minified. */
  readonly size: number;
  /** Milliseconds, the median of several fresh processes. */
  readonly importTime: number;
  readonly sizeRatio: number;
  readonly importRatio: number;
}

const EMPTY = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler = async () => client;`;

/** What every function demands of its environment. */
const ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE: '1',
  TABLE_NAME: 'leads',
  PUBLIC_BASE_URL: 'https://leads.example.com',
  KEYS_ARN: 'arn:aws:secretsmanager:eu-central-1:1:secret:keys',
  DELIVER_QUEUE_URL: 'https://sqs/deliver',
  NOTIFY_QUEUE_URL: 'https://sqs/notify',
  REFILL_QUEUE_URL: 'https://sqs/refill',
  EXPORT_BUCKET: 'exports',
};

/** @param runs fresh processes for each bundle; they take turns, so that all see the same machine */
export async function measureBundles(
  runs: number,
  names: readonly FunctionName[] = FUNCTIONS,
): Promise<{ empty: Bundle; functions: Bundle[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  try {
    const empty = join(folder, 'entry-empty.mjs');
    await writeFile(empty, EMPTY);
    const entries = [
      ['empty handler', empty] as const,
      ...names.map((name) => [name, join(ROOT, entryOf(name))] as const),
    ];
    const measured = [];
    for (const [name, entry] of entries) {
      const file = join(folder, `${name}.mjs`);
      await bundle(entry, file);
      measured.push({ name, file, size: (await stat(file)).size, times: [] as number[] });
    }
    for (let run = 0; run < runs; run += 1)
      for (const { file, times } of measured) times.push(await importTime(file));
    const [base, ...others] = measured.map(({ name, size, times }) => ({
      name,
      size,
      importTime: times.length === 0 ? Number.NaN : median(times),
    }));
    if (base === undefined) throw new Error('There is nothing to compare with');
    const compared = (one: typeof base): Bundle => ({
      ...one,
      sizeRatio: one.size / base.size,
      importRatio: one.importTime / base.importTime,
    });
    return { empty: compared(base), functions: others.map(compared) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    absWorkingDir: ROOT,
    nodePaths: [join(ROOT, 'node_modules')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: BUNDLE.target,
    mainFields: [...BUNDLE.mainFields],
    banner: { js: BUNDLE.banner },
    minify: true,
    logLevel: 'error',
  });
}

async function importTime(file: string): Promise<number> {
  const script = `const begin = performance.now(); await import(${JSON.stringify(file)}); process.stdout.write(String(performance.now() - begin)); process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...ENVIRONMENT, PATH: process.env.PATH },
  });
  return Number(stdout);
}
