/** Mistakes in the templates, one at a time, each of which the judge has to find. */
import { change, copySources } from '#test/judges/cloud/deployment';
import { Findings } from '#test/judges/cloud/findings';
import { journey } from '#test/judges/cloud/journey';
import { everyRoute } from '#test/judges/cloud/routes';
import { ready, refusedRights, type Stage, startStage } from '#test/judges/cloud/stage';

interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly old: string;
  readonly by: string;
}

const GRANTS = 'cdk/constructs/grants.ts';
const FUNCTIONS = 'cdk/product/functions.ts';

const MUTANTS: readonly Mutant[] = [
  {
    what: 'no right to send messages',
    file: GRANTS,
    old: "['sqs:SendMessage', 'sqs:GetQueueAttributes']",
    by: "['sqs:GetQueueAttributes']",
  },
  {
    what: 'no right to write audit entries within a transaction',
    file: 'functions/platform/functions.ts',
    old: "keys.counter('source').pk, keys.audited('source', '*')]",
    by: "keys.counter('source').pk]",
  },
  {
    what: 'no right to the application keys',
    file: FUNCTIONS,
    old: "if (reads(name, 'KEYS_ARN')) grantSecret(fn, [storage.applicationKeys]);",
    by: '',
  },
  {
    what: 'a stream filter that matches nothing',
    file: 'cdk/constructs/workers.ts',
    old: 'Keys: { sk: { S: sk } }',
    by: 'Keys: { pk: { S: sk } }',
  },
  {
    what: 'the address of another queue',
    file: FUNCTIONS,
    old: 'DELIVER_QUEUE_URL: queues.deliver.queue.queueUrl',
    by: 'DELIVER_QUEUE_URL: queues.notify.queue.queueUrl',
  },
  {
    what: 'a key ID in the environment that CloudFront does not know',
    file: FUNCTIONS,
    old: 'CLOUDFRONT_KEY_PAIR_ID: signing.keyPairId',
    by: "CLOUDFRONT_KEY_PAIR_ID: 'K00000000000'",
  },
  {
    what: 'no secret from CloudFront to the API',
    file: 'cdk/constructs/site.ts',
    old: "'x-origin-verify': props.originSecret",
    by: "'x-other-header': props.originSecret",
  },
  {
    what: 'a queue that no function reads',
    file: 'cdk/constructs/workers.ts',
    old: 'maxConcurrency: options.atOnce,',
    by: 'maxConcurrency: options.atOnce,\n      enabled: false,',
  },
];

/** A finding for each mutant, met if the judge found the mistake. */
export async function judgeMutants(findings: Findings): Promise<void> {
  for (const { what, file, old, by } of MUTANTS) {
    await findings.see(what, 'found', async () => {
      const folder = copySources('mutant');
      change(folder, file, old, by);
      const own = new Findings();
      const stage = await startStage(folder).catch((error: unknown) => String(error).split('\n')[0]);
      if (typeof stage !== 'object') return `by the deployment: ${stage}`;
      await judgeStage(stage, own).finally(() => stage.stop());
      if (own.areMet) throw new Error('It was not found');
      return `by ${own.rows
        .filter(({ isMet }) => !isMet)
        .map((row) => row.what)
        .join(', ')}`;
    });
  }
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
