/**
 * What every endpoint does, takes, refuses and answers, keyed by its id in `routes.ts`.
 *
 * Requests are parsed before they are passed to a handler, and answers before they are sent; both lose fields that
 * their schema does not declare. Money is in euro, instants are ISO 8601 in UTC, `_formatted` fields are German texts
 * in Berlin time. Rows that several functions use are in `rows/`, because a function builds every schema of a module
 * that it imports (docs/adr/0013-bundles.md); for the same reason the schemas are of `zod/mini`.
 */
import type * as z from 'zod/mini';
import type { Refusals } from '#shared/contract/refusals';
import type { EndpointId } from '#shared/contract/routes';
import { authSchemas } from '#shared/contract/schemas/auth';
import { buyerSchemas } from '#shared/contract/schemas/buyers';
import { claimSchemas } from '#shared/contract/schemas/claims';
import { deliverySchemas } from '#shared/contract/schemas/deliveries';
import { insightSchemas } from '#shared/contract/schemas/insights';
import { intakeSchemas } from '#shared/contract/schemas/intake';
import { leadSchemas } from '#shared/contract/schemas/leads';
import { leadsViewSchemas } from '#shared/contract/schemas/leads-view';
import { metaSchemas } from '#shared/contract/schemas/meta';
import { orderSchemas } from '#shared/contract/schemas/orders';
import { pendingLeadSchemas } from '#shared/contract/schemas/pending-leads';
import { peopleSchemas } from '#shared/contract/schemas/people';
import { settingSchemas } from '#shared/contract/schemas/settings';
import { sourceSchemas } from '#shared/contract/schemas/sources';

/** One endpoint: what the API document says of it, and its schemas; `file` marks a download instead of JSON. */
export interface EndpointSchemas {
  /** What it does, in one line. */
  readonly summary: string;
  /** What it refuses with 400 although the request fits its schema. */
  readonly refusals?: Refusals;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  readonly answer: z.ZodMiniType | 'file';
}

export const schemas = {
  ...authSchemas,
  ...buyerSchemas,
  ...claimSchemas,
  ...deliverySchemas,
  ...insightSchemas,
  ...intakeSchemas,
  ...leadSchemas,
  ...leadsViewSchemas,
  ...metaSchemas,
  ...orderSchemas,
  ...peopleSchemas,
  ...pendingLeadSchemas,
  ...settingSchemas,
  ...sourceSchemas,
} as const satisfies Record<EndpointId, EndpointSchemas>;

export type Schemas = typeof schemas;
type Part<Id extends EndpointId, Name extends 'params' | 'query' | 'body'> =
  Schemas[Id] extends Record<Name, z.ZodMiniType> ? Schemas[Id][Name] : undefined;

/** What a handler receives: parsed and transformed. */
export type Parsed<Id extends EndpointId, Name extends 'params' | 'query' | 'body'> =
  Part<Id, Name> extends z.ZodMiniType ? z.output<Part<Id, Name>> : undefined;
/** What a client sends. */
export type Sent<Id extends EndpointId, Name extends 'params' | 'query' | 'body'> =
  Part<Id, Name> extends z.ZodMiniType ? z.input<Part<Id, Name>> : undefined;
/** What a client receives. */
export type Answer<Id extends EndpointId> = Schemas[Id]['answer'] extends z.ZodMiniType
  ? z.output<Schemas[Id]['answer']>
  : 'file';
