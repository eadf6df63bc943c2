import { Stack, type StackProps } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnHealthCheck } from 'aws-cdk-lib/aws-route53';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { StageConfig } from '#cdk/config-schema';
import { createAlarmTopic } from '#cdk/constructs/alarm-topic';
import { FIVE_MINUTES, ImpactAlarm, MINUTE, quiet } from '#cdk/constructs/impact-alarm';
import { routes } from '#shared/contract/routes';

export interface EdgeStackProps extends StackProps {
  readonly prefix: string;
  readonly config: Pick<StageConfig, 'domain' | 'firewall' | 'alarmEmail'>;
}

/** The minimum that Route 53 accepts, because every call costs money. */
const ASKED_FROM = ['eu-west-1', 'us-east-1', 'us-west-1'];
const ASKED_EVERY_SECONDS = 30;
/** In a row. */
const UNANSWERED = 3;
/** In five minutes. */
const LEAST_BLOCKED = 100;

/**
 * Alarms on metrics of us-east-1: the firewall's and Route 53's. Nothing depends on this stack, so parts can be turned off at
 * once.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeStackProps) {
    super(scope, id, props);
    const { prefix, config } = props;
    const topic = createAlarmTopic(this, { name: `${prefix}-edge-alarms`, config });
    if (config.domain !== undefined) this.#watchAddress(prefix, config.domain.name, topic);
    if (config.firewall !== undefined) this.#watchFirewall(prefix, topic);
  }

  /** From outside, because a broken system cannot report itself. */
  #watchAddress(prefix: string, name: string, topic: ITopic): void {
    const check = new CfnHealthCheck(this, 'Reachable', {
      healthCheckConfig: {
        type: 'HTTPS',
        fullyQualifiedDomainName: name,
        resourcePath: routes.getReadiness.path,
        port: 443,
        enableSni: true,
        requestInterval: ASKED_EVERY_SECONDS,
        failureThreshold: UNANSWERED,
        regions: ASKED_FROM,
      },
      healthCheckTags: [{ key: 'Name', value: prefix }],
    });
    new ImpactAlarm(this, 'Unreachable', {
      name: `${prefix}-site-unreachable`,
      metric: new Metric({
        namespace: 'AWS/Route53',
        metricName: 'HealthCheckStatus',
        dimensionsMap: { HealthCheckId: check.attrHealthCheckId },
        statistic: 'Minimum',
        period: MINUTE,
      }),
      below: 1,
      periods: 3,
      silence: {
        alarms: true,
        because: 'the health check has stopped, so an outage would go unnoticed.',
      },
      impact:
        'The site cannot be reached from outside: no leads arrive, and neither buyers nor admins can work.',
      runbook: 'docs/operations/runbooks/site-unreachable.md',
      topic,
    });
  }

  #watchFirewall(prefix: string, topic: ITopic): void {
    const requests = (metricName: string) =>
      new Metric({
        namespace: 'AWS/WAFV2',
        metricName,
        // CloudFront's firewalls have no dimension for the region.
        dimensionsMap: { WebACL: `${prefix}-firewall`, Rule: 'ALL' },
        statistic: 'Sum',
        period: FIVE_MINUTES,
      });
    new ImpactAlarm(this, 'Blocks', {
      name: `${prefix}-firewall-blocks`,
      metric: new MathExpression({
        expression: `IF(FILL(blocked, 0) >= ${LEAST_BLOCKED}, 100 * blocked / (blocked + FILL(allowed, 0)), 0)`,
        usingMetrics: { blocked: requests('BlockedRequests'), allowed: requests('AllowedRequests') },
        period: FIVE_MINUTES,
        label: 'blocked requests, percent',
      }),
      atLeast: 20,
      periods: 2,
      silence: quiet('the firewall blocked no request.'),
      impact:
        'The firewall blocks every fifth request: an attack, or an importer or office behind one address.',
      runbook: 'docs/operations/runbooks/firewall-blocks.md',
      topic,
    });
  }
}
