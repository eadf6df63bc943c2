import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** A file of docs/operations/runbooks; a test finds the file for every alarm and an alarm for every file. */
export type Runbook = `docs/operations/runbooks/${string}.md`;

/**
 * What it means that a metric has no value for a while. The reason stands in the alarm's description, because whoever reads
 * "insufficient data" or gets an alarm without a number has to know it.
 */
export interface Silence {
  /** Whether it alarms, too. */
  readonly alarms: boolean;
  readonly because: string;
}

export interface ImpactAlarmProps {
  readonly name: string;
  readonly metric: IMetric;
  /** What users see, now or soon, as a sentence for whoever gets the alarm. */
  readonly impact: string;
  readonly runbook: Runbook;
  readonly topic: ITopic;
  /** Alarms from this value on. */
  readonly atLeast?: number;
  /** Alarms below this value. */
  readonly below?: number;
  readonly silence: Silence;
  /** In how many periods in a row; one by default. */
  readonly periods?: number;
}

/** An alarm that says what it means and what to do. */
export class ImpactAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ImpactAlarmProps) {
    const low = props.below !== undefined;
    super(scope, id, {
      alarmName: props.name,
      alarmDescription: `${props.impact}\nNo data: ${props.silence.because}\nRunbook: ${props.runbook}`,
      metric: props.metric,
      threshold: props.below ?? props.atLeast ?? 1,
      comparisonOperator: low
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: props.periods ?? 1,
      treatMissingData: props.silence.alarms ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(props.topic);
    this.addAlarmAction(action);
    this.addOkAction(action);
  }
}

/** Of metrics that only have a value while something happens. */
export const quiet = (because: string): Silence => ({ alarms: false, because });

export const MINUTE = Duration.minutes(1);
export const FIVE_MINUTES = Duration.minutes(5);
