/** The contract as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0). */
import * as z from 'zod/mini';
import { type EndpointId, routes } from '#shared/contract/routes';
import { type EndpointSchemas, schemas } from '#shared/contract/schemas';

type Json = Record<string, unknown>;

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'The text to show' },
    code: { type: 'string', description: 'Stable, snake case' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** What clients send stands before any transformation, hence the schemas' input side. */
function toJsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
}

function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Json[] {
  if (!(schema instanceof z.ZodMiniObject)) return [];
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: toJsonSchema(field, 'input'),
  }));
}

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    "The client's own name of the lead. Posted again with it within a day, the lead is not taken in twice.",
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

function operation(id: EndpointId): Json {
  const route = routes[id];
  const shape: EndpointSchemas = schemas[id];
  return {
    operationId: id,
    tags: [route.fn],
    security: route.access === 'admin' ? [{ session: [] }] : [],
    parameters: [
      ...parameters(shape.params, 'path'),
      ...parameters(shape.query, 'query'),
      ...(id === 'createLead' ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(shape.body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toJsonSchema(shape.body, 'input') } },
      },
    }),
    responses: {
      200:
        shape.answer === 'file'
          ? { description: 'A download', content: { 'application/octet-stream': {} } }
          : {
              description: 'Success',
              content: { 'application/json': { schema: toJsonSchema(shape.answer, 'output') } },
            },
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** @param baseUrl where this system is reached, without a trailing slash */
export function openApiDocument(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(routes).filter((key): key is EndpointId => Object.hasOwn(routes, key))) {
    const { path, method } = routes[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(id) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Lead distribution', version: '1.0.0' },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
    },
  };
}
