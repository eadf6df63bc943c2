import {
  type BehaviorOptions,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { ACCEPTED_ENCODING_HEADER } from '#shared/contract/web-headers';

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
 * CloudFront removes `Accept-Encoding` from requests that it does not cache, and does not compress their answers either.
 * The header is copied to another one, so that the API knows what it may compress.
 */
export const ACCEPTED_ENCODING = `function handler(event) {
  var request = event.request;
  var accepted = request.headers['accept-encoding'];
  if (accepted) request.headers['${ACCEPTED_ENCODING_HEADER}'] = { value: accepted.value };
  else delete request.headers['${ACCEPTED_ENCODING_HEADER}'];
  return request;
}
`;
