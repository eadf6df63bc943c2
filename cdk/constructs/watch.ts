import { Duration } from 'aws-cdk-lib';
import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ImpactAlarm, type ImpactAlarmProps, quiet } from '#cdk/constructs/impact-alarm';
import { productMetric } from '#cdk/constructs/product-metric';
import { saveQueries } from '#cdk/constructs/saved-queries';
import { entriesOf } from '#cdk/records';
import { LEFT_IN_FLIGHT } from '#functions/domain/distribution/ingest-many';
import type { FunctionName, Worker } from '#functions/platform/functions';
import type { MetricName } from '#functions/platform/metrics';

export interface WatchProps {
  readonly name: string;
  readonly namespace: string;
  readonly topic: ITopic;
  readonly functions: Readonly<Record<FunctionName, LambdaFunction>>;
  readonly stage: HttpStage;
  readonly accessLog: ILogGroup;
  readonly table: ITable;
  readonly setAside: IQueue;
}

type AlarmProps = Omit<ImpactAlarmProps, 'topic' | 'runbook'> & {
  /** By default the alarm's name. */
  readonly runbook?: string;
};

/** Alarms over periods of five minutes, the CDK's default. */
export class Watch extends Construct {
  constructor(scope: Construct, id: string, props: WatchProps) {
    super(scope, id);
    const alarm = (part: string, { name, runbook = name, ...rest }: AlarmProps) =>
      new ImpactAlarm(this, part, {
        ...rest,
        name: `${props.name}-${name}`,
        runbook: `docs/operations/runbooks/${runbook}.md`,
        topic: props.topic,
      });
    const metric = (name: MetricName, statistic: string) => productMetric(props.namespace, name, statistic);
    const counted = (part: string, logGroup: ILogGroup, filterPattern: IFilterPattern, metricName = part) =>
      new MetricFilter(this, part, {
        logGroup,
        filterPattern,
        metricNamespace: props.namespace,
        metricName,
        metricValue: '1',
        defaultValue: 0,
      }).metric({ statistic: Stats.SUM });
    const { functions } = props;

    saveQueries(this, props.name, {
      api: props.accessLog,
      functions: Object.values(functions).map(({ logGroup }) => logGroup),
    });
    alarm('ApiFailures', {
      name: 'api-failures',
      metric: new MathExpression({
        expression: '100 * failures / FILL(calls, 1)',
        usingMetrics: {
          failures: props.stage.metricServerError(),
          calls: props.stage.metricCount(),
        },
        label: 'failed calls, percent',
      }),
      atLeast: 1,
      silence: quiet('there were no calls.'),
      impact: 'At least one call in a hundred fails: admins see errors, and leads may not be accepted.',
    });
    // A total outage is not always 5xx: without the origin secret the API answers 403.
    for (const { part, status, share, impact } of REFUSALS) {
      const refused = counted(
        part,
        props.accessLog,
        FilterPattern.stringValue('$.status', '=', status),
        `Answered-${status}`,
      );
      alarm(`${part}Calls`, {
        name: `calls-${status}`,
        metric: new MathExpression({
          // A few invalid calls at night are not an outage.
          expression: `IF(FILL(refused, 0) >= ${LEAST_REFUSED}, 100 * refused / FILL(calls, 1), 0)`,
          usingMetrics: {
            refused,
            calls: props.stage.metricCount(),
          },
          label: `calls answered ${status}, percent`,
        }),
        atLeast: share,
        periods: 2,
        silence: quiet('there were no calls.'),
        impact,
        runbook: 'calls-refused',
      });
    }
    alarm('IntakeSlow', {
      name: 'intake-slow',
      metric: metric('IntakeMilliseconds', Stats.p(95)),
      atLeast: 2000,
      periods: 3,
      silence: quiet('no lead arrived.'),
      impact: 'One lead in twenty takes more than two seconds to be accepted. Senders of leads may give up.',
    });
    alarm('Throttled', {
      name: 'functions-throttled',
      metric: new MathExpression({
        expression: 'SUM(METRICS())',
        usingMetrics: Object.fromEntries(
          (
            [
              'leads',
              'auth',
              'leads-view',
              'deliver',
              'outbox',
              'redistribute',
              'distribute',
              'reconcile',
            ] as const
          ).map((name) => [`throttles_${name.replace('-', '_')}`, functions[name].metricThrottles()]),
        ),
        label: 'throttled starts',
      }),
      atLeast: 5,
      silence: quiet('no function ran.'),
      impact: "The account's limit of concurrent functions is reached: calls fail and deliveries wait.",
    });
    alarm('TableThrottled', {
      name: 'table-throttled',
      metric: new MathExpression({
        expression: 'SUM(METRICS())',
        usingMetrics: Object.fromEntries(
          (['PutItem', 'UpdateItem', 'Query', 'TransactWriteItems'] as const).map((operation) => [
            `throttles${operation}`,
            new Metric({
              namespace: 'AWS/DynamoDB',
              metricName: 'ThrottledRequests',
              dimensionsMap: { TableName: props.table.tableName, Operation: operation },
              statistic: 'Sum',
            }),
          ]),
        ),
        label: 'throttled requests',
      }),
      atLeast: 10,
      silence: quiet('the table refused no request.'),
      impact: 'The table refuses requests: leads are accepted slowly, and shares become less exact.',
    });
    alarm('OutboxLate', {
      name: 'outbox-late',
      metric: functions.outbox.metric('IteratorAge', { statistic: 'Maximum' }),
      atLeast: Duration.minutes(2).toMilliseconds(),
      silence: quiet('nothing changed in the table; a disabled outbox raises deliveries-overdue.'),
      impact: 'Leads are assigned but their deliveries and notifications are not started.',
    });
    alarm('StatisticsLate', {
      name: 'statistics-late',
      metric: functions.statistics.metric('IteratorAge', { statistic: 'Maximum' }),
      atLeast: Duration.minutes(15).toMilliseconds(),
      silence: quiet('nothing changed in the table.'),
      impact:
        'The statistics lag behind by more than a quarter of an hour; distribution and delivery continue.',
    });
    alarm('SetAside', {
      name: 'stream-records-set-aside',
      metric: props.setAside.metricApproximateNumberOfMessagesVisible({
        statistic: 'Maximum',
      }),
      silence: quiet('the queue has been empty for hours.'),
      impact:
        'A change of the table could not be processed: a delivery may never start, or a statistic may miss a lead.',
    });
    alarm('ReconciliationStopped', {
      name: 'reconciliation-stopped',
      metric: new MathExpression({
        expression: 'FILL(runs, 0) - FILL(failures, 0)',
        usingMetrics: {
          runs: functions.reconcile.metricInvocations(),
          failures: functions.reconcile.metricErrors(),
        },
        label: 'successful runs',
      }),
      below: 1,
      periods: 2,
      silence: {
        alarms: true,
        because: 'it starts every minute, so without a value it does not run at all.',
      },
      impact:
        'Leads that a crash left incomplete stay in flight: neither assigned nor pending, so nobody sees them.',
    });
    alarm('DeliveriesOverdue', {
      name: 'deliveries-overdue',
      metric: metric('OldestDeliverySeconds', Stats.MAXIMUM),
      atLeast: Duration.hours(2).toSeconds(),
      silence: quiet('the reconciliation does not run, which has its own alarm.'),
      impact:
        'A buyer has not received a lead for more than two hours; its partner or mail server may be down.',
    });
    alarm('AuditCheckpointOld', {
      name: 'audit-checkpoint-old',
      metric: metric('AuditCheckpointSeconds', Stats.MAXIMUM),
      atLeast: Duration.hours(36).toSeconds(),
      silence: quiet('the reconciliation does not run, which has its own alarm.'),
      impact:
        'No audit checkpoint has been stored outside the table for 36 hours. Anyone who can write to the table could rewrite newer entries.',
    });
    alarm('DeliveriesFailed', {
      name: 'deliveries-failed',
      metric: metric('DeliveriesFailed', Stats.SUM),
      silence: quiet('no delivery failed.'),
      impact: 'A lead does not reach its buyer unless an admin sends it again.',
    });
    alarm('ShareDrift', {
      name: 'share-drift',
      metric: metric('ShareDistance', Stats.p(50)),
      atLeast: 20,
      periods: 6,
      silence: quiet('no lead was distributed.'),
      impact: 'A buyer has been twenty leads behind its share for half an hour; buyers pay for exact shares.',
    });
    // The API's own metrics per route would cost six paid metrics for each route.
    const refusedLogins = counted(
      'RefusedLogins',
      functions.auth.logGroup,
      FilterPattern.any(
        FilterPattern.stringValue('$.code', '=', 'invalid_credentials'),
        FilterPattern.stringValue('$.code', '=', 'too_many_attempts'),
      ),
    );
    alarm('Guessing', {
      name: 'many-refused-logins',
      metric: refusedLogins,
      atLeast: 50,
      silence: quiet('nobody logged in.'),
      impact:
        'Somebody may be guessing passwords. Admins with these names are locked out of new browsers for 15 minutes.',
    });
    // Counted by the alarm of `distribute`: the worker never hears of a batch that the intake could not queue.
    counted(
      'Unqueued',
      functions.intake.logGroup,
      FilterPattern.stringValue('$.message', '=', LEFT_IN_FLIGHT),
      'Logged-distribute',
    );
    for (const [name, impact] of entriesOf(WORKER_IMPACT)) {
      // Failed messages and records are errors in the log, not in Lambda's metrics.
      const logged = counted(
        `Logged-${name}`,
        functions[name].logGroup,
        FilterPattern.stringValue('$.level', '=', 'error'),
      );
      alarm(`Errors-${name}`, {
        name: `${name}-errors`,
        metric: new MathExpression({
          expression: 'SUM(METRICS())',
          usingMetrics: {
            errors: functions[name].metricErrors(),
            logged,
          },
          label: 'failures',
        }),
        atLeast: 3,
        periods: 2,
        silence: quiet('the worker had nothing to do.'),
        impact,
        runbook: 'worker-errors',
      });
    }
  }
}

/** In five minutes. */
const LEAST_REFUSED = 20;

/** `share`: percent of all calls. */
const REFUSALS = [
  {
    part: 'Forbidden',
    status: '403',
    share: 20,
    impact:
      "Every fifth call gets status 403: the API does not accept CloudFront's secret, so nobody can work, or somebody calls it directly.",
  },
  {
    part: 'TooMany',
    status: '429',
    share: 5,
    impact: 'One call in twenty gets status 429: leads arrive late, and admins see errors.',
  },
] as const;

const WORKER_IMPACT = {
  outbox: 'The outbox fails repeatedly: deliveries and notifications start late.',
  statistics: 'The statistics worker fails repeatedly: figures lag behind.',
  redistribute:
    'The redistribution fails repeatedly: only the check every ten minutes distributes pending leads.',
  distribute:
    'The distribution of batches fails repeatedly: leads that arrived together wait for the reconciliation.',
  reconcile: 'The reconciliation fails repeatedly: leads that a crash left incomplete stay in flight.',
  notify: 'Push notifications are not sent.',
  callback: 'The callback worker fails outside of a call: sources receive callbacks late.',
  bounces: 'The bounce worker fails repeatedly: bounces are recorded late, and dead addresses are not shown.',
  deliver: 'The deliver worker fails outside of a delivery: buyers receive leads late.',
} as const satisfies Readonly<Record<Worker, string>>;
