/** The contract as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0). */
import * as z from 'zod/mini';
import { ERROR_SCHEMA, type Json, toJsonSchema } from '#shared/contract/json-schema';
import { type Needs, needsOf } from '#shared/contract/roles';
import { type ApiFunction, type EndpointId, type Route, routes } from '#shared/contract/routes';
import { webhookData } from '#shared/contract/rows/webhook-event';
import { type EndpointSchemas, schemas } from '#shared/contract/schemas';
import { scopeOf } from '#shared/contract/scopes';
import { EXPORT_MEDIA_TYPES, MAX_BODY_BYTES } from '#shared/rules/constants';

const DESCRIPTION = `Every call of the product.

Money is euro, instants are ISO 8601 in UTC; fields that end in \`_formatted\` are German and in the time of Berlin.

A request may be looser than its schema: spaces around a line of text are removed, a number may be text in plain or
German spelling (\`"12500.5"\`, \`"12.500,50"\`), fields that a schema does not name are ignored. Lengths count UTF-16
code units, so most emoji count twice, and half of such a pair is refused. A body has at most ${MAX_BODY_BYTES / 1024} KB.

Tools of your own call with an API key, which an admin creates under Admins: \`Authorization: Bearer lda_…\`. Its scopes
(\`read\`, \`leads\`, \`orders\`) say which calls it may make; the security of each call names the scope. Answers to a key
mask the links of buyers and sources. A revoked key is refused from its next call.`;

const TAGS: Readonly<Record<ApiFunction, string>> = {
  auth: 'Sessions of admins',
  buyers: 'Buyers, their settings and links',
  claims: 'Claims of bad leads and their replacements',
  deliveries: 'Deliveries to buyers over their channels',
  insights: 'Dashboard, statistics, simulation, audit and search',
  intake: 'What sources call with their keys',
  leads: 'Leads and their data',
  'leads-view': 'What the holder of a link sees',
  meta: 'The API about itself',
  orders: 'Orders and their limits',
  people: 'What is stored about a person, and its erasure',
  'pending-leads': 'Leads without a buyer',
  settings: 'Verification, e-mail templates and push notifications',
  sources: 'Sources of leads, their limits and keys',
};

/** They open a session, which is refused like a missing one. */
const LOGS_IN: ReadonlySet<EndpointId> = new Set(['login', 'passkeyLogin', 'finishLogin']);

const REFUSALS = {
  400: { name: 'BadRequest', description: 'The request does not fit its schema, or a rule of the business' },
  401: { name: 'Unauthorized', description: 'No session, an expired session, or an unknown or revoked key' },
  403: {
    name: 'Forbidden',
    description:
      'The call comes from another site, the link belongs to another list, or the API key lacks the scope',
  },
  404: { name: 'NotFound', description: 'The requested object does not exist' },
  409: {
    name: 'Conflict',
    description: 'The current state does not allow it, or it changed at the same time',
  },
  413: { name: 'TooLarge', description: 'The body is too large' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON (for sources: nor a form)',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'Too many calls, wrong passwords or wrong keys. A call refused before it reaches the API has no body.',
    headers: {
      'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
    },
  },
} as const;

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

function parameters(schema: z.ZodMiniType | undefined, location: 'path' | 'query'): Json[] {
  if (!(schema instanceof z.ZodMiniObject)) return [];
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, ...rest } = toJsonSchema(field, 'input');
    // Zod omits the default of a schema with a transformation.
    const standard = field instanceof z.ZodMiniDefault ? { default: field.def.defaultValue } : {};
    return {
      name,
      in: location,
      required: location === 'path' || !z.safeParse(field, undefined).success,
      ...(description !== undefined && { description }),
      schema: { ...rest, ...standard },
    };
  });
}

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Idempotency key. A lead posted again with the same key within a day is not created twice.',
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

const TAGGED: ReadonlySet<EndpointId> = new Set(['viewLeads', 'viewShare', 'viewStatement']);

/** RFC 9110, section 13.1.2 */
const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer: 304 without a body if nothing has changed since',
  schema: { type: 'string' },
};

function namesEntity(shape: EndpointSchemas): boolean {
  const names = [shape.query, shape.body].flatMap((schema) =>
    schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [],
  );
  return (
    shape.params !== undefined || names.some((name) => /_ids?$|^copy_of$|^buyers$|^leads$|^token$/.test(name))
  );
}

function refusalsOf(id: EndpointId, route: Route, shape: EndpointSchemas): (keyof typeof REFUSALS)[] {
  const takesInput = [shape.params, shape.query, shape.body].some((part) => part !== undefined);
  const changes = route.method !== 'GET' && route.method !== 'OPTIONS';
  const withSession = route.access === 'admin' || route.access === 'admin-or-link';
  return [
    ...(takesInput ? [400 as const] : []),
    ...(withSession || route.access === 'source' || LOGS_IN.has(id) ? [401 as const] : []),
    ...(changes ||
    (needsOf(id) ?? 'viewer') !== 'viewer' ||
    scopeOf(id) !== undefined ||
    route.access === 'source'
      ? [403 as const]
      : []),
    ...(namesEntity(shape) ? [404 as const] : []),
    ...(changes && !LOGS_IN.has(id) ? [409 as const] : []),
    ...(shape.body === undefined ? [] : [413 as const, 415 as const]),
    429,
  ];
}

/** A download without a choice of formats is a page. */
const FILE_TYPES = {
  ...EXPORT_MEDIA_TYPES,
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

function fileTypes(id: EndpointId, { params }: EndpointSchemas): string[] {
  if (id === 'exportConsentProofs') return ['application/zip'];
  const format = params instanceof z.ZodMiniObject ? params.shape.format : undefined;
  return Object.entries(FILE_TYPES).flatMap(([name, type]) =>
    z.safeParse(format ?? z.literal('html'), name).success ? type : [],
  );
}

const REDIRECTS: ReadonlySet<EndpointId> = new Set(['openUnsubscription']);

const titleOf = (id: EndpointId, what: string) => `${id.slice(0, 1).toUpperCase()}${id.slice(1)}${what}`;

function success(id: EndpointId, { status }: Route, shape: EndpointSchemas): Json {
  if (status === 204) return { 204: { description: 'Success' } };
  if (shape.answer !== 'file')
    return {
      [status ?? 200]: {
        description: 'Success',
        content: {
          'application/json': {
            schema: { title: titleOf(id, 'Answer'), ...toJsonSchema(shape.answer, 'output') },
          },
        },
      },
    };
  const file = { schema: { type: 'string', format: 'binary' } };
  if (REDIRECTS.has(id)) return { 302: { description: 'The page' } };
  return {
    200: {
      description: 'The file',
      headers: {
        'Content-Disposition': { description: 'With the name of the file', schema: { type: 'string' } },
      },
      content: Object.fromEntries(fileTypes(id, shape).map((type) => [type, file])),
    },
    302: {
      description: 'The file is large',
      headers: {
        Location: {
          description: 'Where it can be fetched for a few minutes',
          schema: { type: 'string', format: 'uri' },
        },
      },
    },
  };
}

function securityOf(id: EndpointId): Json[] {
  const scope = scopeOf(id);
  const admins = [{ session: [] }, ...(scope === undefined ? [] : [{ apiKey: [scope] }])];
  switch (routes[id].access) {
    case 'admin':
      return admins;
    case 'admin-or-link':
      return [...admins, {}];
    case 'source':
      return [{ sourceKey: [] }];
    case 'link':
    case 'public':
      return [];
  }
}

const NEEDS_TEXT: Readonly<Record<Needs, string>> = {
  viewer: 'Every role of admins may call this.',
  'personal-export': 'Not for the role `viewer`, unless exports of personal data are granted to it.',
  operations: 'Needs the role `operations` or `admin`.',
  'own-account': 'Needs the role `admin`, except for the own account.',
  admin: 'Needs the role `admin`.',
};

function rulesOf(id: EndpointId, { refusals: own = {} }: EndpointSchemas): Json {
  const needs = needsOf(id);
  const lines = Object.entries(own).map(([name, text]) => `- \`${name.split('.')[0]}\`: ${text}`);
  const description = [
    ...(needs === undefined ? [] : [NEEDS_TEXT[needs]]),
    ...(lines.length === 0
      ? []
      : [`Refused with 400, although it fits its schema, when\n\n${lines.join('\n')}`]),
  ].join('\n\n');
  return {
    ...(description !== '' && { description }),
    ...(lines.length > 0 && { 'x-refusals': Object.keys(own) }),
  };
}

function operation(id: EndpointId): Json {
  const route: Route = routes[id];
  const shape: EndpointSchemas = schemas[id];
  return {
    operationId: id,
    summary: shape.summary,
    ...rulesOf(id, shape),
    tags: [route.fn],
    security: securityOf(id),
    parameters: [
      ...parameters(shape.params, 'path'),
      ...parameters(shape.query, 'query'),
      ...(id === 'createLead' ? [IDEMPOTENCY_KEY] : []),
      ...(TAGGED.has(id) ? [IF_NONE_MATCH] : []),
    ],
    ...(shape.body !== undefined && {
      requestBody: {
        required: !z.safeParse(shape.body, {}).success,
        content: {
          'application/json': {
            schema: { title: titleOf(id, 'Request'), ...toJsonSchema(shape.body, 'input') },
          },
          ...(route.access === 'source' && {
            'application/x-www-form-urlencoded': { schema: { type: 'object' } },
          }),
        },
      },
    }),
    responses: {
      ...success(id, route, shape),
      ...(TAGGED.has(id) && { 304: { description: 'Nothing has changed' } }),
      ...Object.fromEntries(
        refusalsOf(id, route, shape).map((status) => [
          status,
          { $ref: `#/components/responses/${REFUSALS[status].name}` },
        ]),
      ),
      default: { $ref: '#/components/responses/Failure' },
    },
  };
}

/** Signed as in Standard Webhooks. */
const SIGNATURE = [
  ['webhook-id', 'The ID of the event, the same for every attempt'],
  ['webhook-timestamp', 'When it was signed, in seconds since 1970'],
  [
    'webhook-signature',
    'One or two signatures, `v1,` and HMAC-SHA256 in base64, of `{id}.{timestamp}.{body}`',
  ],
] as const;

const webhooks = () =>
  Object.fromEntries(
    Object.entries(webhookData).map(([event, data]) => [
      event,
      {
        post: {
          operationId: event,
          summary: `\`${event}\`, sent to the webhooks of the installation that chose it`,
          security: [],
          parameters: SIGNATURE.map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['type', 'timestamp', 'data'],
                  properties: {
                    type: { const: event },
                    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
                    data: toJsonSchema(data, 'output'),
                  },
                },
              },
            },
          },
          responses: {
            '2XX': { description: 'Arrived' },
            410: {
              description: 'The receiver is gone: nothing more is sent until the webhook is saved again',
            },
            default: { description: 'Not arrived: it is retried for a day' },
          },
        },
      },
    ]),
  );

export function openApiDocument(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(routes).filter((key): key is EndpointId => Object.hasOwn(routes, key))) {
    const { path, method } = routes[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(id) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lead distribution',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(),
    components: {
      schemas: { Error: ERROR_SCHEMA },
      responses: {
        ...Object.fromEntries(
          Object.values(REFUSALS).map(({ name, ...response }) => [
            name,
            { ...response, content: errorContent },
          ]),
        ),
        Failure: { description: 'Something went wrong on our side', content: errorContent },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'The cookie that `POST /api/login` sets',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key with the scope that is named here',
        },
        sourceKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of the source, as an admin has handed it out',
        },
      },
    },
  };
}
