import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  type IKeyGroup,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, type ISource } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { SecurityHeaders } from '#cdk/constructs/security-headers';
import { API_REQUEST, SPA_REWRITE, ViewerRequest } from '#cdk/constructs/viewer-request';
import { ADMIN_ASSETS_PATH } from '#functions/http/site-gate/sign';
import {
  ACCEPTED_ENCODING_HEADER,
  API_DOCS_PATH,
  AUTHORIZATION_HEADER,
  KNOWN_TAG_HEADER,
  LINK_HEADERS,
  LINK_PATH,
  SPECIFICATION_PATH,
  STATUS_PATH,
} from '#shared/contract/web-headers';

export interface SiteProps {
  readonly name: string;
  readonly files: ISource;
  readonly apiHost: string;
  readonly originSecret: string;
  readonly adminKeys: IKeyGroup;
  readonly domain?: { readonly name: string; readonly certificate: ICertificate };
  readonly firewallArn?: string;
  readonly keepsData: boolean;
  readonly logDays: RetentionDays;
}

/** One origin for browsers: files, `/api`, and the admin's files behind signed cookies. */
export class Site extends Construct {
  readonly distribution: Distribution;
  readonly bucket: Bucket;
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: SiteProps) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // Also after a failed first deployment: a bucket with files cannot be deleted.
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      autoDeleteObjects: !props.keepsData,
    });
    const files = S3BucketOrigin.withOriginAccessControl(this.bucket);
    const open = {
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: new SecurityHeaders(this, 'Headers'),
    };
    const pages = {
      ...open,
      origin: files,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      functionAssociations: [new ViewerRequest(this, 'Rewrite', SPA_REWRITE).association()],
    };

    const linkPages = {
      ...pages,
      responseHeadersPolicy: new SecurityHeaders(this, 'LinkHeaders', LINK_HEADERS),
    };

    this.distribution = new Distribution(this, 'Distribution', {
      comment: props.name,
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(props.firewallArn !== undefined && { webAclId: props.firewallArn }),
      ...(props.domain !== undefined && {
        domainNames: [props.domain.name],
        certificate: props.domain.certificate,
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      defaultBehavior: pages,
      additionalBehaviors: {
        [`${LINK_PATH}*`]: linkPages,
        [`${SPECIFICATION_PATH}*`]: linkPages,
        [STATUS_PATH]: linkPages,
        [`${ADMIN_ASSETS_PATH}/*`]: {
          ...open,
          origin: files,
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          trustedKeyGroups: [props.adminKeys],
        },
        // The first match counts.
        [API_DOCS_PATH]: pages,
        '/api/*': {
          ...open,
          origin: new HttpOrigin(props.apiHost, {
            protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
            customHeaders: { 'x-origin-verify': props.originSecret },
            readTimeout: Duration.seconds(30),
            keepaliveTimeout: Duration.seconds(60),
          }),
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          functionAssociations: [new ViewerRequest(this, 'AcceptedEncoding', API_REQUEST).association()],
          originRequestPolicy: new OriginRequestPolicy(this, 'ApiRequests', {
            comment: `${props.name}: the headers that the API receives`,
            cookieBehavior: OriginRequestCookieBehavior.all(),
            queryStringBehavior: OriginRequestQueryStringBehavior.all(),
            // Without Host, which must be the API's own. CloudFront sets the viewer's address.
            headerBehavior: OriginRequestHeaderBehavior.allowList(
              'Content-Type',
              'Origin',
              'User-Agent',
              'Idempotency-Key',
              ACCEPTED_ENCODING_HEADER,
              KNOWN_TAG_HEADER,
              AUTHORIZATION_HEADER,
              'CloudFront-Viewer-Address',
              'CloudFront-Viewer-Country',
              'CloudFront-Viewer-City',
            ),
          }),
        },
      },
    });
    this.baseUrl = `https://${props.domain?.name ?? this.distribution.distributionDomainName}`;

    const logGroup = new LogGroup(this, 'UploadLog', {
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const upload = (
      part: string,
      rest: Pick<ConstructorParameters<typeof BucketDeployment>[2], UploadPart>,
    ) =>
      new BucketDeployment(this, part, {
        sources: [props.files],
        destinationBucket: this.bucket,
        // Open pages still request files of their version.
        prune: false,
        memoryLimit: 512,
        logGroup,
        ...rest,
      });
    // Uploaded first, because the document references them.
    const hashed = upload('HashedFiles', {
      exclude: ['*'],
      include: ['assets/*', 'admin-assets/*'],
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const documents = upload('Documents', {
      exclude: ['assets/*', 'admin-assets/*'],
      cacheControl: [CacheControl.fromString('no-cache')],
      distribution: this.distribution,
      distributionPaths: ['/*'],
    });
    documents.node.addDependency(hashed);

    acknowledge(
      this.bucket,
      'AwsSolutions-S1',
      "Only CloudFront reads the bucket. Access logs would contain visitors' addresses, and logs must not contain personal data.",
    );
    acknowledge(
      this.distribution,
      'AwsSolutions-CFR3',
      "Access logs would contain visitors' addresses and the tokens of buyers' links. CloudFront's metrics and the API's log contain neither.",
    );
    acknowledge(
      this.distribution,
      'AwsSolutions-CFR1',
      'Buyers travel, so a link must open in every country. Access depends on sessions and tokens.',
    );
    if (props.firewallArn === undefined) {
      acknowledge(
        this.distribution,
        'AwsSolutions-CFR2',
        "The firewall is an option of the stage (cdk/config.ts). Without it, the API's throttle and the limit of wrong passwords still apply.",
      );
    }
    if (props.domain === undefined) {
      acknowledge(
        this.distribution,
        'AwsSolutions-CFR4',
        "CloudFront's default certificate determines the oldest protocol. With a custom domain, the site accepts only TLS 1.2 and newer.",
      );
    }
  }
}

type UploadPart = 'include' | 'exclude' | 'cacheControl' | 'distribution' | 'distributionPaths';
