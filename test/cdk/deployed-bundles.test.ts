/**
 * Every function as deployed: its folder in its own process without `node_modules`, against the embedded cloud. Other
 * tests check the behaviour; this one checks that nothing is missing from a bundle.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { type Bundle, bundle } from '#cdk/bundling';
import { entryOf, FUNCTIONS, type FunctionName } from '#functions/platform/functions';
import { type EndpointId, routes } from '#shared/contract/routes';
import type { Answer } from '#shared/contract/schemas';
import { aLeadRequest } from '#test/factories/people';
import { apiEvent } from '#test/harness/api-event';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';

const folder = mkdtempSync(join(tmpdir(), 'deployed-'));
const bundles = new Map<FunctionName, Bundle>();
let cloud: TestCloud;
let template = '';
let token = '';
const lead = aLeadRequest();
/** Offset of the embedded cloud's clock, so that its postponed delivery is due for a deployed function. */
const BEHIND = 600_000;

beforeAll(async () => {
  for (const name of FUNCTIONS) bundles.set(name, bundle(entryOf(name), join(folder, name)));
  cloud = await startTestCloud({ runtime: { now: () => new Date(Date.now() - BEHIND) } });
  template = await addTemplate(cloud, {
    smtp_subject: 'Lead $$nachname$$',
    smtp_body: '$$vorname$$ $$nachname$$',
  });
  ({ token } = await openOrder(
    cloud.admin,
    {
      buyer_id: 'alpha',
      probability: 100,
      send_email: true,
      email_template_id: template,
      use_sellanylead_api: true,
    },
    100,
  ));
  await cloud.settled();
});
afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Imports the modules; the last one handles the event from standard input. */
const SCRIPT = `
let loaded;
for (const file of process.argv.slice(1)) loaded = await import(file);
let event = '';
for await (const chunk of process.stdin) event += chunk;
const context = { awsRequestId: 'deployed', getRemainingTimeInMillis: () => 30_000 };
const answer = await loaded.handler(JSON.parse(event), context);
// Exits after the write, because on a busy machine the pipe accepts a long answer in parts.
await new Promise((written) => process.stdout.write('\\n' + JSON.stringify(answer ?? null), written));
process.exit(0);`;

type Variables = Readonly<Record<string, string | undefined>>;

async function start(files: readonly string[], event: unknown, changes: Variables = {}): Promise<string> {
  const child = execFile(
    process.execPath,
    ['--input-type=module', '-e', SCRIPT, ...files.map((file) => pathToFileURL(file).href)],
    {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...cloud.environment, AWS_REGION: 'eu-central-1', ...changes },
    },
  );
  child.stdin!.end(JSON.stringify(event));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  expect(code, errors).toBe(0);
  return output;
}

async function run(name: FunctionName, event: unknown, changes?: Variables): Promise<unknown> {
  return lastLine(await start([bundles.get(name)!.entry], event, changes));
}

const lastLine = (output: string): unknown => JSON.parse(output.slice(output.lastIndexOf('\n') + 1));

/** Calls with an API Gateway event from the admin. */
async function call(
  id: EndpointId,
  { environment, ...sent }: Parameters<typeof apiEvent>[1] & { readonly environment?: Variables } = {},
): Promise<APIGatewayProxyStructuredResultV2> {
  const cookies = Array.from(cloud.admin.cookies, ([name, value]) => `${name}=${value}`);
  const answer = await run(routes[id].fn, apiEvent(id, { cookies, ...sent }), environment);
  return answer as APIGatewayProxyStructuredResultV2;
}

const NO_FAILURES = { batchItemFailures: [] };
const queued = (message: unknown) => ({ Records: [{ messageId: '1', body: JSON.stringify(message) }] });
const read = ({ body }: APIGatewayProxyStructuredResultV2): unknown => JSON.parse(body ?? '');

describe('the bundle of', () => {
  it.concurrent.each(FUNCTIONS)('%s contains all its chunks and is ready', async (name) => {
    const { entry } = bundles.get(name)!;
    const modules = readdirSync(join(folder, name)).filter((file) => file.endsWith('.mjs'));
    const others = modules.filter((file) => file !== basename(entry));
    expect(others).toHaveLength(modules.length - 1);
    const files = [...others, basename(entry)].map((file) => join(folder, name, file));
    expect(lastLine(await start(files, { readiness: true }))).toEqual({ ready: true });
    // Separately bundled modules are resolved through the folder's package.json.
    for (const file of modules)
      for (const [, module = ''] of readFileSync(join(folder, name, file), 'utf8').matchAll(
        /import\("(#[^"]+)"\)/g,
      ))
        expect(modules).toContain(basename(createRequire(entry).resolve(module)));
  });

  it.each([
    'checkAuth',
    'getDashboardStats',
    'listBuyers',
    'listOrders',
    'listClaims',
    'getOpenApi',
  ] as const)('the function of %s answers', async (id) => {
    expect(await call(id)).toMatchObject({ statusCode: 200 });
  });

  it('leads distributes a lead, deliver sends it, and leads-view exports it', async () => {
    cloud.inbox.mode = 'greylist';
    const { lead_id } = read(await call('createLead', { body: lead })) as Answer<'createLead'>;
    await cloud.settled();
    expect(cloud.inbox.mails).toEqual([]);
    cloud.inbox.mode = 'ok';
    expect(await run('deliver', queued({ lead_id, channel: 'email', series: 1, attempt_count: 1 }))).toEqual(
      NO_FAILURES,
    );
    expect(cloud.inbox.mails).toMatchObject([{ to: ['alpha@buyers.example'] }]);

    const xlsx = await call('exportLeads', { params: { token, format: 'xlsx' } });
    const orderCache = XLSX.read(xlsx.body, { type: 'base64' });
    expect(XLSX.utils.sheet_to_json(orderCache.Sheets[orderCache.SheetNames[0]!]!)).toMatchObject([
      { 'E-Mail': lead.email },
    ]);
    const csv = await call('exportLeads', { params: { token, format: 'csv' } });
    expect(Buffer.from(csv.body ?? '', 'base64').toString()).toContain(lead.email);
  });

  it('deliveries sends to a partner and a mail server, settings to a mail server', async () => {
    for (const channel of ['email', 'sellanylead'])
      expect(read(await call('sendTestLead', { params: { buyerId: 'alpha', channel } }))).toMatchObject({
        outcome: 'delivered',
      });
    const test = await call('sendTestEmail', { params: { id: template }, body: { to: 'me@example.org' } });
    expect(read(test)).toMatchObject({ ok: true });
  });

  it.concurrent.each<[FunctionName, Variables]>([
    ['leads', { TABLE_NAME: 'none' }],
    ['outbox', { TABLE_NAME: 'none' }],
    ['settings', { KEYS_JSON: '{}' }],
    ['notify', { KEYS_JSON: '{}' }],
    ['meta', { ORIGIN_SECRET_ARN: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:none' }],
    ['outbox', { NOTIFY_QUEUE_URL: 'http://127.0.0.1:1/none' }],
    ['deliver', { DELIVER_DLQ_URL: 'http://127.0.0.1:1/none' }],
    ['notify', { PUSHOVER_API_URL: 'pushover' }],
  ])('%s is not ready with %o', async (name, wrong) => {
    await expect(run(name, { readiness: true }, wrong)).rejects.toThrow();
  });

  it('every other worker handles its events', async () => {
    for (const name of ['outbox', 'statistics'] as const)
      expect(await run(name, { Records: [] })).toEqual(NO_FAILURES);
    expect(await run('redistribute', queued({ buyer: 1 }))).toEqual(NO_FAILURES);
    expect(await run('distribute', queued({ batch_id: 'gone' }))).toEqual(NO_FAILURES);
    expect(await run('notify', queued({ about: 'claim_filed', lead_id: 'gone' }))).toEqual(NO_FAILURES);
    const callback = { lead_id: 'gone', callback_id: 'gone', series: 1, attempt_count: 0 };
    expect(await run('callback', queued(callback))).toEqual(NO_FAILURES);
    expect(await run('reconcile', {})).toBeNull();
  });
});

/** A Secrets Manager with one secret that records its callers. */
async function startSecrets(secret: string) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    request.resume();
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ SecretString: secret }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

it('a bundle uses only the credentials of its role from the environment', async () => {
  const secrets = await startSecrets(cloud.environment.KEYS_JSON!);
  const environment = {
    KEYS_ARN: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:keys',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    KEYS_JSON: undefined,
  };
  expect(await call('checkAuth', { environment })).toMatchObject({ statusCode: 500 });
  expect(secrets.asked).toEqual([]);
  const role = {
    AWS_ACCESS_KEY_ID: 'AKIDROLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session-token',
  };
  const answer = await call('checkAuth', { environment: { ...environment, ...role } });
  expect(read(answer)).toMatchObject({ authenticated: true });
  expect(secrets.asked).toMatchObject([{ 'x-amz-security-token': 'session-token' }]);
  expect(secrets.asked[0]!.authorization).toContain('Credential=AKIDROLE/');
  secrets.stop();
});
