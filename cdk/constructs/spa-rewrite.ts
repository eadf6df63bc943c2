import {
  type BehaviorOptions,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/**
 * Runs at CloudFront, which knows no modules. A path without a file extension is one of the app's own and gets its
 * document; a missing file stays a 404.
 */
export const SPA_REWRITE = `function handler(event) {
  var request = event.request;
  var last = request.uri.slice(request.uri.lastIndexOf('/') + 1);
  if (last.indexOf('.') < 0) request.uri = '/index.html';
  return request;
}
`;

export class SpaRewrite extends EdgeFunction {
  constructor(scope: Construct, id: string) {
    super(scope, id, { code: FunctionCode.fromInline(SPA_REWRITE), runtime: FunctionRuntime.JS_2_0 });
  }

  association(): NonNullable<BehaviorOptions['functionAssociations']>[number] {
    return { function: this, eventType: FunctionEventType.VIEWER_REQUEST };
  }
}
