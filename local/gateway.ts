/** CloudFront and API Gateway in one small HTTP server. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import findMyWay from 'find-my-way';
import type { ApiHandler } from '#functions/http/api';
import { errorFields, type Logger } from '#functions/platform/logger';
import { isAdminFile, type WebFiles, webFile } from '#local/files';
import { createHostCheck } from '#local/host-check';
import { lambdaContext } from '#local/lambda-context';
import { listen } from '#local/listen';
import { StartError, systemCode } from '#local/start-error';
import {
  type ApiFunction,
  type Method,
  type Route,
  routes,
  UNROUTED_FUNCTION,
  UNROUTED_KEY,
} from '#shared/contract/routes';
import { API_DOCS_PATH, pageHeaders } from '#shared/contract/web-headers';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DISCARDED_BYTES = 32 * MAX_BODY_BYTES;

export type PageHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

export interface GatewayParts {
  readonly api: Readonly<Record<ApiFunction, ApiHandler>>;
  readonly files: WebFiles;
  readonly local: PageHandler;
  /** `path` as requested, with its query. */
  readonly mayReadAdminFiles: (path: string, request: IncomingMessage) => boolean;
  readonly isDiskFull: () => Promise<boolean>;
  readonly onWritten: () => void;
  readonly log: Logger;
}

export interface Gateway {
  readonly port: number;
  /** Until then every request gets 503. */
  open(parts: GatewayParts): void;
  stop(): Promise<void>;
}

export async function startGateway(port: number, host: string, publicUrl?: string): Promise<Gateway> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  const refuseForeign = createHostCheck(host, publicUrl);
  const server = createServer((request, response) => {
    if (refuseForeign(request, response)) return;
    if (handle === undefined) {
      sendError(response, 503, 'starting', 'Not ready yet');
      return;
    }
    void handle(request, response);
  });
  server.on('clientError', refuseUnreadable);
  return {
    port: await listenOn(server, port, host),
    open(parts) {
      handle = createRequestHandler(parts);
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 3000).unref();
      });
    },
  };
}

/** Node would answer without a reason in JSON. */
function refuseUnreadable(error: Error, socket: Duplex): void {
  const isTooLong = systemCode(error) === 'HPE_HEADER_OVERFLOW';
  const [status, code, text] = isTooLong
    ? ['431 Request Header Fields Too Large', 'headers_too_large', 'The address or a header is too long']
    : ['400 Bad Request', 'invalid_input', 'This is not a request'];
  const body = JSON.stringify({ error: text, code });
  const head = [
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  if (socket.writable) socket.end([`HTTP/1.1 ${status}`, ...head, '', body].join('\r\n'));
  else socket.destroy();
}

export async function listenOn(server: Server, port: number, host: string): Promise<number> {
  try {
    return await listen(server, port, host);
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    throw new StartError(
      `Port ${port} is in use: stop what listens there, or choose another with PORT=${port + 1}.`,
    );
  }
}

function createRequestHandler(parts: GatewayParts) {
  const router = findMyWay({ ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 10_000 });
  for (const route of Object.values<Route>(routes))
    router.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {}, route);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = parseUrl(request.url);
    if (url === undefined) {
      sendError(response, 400, 'invalid_input', 'Not an address');
      return;
    }
    try {
      if ((url.pathname === '/api' || url.pathname.startsWith('/api/')) && url.pathname !== API_DOCS_PATH) {
        await callApi(parts, router, request, response, url);
        return;
      }
      for (const [name, value] of Object.entries(pageHeaders(url.pathname))) response.setHeader(name, value);
      if (url.pathname === '/local' || url.pathname.startsWith('/local/')) {
        await parts.local(request, response, url);
        return;
      }
      await serveFile(parts, request, response, url);
    } catch (error) {
      // The client has disconnected.
      if (request.destroyed && !request.complete) return;
      parts.log.error('gateway failed', errorFields(error));
      if (response.headersSent) response.destroy();
      else if (await parts.isDiskFull()) sendDiskFull(response);
      else sendError(response, 500, 'internal_error', 'Something went wrong');
    }
  };
}

function parseUrl(path: string | undefined): URL | undefined {
  try {
    const url = new URL(`http://localhost${path ?? '/'}`);
    // The router finds no route for an escape that it cannot read.
    decodeURIComponent(url.pathname);
    return url;
  } catch {
    return undefined;
  }
}

async function serveFile(
  parts: GatewayParts,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    sendError(response, 405, 'method_not_allowed', 'Not allowed');
    return;
  }
  const file = webFile(url.pathname);
  if (
    file !== undefined &&
    isAdminFile(file) &&
    !parts.mayReadAdminFiles(url.pathname + url.search, request)
  ) {
    sendError(response, 403, 'forbidden', 'Please log in');
    return;
  }
  await parts.files.serve(file, request, response);
}

async function callApi(
  parts: GatewayParts,
  router: ReturnType<typeof findMyWay>,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const found = findRoute(router, request, url);
  const body = await readBody(request);
  if (body === 'too large') {
    sendError(response, 413, 'payload_too_large', 'The request is larger than 1 MB');
    return;
  }
  const event = toEvent(found, request, url, body);
  const answer = await parts.api[found.fn](event, lambdaContext(found.fn));
  if (answer.statusCode === 500 && (await parts.isDiskFull())) sendDiskFull(response);
  else sendAnswer(response, answer);
  if (request.method !== 'GET') parts.onWritten();
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const satisfies readonly Method[];

interface Found {
  readonly fn: ApiFunction;
  readonly routeKey: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const UNROUTED: Found = { fn: UNROUTED_FUNCTION, routeKey: UNROUTED_KEY, parameters: {} };

function findRoute(router: ReturnType<typeof findMyWay>, request: IncomingMessage, url: URL): Found {
  const method = METHODS.find((one) => one === request.method);
  if (method === undefined) return UNROUTED;
  const found = router.find(method, url.pathname);
  const route = Object.values(routes).find((candidate) => candidate === found?.store);
  if (found === null || route === undefined) return UNROUTED;
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(found.params)) if (value !== undefined) parameters[name] = value;
  return { fn: route.fn, routeKey: `${route.method} ${route.path}`, parameters };
}

/** Reads to the end even if the body is too large, so that the client reads the answer. */
function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DISCARDED_BYTES) request.destroy();
    });
    request.once('end', () => resolve(size > MAX_BODY_BYTES ? 'too large' : Buffer.concat(chunks)));
    request.once('error', reject);
  });
}

const TEXT = /^(text\/|application\/(json|javascript|xml|x-www-form-urlencoded)\b)/;

/** Format 2.0: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
function toEvent(found: Found, request: IncomingMessage, url: URL, body: Buffer): APIGatewayProxyEventV2 {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (name !== 'cookie' && value !== undefined)
      headers[name] = Array.isArray(value) ? value.join(',') : value;
  const query = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const before = query.get(name);
    query.set(name, before === undefined ? value : `${before},${value}`);
  }
  const cookies = request.headers.cookie?.split(';').map((cookie) => cookie.trim());
  const text = TEXT.test(headers['content-type'] ?? 'text/');
  const { routeKey, parameters } = found;
  const now = new Date();
  return {
    version: '2.0',
    routeKey,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    ...(cookies && { cookies }),
    headers,
    ...(url.search.length > 1 && { queryStringParameters: Object.fromEntries(query) }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: { ...parameters } }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: url.pathname,
        protocol: 'HTTP/1.1',
        sourceIp: clientAddress(request),
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(text ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !text,
  };
}

/** Without the IPv4 prefix of dual-stack sockets. */
function clientAddress(request: IncomingMessage): string {
  return (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

function sendAnswer(response: ServerResponse, answer: APIGatewayProxyStructuredResultV2): void {
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    if (value !== undefined) response.setHeader(name, String(value));
  if (answer.cookies !== undefined && answer.cookies.length > 0)
    response.setHeader('set-cookie', answer.cookies);
  const body = answer.body ?? '';
  const content = answer.isBase64Encoded === true ? Buffer.from(body, 'base64') : Buffer.from(body);
  const status = answer.statusCode ?? 200;
  // With 304 it would be the length of the cached answer.
  if (status !== 304) response.setHeader('content-length', content.length);
  response.writeHead(status).end(content);
}

const RETRY_AFTER_SECONDS = 10;

/** Everything continues as soon as there is space. */
function sendDiskFull(response: ServerResponse): void {
  response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  sendError(
    response,
    503,
    'disk_full',
    'The disk is full, so nothing can be stored. Please make room and try again.',
  );
}

function sendError(response: ServerResponse, status: number, code: string, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error, code }));
}
