import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from '#cdk/constructs/acknowledge';

export interface StreamFilter {
  readonly equal: readonly string[];
  readonly prefixes: readonly string[];
  /** With this prefix, only changes to delivered items. */
  readonly delivered?: string;
}

/** A failing record is retried in ever smaller batches for six hours, then set aside, so that it does not block the others. */
export function consumeStream(
  consumer: IFunction,
  table: ITable,
  options: { readonly filter: StreamFilter; readonly setAside: IQueue; readonly batch: number },
): void {
  const sk = [...options.filter.equal, ...options.filter.prefixes.map((prefix) => ({ prefix }))];
  consumer.addEventSource(
    new DynamoEventSource(table, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: options.batch,
      filters: [
        FilterCriteria.filter({ dynamodb: { Keys: { sk: { S: sk } } } }),
        ...(options.filter.delivered === undefined
          ? []
          : [
              FilterCriteria.filter({
                dynamodb: {
                  Keys: { sk: { S: [{ prefix: options.filter.delivered }] } },
                  NewImage: { status: { S: ['delivered'] } },
                },
              }),
            ]),
      ],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // The first limit ends the retries, so there is no limit of attempts.
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(options.setAside),
    }),
  );
}

export function consumeQueue(
  consumer: IFunction,
  queue: IQueue,
  options: { readonly batch: number; readonly atOnce: number },
): void {
  consumer.addEventSource(
    new SqsEventSource(queue, {
      batchSize: options.batch,
      maxConcurrency: options.atOnce,
      reportBatchItemFailures: true,
    }),
  );
  for (const mapping of consumer.node.children.filter((child) => child instanceof EventSourceMapping))
    acknowledge(
      mapping,
      'Serverless-LambdaEventSourceMappingDestination',
      'The queue moves a message that fails five times to its dead-letter queue, which has an alarm.',
    );
}

/** A failed run is not repeated: the next one is a minute away. */
export function everyMinute(scope: Construct, id: string, target: IFunction): Rule {
  // By default Lambda repeats a failed run twice.
  target.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  acknowledge(
    target.node.findChild('EventInvokeConfig'),
    'Serverless-LambdaAsyncFailureDestination',
    'The next run, a minute later, finds the same work. An alarm reports when runs stop.',
  );
  const rule = new Rule(scope, id, {
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaFunction(target, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  });
  acknowledge(
    rule,
    'Serverless-EventBusDLQ',
    'The next run, a minute later, finds the same work. An alarm reports when runs stop.',
  );
  return rule;
}
