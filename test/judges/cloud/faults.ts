/** The deployed product loses processes, rights, secrets, its stream and its table's throughput under load, and loses nothing itself. */
import { setTimeout as wait } from 'node:timers/promises';
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ROOT } from '#cdk/bundling';
import type { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { setUp, type World } from '#test/attack/actions';
import { findingsOn, readStored, unfinished } from '#test/attack/invariants';
import { Journal } from '#test/attack/journal';
import { startOutside } from '#test/attack/outside';
import { actOn, postLeads, watch } from '#test/attack/storm';
import { seeded } from '#test/harness/random';
import { STACK } from '#test/judges/cloud/deployment';
import { FAULTS, type Fault, holdStream, moveClock, type Scene } from '#test/judges/cloud/fault-kinds';
import { expect, type Findings } from '#test/judges/cloud/findings';
import { find, type Mutant, plant } from '#test/judges/cloud/planted';
import { type Rotation, rotations, synthesized } from '#test/judges/cloud/rotation';
import { clientOf, type Stage, startStage, tableOf } from '#test/judges/cloud/stage';

interface Plan {
  readonly seed: number;
  /** How long leads flow at least. */
  readonly seconds: number;
}

const LOAD = { leadsPerSecond: 3, maxThoughtMs: 1000 } as const;
const ACTORS = 2;
const CALM_MS = 3_000;
const BEHIND_MS = 130_000;
const CATCHES_UP_MS = 30_000;

/** While everything flows, then while the stream is held, then while it catches up. */
const COURSE: readonly (readonly Fault[])[] = [
  [
    'functions killed',
    'senders killed while they send',
    'sending refused',
    'receiving refused',
    'deleting refused',
    'writing refused',
    'calls of the table throttled',
    'secrets rotated',
  ],
  ['functions killed', 'calls of the table throttled'],
  ['senders killed while they send', 'sending refused', 'writing refused', 'calls of the table throttled'],
];

interface FaultMutant extends Mutant {
  /** Under which it shows. */
  readonly faults: readonly Fault[];
}

const MUTANTS: readonly FaultMutant[] = [
  {
    what: 'a new encryption key that replaces the old ones',
    changes: [
      [
        'cdk/provisioning/make-keys.ts',
        'encryption: [{ id, key: newKey() }, ...former]',
        'encryption: [{ id, key: newKey() }]',
      ],
    ],
    faults: ['secrets rotated'],
  },
  {
    what: 'a message that comes again and sends again',
    changes: [
      [
        'functions/domain/deliveries/outgoing.ts',
        `  if (sent.status === 'delivered' || sent.status === 'failed') return;
  const isBeingSent = sent.sending_until !== undefined;
  if (!isBeingSent && sent.attempt_count !== message.attempt_count) return;
`,
        '',
      ],
    ],
    faults: ['deleting refused'],
  },
  {
    what: 'statistics that count a changed lead again',
    changes: [['functions/domain/statistics/statistics.ts', '      addTo(all, previous.value, -1);\n', '']],
    faults: ['writing refused'],
  },
];

export async function judgeFaults(present: string, findings: Findings, plan: Plan): Promise<void> {
  await findings.see(`faults under load, seed ${plan.seed}`, 'nothing lost, doubled or over a limit', () =>
    onStage(present, rotations, plan.seed, (scene) => faults(scene, plan, COURSE)),
  );
}

/** A finding for each mutant, met if the faults showed the mistake. */
export async function judgeFaultMutants(findings: Findings, { seed }: Plan): Promise<void> {
  for (const mutant of MUTANTS)
    await find(findings, mutant, (folder, own) =>
      own.see('faults', 'nothing lost, doubled or over a limit', () =>
        onStage(
          folder,
          () => (mutant.faults.includes('secrets rotated') ? rotations((copy) => plant(copy, mutant)) : []),
          seed,
          (scene) => faults(scene, { seed, seconds: 0 }, [mutant.faults]),
        ),
      ),
    );
}

/** @param rotated makes the sources that are deployed later */
async function onStage(
  sources: string,
  rotated: () => readonly Rotation[],
  seed: number,
  judge: (scene: Omit<Scene, 'journal'>) => Promise<string>,
): Promise<string> {
  const outside = await startOutside(seeded(seed + 1));
  try {
    const stage = await startStage(sources, outside.environment);
    try {
      const prepared = await synthesized(stage.account, rotated());
      return await judge({ stage, outside, rotations: prepared });
    } finally {
      await stage.stop();
    }
  } finally {
    await outside.stop();
  }
}

async function faults(
  on: Omit<Scene, 'journal'>,
  { seed, seconds }: Plan,
  course: readonly (readonly Fault[])[],
): Promise<string> {
  const { stage, outside } = on;
  const journal = new Journal();
  const table = tableOf(stage);
  const templates = await setUp(stage.admin, outside);
  const until = Date.now() + seconds * 1000;
  let ended = false;
  const goesOn = () => !ended || Date.now() < until;
  const world: World = {
    admin: stage.admin,
    visitor: new ApiClient(stage.edge.url),
    journal,
    random: seeded(seed),
    goesOn,
  };
  const seen = new Map<string, number>();
  const count = (what: string, effect: number) => seen.set(what, (seen.get(what) ?? 0) + effect);
  const [flowing = [], held = [], catchingUp = []] = course;
  const strike = async (names: readonly Fault[]) => {
    for (const name of names) {
      await wait(CALM_MS);
      count(name, await FAULTS[name]({ ...on, journal }));
    }
  };
  const strikeAll = async () => {
    await strike(flowing);
    if (course.length === 1) return;
    const giveBack = await holdStream(stage);
    const since = Date.now();
    await strike(held);
    await wait(BEHIND_MS - (Date.now() - since));
    const before = outside.mails.size;
    await giveBack();
    count('seconds of the stream behind', Math.round((Date.now() - since) / 1000));
    await strike(catchingUp);
    await wait(CATCHES_UP_MS);
    count('e-mails after that', outside.mails.size - before);
  };
  await Promise.all([
    strikeAll().finally(() => {
      ended = true;
    }),
    postLeads(LOAD, world, templates.source),
    watch(world),
    ...Array.from({ length: ACTORS }, () => actOn(LOAD, world, templates, outside)),
  ]);
  const began = Date.now();
  const again = await letEnd(stage, table, journal);
  const endSeconds = Math.round((Date.now() - began) / 1000);
  const stored = await readStored(table);
  const { broken, twice } = await findingsOn(table, stored, journal, outside, templates);
  broken.push(...(await messagesLeft(stage)));
  for (const [name, effect] of seen) if (effect === 0) broken.push(`${name} had no effect`);
  expect(broken.length === 0, `${broken.length} broken: ${broken.slice(0, MAX_SHOWN).join('; ')}`);
  const trail = await trailAgrees(stage);
  const figures = [...seen].map(([name, effect]) => `${name}: ${effect}`).join(', ');
  return `${stored.leads.length} leads, ${stored.deliveries.length} deliveries, ${stored.claims.length} claims; ${figures}; ${again} messages came again, ${twice} arrivals; all ended after ${endSeconds} s; ${trail}`;
}

const MAX_SHOWN = 8;

/**
 * Longer than a delivery without an attempt waits for its message, then longer than any queue hides a message that was not deleted, each
 * from the beginning.
 */
const CLOCK_MINUTES = [11, 90] as const;
const MAX_END_MS = 300_000;
const END_EVERY_MS = 2_000;
/** Without a change for this long, only the clock helps. */
const STANDSTILL_MS = 15_000;

/** Lets time pass until every lead and delivery has ended and no queue has a message. @returns how many messages came again */
async function letEnd(stage: Stage, table: Table, journal: Journal): Promise<number> {
  await standsStill(stage, table, journal);
  let again = 0;
  for (const minutes of CLOCK_MINUTES) {
    again = (await queues(stage)).reduce((sum, { hidden }) => sum + hidden, 0);
    moveClock(stage, minutes);
    await standsStill(stage, table, journal);
  }
  return again;
}

async function standsStill(stage: Stage, table: Table, journal: Journal): Promise<void> {
  const latest = Date.now() + MAX_END_MS;
  let [last, since] = ['', Date.now()];
  while (Date.now() - since < STANDSTILL_MS && Date.now() < latest) {
    await wait(END_EVERY_MS);
    for (const { state, again } of journal.posted) if (state === 'open') await again?.();
    const open = journal.posted.filter(({ state, again }) => state === 'open' && again !== undefined);
    const stored = await readStored(table);
    const state = JSON.stringify([unfinished(stored), stored.leads.length, open.length, await queues(stage)]);
    if (state !== last) [last, since] = [state, Date.now()];
  }
}

/** Every message has been deleted, and none was set aside. The product itself puts failed deliveries among the dead letters. */
async function messagesLeft(stage: Stage): Promise<string[]> {
  return (await queues(stage)).flatMap(({ name, visible, hidden }) =>
    visible + hidden === 0 || name.endsWith('-deliver-dead')
      ? []
      : [`queue ${name} still has ${visible + hidden} messages`],
  );
}

interface QueueState {
  readonly name: string;
  readonly visible: number;
  /** Under way, or not deleted and not yet to be read again. */
  readonly hidden: number;
}

async function queues(stage: Stage): Promise<QueueState[]> {
  const client = new SQSClient({ ...clientOf(stage), useQueueUrlAsEndpoint: false });
  try {
    const { QueueUrls = [] } = await client.send(new ListQueuesCommand({}));
    return await Promise.all(
      QueueUrls.map(async (QueueUrl) => {
        const asked = { QueueUrl, AttributeNames: ['All' as const] };
        const { Attributes = {} } = await client.send(new GetQueueAttributesCommand(asked));
        return {
          name: QueueUrl.split('/').at(-1) ?? '',
          visible: Number(Attributes.ApproximateNumberOfMessages),
          hidden: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
        };
      }),
    );
  } finally {
    client.destroy();
  }
}

const DAY_MINUTES = 26 * 60;
/** The reconciliation keeps a checkpoint in one of the next runs. */
const MAX_CHECKPOINT_MS = 180_000;

/** The audit trail agrees with the checkpoints in its bucket, also with that of the next day. */
async function trailAgrees(stage: Stage): Promise<string> {
  moveClock(stage, DAY_MINUTES);
  const latest = Date.now() + MAX_CHECKPOINT_MS;
  const of = ['--function-name', `${STACK}-reconcile`];
  const variable = 'Environment.Variables.AUDIT_CHECKPOINTS_BUCKET';
  const bucket = String(await stage.account.ask('lambda', 'get-function-configuration', variable, ...of));
  const verify = [
    `TABLE_NAME=${stage.outputs.TableName}`,
    process.execPath,
    '--import',
    'tsx',
    'scripts/verify.ts',
    'audit',
    '--checkpoints',
  ];
  for (;;) {
    const { ok, output } = await stage.account.run(ROOT, 'env', ...verify, `s3://${bucket}`);
    const [, kept = '0', all = ''] = /(\d+) of (\d+) checkpoints stored outside agree/.exec(output) ?? [];
    if (ok && Number(kept) > 1 && kept === all) return `${kept} checkpoints agree`;
    expect(Date.now() < latest, `audit trail: ${output}`);
    await wait(END_EVERY_MS);
  }
}
