/** What no route of the contract takes: API Gateway and the local gateway pass it on by the route `$default`. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { DomainError } from '#functions/domain/common/errors';
import { type Method, type Route, routes } from '#shared/contract/routes';

/**
 * 405 with the methods that the path takes (RFC 9110, 15.5.6).
 * @throws DomainError 404 for a path that takes none
 */
export function unrouted({ rawPath }: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 {
  const allowed = methodsAt(rawPath);
  if (allowed.length === 0) throw new DomainError('not_found', 'route_not_found', 'Not found');
  return {
    statusCode: 405,
    headers: { 'content-type': 'application/json', allow: allowed.join(', ') },
    body: JSON.stringify({ error: 'This address takes no such call', code: 'method_not_allowed' }),
  };
}

function methodsAt(path: string): Method[] {
  const methods = Object.values<Route>(routes)
    .filter((route) => patternOf(route).test(path))
    .map(({ method }) => method);
  return [...new Set(methods)].sort();
}

const patternOf = ({ path }: Route) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
