/** The deployed stage with what surrounds it: a mail server, a plain address, and a client with the first admin's login. */
import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ROOT } from '#cdk/bundling';
import { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { type MailServer, startMailServer } from '#test/harness/mail-server';
import { Account, copySources, type Outputs } from '#test/judges/cloud/deployment';
import { type Edge, startEdge } from '#test/judges/cloud/edge';
import { type EmulatedCloud, REGION, startEmulatedCloud } from '#test/judges/cloud/emulator';
import { expect, settled, shown } from '#test/judges/cloud/findings';

/** In the cloud, functions refuse private addresses; here the mail server has one. */
const PRIVATE_HOSTS = { ALLOW_PRIVATE_HOSTS: '1' };

export interface Login {
  readonly username: string;
  readonly password: string;
}

export interface Stage {
  readonly emulator: EmulatedCloud;
  readonly account: Account;
  readonly sources: string;
  readonly outputs: Outputs;
  readonly edge: Edge;
  readonly mails: MailServer;
  readonly firstAdmin: Login;
  readonly admin: ApiClient;
  /** Ends everything, without destroying the stage. */
  stop(): Promise<void>;
}

/**
 * @param sources by default the working tree
 * @param environment of the functions, in addition to that of the templates
 */
export async function startStage(
  sources: string = copySources('present'),
  environment: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<Stage> {
  const emulator = await startEmulatedCloud({ ...PRIVATE_HOSTS, ...environment });
  const account = new Account(emulator.endpoint);
  const started: { stop(): Promise<unknown> }[] = [emulator];
  const stop = async () => void (await Promise.all(started.map((one) => one.stop())));
  try {
    const [bootstrap, synthesis] = await Promise.all([account.bootstrap(), account.synthesize(sources)]);
    expect(bootstrap.ok, bootstrap.output);
    expect(synthesis.ok, synthesis.output);
    const deployed = await account.deploy(sources);
    expect(deployed.ok, deployed.output);
    const { outputs } = deployed;
    const edge = await startEdge(emulator.endpoint, new URL(outputs.Url).host, port);
    started.push(edge);
    const secret = ['--secret-id', outputs.FirstAdminSecret];
    const login = await account.ask('secretsmanager', 'get-secret-value', 'SecretString', ...secret);
    const firstAdmin = JSON.parse(String(login)) as Login;
    const admin = new ApiClient(edge.url);
    await admin.logIn(firstAdmin);
    const mails = await startMailServer();
    started.push(mails);
    return { emulator, account, sources, outputs, edge, mails, firstAdmin, admin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Settings of an SDK client with all rights. */
export const clientOf = ({ emulator }: Pick<Stage, 'emulator'>) => ({
  endpoint: emulator.endpoint,
  region: REGION,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

export const tableOf = (stage: Pick<Stage, 'emulator' | 'outputs'>): Table =>
  new Table({ name: stage.outputs.TableName, client: new DynamoDBClient(clientOf(stage)) });

/** @throws Error with every call that the functions' roles did not allow */
export function refusedRights({ emulator }: Pick<Stage, 'emulator'>): string {
  const lines = readFileSync(emulator.log, 'utf8').split('\n');
  const refused = lines.filter((line) => line.startsWith('REFUSED '));
  expect(refused.length === 0, refused.join('\n'));
  return 'none refused';
}

/** Whether functions can do their work under their own roles. */
export async function ready(
  { account, outputs }: Pick<Stage, 'account' | 'outputs'>,
  names: readonly string[] = outputs.Functions.split(' '),
): Promise<string> {
  const { ok, output } = await account.run(ROOT, 'scripts/ready.sh', 'dev', ...names);
  expect(ok, output);
  return `${names.length} ready`;
}

/** Until this many e-mails, with this text, have arrived; more are an error. */
export async function mailCount({ mails }: Pick<Stage, 'mails'>, count: number, text = ''): Promise<void> {
  const arrived = () => mails.mails.filter(({ raw }) => raw.includes(text)).length;
  await settled(async () => (arrived() < count ? [`${arrived()} e-mails instead of ${count}`] : []));
  expect(arrived() === count, `${arrived()} e-mails arrived instead of ${count}`);
}

/** Seen at the end, when a second copy has had its time. */
export async function noMailTwice({ mails }: Pick<Stage, 'mails'>): Promise<string> {
  const seen = new Map<string, number>();
  for (const { to, mail } of mails.mails) {
    const { subject, text } = await mail();
    const content = JSON.stringify([to, subject, text]);
    seen.set(content, (seen.get(content) ?? 0) + 1);
  }
  const twice = [...seen].flatMap(([content, times]) => (times > 1 ? [content] : []));
  expect(twice.length === 0, shown(twice));
  return `${seen.size}, all different`;
}
