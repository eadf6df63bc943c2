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
    dead: 'A lead has not reached its buyer: its delivery failed for good, or the worker fails on its message.',
    late: 'Leads wait for half an hour before they are sent; buyers call people who have bought elsewhere.',
  },
  notify: {
    dead: 'Somebody was not told of a lead or a claim yet; nothing else is affected.',
    late: 'Letters about claims and push notifications come half an hour late.',
  },
  callback: {
    dead: 'A source was not told of some of its leads yet; buyers are not affected.',
    late: 'Sources are told of their leads half an hour late.',
  },
  redistribute: {
    dead: 'Pending leads wait although a buyer has room: only the check every ten minutes distributes them.',
    late: 'A new order is not filled from the backlog.',
  },
  distribute: {
    dead: 'Leads that came in together wait to be distributed: only the reconciliation does it, a few batches a minute.',
    late: 'Leads that came in together wait for half an hour before a buyer gets them.',
  },
  bounces: {
    dead: 'Mails came back and nobody sees it: a lead may not have reached its buyer.',
    late: 'That a mail came back is seen half an hour late.',
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
  acknowledge(setAside, 'Serverless-SQSRedrivePolicy', 'It is itself the end of the line.');
  acknowledge(
    setAside,
    'AwsSolutions-SQS3',
    'It is itself where the stream’s consumers put what they gave up on.',
  );
  return setAside;
}
