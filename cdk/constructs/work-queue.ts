import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { FIVE_MINUTES, ImpactAlarm, quiet, type Runbook } from '#cdk/constructs/impact-alarm';

export interface WorkQueueProps {
  readonly name: string;
  readonly workerTimeout: Duration;
  readonly topic: ITopic | undefined;
  readonly dead: { readonly impact: string; readonly runbook: Runbook };
  readonly late: { readonly after: Duration; readonly impact: string; readonly runbook: Runbook };
}

/** With a dead-letter queue and alarms. Messages contain no personal data. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      queueName: `${props.name}-dead`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.deadLetters, 'Serverless-SQSRedrivePolicy', 'It is a dead-letter queue itself.');
    this.queue = new Queue(this, 'Queue', {
      queueName: props.name,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      // Six times: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(props.workerTimeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
    const { topic } = props;
    if (topic === undefined) return;
    new ImpactAlarm(this, 'DeadLettersAlarm', {
      name: `${props.name}-dead-letters`,
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({
        period: FIVE_MINUTES,
        statistic: 'Maximum',
      }),
      silence: quiet('the queue has been empty for hours.'),
      topic,
      ...props.dead,
    });
    new ImpactAlarm(this, 'LateAlarm', {
      name: `${props.name}-late`,
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: FIVE_MINUTES, statistic: 'Maximum' }),
      atLeast: props.late.after.toSeconds(),
      silence: quiet('the queue has been empty for hours.'),
      topic,
      impact: props.late.impact,
      runbook: props.late.runbook,
    });
  }
}
