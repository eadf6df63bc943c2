/**
 * What a cold start of every deployed function loads, compared with an empty handler that has only the DynamoDB client and
 * was bundled the usual way: into one file, with every credential provider. `size` is what the start loads; `whole` also
 * includes what is loaded later by `import()`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { BUNDLE, bundle, ROOT } from '#cdk/bundling';
import { entryOf, FUNCTIONS, type FunctionName } from '#functions/platform/functions';

export interface Bundle {
  readonly name: string;
  /** Bytes that a start loads, minified. */
  readonly size: number;
  /** Bytes of the whole function. */
  readonly whole: number;
  /** Milliseconds of processor time, the minimum of several fresh processes, because a busy machine only adds to it. */
  readonly importTime: number;
  readonly sizeRatio: number;
  readonly importRatio: number;
}

const EMPTY = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler = async () => client;`;

/** Functions do not start without these variables. */
const ENVIRONMENT = {
  AWS_REGION: 'eu-central-1',
  TABLE_NAME: 'leads',
  PUBLIC_BASE_URL: 'https://leads.example.com',
  KEYS_ARN: 'arn:aws:secretsmanager:eu-central-1:1:secret:keys',
  DELIVER_QUEUE_URL: 'https://sqs/deliver',
  NOTIFY_QUEUE_URL: 'https://sqs/notify',
  CALLBACK_QUEUE_URL: 'https://sqs/callback',
  REDISTRIBUTE_QUEUE_URL: 'https://sqs/redistribute',
  DISTRIBUTE_QUEUE_URL: 'https://sqs/distribute',
  EXPORT_BUCKET: 'exports',
};

/** @param runs fresh processes per bundle; the bundles alternate, so that all run under the same load */
export function measureBundles(
  runs: number,
  names: readonly FunctionName[] = FUNCTIONS,
): { empty: Bundle; functions: Bundle[] } {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  try {
    const empty = { name: 'empty handler', ...bundleEmpty(folder), times: [] as number[] };
    const functions = names.map((name) => ({
      name,
      ...bundle(entryOf(name), join(folder, name)),
      times: [] as number[],
    }));
    for (let run = 0; run < runs; run += 1)
      for (const { entry, times } of [empty, ...functions]) times.push(importTime(entry));
    const compared = ({ name, start, whole, times }: typeof empty): Bundle => ({
      name,
      size: start,
      whole,
      importTime: Math.min(...times),
      sizeRatio: start / empty.start,
      importRatio: Math.min(...times) / Math.min(...empty.times),
    });
    return { empty: compared(empty), functions: functions.map(compared) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles the empty handler into a folder. */
export function bundleEmpty(folder: string): Omit<ReturnType<typeof bundle>, 'sources'> {
  const entry = join(folder, 'empty.mjs');
  writeFileSync(join(folder, 'empty.ts'), EMPTY);
  buildSync({
    entryPoints: [join(folder, 'empty.ts')],
    outfile: entry,
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
  const { size } = statSync(entry);
  return { entry, start: size, whole: size };
}

function importTime(file: string): number {
  const script = `const before = process.cpuUsage(); const { handler } = await import(${JSON.stringify(pathToFileURL(file).href)}); const { user, system } = process.cpuUsage(before); process.stdout.write(String((user + system) / 1000)); process.exit(typeof handler === 'function' ? 0 : 1);`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...ENVIRONMENT, PATH: process.env.PATH },
      encoding: 'utf8',
      // The build's messages are part of the error if it fails.
      stdio: 'pipe',
    }),
  );
}
