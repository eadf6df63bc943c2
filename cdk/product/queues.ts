import { Duration, type Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { WorkQueue } from '#cdk/constructs/work-queue';
import { FUNCTION_SPECS, QUEUES, type QueueName } from '#functions/platform/functions';
import { record } from '#shared/rules/lead-fields';

/** `dead`: given up; `late`: waiting for too long. */
const IMPACTS: Readonly<Record<QueueName, { readonly dead: string; readonly late: string }>> = {
  deliver: {
    dead: 'A lead has not reached its buyer: its delivery failed permanently, or the worker fails on its message.',
    late: 'Leads are sent half an hour late. By then, persons may have bought elsewhere.',
  },
  notify: {
    dead: 'A notification about a lead or claim was not sent yet. Nothing else is affected.',
    late: 'E-mails about claims and push notifications are sent half an hour late.',
  },
  callback: {
    dead: 'A source has not received some callbacks yet. Buyers are not affected.',
    late: 'Sources receive callbacks half an hour late.',
  },
  redistribute: {
    dead: 'Pending leads wait although a buyer has capacity. Only the check every ten minutes distributes them.',
    late: 'A new order is not filled from the backlog.',
  },
  distribute: {
    dead: 'Leads that arrived together are not distributed, except by the reconciliation, a few batches a minute.',
    late: 'Leads that arrived together are assigned half an hour late.',
  },
  bounces: {
    dead: 'Bounced e-mails were not recorded: a lead may not have reached its buyer.',
    late: 'Bounced e-mails are recorded half an hour late.',
  },
};

export function createQueues(
  stack: Stack,
  { prefix, topic }: { readonly prefix: string; readonly topic: ITopic | undefined },
): Readonly<Record<QueueName, WorkQueue>> {
  return record(
    QUEUES,
    (name) =>
      new WorkQueue(stack, `Queue-${name}`, {
        name: `${prefix}-${name}`,
        workerTimeout: Duration.seconds(FUNCTION_SPECS[name].timeout),
        topic,
        dead: { impact: IMPACTS[name].dead, runbook: `docs/operations/runbooks/${name}-dead-letters.md` },
        late: {
          after: Duration.minutes(30),
          impact: IMPACTS[name].late,
          runbook: 'docs/operations/runbooks/queue-late.md',
        },
      }),
  );
}

export function createSetAside(stack: Stack, prefix: string): Queue {
  const setAside = new Queue(stack, 'SetAside', {
    queueName: `${prefix}-stream-set-aside`,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  acknowledge(setAside, 'Serverless-SQSRedrivePolicy', 'It is a dead-letter queue itself.');
  acknowledge(
    setAside,
    'AwsSolutions-SQS3',
    "This queue is the dead-letter queue of the stream's consumers.",
  );
  return setAside;
}
