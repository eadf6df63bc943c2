import {
  type BehaviorOptions,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { ACCEPTED_ENCODING_HEADER, KNOWN_TAG_HEADER } from '#shared/contract/web-headers';

/** A function that CloudFront runs on every request of a behaviour, before its cache. It cannot import modules. */
export class ViewerRequest extends EdgeFunction {
  /** @param code the text of a `function handler(event)` that returns the request */
  constructor(scope: Construct, id: string, code: string) {
    super(scope, id, { code: FunctionCode.fromInline(code), runtime: FunctionRuntime.JS_2_0 });
  }

  association(): NonNullable<BehaviorOptions['functionAssociations']>[number] {
    return { function: this, eventType: FunctionEventType.VIEWER_REQUEST };
  }
}

/** Paths without a file extension get the app's document; a missing file stays missing (S3 answers 403). */
export const SPA_REWRITE = `function handler(event) {
  var request = event.request;
  var last = request.uri.slice(request.uri.lastIndexOf('/') + 1);
  if (last.indexOf('.') < 0) request.uri = '/index.html';
  return request;
}
`;

/**
 * CloudFront removes `Accept-Encoding` from requests that it does not cache, and does not compress their answers either;
 * `If-None-Match` it does not pass on where it passes on cookies
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Cookies.html). Both are copied to headers of other
 * names, so that the API knows what it may compress, and what its client has already.
 */
export const API_REQUEST = `function handler(event) {
  var request = event.request;
  var copies = { 'accept-encoding': '${ACCEPTED_ENCODING_HEADER}', 'if-none-match': '${KNOWN_TAG_HEADER}' };
  for (var name in copies) {
    var sent = request.headers[name];
    if (sent) request.headers[copies[name]] = { value: sent.value };
    else delete request.headers[copies[name]];
  }
  return request;
}
`;
