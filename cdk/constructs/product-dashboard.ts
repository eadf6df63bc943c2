import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  PeriodOverride,
  SingleValueWidget,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { FIVE_MINUTES, MINUTE } from '#cdk/constructs/impact-alarm';
import { productMetric } from '#cdk/constructs/product-metric';
import type { WorkQueue } from '#cdk/constructs/work-queue';
import type { FunctionName, QueueName } from '#functions/platform/functions';
import type { MetricName } from '#functions/platform/metrics';
import { CHANNELS } from '#shared/channels/channels';
import { PENDING_REASONS } from '#shared/rules/constants';

export interface ProductDashboardProps {
  readonly name: string;
  readonly namespace: string;
  readonly functions: Readonly<Record<FunctionName, IFunction>>;
  readonly queues: Readonly<Record<QueueName, WorkQueue>>;
  readonly stage: HttpStage;
  readonly table: ITable;
}

const graph = (title: string, left: IMetric[], label: string) =>
  new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { label, showUnits: false, min: 0 } });

/** `METRICS()` would include the whole graph. */
const sum = (label: string, metrics: readonly (readonly [id: string, metric: IMetric])[]) =>
  new MathExpression({
    expression: `SUM([${metrics.map(([id]) => id).join(', ')}])`,
    usingMetrics: Object.fromEntries(metrics),
    label,
    period: FIVE_MINUTES,
  });

const visible = (label: string, queue: IQueue) =>
  queue.metricApproximateNumberOfMessagesVisible({ label, period: MINUTE, statistic: 'Maximum' });

export class ProductDashboard extends Dashboard {
  constructor(scope: Construct, id: string, props: ProductDashboardProps) {
    super(scope, id, { dashboardName: props.name, periodOverride: PeriodOverride.INHERIT });
    const metric = (name: MetricName, statistic: string, options: Parameters<typeof productMetric>[3] = {}) =>
      productMetric(props.namespace, name, statistic, options);
    const names = Object.entries(props.functions);
    const queues = Object.entries(props.queues);
    const byChannel = (title: string, name: 'DeliveriesFailed' | 'DeliveriesRetried', unit: string) =>
      graph(
        title,
        CHANNELS.map((channel) =>
          metric(name, Stats.SUM, { dimensions: { Channel: channel }, label: channel }),
        ),
        unit,
      );

    this.addWidgets(
      new SingleValueWidget({
        title: 'Now',
        width: 24,
        height: 3,
        metrics: [
          metric('LeadsAssigned', Stats.SUM, { label: 'assigned in 5 min' }),
          metric('LeadsPending', Stats.SUM, { label: 'pending in 5 min' }),
          metric('ShareDistance', Stats.MAXIMUM, { label: 'furthest behind, leads' }),
          metric('OldestDeliverySeconds', Stats.MAXIMUM, { label: 'oldest delivery, s' }),
          metric('DeliveriesFailed', Stats.SUM, { label: 'failed in 5 min' }),
          metric('LeadsReassigned', Stats.SUM, { label: 'reassigned in 5 min' }),
          metric('IntakeMilliseconds', Stats.p(95), { label: 'intake p95, ms' }),
        ],
      }),
    );
    this.addWidgets(
      graph(
        'Leads per minute',
        [
          metric('LeadsAssigned', Stats.SUM, { period: MINUTE, label: 'assigned' }),
          ...PENDING_REASONS.map((reason) =>
            metric('LeadsPending', Stats.SUM, {
              period: MINUTE,
              dimensions: { Reason: reason },
              label: reason,
            }),
          ),
        ],
        'leads',
      ),
      graph(
        'Distance from the wanted shares',
        [
          metric('ShareDistance', Stats.p(50), { label: 'p50' }),
          metric('ShareDistance', Stats.MAXIMUM, { label: 'furthest behind' }),
        ],
        'leads',
      ),
      graph(
        'Intake',
        [
          metric('IntakeMilliseconds', Stats.p(50), { label: 'p50' }),
          metric('IntakeMilliseconds', Stats.p(95), { label: 'p95' }),
          metric('IntakeMilliseconds', Stats.p(99), { label: 'p99' }),
        ],
        'milliseconds',
      ),
    );
    this.addWidgets(
      graph(
        'Oldest delivery under way',
        [metric('OldestDeliverySeconds', Stats.MAXIMUM, { label: 'age' })],
        'seconds',
      ),
      byChannel('Failed for good, by channel', 'DeliveriesFailed', 'deliveries'),
      graph(
        'Mails that came back',
        [
          metric('DeliveriesBounced', Stats.SUM, { label: 'with a lead' }),
          metric('MailEventsUnknown', Stats.SUM, { label: 'events not understood' }),
        ],
        'mails',
      ),
      byChannel('Tried again, by channel', 'DeliveriesRetried', 'tries'),
    );
    const waiting = queues.map(([name, { queue }]) => visible(name, queue));
    const givenUpOn = queues.map(([name, { deadLetters }]) => visible(name, deadLetters));
    this.addWidgets(
      graph('Waiting in the queues', waiting, 'messages'),
      graph('Given up on', givenUpOn, 'messages'),
      graph(
        'API',
        [
          props.stage.metricCount({ label: 'calls', period: FIVE_MINUTES }),
          props.stage.metricClientError({ label: '4xx', period: FIVE_MINUTES }),
          props.stage.metricServerError({ label: '5xx', period: FIVE_MINUTES }),
        ],
        'calls',
      ),
    );
    this.addWidgets(
      new TextWidget({
        width: 24,
        height: 1,
        markdown: '**What it costs.** Prices and the table for a month: docs/operations/costs.md',
      }),
    );
    this.addWidgets(
      graph(
        'Cost: table units',
        ['ConsumedWriteCapacityUnits', 'ConsumedReadCapacityUnits'].map(
          (metricName) =>
            new Metric({
              namespace: 'AWS/DynamoDB',
              metricName,
              dimensionsMap: { TableName: props.table.tableName },
              statistic: 'Sum',
              period: FIVE_MINUTES,
            }),
        ),
        'units',
      ),
      graph(
        'Cost: function time',
        [
          sum(
            'milliseconds',
            names.map(([name, fn]) => [
              `ms_${name.replace('-', '_')}`,
              fn.metricDuration({ statistic: 'Sum', period: FIVE_MINUTES }),
            ]),
          ),
        ],
        'milliseconds',
      ),
      graph(
        'Cost: requests',
        [
          props.stage.metricCount({ label: 'API calls', period: FIVE_MINUTES }),
          sum(
            'function starts',
            names.map(([name, fn]) => [
              `starts_${name.replace('-', '_')}`,
              fn.metricInvocations({ period: FIVE_MINUTES }),
            ]),
          ),
          sum(
            'queue messages',
            queues.map(([name, { queue }]) => [
              `sent_${name}`,
              queue.metricNumberOfMessagesSent({ period: FIVE_MINUTES }),
            ]),
          ),
        ],
        'requests',
      ),
    );
  }
}
