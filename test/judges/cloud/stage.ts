/** The deployed stage with what surrounds it: a mail server, a plain address, and a client with the first admin's login. */
import { readFileSync } from 'node:fs';
import { ROOT } from '#cdk/bundling';
import { ApiClient } from '#local/api-client';
import { type MailServer, startMailServer } from '#test/harness/mail-server';
import { Account, copySources, type Outputs } from '#test/judges/cloud/deployment';
import { type Edge, startEdge } from '#test/judges/cloud/edge';
import { type Emulator, startEmulator } from '#test/judges/cloud/emulator';
import { expect } from '#test/judges/cloud/findings';

/** In the cloud, functions refuse private addresses; here the mail server has one. */
const PRIVATE_HOSTS = { ALLOW_PRIVATE_HOSTS: '1' };

export interface Login {
  readonly username: string;
  readonly password: string;
}

export interface Stage {
  readonly emulator: Emulator;
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
  const emulator = await startEmulator({ ...PRIVATE_HOSTS, ...environment });
  const account = new Account(emulator.endpoint);
  try {
    const bootstrap = await account.bootstrap();
    expect(bootstrap.ok, bootstrap.output);
    const deployed = await account.deploy(sources);
    expect(deployed.ok, deployed.output);
    const { outputs } = deployed;
    const edge = await startEdge(emulator.endpoint, new URL(outputs.Url).host, port);
    const secret = await account.aws(
      'secretsmanager',
      'get-secret-value',
      '--secret-id',
      outputs.FirstAdminSecret,
      '--query',
      'SecretString',
      '--output',
      'text',
    );
    const firstAdmin = JSON.parse(secret) as Login;
    const admin = new ApiClient(edge.url);
    await admin.logIn(firstAdmin);
    const mails = await startMailServer();
    return {
      emulator, account, sources, outputs, edge, mails, firstAdmin, admin,
      async stop() {
        await Promise.all([edge.stop(), mails.stop(), emulator.stop()]);
      },
    }; // biome-ignore format: short names
  } catch (error) {
    await emulator.stop();
    throw error;
  }
}

/** Refused rights since the start, without those of sessions that expired. */
export const denials = ({ emulator }: Pick<Stage, 'emulator'>): string[] =>
  readFileSync(emulator.log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('REFUSED '));

/** Whether each function can do its work under its own role. */
export async function ready({ account, outputs }: Pick<Stage, 'account' | 'outputs'>): Promise<string> {
  const { ok, output, seconds } = await account.run(
    ROOT,
    'scripts/ready.sh',
    'dev',
    ...outputs.Functions.split(' '),
  );
  expect(ok, output);
  return `${outputs.Functions.split(' ').length} of ${outputs.Functions.split(' ').length} ready, ${Math.round(seconds)} s`;
}
