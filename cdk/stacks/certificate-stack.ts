import { Stack, type StackProps } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { StageConfig } from '#cdk/config-schema';

export interface CertificateStackProps extends StackProps {
  readonly domain: NonNullable<StageConfig['domain']>;
}

/**
 * One stack per domain. This region is deployed first, and could not delete a certificate that CloudFront still uses. An
 * unused stack stays until it is deleted by hand (docs/operations/domain.md).
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
