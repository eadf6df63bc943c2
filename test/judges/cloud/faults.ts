/** The deployed product loses processes, rights, its stream and its table's throughput under load, and loses nothing itself. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '#cdk/bundling';
import type { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { setUp, type World } from '#test/attack/actions';
import { findingsOn, readStored, type Stored, trailFindings, unfinished } from '#test/attack/invariants';
import { Journal } from '#test/attack/journal';
import { type Outside, startOutside } from '#test/attack/outside';
import { actOn, postLeads, watch } from '#test/attack/storm';
import { seeded } from '#test/harness/random';
import { STACK } from '#test/judges/cloud/deployment';
import { expect, type Findings } from '#test/judges/cloud/findings';
import { type Stage, startStage, tableOf } from '#test/judges/cloud/stage';

interface Plan {
  readonly seed: number;
  readonly seconds: number;
}

const LOAD = { leadsPerSecond: 3, maxThoughtMs: 1000 } as const;
const ACTORS = 2;
const CALM_MS = 3_000;
const FAULT_MS = 6_000;
/** Most calls succeed when the SDK repeats them. */
const THROTTLED_SHARE = '0.2';
const HELD_MAILS = 2;
const MAX_HOLD_MS = 4_000;
/** A message of a killed worker is visible again after six timeouts of its function. */
const MAX_END_MS = 900_000;
const END_EVERY_MS = 2_000;
const MAX_SHOWN = 8;

export async function judgeFaults(present: string, findings: Findings, plan: Plan): Promise<void> {
  const outside = await startOutside(seeded(plan.seed + 1));
  try {
    const stage = await startStage(present, outside.environment);
    try {
      await findings.see(
        `faults under load, seed ${plan.seed}`,
        'nothing lost, doubled or over a limit',
        () => faults(stage, outside, plan),
      );
    } finally {
      await stage.stop();
    }
  } finally {
    await outside.stop();
  }
}

async function faults(stage: Stage, outside: Outside, { seed, seconds }: Plan): Promise<string> {
  const { admin, emulator } = stage;
  const journal = new Journal();
  const table = tableOf(stage);
  const templates = await setUp(admin, outside);
  const until = Date.now() + seconds * 1000;
  let round = 0;
  const goesOn = () => Date.now() < until || round === 0;
  const random = seeded(seed);
  const world: World = { admin, visitor: new ApiClient(stage.edge.url), journal, random, goesOn };
  const effects = new Map<string, number>();
  const strike = async () => {
    while (goesOn()) {
      for (const [name, fault] of Object.entries(FAULTS)) {
        await wait(CALM_MS);
        const effect = await fault(stage, outside, journal);
        effects.set(name, (effects.get(name) ?? 0) + effect);
      }
      round += 1;
    }
  };
  await Promise.all([
    strike().finally(() => {
      round += 1;
    }),
    postLeads(LOAD, world, templates.source),
    watch(world),
    ...Array.from({ length: ACTORS }, () => actOn(LOAD, world, templates, outside)),
  ]);
  const began = Date.now();
  const stored = await ended(table, journal);
  const endSeconds = Math.round((Date.now() - began) / 1000);
  const { broken, twice } = await findingsOn(table, stored, journal, outside, templates);
  // The deployed checkpoints are in a bucket; the chain is verified without them.
  broken.push(...(await trailFindings(table, emulator.folder)));
  for (const name of Object.keys(FAULTS))
    if ((effects.get(name) ?? 0) === 0) broken.push(`${name} had no effect`);
  expect(broken.length === 0, `${broken.length} broken: ${broken.slice(0, MAX_SHOWN).join('; ')}`);
  const seen = [...effects].map(([name, count]) => `${name}: ${count}`).join(', ');
  return `${stored.leads.length} leads, ${stored.deliveries.length} deliveries, ${stored.claims.length} claims; ${seen}; ${twice} arrived again; all ended after ${endSeconds} s`;
}

/** Until every lead and delivery has ended and every source has its answer. */
async function ended(table: Table, journal: Journal): Promise<Stored> {
  const latest = Date.now() + MAX_END_MS;
  for (;;) {
    for (const { state, again } of journal.posted) if (state === 'open') await again?.();
    const stored = await readStored(table);
    const waits = journal.posted.some(({ state, again }) => state === 'open' && again !== undefined);
    if ((!waits && unfinished(stored).length === 0) || Date.now() > latest) return stored;
    await wait(END_EVERY_MS);
  }
}

/** Each returns how often it had an effect. */
const FAULTS: Readonly<
  Record<string, (stage: Stage, outside: Outside, journal: Journal) => Promise<number>>
> = {
  async 'functions killed'({ emulator }, _outside, journal) {
    return killFunctions(emulator.port, /./, journal);
  },
  async 'senders killed while they send'({ emulator }, outside, journal) {
    const held = await outside.holdMails(HELD_MAILS, MAX_HOLD_MS);
    const killed = killFunctions(emulator.port, /-deliver$/, journal);
    outside.releaseMails();
    return held > 0 ? killed : 0;
  },
  async 'calls of queues refused'(stage) {
    const roles = await rolesOf(stage, ['deliver', 'outbox', 'leads']);
    const policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Deny', Action: 'sqs:SendMessage', Resource: '*' }],
    });
    // These commands answer nothing.
    const iam = async (command: string, role: string, ...options: string[]) => {
      const name = ['--policy-name', 'fault', '--role-name', role];
      const { ok, output } = await stage.account.run(ROOT, 'aws', 'iam', command, ...name, ...options);
      expect(ok, output);
    };
    const before = lines(stage, 'REFUSED ');
    try {
      for (const role of roles) await iam('put-role-policy', role, '--policy-document', policy);
      await wait(FAULT_MS);
    } finally {
      for (const role of roles) await iam('delete-role-policy', role);
    }
    return lines(stage, 'REFUSED ') - before;
  },
  async 'calls of the table throttled'(stage) {
    const file = join(stage.emulator.folder, 'throttle');
    const before = lines(stage, 'THROTTLED ');
    writeFileSync(file, THROTTLED_SHARE);
    await wait(FAULT_MS);
    rmSync(file);
    return lines(stage, 'THROTTLED ') - before;
  },
  async 'e-mails that the stream held back'({ account }, { mails }) {
    const mappings = (await account.ask(
      'lambda',
      'list-event-source-mappings',
      "EventSourceMappings[?contains(EventSourceArn, ':dynamodb:')].UUID",
    )) as string[];
    const set = (option: string) =>
      Promise.all(
        mappings.map((uuid) =>
          account.ask('lambda', 'update-event-source-mapping', 'State', '--uuid', uuid, option),
        ),
      );
    await set('--no-enabled');
    await wait(FAULT_MS);
    const before = mails.size;
    await set('--enabled');
    await wait(CALM_MS);
    return mails.size - before;
  },
};

const lines = ({ emulator }: Stage, beginning: string): number =>
  readFileSync(emulator.log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(beginning)).length;

/**
 * Workers of this emulator, recognised by its port in their environment. Only a kill excuses a failed call or an arrival that is repeated.
 * @returns how many it killed
 */
function killFunctions(port: number, name: RegExp, journal: Journal): number {
  const kill = journal.strike('deployed');
  let killed = 0;
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const of = environment.find((entry) => entry.startsWith('AWS_LAMBDA_FUNCTION_NAME='));
      if (of === undefined || !name.test(of) || !environment.includes(`GATEWAY_PORT=${port}`)) continue;
      process.kill(Number(pid), 'SIGKILL');
      killed += 1;
    } catch {
      // It has ended in the meantime, or belongs to somebody else.
    }
  }
  kill.over();
  return killed;
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
