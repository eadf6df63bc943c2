import { Duration } from 'aws-cdk-lib';
import { HeadersFrameOption, HeadersReferrerPolicy, ResponseHeadersPolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { CONTENT_SECURITY_POLICY, CUSTOM_HEADERS } from '#shared/contract/web-headers';

export class SecurityHeaders extends ResponseHeadersPolicy {
  constructor(scope: Construct, id: string, extraHeaders: Readonly<Record<string, string>> = {}) {
    super(scope, id, {
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: [...CONTENT_SECURITY_POLICY, 'upgrade-insecure-requests'].join('; '),
          override: true,
        },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(730),
          includeSubdomains: true,
          override: true,
        },
        // The address of a link page is its key.
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries({ ...CUSTOM_HEADERS, ...extraHeaders }).map(([header, value]) => ({
          header,
          value,
          override: true,
        })),
      },
      removeHeaders: ['server', 'x-powered-by'],
    });
  }
}
