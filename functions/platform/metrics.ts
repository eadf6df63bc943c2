/**
 * Metrics in CloudWatch's embedded metric format: a line in the log, without a network call. Names, units and
 * dimensions are a closed list, by which the dashboard and the alarms are typed.
 *
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */

type Unit = 'Count' | 'Milliseconds' | 'Seconds' | 'None';
interface Metric {
  readonly unit: Unit;
  /** Each has few possible values; never an id or personal data. */
  readonly dimensions: readonly string[];
}

/**
 * | metric                | emitted by          | one value per                                                    |
 * |-----------------------|---------------------|------------------------------------------------------------------|
 * | LeadsAssigned         | all that distribute | lead that was assigned                                           |
 * | LeadsPending          | all that distribute | lead that became pending, by reason                              |
 * | LeadsGivenOn          | deliver             | lead that its buyer refused and another one may get               |
 * | IntakeMilliseconds    | leads               | submitted lead, from the call to its answer                      |
 * | ShareDistance         | all that distribute | decision or batch: the largest absolute deficit after it, in leads |
 * | DeliveriesDelivered   | deliver             | delivery that arrived, by channel                                |
 * | DeliveriesRetried     | deliver             | failed delivery attempt that will be repeated, by channel        |
 * | DeliveriesFailed      | deliver             | delivery that failed for good, by channel                        |
 * | DeliveriesBounced     | bounces             | mail with a lead that came back after it was taken               |
 * | MailEventsUnknown     | bounces             | event of SES that was not understood                             |
 * | OldestDeliverySeconds | reconcile           | run: age of the oldest delivery neither delivered nor failed     |
 * | LeadsRepaired         | reconcile           | run: leads that a crash had left half done                       |
 * | AuditHeadSeconds      | reconcile           | run: age of the newest head of the audit trail kept outside      |
 */
export const METRICS = {
  LeadsAssigned: { unit: 'Count', dimensions: [] },
  LeadsPending: { unit: 'Count', dimensions: ['Reason'] },
  LeadsGivenOn: { unit: 'Count', dimensions: [] },
  IntakeMilliseconds: { unit: 'Milliseconds', dimensions: [] },
  ShareDistance: { unit: 'None', dimensions: [] },
  DeliveriesDelivered: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesRetried: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesFailed: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesBounced: { unit: 'Count', dimensions: [] },
  MailEventsUnknown: { unit: 'Count', dimensions: [] },
  OldestDeliverySeconds: { unit: 'Seconds', dimensions: [] },
  LeadsRepaired: { unit: 'Count', dimensions: [] },
  AuditHeadSeconds: { unit: 'Seconds', dimensions: [] },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
type Dimensions<Name extends MetricName> = Readonly<
  Record<(typeof METRICS)[Name]['dimensions'][number], string>
>;

export interface Metrics {
  /** Records one value. A metric with dimensions is recorded with and without them, so that totals need no sum. */
  record<Name extends MetricName>(name: Name, value: number, dimensions: Dimensions<Name>): void;
}

/**
 * @param namespace under which CloudWatch files the numbers; one per stage
 * @param write takes a finished line
 * @param now the current instant
 */
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

/** Writes nothing where no namespace is set, which is everywhere but in the cloud. */
export const systemMetrics: Metrics =
  process.env.METRICS_NAMESPACE === undefined
    ? { record: () => undefined }
    : createMetrics(process.env.METRICS_NAMESPACE, (line) => process.stdout.write(`${line}\n`));
