import { Stack, type StackProps } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfig } from '#cdk/config';

export interface EdgeStackProps extends StackProps {
  readonly prefix: string;
  readonly config: Pick<StageConfig, 'domain' | 'firewall'>;
}

const visible = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples contain addresses and paths, and a buyer's path contains its token.
  sampledRequestsEnabled: false,
});

/** A 429 as of the API's throttle. Six attempts 90 seconds apart last longer than the firewall's window of five minutes. */
const refused = {
  block: {
    customResponse: { responseCode: 429, responseHeaders: [{ name: 'retry-after', value: '90' }] },
  },
};

const perAddress = (limit: number) => ({ limit, aggregateKeyType: 'IP', evaluationWindowSec: 300 });

/** What CloudFront takes from us-east-1 only: the certificate of the domain and the firewall. */
export class EdgeStack extends Stack {
  readonly certificate: ICertificate | undefined;
  readonly firewallArn: string | undefined;

  constructor(scope: Construct, id: string, props: EdgeStackProps) {
    super(scope, id, props);
    const { domain, firewall } = props.config;
    if (domain !== undefined) {
      const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', {
        hostedZoneId: domain.zone.id,
        zoneName: domain.zone.name,
      });
      this.certificate = new Certificate(this, 'Certificate', {
        domainName: domain.name,
        validation: CertificateValidation.fromDns(zone),
      });
    }
    if (firewall !== undefined) this.firewallArn = this.#firewall(props.prefix, firewall);
  }

  #firewall(name: string, limits: NonNullable<StageConfig['firewall']>): string {
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
      ],
    });
    return firewall.attrArn;
  }
}
