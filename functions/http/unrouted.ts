import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { DomainError } from '#functions/domain/common/errors';
import { type Route, routes } from '#shared/contract/routes';

const ALL = Object.values<Route>(routes);

/** Static segments take precedence over parameters, whose brace sorts behind every letter. */
const PATHS = [...new Set(ALL.map(({ path }) => path))].sort().map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

const pathAt = (address: string) => PATHS.find(({ pattern }) => pattern.test(address))?.path;

/**
 * API Gateway falls back to a path with a parameter: `PUT /api/buyers/active` becomes a change of the buyer "active".
 */
export function isOfAnotherPath({ path }: Route, { rawPath }: APIGatewayProxyEventV2): boolean {
  const found = path.includes('{') ? pathAt(rawPath) : path;
  return found !== undefined && found !== path;
}

/** 405 with the methods of the path (RFC 9110, 15.5.6). @throws DomainError 404 for an unknown path */
export function unrouted({ rawPath }: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 {
  const path = pathAt(rawPath);
  if (path === undefined) throw new DomainError('not_found', 'route_not_found', 'Not found');
  const allowed = ALL.flatMap((route) => (route.path === path ? route.method : [])).sort();
  return {
    statusCode: 405,
    headers: { 'content-type': 'application/json', allow: allowed.join(', ') },
    body: JSON.stringify({ error: 'Method not allowed', code: 'method_not_allowed' }),
  };
}
