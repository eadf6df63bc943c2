import {
  type BehaviorOptions,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { ACCEPTED_ENCODING_HEADER } from '#shared/contract/web-headers';

/**
 * Runs at CloudFront, which takes `Accept-Encoding` away from a request that it will not cache, and compresses nothing
 * that it does not: the API would never learn that it may.
 */
export const ACCEPTED_ENCODING = `function handler(event) {
  var request = event.request;
  var accepted = request.headers['accept-encoding'];
  if (accepted) request.headers['${ACCEPTED_ENCODING_HEADER}'] = { value: accepted.value };
  else delete request.headers['${ACCEPTED_ENCODING_HEADER}'];
  return request;
}
`;

export class AcceptedEncoding extends EdgeFunction {
  constructor(scope: Construct, id: string) {
    super(scope, id, { code: FunctionCode.fromInline(ACCEPTED_ENCODING), runtime: FunctionRuntime.JS_2_0 });
  }

  association(): NonNullable<BehaviorOptions['functionAssociations']>[number] {
    return { function: this, eventType: FunctionEventType.VIEWER_REQUEST };
  }
}
