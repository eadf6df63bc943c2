/** One API function with the test's handlers, called like API Gateway does; no table, no server. */

import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type ApiContext, createApi, type Handlers } from '#functions/http/api';
import { signSession } from '#functions/http/session-cookie';
import { systemRuntime } from '#functions/platform/runtime';
import type { ApiFunction, EndpointOf } from '#shared/contract/routes';
import type { Schemas } from '#shared/contract/schemas';
import { cipher } from '#test/factories/secrets';
import { changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

export const NOW = new Date('2026-07-01T12:00:00Z');
export const PUBLIC_BASE_URL = 'https://leads.example.com';
export const SESSION_KEY = new Uint8Array(32).fill(7);

export const ADMIN = { username: 'ann', password_hash: 'hash', created_at: NOW.toISOString() };
export const SESSION = {
  id: 'open',
  username: 'ann',
  reference: 'reference',
  opened_with: ADMIN.password_hash,
  opened_at: NOW.toISOString(),
  used_at: NOW.toISOString(),
  reauthenticated_at: NOW.toISOString(),
  address: '198.51.100.7',
  user_agent: '',
  expires_at: NOW.getTime() / 1000 + 3600,
};

/** The cookie of a session, by default of an open one. */
export const sessionCookieOf = async (sessionId = 'open', username = 'ann') => {
  const expiresAt = new Date(NOW.getTime() + 3_600_000);
  return `session=${await signSession(SESSION_KEY, { sessionId, username, expiresAt })}`;
};

export interface Logged {
  readonly level: string;
  readonly message: string;
  readonly fields: object | undefined;
}

export interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: readonly string[] | undefined;
  /** The body as sent. */
  readonly text: string;
  /** The parsed body if it is uncompressed JSON. */
  readonly json: unknown;
  readonly isBase64Encoded: boolean | undefined;
}

/**
 * @param handlers for the calls of the test; they get the parsed request
 * @param changes by default there is no CloudFront, and only the session `open` is open
 */
export function apiOf<F extends ApiFunction>(
  fn: F,
  schemas: Pick<Schemas, EndpointOf<F>>,
  handlers: Readonly<Record<string, (request: never) => Promise<unknown>>>,
  changes: Partial<ApiContext> = {},
) {
  const logged: Logged[] = [];
  const at = (level: string) => (message: string, fields?: object) => {
    logged.push({ level, message, fields });
  };
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  const table = changedTable(memoryTable(), {
    getMany: async ([session]) => (session?.sk === 'open' ? [SESSION, ADMIN] : [undefined, undefined]),
  });
  const handler = createApi(
    fn,
    schemas,
    {
      table,
      keys: (async () => ({ session: SESSION_KEY })) as unknown as ApiContext['keys'],
      cipher: async () => cipher,
      personKey: async () => SESSION_KEY,
      runtime: { ...systemRuntime, now: () => NOW, log },
      publicBaseUrl: PUBLIC_BASE_URL,
      originSecrets: async () => [],
      ...changes,
    },
    handlers as unknown as Handlers<F>,
  );
  const call = async (
    routeKey: string,
    event: Partial<Omit<APIGatewayProxyEventV2, 'routeKey'>> = {},
  ): Promise<Answered> => {
    const reply = await handler(
      {
        rawPath: routeKey.split(' ')[1] ?? '',
        headers: {},
        requestContext: { http: { sourceIp: '198.51.100.7' } },
        isBase64Encoded: false,
        ...event,
        routeKey,
      } as APIGatewayProxyEventV2,
      { awsRequestId: 'request-1' } as Context,
    );
    const text = reply.body ?? '';
    const isJson = reply.isBase64Encoded !== true && text.startsWith('{');
    return {
      status: reply.statusCode,
      headers: reply.headers ?? {},
      cookies: reply.cookies,
      text,
      json: isJson ? (JSON.parse(text) as unknown) : undefined,
      isBase64Encoded: reply.isBase64Encoded,
    };
  };
  return { call, logged };
}
