/**
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */

type Unit = 'Count' | 'Milliseconds' | 'Seconds' | 'None';
interface Metric {
  readonly unit: Unit;
  /** Each has few possible values; never an ID or personal data. */
  readonly dimensions: readonly string[];
}

/**
 * `ShareDistance`: per decision or batch, the largest absolute deficit after it, in leads. `IntakeMilliseconds`: from
 * the call to its answer. `OldestDeliverySeconds`: age of the oldest open delivery. `LeadsRepaired`: left incomplete by
 * a crash. `AuditCheckpointSeconds`: age of the newest checkpoint. All others count events.
 */
export const METRICS = {
  LeadsAssigned: { unit: 'Count', dimensions: [] },
  LeadsPending: { unit: 'Count', dimensions: ['Reason'] },
  LeadsReassigned: { unit: 'Count', dimensions: [] },
  IntakeMilliseconds: { unit: 'Milliseconds', dimensions: [] },
  ShareDistance: { unit: 'None', dimensions: [] },
  DeliveriesDelivered: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesRetried: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesFailed: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesBounced: { unit: 'Count', dimensions: [] },
  MailEventsUnknown: { unit: 'Count', dimensions: [] },
  OldestDeliverySeconds: { unit: 'Seconds', dimensions: [] },
  LeadsRepaired: { unit: 'Count', dimensions: [] },
  AuditCheckpointSeconds: { unit: 'Seconds', dimensions: [] },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
type Dimensions<Name extends MetricName> = Readonly<
  Record<(typeof METRICS)[Name]['dimensions'][number], string>
>;

export interface Metrics {
  /** A metric with dimensions is recorded with and without them, so that totals need no sum. */
  record<Name extends MetricName>(name: Name, value: number, dimensions: Dimensions<Name>): void;
}

export function createMetrics(
  namespace: string,
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): Metrics {
  return {
    record(name, value, dimensions) {
      const { unit, dimensions: by }: Metric = METRICS[name];
      const Dimensions = by.length === 0 ? [[]] : [[], by];
      write(
        JSON.stringify({
          _aws: {
            Timestamp: now().getTime(),
            CloudWatchMetrics: [{ Namespace: namespace, Dimensions, Metrics: [{ Name: name, Unit: unit }] }],
          },
          ...dimensions,
          [name]: value,
        }),
      );
    },
  };
}

/** The namespace is set only in the cloud. */
export const systemMetrics: Metrics =
  process.env.METRICS_NAMESPACE === undefined
    ? { record: () => undefined }
    : createMetrics(process.env.METRICS_NAMESPACE, (line) => process.stdout.write(`${line}\n`));
