/** A call without the required session is refused before the request is parsed, so that errors reveal nothing. */

import { gzipSync } from 'node:zlib';
import middy from '@middy/core';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpSecurityHeaders from '@middy/http-security-headers';
import type {
  APIGatewayProxyEventV2,
  Context as LambdaContext,
  APIGatewayProxyStructuredResultV2 as Result,
} from 'aws-lambda';
import type * as z from 'zod/mini';
import type { ApiKey, OpenSession, Origin, Session } from '#functions/data/administration/admin';
import * as sessionStore from '#functions/data/administration/session-store';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import { DomainError, forbidden } from '#functions/domain/common/errors';
import type { LinkVisitor } from '#functions/domain/orders/link-access';
import { errorAnswer, inPlainWords, invalidRequest } from '#functions/http/errors';
import { linkVisitor } from '#functions/http/link-cookie';
import { readCookies, readSession, SESSION_COOKIE } from '#functions/http/session-cookie';
import { isOfAnotherPath, unrouted } from '#functions/http/unrouted';
import type { Cipher } from '#functions/keys/cipher';
import type { KeyLoader } from '#functions/keys/keys';
import { errorFields } from '#functions/platform/logger';
import { isAllowed, type Needs, needsOf } from '#shared/contract/roles';
import {
  type ApiFunction,
  type EndpointId,
  type EndpointOf,
  type Route,
  routes,
} from '#shared/contract/routes';
import type { EndpointSchemas, Parsed, Schemas } from '#shared/contract/schemas';
import type { NeedsSession } from '#shared/contract/scopes';
import {
  ACCEPTED_ENCODING_HEADER,
  AUTHORIZATION_HEADER,
  KNOWN_TAG_HEADER,
  SERVER_TIME_HEADER,
} from '#shared/contract/web-headers';
import { MAX_BODY_BYTES, SECRET_MASK } from '#shared/rules/constants';

interface Caller {
  readonly address: string;
  readonly from: Origin;
  readonly cookies: ReadonlyMap<string, string>;
  /** Not validated, like the next ones. */
  readonly idempotencyKey: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly authorization: string | undefined;
  readonly origin: string | undefined;
}

export interface Request<Id extends EndpointId> extends Caller {
  readonly params: Parsed<Id, 'params'>;
  readonly query: Parsed<Id, 'query'>;
  readonly body: Parsed<Id, 'body'>;
  /** Null on endpoints that do not require an admin, and for calls with an API key. */
  readonly session: (typeof routes)[Id]['access'] extends 'admin'
    ? NeedsSession<Id> extends true
      ? Session
      : Session | null
    : Session | null;
  /** The user name of the session, or the API key, for the audit trail. */
  readonly who: (typeof routes)[Id]['access'] extends 'admin' ? string : string | undefined;
  readonly visitor: LinkVisitor;
}

/** Large files are downloaded from an address that is valid for a short time. */
export type FileAnswer =
  | {
      readonly filename: string;
      readonly contentType: string;
      readonly content: Uint8Array;
      /** By the browser, in place of a download. */
      readonly isShown?: boolean;
    }
  | { readonly location: string };

type AnswerOf<Id extends EndpointId> = Schemas[Id]['answer'] extends z.ZodMiniType
  ? z.input<Schemas[Id]['answer']>
  : FileAnswer;

/** Whole `Set-Cookie` values. */
export class WithCookies<Answer> {
  readonly answer: Answer;
  readonly cookies: readonly string[];
  constructor(answer: Answer, cookies: readonly string[]) {
    this.answer = answer;
    this.cookies = cookies;
  }
}

/** An undefined answer, which the caller has already, becomes 304. */
export class WithTag<Answer> {
  readonly answer: Answer | undefined;
  /** In quotes; undefined if the client must not revalidate the answer. */
  readonly tag: string | undefined;
  constructor(answer: Answer | undefined, tag: string | undefined) {
    this.answer = answer;
    this.tag = tag;
  }
}

export type Handler<Id extends EndpointId> = (
  request: Request<Id>,
) => Promise<AnswerOf<Id> | WithCookies<AnswerOf<Id>> | WithTag<AnswerOf<Id>>>;

export type Handlers<F extends ApiFunction> = { readonly [Id in EndpointOf<F>]: Handler<Id> };

export interface ApiContext extends AddressContext {
  readonly keys: KeyLoader;
  readonly cipher: () => Promise<Cipher>;
  readonly publicBaseUrl: string;
  /** Accepted values of `x-origin-verify`, which CloudFront adds: two during a rotation, none without CloudFront. */
  readonly originSecrets: () => Promise<readonly string[]>;
  /** Refuses a caller without a key of a source, before errors describe the request. @throws DomainError 401 */
  readonly requireSource?: (caller: Pick<Caller, 'authorization' | 'origin' | 'address'>) => Promise<unknown>;
}

/** Compressing shorter answers gains nothing. */
const MIN_COMPRESSED_CHARACTERS = 2048;
/** Usually 6: a list of 2.4 MB takes two thirds of the time and becomes 7 % larger. */
const GZIP_LEVEL = 4;

/** The last two add headers that have no use here. */
const SECURITY_HEADERS = {
  // Of pages that the API makes. Styles cannot run code; browsers do not know navigate-to.
  contentSecurityPolicy: { 'style-src': "'unsafe-inline'", 'navigate-to': '' },
  referrerPolicy: { policy: 'no-referrer' },
  poweredBy: false,
  reportingEndpoints: false,
};

export type ApiHandler = (event: APIGatewayProxyEventV2, context: LambdaContext) => Promise<Result>;

/** @param schemas only the function's own: building all of them would double its cold start */
export function createApi<F extends ApiFunction>(
  fn: F,
  schemas: Pick<Schemas, EndpointOf<F>>,
  api: ApiContext,
  handlers: Handlers<F>,
): ApiHandler {
  const byRoute = new Map<string, { id: EndpointId; handler: ErasedHandler; shape: EndpointSchemas }>();
  const shapes = new Map<string, EndpointSchemas>(Object.entries(schemas));
  for (const [id, handler] of Object.entries<ErasedHandler>(erased(handlers))) {
    if (!isEndpoint(id) || routes[id].fn !== fn) throw new Error(`${id} is no endpoint of ${fn}`);
    const shape = shapes.get(id);
    if (shape === undefined) throw new Error(`${id} has no schemas`);
    byRoute.set(`${routes[id].method} ${routes[id].path}`, { id, handler, shape });
  }

  const dispatch = async (event: APIGatewayProxyEventV2): Promise<Result> => {
    const throughCloudFront = await requireOrigin(event, api);
    // A path with several methods is one route at API Gateway.
    const found = byRoute.get(event.routeKey.replace(/^ANY /, `${event.requestContext.http.method} `));
    if (found === undefined) return unrouted(event);
    const route: Route = routes[found.id];
    if (isOfAnotherPath(route, event)) return unrouted(event);
    const cookies = readCookies(event.cookies);
    const from = originOf(event, throughCloudFront);
    const authorization = event.headers[AUTHORIZATION_HEADER] ?? event.headers.authorization;
    const apiKey = await apiKeyOf(authorization, found.id, from, api);
    const open =
      apiKey !== null || route.access === 'public' || route.access === 'source'
        ? null
        : await sessionOf(cookies, route, api);
    if (route.access === 'admin' && open === null && apiKey === null)
      throw new DomainError('unauthenticated', 'not_logged_in', 'Please log in');
    const session = allowed(open, found.id, event);
    if (session?.limited === true && !REGISTERS_PASSKEY.has(found.id))
      throw forbidden('passkey_required', 'Register a passkey first.');
    // Not for calls by a link: the token authorises them, not a cookie that another site could make the browser send,
    // and the page may come from a former address of the site.
    if (isChange(route) && (session !== null || route.access === 'public')) refuseForeignSite(event, api);

    const { shape } = found;
    if (route.access === 'admin' && session !== null) await noteUse(session, from, api);
    const caller: Caller = {
      cookies,
      address: from.address,
      from,
      idempotencyKey: event.headers['idempotency-key'],
      ifNoneMatch: event.headers[KNOWN_TAG_HEADER] ?? event.headers['if-none-match'],
      authorization,
      origin: event.headers.origin,
    };
    const parts = await readParts(shape, event, route, caller, api);
    const who = apiKey === null ? session?.username : `API key ${apiKey.name}`;
    const visitor = linkVisitor(api.keys, { who, cookies }, api.runtime.now());
    const answer = await found.handler({ ...caller, ...parts, session, who, visitor });
    if (answer instanceof WithCookies)
      return { ...success(shape, answer.answer), cookies: [...answer.cookies] };
    if (answer instanceof WithTag) return tagged(shape, answer, api.runtime.now());
    if (route.status === 204) return { statusCode: 204 };
    const hidesLinks = apiKey !== null || session?.rights.exports_personal_data === false;
    return success(shape, answer, route.status, hidesLinks);
  };

  return middy<APIGatewayProxyEventV2, Result>()
    .use(httpSecurityHeaders(SECURITY_HEADERS))
    .use(httpHeaderNormalizer())
    .use({
      onError: (request) => {
        request.response = errorAnswer(request.error, request.context.awsRequestId, api.runtime.log);
      },
      after: (request) => {
        if (request.response !== null)
          request.response.headers = { 'cache-control': 'no-store', ...request.response.headers };
      },
    })
    .handler(async (event) => compressed(event, await dispatch(event)));
}

type ErasedHandler = (request: unknown) => Promise<unknown>;

/**
 * The type ties every handler to the schemas of its endpoint; `dispatch` looks both up by ID, unseen by the compiler.
 */
function erased(handlers: object): Record<string, ErasedHandler> {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
  return handlers as Record<string, ErasedHandler>;
}

const isChange = ({ method }: Route) => method !== 'GET' && method !== 'OPTIONS';

function isEndpoint(id: string): id is EndpointId {
  return Object.hasOwn(routes, id);
}

async function readParts(
  shape: EndpointSchemas,
  event: APIGatewayProxyEventV2,
  { access }: Route,
  caller: Caller,
  { requireSource }: ApiContext,
) {
  try {
    return {
      params: parsePart(shape.params, event.pathParameters ?? {}),
      query: parsePart(shape.query, event.queryStringParameters ?? {}),
      body:
        shape.body === undefined ? undefined : parsePart(shape.body, readBody(event, access === 'source')),
    };
  } catch (error) {
    // A key is otherwise recognised by the write that counts the leads, which needs a readable request.
    if (access === 'source') await requireSource?.(caller);
    throw error;
  }
}

function parsePart(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { error: inPlainWords });
  if (!parsed.success) throw invalidRequest(parsed.error);
  return parsed.data;
}

/** @param takesForms whether HTML forms are read as well */
function readBody(event: APIGatewayProxyEventV2, takesForms: boolean): unknown {
  const raw = event.body ?? '';
  const text = event.isBase64Encoded ? Buffer.from(raw, 'base64').toString('utf8') : raw;
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    throw new DomainError('too_large', 'payload_too_large', 'The request is too large');
  if (text === '') return {};
  const type = event.headers['content-type'] ?? '';
  if (takesForms && FORM.test(type)) return readForm(text);
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type))
    throw new DomainError('unsupported', 'unsupported_media_type', 'Please send JSON (application/json)');
  try {
    return JSON.parse(text, wholeCharacters);
  } catch {
    throw new DomainError('invalid', 'invalid_json', 'The request is not valid JSON');
  }
}

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** A repeated field becomes a list, so that the handler can refuse it. */
function readForm(text: string): unknown {
  const form = new URLSearchParams(text);
  const entries = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(entries);
}

/** A JSON reviver that refuses unpaired surrogates (`"\\ud800"`), as the table does. @throws SyntaxError */
function wholeCharacters(_: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('Invalid character');
  return value;
}

/** All that a session may do if its admin has no required passkey. */
const REGISTERS_PASSKEY: ReadonlySet<EndpointId> = new Set(['beginPasskey', 'addPasskey']);

async function sessionOf(
  cookies: ReadonlyMap<string, string>,
  { access }: Route,
  api: ApiContext,
): Promise<OpenSession | null> {
  const token = cookies.get(SESSION_COOKIE);
  if (token === undefined) return null;
  const now = api.runtime.now();
  const session = await readSession((await api.keys()).session, token, now);
  const open = session && (await sessionStore.findOpen(api, session, now));
  // A session that may only register a passkey must not restrict calls that need no login.
  return open === undefined || (open.limited === true && access !== 'admin') ? null : open;
}

/**
 * The session, if its role allows the call. A link in the call grants what it grants without a session.
 * @throws DomainError 403 `role_required`
 */
function allowed(
  session: OpenSession | null,
  id: EndpointId,
  { pathParameters, queryStringParameters }: APIGatewayProxyEventV2,
): OpenSession | null {
  const needs = needsOf(id);
  if (session === null || needs === undefined) return session;
  if (isAllowed(session.rights, needs, pathParameters?.username === session.username)) return session;
  if (routes[id].access === 'admin-or-link' && queryStringParameters?.token !== undefined) return null;
  throw forbidden('role_required', ROLE_TEXT[needs]);
}

const ROLE_TEXT: Readonly<Record<Needs, string>> = {
  viewer: 'Your role does not allow this.',
  'personal-export': 'Your role does not allow files with personal data. An admin can grant you this.',
  operations: 'Your role does not allow this. It needs the role operations or admin.',
  'own-account': 'Your role allows this only for your own account.',
  admin: 'Your role does not allow this. It needs the role admin.',
};

/**
 * Also refuses a call that the key does not allow. A key replaces the session, whatever the cookies are.
 * @throws DomainError 401, 403 `scope_required`, 429
 */
async function apiKeyOf(
  authorization: string | undefined,
  id: EndpointId,
  { address }: Origin,
  api: ApiContext,
): Promise<ApiKey | null> {
  const { access } = routes[id];
  const [, text] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (text === undefined || (access !== 'admin' && access !== 'admin-or-link')) return null;
  // On demand: most calls have a session.
  const { noteKeyUse, requireApiKey, requireScope } = await import(
    '#functions/domain/administration/api-key-access'
  );
  const key = await requireApiKey(api, text, address);
  requireScope(key, id);
  await noted('an API key', api, () => noteKeyUse(api, key));
  return key;
}

/** Recording the use costs a write. */
const USE_NOTED_EVERY_MS = 5 * 60_000;

async function noteUse(session: Session, from: Origin, context: ApiContext): Promise<void> {
  const now = context.runtime.now();
  if (now.getTime() - new Date(session.used_at).getTime() < USE_NOTED_EVERY_MS) return;
  await noted('a session', context, () => sessionStore.used(context, session, now, from));
}

/** A failure does not fail the call. */
async function noted(what: string, { runtime }: ApiContext, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    runtime.log.warn(`use of ${what} not noted`, errorFields(error));
  }
}

/** @returns false if the API runs without CloudFront @throws DomainError (403) for a call that bypasses CloudFront */
async function requireOrigin(event: APIGatewayProxyEventV2, api: ApiContext): Promise<boolean> {
  const secrets = await api.originSecrets();
  const shown = event.headers['x-origin-verify'];
  if (secrets.length > 0 && !secrets.some((secret) => secret === shown))
    throw new DomainError('forbidden', 'origin_closed', 'Not available at this address');
  return secrets.length > 0;
}

/** CloudFront sets the header (`ip:port`). Without it a client could set that header itself, so it is ignored. */
function addressOf(event: APIGatewayProxyEventV2, throughCloudFront: boolean): string {
  const viewer = throughCloudFront ? event.headers['cloudfront-viewer-address'] : undefined;
  return viewer === undefined ? event.requestContext.http.sourceIp : viewer.replace(/:\d+$/, '');
}

/** The client chooses the length. */
const MAX_USER_AGENT_LENGTH = 300;
const MAX_CITY_LENGTH = 100;

/** The location comes from CloudFront, for the same reason. */
function originOf(event: APIGatewayProxyEventV2, throughCloudFront: boolean): Origin {
  const country = throughCloudFront ? event.headers['cloudfront-viewer-country'] : undefined;
  return {
    address: addressOf(event, throughCloudFront),
    user_agent: (event.requestContext.http.userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    ...(country !== undefined && {
      country: country.slice(0, 2),
      city: (event.headers['cloudfront-viewer-city'] ?? '').slice(0, MAX_CITY_LENGTH),
    }),
  };
}

/** Browsers set `Origin` (CSRF). @throws DomainError (403) */
function refuseForeignSite(event: APIGatewayProxyEventV2, api: ApiContext): void {
  const origin = event.headers.origin;
  if (origin === undefined) return;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  const isOurs = from?.origin === new URL(api.publicBaseUrl).origin || from?.host === event.headers.host;
  if (from === undefined || !isOurs)
    throw new DomainError('forbidden', 'foreign_origin', 'Calls from another site are refused');
}

/** @param hidesLinks whether the caller must not learn links that open without a session */
function success(shape: EndpointSchemas, answer: unknown, statusCode = 200, hidesLinks = false): Result {
  if (shape.answer !== 'file') {
    return {
      statusCode,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(shape.answer.parse(answer), hidesLinks ? withoutLinks : undefined),
    };
  }
  if (!isFileAnswer(answer)) throw new TypeError('A download was expected');
  if ('location' in answer) return { statusCode: 302, headers: { location: answer.location } };
  const ascii = answer.filename.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '');
  return {
    statusCode: 200,
    headers: {
      'content-type': answer.contentType,
      'content-disposition': `${answer.isShown ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(answer.filename)}`,
    },
    body: Buffer.from(answer.content).toString('base64'),
    isBase64Encoded: true,
  };
}

/** Fields of answers that open a page, with its exports, without a session. Keys and viewers without exports get a mask. */
const SECRET_LINKS: ReadonlySet<string> = new Set(['excel_link', 'specification_link']);

const withoutLinks = (name: string, value: unknown): unknown =>
  SECRET_LINKS.has(name) && value !== null ? SECRET_MASK : value;

function tagged(shape: EndpointSchemas, { answer, tag }: WithTag<unknown>, now: Date): Result {
  const etag: Record<string, string> = tag === undefined ? {} : { etag: tag };
  if (answer === undefined)
    return { statusCode: 304, headers: { ...etag, [SERVER_TIME_HEADER]: now.toISOString() } };
  const full = success(shape, answer);
  return { ...full, headers: { ...full.headers, ...etag } };
}

/** A list of thousands of leads shrinks to a tenth, far below the 6 MB that a Lambda may answer. */
function compressed(event: APIGatewayProxyEventV2, answer: Result): Result {
  const { body = '', isBase64Encoded = false } = answer;
  const accepts = event.headers[ACCEPTED_ENCODING_HEADER] ?? event.headers['accept-encoding'] ?? '';
  if (!/\bgzip\b/.test(accepts) || isBase64Encoded || body.length < MIN_COMPRESSED_CHARACTERS) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    body: gzipSync(body, { level: GZIP_LEVEL }).toString('base64'),
    isBase64Encoded: true,
  };
}

function isFileAnswer(answer: unknown): answer is FileAnswer {
  return typeof answer === 'object' && answer !== null && ('location' in answer || 'content' in answer);
}
