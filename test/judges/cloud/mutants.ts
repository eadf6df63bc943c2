/** Mistakes, one at a time, each of which the judge has to find. */
import type { Findings } from '#test/judges/cloud/findings';
import { journey } from '#test/judges/cloud/journey';
import { find, type Mutant } from '#test/judges/cloud/planted';
import { everyRoute } from '#test/judges/cloud/routes';
import { ready, refusedRights, type Stage, startStage } from '#test/judges/cloud/stage';
import { judgeUpgrade } from '#test/judges/cloud/upgrade';

const GRANTS = 'cdk/constructs/grants.ts';
const FUNCTIONS = 'cdk/product/functions.ts';

/** In templates, rights and code. */
const MUTANTS: readonly Mutant[] = [
  {
    what: 'no right to send messages',
    changes: [[GRANTS, "['sqs:SendMessage', 'sqs:GetQueueAttributes']", "['sqs:GetQueueAttributes']"]],
  },
  {
    what: 'no right to write audit entries within a transaction',
    changes: [
      [
        'functions/platform/functions.ts',
        "keys.counter('source').pk, keys.audited('source', '*')]",
        "keys.counter('source').pk]",
      ],
    ],
  },
  {
    what: 'no right to the application keys',
    changes: [[FUNCTIONS, "if (reads(name, 'KEYS_ARN')) grantSecret(fn, [storage.applicationKeys]);", '']],
  },
  {
    what: 'a stream filter that matches nothing',
    changes: [['cdk/constructs/workers.ts', 'Keys: { sk: { S: sk } }', 'Keys: { pk: { S: sk } }']],
  },
  {
    what: 'the address of another queue',
    changes: [
      [
        FUNCTIONS,
        'DELIVER_QUEUE_URL: queues.deliver.queue.queueUrl',
        'DELIVER_QUEUE_URL: queues.notify.queue.queueUrl',
      ],
    ],
  },
  {
    what: 'a key ID in the environment that CloudFront does not know',
    changes: [
      [FUNCTIONS, 'CLOUDFRONT_KEY_PAIR_ID: signing.keyPairId', "CLOUDFRONT_KEY_PAIR_ID: 'K00000000000'"],
    ],
  },
  {
    what: 'no secret from CloudFront to the API',
    changes: [
      [
        'cdk/constructs/site.ts',
        "'x-origin-verify': props.originSecret",
        "'x-other-header': props.originSecret",
      ],
    ],
  },
  {
    what: 'a queue that no function reads',
    changes: [
      [
        'cdk/constructs/workers.ts',
        'maxConcurrency: options.atOnce,',
        'maxConcurrency: options.atOnce,\n      enabled: false,',
      ],
    ],
  },
  {
    what: 'calls of admins without a session',
    changes: [['functions/http/api.ts', "route.access === 'admin' && session === null", 'false']],
  },
  {
    what: 'a lead of an import that is not queued',
    changes: [
      [
        'functions/domain/distribution/ingest-many.ts',
        'sendAll(context.distributeQueue, outgoing)',
        'sendAll(context.distributeQueue, outgoing.slice(1))',
      ],
    ],
  },
];

const KEYS = 'functions/data/table/keys.ts';

/** Releases that cannot take over from the previous one. */
const INCOMPATIBLE: readonly Mutant[] = [
  {
    what: 'a session cookie by another name',
    changes: [['functions/http/session-cookie.ts', "SESSION_COOKIE = 'session'", "SESSION_COOKIE = 'login'"]],
  },
  {
    what: 'another format of messages',
    changes: [
      ['functions/queues/sqs.ts', 'JSON.stringify(message)', 'JSON.stringify({ message })'],
      ['functions/queues/worker.ts', 'JSON.parse(body)', 'JSON.parse(body).message'],
    ],
  },
  { what: 'links under another key', changes: [[KEYS, 'key(`TOKEN#', 'key(`LINK#']] },
  {
    what: 'a ledger under another key',
    changes: [[KEYS, "key('POOL', 'LEDGER')", "key('POOL', 'CREDITS')"]],
  },
  {
    what: 'files of the previous release removed',
    changes: [['cdk/constructs/site.ts', 'prune: false,', 'prune: true,']],
  },
];

/** A finding for each mutant, met if the judge found the mistake. */
export async function judgeMutants(findings: Findings): Promise<void> {
  for (const mutant of MUTANTS)
    await find(findings, mutant, async (folder, own) => {
      const stage = await startStage(folder);
      await judgeStage(stage, own).finally(() => stage.stop());
    });
}

export async function judgeIncompatible(
  findings: Findings,
  previous: string | undefined,
  leads: number,
): Promise<void> {
  for (const mutant of INCOMPATIBLE)
    await find(findings, mutant, (folder, own) => judgeUpgrade(folder, own, previous, leads));
}

/** What is asked of every running stage. */
export async function judgeStage(stage: Stage, findings: Findings): Promise<void> {
  await findings.see('functions', 'each is ready under its own role', () => ready(stage));
  await findings.see('main path', 'from the first login to a replacement, in a browser', () =>
    journey(stage),
  );
  await findings.see('routes', 'no answer of 500 and above', () => everyRoute(stage));
  await findings.see('rights', 'none is missing', async () => refusedRights(stage));
}
