import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  type LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { ImpactAlarm, MINUTE, quiet } from '#cdk/constructs/impact-alarm';

export interface LiveAliasProps {
  readonly name: string;
  readonly fn: LambdaFunction;
  /** New generations of keys need a new version although the code stays. */
  readonly generations: Readonly<Record<string, string | number>>;
  readonly namespace: string;
  readonly application: LambdaApplication;
  /** Else a new version gets all calls at once. */
  readonly canary: boolean;
  readonly topic: ITopic | undefined;
  readonly impact: string;
}

/** Per minute; then the new version is rolled back. */
const FAILURES = 3;

/** Points to the newest version that passed its canary. An alarm during the canary rolls back the whole deployment. */
export class LiveAlias extends Construct {
  readonly alias: Alias;

  constructor(scope: Construct, id: string, props: LiveAliasProps) {
    super(scope, id);
    const { fn } = props;
    // The template contains the generation only as a reference, so the CDK would not see the change.
    fn.invalidateVersionBasedOn(JSON.stringify(props.generations));
    this.alias = new Alias(this, 'Alias', { aliasName: 'live', version: fn.currentVersion });
    const alarm = props.topic === undefined ? undefined : this.#alarm(id, props, props.topic);
    const group = new LambdaDeploymentGroup(this, 'Deployment', {
      application: props.application,
      alias: this.alias,
      deploymentConfig: pace(props.canary),
      alarms: alarm === undefined ? [] : [alarm],
    });
    acknowledge(
      group.role,
      'AwsSolutions-IAM4',
      "AWS's managed policy for CodeDeploy, the smaller of two. It changes aliases and reads alarms.",
      ['Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited'],
    );
  }

  #alarm(id: string, props: LiveAliasProps, topic: ITopic): ImpactAlarm {
    const { fn } = props;
    // API functions answer 500 without an error of Lambda's; the log has every failure.
    const logged = new MetricFilter(this, 'Logged', {
      logGroup: fn.logGroup,
      filterPattern: FilterPattern.stringValue('$.level', '=', 'error'),
      metricNamespace: props.namespace,
      metricName: id,
      metricValue: '1',
      defaultValue: 0,
    });
    return new ImpactAlarm(this, 'Alarm', {
      name: `${props.name}-new-version`,
      metric: new MathExpression({
        expression: 'SUM(METRICS())',
        usingMetrics: {
          errors: fn.metricErrors({ period: MINUTE }),
          logged: logged.metric({ statistic: Stats.SUM, period: MINUTE }),
        },
        period: MINUTE,
        label: 'failures',
      }),
      atLeast: FAILURES,
      silence: quiet('nothing failed.'),
      topic,
      impact: props.impact,
      runbook: 'docs/operations/runbooks/new-version.md',
    });
  }
}

function pace(canary: boolean): ILambdaDeploymentConfig {
  return canary ? LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES : LambdaDeploymentConfig.ALL_AT_ONCE;
}
