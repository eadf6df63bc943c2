import { Stack, type StackProps } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { StageConfig } from '#cdk/config-schema';

export interface CertificateStackProps extends StackProps {
  readonly domain: NonNullable<StageConfig['domain']>;
}

/**
 * The certificate of one domain, by whose name its stack is called. In a stack of its own, because this region is deployed first:
 * a stack that lost the certificate would try to delete it while CloudFront still uses it, fail, and leave it behind. A stack
 * that is no longer needed just stays until it is deleted, when nothing uses it any more (docs/operations/domain.md).
 */
export class CertificateStack extends Stack {
  readonly certificate: ICertificate;

  constructor(scope: Construct, id: string, props: CertificateStackProps) {
    super(scope, id, props);
    const { name, zone } = props.domain;
    this.certificate = new Certificate(this, 'Certificate', {
      domainName: name,
      validation: CertificateValidation.fromDns(
        HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId: zone.id, zoneName: zone.name }),
      ),
    });
  }
}
