import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** A test matches alarms and files of docs/operations/runbooks. */
export type Runbook = `docs/operations/runbooks/${string}.md`;

/** What missing data mean. The reason is part of the alarm's description. */
export interface Silence {
  readonly alarms: boolean;
  readonly because: string;
}

export interface ImpactAlarmProps {
  readonly name: string;
  readonly metric: IMetric;
  /** What users notice, for the alarm's e-mail. */
  readonly impact: string;
  readonly runbook: Runbook;
  readonly topic: ITopic;
  readonly atLeast?: number;
  readonly below?: number;
  readonly silence: Silence;
  /** In a row; one by default. */
  readonly periods?: number;
}

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

export const quiet = (because: string): Silence => ({ alarms: false, because });

export const MINUTE = Duration.minutes(1);
export const FIVE_MINUTES = Duration.minutes(5);
