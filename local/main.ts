/** `npm start`: the whole product on this machine. */
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { operatorEnvironment, partnerEnvironment, verificationEnvironment } from '#functions/environment';
import { inPlainWords } from '#functions/http/errors';
import { type Cloud, startCloud } from '#local/cloud';
import { makeExampleData } from '#local/demo';
import { makeFirstAdmin } from '#local/first-admin';
import { StartError } from '#local/start-error';
import { ensureWebBuild, WEB_ROOT } from '#local/web-build';

const port = (standard: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), standard);
const text = z.optional(z.string().check(z.minLength(1)));

const settingsSchema = z.object({
  PORT: port(3000),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), '.data'),
  DEMO: z._default(z.enum(['0', '1']), '1'),
  ADMIN_USERNAME: z._default(z.string().check(z.minLength(1)), 'admin'),
  ADMIN_PASSWORD: text,
  SMTP_PORT: port(2525),
  PARTNERS_PORT: port(2580),
  DYNAMODB_ENDPOINT: text,
  RECONCILE_SECONDS: z._default(z.coerce.number().check(z.positive()), 60),
});

/** What may stand in the environment to put another address in the place of the sandbox. */
const OUTSIDE = [
  ...Object.keys(partnerEnvironment.shape),
  ...Object.keys(verificationEnvironment.shape),
  ...Object.keys(operatorEnvironment.shape),
];

const startedAt = Date.now();
let cloud: Cloud | undefined;
let stopping: Promise<void> | undefined;

process.stdout.on('error', () => {});
process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
process.on('SIGHUP', () => void stop(0));
process.on('uncaughtException', (error) => fail(error));
process.on('unhandledRejection', (error) => fail(error));

try {
  await start();
} catch (error) {
  fail(error);
}

async function start(): Promise<void> {
  const settings = readSettings();
  const dataDir = resolve(settings.DATA_DIR);
  if (await ensureWebBuild()) console.log('Built the web app');
  const running = await startCloud({
    dataDir,
    port: settings.PORT,
    host: settings.HOST,
    smtpPort: settings.SMTP_PORT,
    partnersPort: settings.PARTNERS_PORT,
    reconcileEvery: settings.RECONCILE_SECONDS,
    webRoot: WEB_ROOT,
    environment: Object.fromEntries(
      OUTSIDE.flatMap((name) => {
        const value = process.env[name];
        return value === undefined || value === '' ? [] : [[name, value]];
      }),
    ),
    ...(settings.DYNAMODB_ENDPOINT !== undefined && { dynamodbEndpoint: settings.DYNAMODB_ENDPOINT }),
    onLog: (line) => {
      // Refusals and the like are in the answers already.
      if (!line.includes('"level":"info"')) process.stderr.write(`${line}\n`);
    },
    onFailure: (reason) => fail(new StartError(reason)),
  });
  cloud = running;
  if (stopping !== undefined) {
    await running.stop();
    return;
  }

  const admin = await makeFirstAdmin(running, dataDir, {
    username: settings.ADMIN_USERNAME,
    password: settings.ADMIN_PASSWORD,
  });
  if (admin.made && admin.account !== null && settings.DEMO === '1') {
    console.log('Making example data (DEMO=0 starts empty)');
    await makeExampleData(running, admin.account).catch((error: unknown) =>
      console.error('The example data are incomplete:', error instanceof Error ? error.message : error),
    );
  }
  if (admin.account !== null && settings.ADMIN_PASSWORD === undefined)
    console.log(`Log in as ${admin.account.username} with the password ${admin.account.password}`);
  console.log(`E-mails and calls to partners: ${running.url}/local`);
  console.log(`Data: ${dataDir} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  console.log(`Ready on ${running.url}`);
}

function readSettings() {
  const read = settingsSchema.safeParse(process.env, { error: inPlainWords });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new StartError(`${name}=${process.env[name] ?? ''} cannot be used: ${issue?.message ?? ''}.`);
}

function fail(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error);
  void stop(1);
}

/** Once; asked again it ends at once. */
async function stop(code: number): Promise<void> {
  if (stopping !== undefined) process.exit(1);
  stopping = cloud?.stop() ?? Promise.resolve();
  await stopping.catch((error: unknown) => console.error(error));
  process.exit(code);
}
