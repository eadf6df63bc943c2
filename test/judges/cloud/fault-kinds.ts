/** What happens to the deployed product under load. Each fault returns how often it had an effect. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '#cdk/bundling';
import type { Journal } from '#test/attack/journal';
import type { Outside } from '#test/attack/outside';
import { STACK } from '#test/judges/cloud/deployment';
import { expect } from '#test/judges/cloud/findings';
import { type Rotation, rotate } from '#test/judges/cloud/rotation';
import type { Stage } from '#test/judges/cloud/stage';

export interface Scene {
  readonly stage: Stage;
  readonly outside: Outside;
  readonly journal: Journal;
  readonly rotations: readonly Rotation[];
}

const FAULT_MS = 6_000;
/** Most calls succeed when the SDK repeats them. */
const THROTTLED_SHARE = '0.2';
const HELD_MAILS = 2;
const MAX_HOLD_MS = 4_000;

export const FAULTS = {
  'functions killed': async ({ stage, journal }) => killFunctions(stage, /./, journal),
  async 'senders killed while they send'({ stage, outside, journal }) {
    const held = await outside.holdMails(HELD_MAILS, MAX_HOLD_MS);
    const killed = killFunctions(stage, /-deliver$/, journal);
    outside.releaseMails();
    return held > 0 ? killed : 0;
  },
  'sending refused': (scene) => withdraw(scene, ['deliver', 'outbox', 'leads'], ['sqs:SendMessage']),
  'receiving refused': (scene) => withdraw(scene, ['deliver', 'notify'], ['sqs:ReceiveMessage']),
  'deleting refused': (scene) => withdraw(scene, ['deliver', 'notify'], ['sqs:DeleteMessage']),
  'writing refused': (scene) =>
    withdraw(scene, ['outbox', 'statistics'], ['dynamodb:PutItem', 'dynamodb:UpdateItem']),
  async 'calls of the table throttled'({ stage }) {
    const before = lines(stage, 'THROTTLED ');
    setFile(stage, 'throttle', THROTTLED_SHARE);
    await wait(FAULT_MS);
    rmSync(join(stage.emulator.folder, 'throttle'));
    return lines(stage, 'THROTTLED ') - before;
  },
  async 'secrets rotated'({ stage, journal, rotations }) {
    for (const rotation of rotations) await rotate(stage, journal, rotation);
    return rotations.length;
  },
} as const satisfies Readonly<Record<string, (scene: Scene) => Promise<number>>>;

export type Fault = keyof typeof FAULTS;

/** @returns what gives the stream back */
export async function holdStream({ account }: Stage): Promise<() => Promise<void>> {
  const ofStreams = "EventSourceMappings[?contains(EventSourceArn, ':dynamodb:')].UUID";
  const mappings = (await account.ask('lambda', 'list-event-source-mappings', ofStreams)) as string[];
  const set = async (option: string) => {
    const update = ['update-event-source-mapping', 'State', option, '--uuid'] as const;
    await Promise.all(mappings.map((uuid) => account.ask('lambda', ...update, uuid)));
  };
  await set('--no-enabled');
  return () => set('--enabled');
}

/** The clock of the emulator and its functions. */
export function moveClock(stage: Stage, minutes: number): void {
  setFile(stage, 'clock', String(minutes * 60));
}

/** Never seen half written. */
function setFile({ emulator }: Stage, name: string, text: string): void {
  const file = join(emulator.folder, name);
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** For a while. */
async function withdraw(
  { stage }: Scene,
  functions: readonly string[],
  actions: readonly string[],
): Promise<number> {
  const roles = await rolesOf(stage, functions);
  const statement = { Effect: 'Deny', Action: actions, Resource: '*' };
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  // These commands answer nothing.
  const iam = async (command: string, role: string, ...options: string[]) => {
    const name = ['--policy-name', 'fault', '--role-name', role];
    const { ok, output } = await stage.account.run(ROOT, 'aws', 'iam', command, ...name, ...options);
    expect(ok, output);
  };
  const refused = () => actions.reduce((sum, action) => sum + lines(stage, `REFUSED ${action} `), 0);
  const before = refused();
  try {
    await Promise.all(roles.map((role) => iam('put-role-policy', role, '--policy-document', policy)));
    await wait(FAULT_MS);
  } finally {
    await Promise.all(roles.map((role) => iam('delete-role-policy', role)));
  }
  return refused() - before;
}

function rolesOf({ account }: Stage, names: readonly string[]): Promise<string[]> {
  return Promise.all(
    names.map(async (name) => {
      const of = ['--function-name', `${STACK}-${name}`];
      const arn = await account.ask('lambda', 'get-function-configuration', 'Role', ...of);
      return String(arn).split('/').at(-1) ?? '';
    }),
  );
}

const lines = ({ emulator }: Stage, beginning: string): number =>
  readFileSync(emulator.log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(beginning)).length;

/**
 * Workers of this emulator, recognised by its port in their environment. Only a kill excuses a failed call or an arrival that is repeated.
 * @returns how many it killed
 */
function killFunctions({ emulator }: Stage, name: RegExp, journal: Journal): number {
  const kill = journal.strike('deployed');
  let killed = 0;
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const of = environment.find((entry) => entry.startsWith('AWS_LAMBDA_FUNCTION_NAME='));
      if (of === undefined || !name.test(of) || !environment.includes(`GATEWAY_PORT=${emulator.port}`))
        continue;
      process.kill(Number(pid), 'SIGKILL');
      killed += 1;
    } catch {
      // It has ended in the meantime, or belongs to somebody else.
    }
  }
  kill.over();
  return killed;
}
