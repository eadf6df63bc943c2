/**
 * Requests and answers lose fields that their schema does not declare. Money is in euro, instants are ISO 8601 in UTC. A
 * function builds every schema of a module it imports, so shared rows are in `rows/`, with `zod/mini`
 * (docs/adr/0013-bundles.md).
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

export interface EndpointSchemas {
  readonly summary: string;
  /** Refused with 400 although the request fits its schema. */
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

/** Parsed and transformed, as a handler receives it. */
export type Parsed<Id extends EndpointId, Name extends 'params' | 'query' | 'body'> =
  Part<Id, Name> extends z.ZodMiniType ? z.output<Part<Id, Name>> : undefined;
export type Sent<Id extends EndpointId, Name extends 'params' | 'query' | 'body'> =
  Part<Id, Name> extends z.ZodMiniType ? z.input<Part<Id, Name>> : undefined;
export type Answer<Id extends EndpointId> = Schemas[Id]['answer'] extends z.ZodMiniType
  ? z.output<Schemas[Id]['answer']>
  : 'file';
