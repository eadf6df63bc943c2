/** What a cold start has to load: the size of every bundle, and how long its import takes compared with the bare client. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE, ROOT } from '#cdk/bundling';
import { entryOf } from '#cdk/functions';
import { FUNCTIONS, type FunctionName } from '#functions/functions';

/** Kilobytes, minified. Those above the plain ones carry what they cannot do without, named beside them. */
const PLAIN = 640;
const VERIFIES = 900; // libphonenumber
const CAPS: Readonly<Record<FunctionName, number>> = {
  auth: PLAIN,
  buyers: PLAIN,
  claims: PLAIN,
  deliveries: 1100, // the channels, for test leads: nodemailer and libphonenumber
  insights: 700, // everything that is counted
  leads: VERIFIES,
  'leads-view': 1300, // xlsx and the client of S3
  meta: PLAIN,
  orders: PLAIN,
  'pending-leads': 1600, // verifies and exports
  settings: 950, // test e-mails and pushes
  outbox: PLAIN,
  statistics: PLAIN,
  deliver: 1100, // the channels
  notify: 950, // nodemailer
  refill: VERIFIES,
  sweep: VERIFIES,
};
/** How many times the import of an empty handler with a DynamoDB client an import may take. */
const RATIO = 4.5;

const BASELINE = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler = async () => client;
`;

const folder = mkdtempSync(join(tmpdir(), 'lead-bundles-'));
const file = (name: string) => join(folder, `${name}.mjs`);

beforeAll(async () => {
  writeFileSync(join(folder, 'baseline.ts'), BASELINE);
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      ...Object.fromEntries(FUNCTIONS.map((name) => [name, entryOf(name)])),
      baseline: join(folder, 'baseline.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    nodePaths: [join(ROOT, 'node_modules')],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: BUNDLE.target,
    mainFields: [...BUNDLE.mainFields],
    banner: { js: BUNDLE.banner },
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = {
  AWS_REGION: 'eu-central-1',
  TABLE_NAME: 't',
  KEYS_ARN: 'arn',
  PUBLIC_BASE_URL: 'https://leads.example.com',
  DELIVER_QUEUE_URL: 'https://sqs.example.com/deliver',
  NOTIFY_QUEUE_URL: 'https://sqs.example.com/notify',
  REFILL_QUEUE_URL: 'https://sqs.example.com/refill',
  EXPORT_BUCKET: 'b',
  NODE_NO_WARNINGS: '1',
  AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE: '1',
};

/** Milliseconds of processor time that the import takes, in a process of its own; a busy machine does not change it. */
function importTime(name: string): number {
  const script = `const before = process.cpuUsage(); const { handler } = await import(${JSON.stringify(pathToFileURL(file(name)).href)}); const { user, system } = process.cpuUsage(before); process.stdout.write(String((user + system) / 1000)); if (typeof handler !== 'function') process.exit(1); process.exit(0);`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: environment,
      encoding: 'utf8',
    }),
  );
}

describe('the bundle of', () => {
  it.each(FUNCTIONS)('%s is not larger than it has to be', (name) => {
    expect(statSync(file(name)).size / 1000, `${name}, KB`).toBeLessThan(CAPS[name]);
  });

  it('every function is imported in a small multiple of the time that the bare client takes', () => {
    const baseline = Math.min(importTime('baseline'), importTime('baseline'));
    for (const name of FUNCTIONS) {
      let ratio = importTime(name) / baseline;
      // A second look at what seems slow: the machine may have been at something else.
      if (ratio >= RATIO) ratio = Math.min(ratio, importTime(name) / baseline);
      expect(ratio, name).toBeLessThan(RATIO);
    }
  });
});
