import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type EndpointId, routes } from '#shared/contract/routes';

/** A call as API Gateway passes it on: what the product reads of it. */
export function apiEvent(
  id: EndpointId,
  {
    params,
    body,
    cookies,
    headers,
    sourceIp = '127.0.0.1',
  }: {
    readonly params?: Readonly<Record<string, string>> | undefined;
    readonly body?: unknown;
    readonly cookies?: readonly string[];
    readonly headers?: Readonly<Record<string, string>>;
    readonly sourceIp?: string;
  } = {},
): APIGatewayProxyEventV2 {
  const { method, path } = routes[id];
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    cookies,
    headers: { 'content-type': 'application/json', ...headers },
    pathParameters: params,
    requestContext: { http: { method, path, sourceIp }, requestId: 'call' },
    body: body === undefined ? undefined : JSON.stringify(body),
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2;
}
