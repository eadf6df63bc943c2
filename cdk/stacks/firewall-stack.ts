import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfig } from '#cdk/config-schema';

export interface FirewallStackProps extends StackProps {
  readonly name: string;
  readonly limits: NonNullable<StageConfig['firewall']>;
}

const visible = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples would contain addresses and buyers' tokens.
  sampledRequestsEnabled: false,
});

/** Like the API's throttle. Six attempts 90 seconds apart exceed the firewall's window of five minutes. */
const refused = {
  block: {
    customResponse: { responseCode: 429, responseHeaders: [{ name: 'retry-after', value: '90' }] },
  },
};

const COUNTED = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesCommonRuleSet'] as const;

/** Only counted, because only real traffic shows what they would block wrongly (docs/operations/runbooks/firewall-blocks.md). */
const counted = (name: string, rules: (typeof COUNTED)[number], priority: number) => ({
  name: rules,
  priority,
  overrideAction: { count: {} },
  visibilityConfig: visible(`${name}-${rules}`),
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: rules } },
});

const perAddress = (limit: number) => ({ limit, aggregateKeyType: 'IP', evaluationWindowSec: 300 });

/** A separate stack for the same reason as `CertificateStack`. */
export class FirewallStack extends Stack {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: FirewallStackProps) {
    super(scope, id, props);
    const { name, limits } = props;
    const firewall = new CfnWebACL(this, 'Firewall', {
      name,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible(`${name}-firewall`),
      rules: [
        {
          name: 'logins',
          priority: 0,
          action: refused,
          visibilityConfig: visible(`${name}-logins`),
          statement: {
            rateBasedStatement: {
              ...perAddress(limits.logins),
              scopeDownStatement: {
                byteMatchStatement: {
                  fieldToMatch: { uriPath: {} },
                  positionalConstraint: 'EXACTLY',
                  searchString: '/api/login',
                  textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
                },
              },
            },
          },
        },
        {
          name: 'requests',
          priority: 1,
          action: refused,
          visibilityConfig: visible(`${name}-requests`),
          statement: { rateBasedStatement: perAddress(limits.requests) },
        },
        ...COUNTED.map((rules, at) => counted(name, rules, 2 + at)),
      ],
    });
    this.arn = firewall.attrArn;
  }
}
