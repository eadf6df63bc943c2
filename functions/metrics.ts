/**
 * The numbers by which the running system is watched, as CloudWatch's embedded metric format: one line in the log, no
 * call to anywhere. Names, units and dimensions are a closed list, which the dashboard and the alarms are typed by.
 *
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */

type Unit = 'Count' | 'Milliseconds' | 'Seconds' | 'None';
interface Metric {
  readonly unit: Unit;
  /** What the number is told apart by; a closed list of values, never an id or a person. */
  readonly dimensions: readonly string[];
}

/**
 * | metric                | emitted by      | one value per                                                        |
 * |-----------------------|-----------------|----------------------------------------------------------------------|
 * | LeadsAssigned         | leads, redistribution   | lead that found its buyer                                            |
 * | LeadsPending          | leads           | lead that did not, by reason                                         |
 * | IntakeMilliseconds    | leads           | submitted lead, from the call to its answer                          |
 * | ShareDistance         | leads, redistribution   | decision: the largest deficit of any buyer after it, in leads        |
 * | DeliveriesDelivered   | deliver         | delivery that arrived, by channel                                    |
 * | DeliveriesRetried     | deliver         | try that failed and will be repeated, by channel                     |
 * | DeliveriesFailed      | deliver         | delivery that failed for good, by channel                            |
 * | OldestDeliverySeconds | reconciliation           | run: age of the oldest delivery that is neither delivered nor failed |
 * | LeadsRepaired         | reconciliation           | run: leads that a crash had left half done                           |
 */
export const METRICS = {
  LeadsAssigned: { unit: 'Count', dimensions: [] },
  LeadsPending: { unit: 'Count', dimensions: ['Reason'] },
  IntakeMilliseconds: { unit: 'Milliseconds', dimensions: [] },
  ShareDistance: { unit: 'None', dimensions: [] },
  DeliveriesDelivered: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesRetried: { unit: 'Count', dimensions: ['Channel'] },
  DeliveriesFailed: { unit: 'Count', dimensions: ['Channel'] },
  OldestDeliverySeconds: { unit: 'Seconds', dimensions: [] },
  LeadsRepaired: { unit: 'Count', dimensions: [] },
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
