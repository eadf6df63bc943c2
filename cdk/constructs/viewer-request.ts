import {
  type BehaviorOptions,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import {
  ACCEPTED_ENCODING_HEADER,
  AUTHORIZATION_HEADER,
  KNOWN_TAG_HEADER,
} from '#shared/contract/web-headers';

/** Runs in CloudFront on every request. It cannot import modules. */
export class ViewerRequest extends EdgeFunction {
  constructor(scope: Construct, id: string, code: string) {
    super(scope, id, { code: FunctionCode.fromInline(code), runtime: FunctionRuntime.JS_2_0 });
  }

  association(): NonNullable<BehaviorOptions['functionAssociations']>[number] {
    return { function: this, eventType: FunctionEventType.VIEWER_REQUEST };
  }
}

/** A missing file stays missing (S3 answers 403). A buyer's ID in the address of its page may contain a dot. */
export const SPA_REWRITE = `function handler(event) {
  var request = event.request;
  var last = request.uri.slice(request.uri.lastIndexOf('/') + 1);
  if (last.indexOf('.') < 0 || request.uri.indexOf('/dashboard/') === 0) request.uri = '/index.html';
  return request;
}
`;

/**
 * CloudFront does not pass on `Accept-Encoding` without caching, `If-None-Match` with cookies
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Cookies.html), and `Authorization`
 * (https://repost.aws/knowledge-center/cloudfront-authorization-header).
 */
export const API_REQUEST = `function handler(event) {
  var request = event.request;
  var copies = {
    'accept-encoding': '${ACCEPTED_ENCODING_HEADER}',
    'if-none-match': '${KNOWN_TAG_HEADER}',
    'authorization': '${AUTHORIZATION_HEADER}',
  };
  for (var name in copies) {
    var sent = request.headers[name];
    if (sent) request.headers[copies[name]] = { value: sent.value };
    else delete request.headers[copies[name]];
  }
  return request;
}
`;
