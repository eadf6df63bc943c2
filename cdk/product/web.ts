import type { Stack } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IKeyGroup } from 'aws-cdk-lib/aws-cloudfront';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { ISource } from 'aws-cdk-lib/aws-s3-deployment';
import type { StageConfig } from '#cdk/config-schema';
import { ContractApi } from '#cdk/constructs/contract-api';
import { OriginSecret } from '#cdk/constructs/origin-secret';
import { Site } from '#cdk/constructs/site';

export interface WebProps {
  readonly prefix: string;
  readonly config: StageConfig;
  readonly webBuild: ISource;
  readonly adminKeys: IKeyGroup;
  readonly certificate: ICertificate | undefined;
  readonly firewallArn: string | undefined;
}

export interface Web {
  readonly originSecret: OriginSecret;
  readonly api: ContractApi;
  readonly site: Site;
}

export function createWeb(
  stack: Stack,
  { prefix, config, webBuild, adminKeys, certificate, firewallArn }: WebProps,
): Web {
  const { logDays } = config;
  const originSecret = new OriginSecret(stack, 'OriginSecret', {
    name: prefix,
    generations: config.originSecrets,
  });
  const api = new ContractApi(stack, 'Api', { name: prefix, throttle: config.throttle, logDays });
  const site = new Site(stack, 'Site', {
    name: prefix,
    files: webBuild,
    apiHost: `${api.api.apiId}.execute-api.${stack.region}.${stack.urlSuffix}`,
    originSecret: originSecret.shown,
    adminKeys,
    keepsData: config.keepsData,
    logDays,
    ...(config.domain !== undefined &&
      certificate !== undefined && {
        domain: { name: config.domain.name, certificate },
      }),
    ...(firewallArn !== undefined && { firewallArn }),
  });
  addRecords(stack, config.domain, site);
  return { originSecret, api, site };
}

function addRecords(stack: Stack, domain: StageConfig['domain'], site: Site): void {
  if (domain === undefined) return;
  const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', {
    hostedZoneId: domain.zone.id,
    zoneName: domain.zone.name,
  });
  const target = RecordTarget.fromAlias(new CloudFrontTarget(site.distribution));
  new ARecord(stack, 'Address4', { zone, recordName: domain.name, target });
  new AaaaRecord(stack, 'Address6', { zone, recordName: domain.name, target });
}
