import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FIVE_MINUTES } from '#cdk/constructs/impact-alarm';
import { METRICS, type MetricName } from '#functions/platform/metrics';

export function productMetric(
  namespace: string,
  name: MetricName,
  statistic: string,
  options: {
    readonly dimensions?: Readonly<Record<string, string>>;
    readonly period?: Duration;
    readonly label?: string;
  } = {},
): Metric {
  const known: readonly string[] = METRICS[name].dimensions;
  for (const dimension of Object.keys(options.dimensions ?? {}))
    if (!known.includes(dimension)) throw new Error(`${name} has no dimension ${dimension}`);
  return new Metric({
    namespace,
    metricName: name,
    statistic,
    period: options.period ?? FIVE_MINUTES,
    ...(options.dimensions !== undefined && { dimensionsMap: { ...options.dimensions } }),
    ...(options.label !== undefined && { label: options.label }),
  });
}
