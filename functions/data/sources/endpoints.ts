/** A separate item, because the intake writes the source's item with every call. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { encrypted } from '#functions/data/table/encrypted';
import { versioned } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';
import {
  CALLBACK_EVENTS,
  type CallbackEvent,
  ENDPOINTS,
  type Endpoint,
  KEY_SLOTS,
} from '#shared/rules/constants';

export const endpointSchema = z.object({
  /** A postback's has macros; see `shared/rules/postback.ts`. */
  url: z.string(),
  events: z.array(z.enum(CALLBACK_EVENTS)),
  /** The receiver answered 410, so nothing is sent there. */
  gone_at: z.optional(z.string()),
});
export type EndpointSettings = z.output<typeof endpointSchema>;

export const signingSecretSchema = z.object({ secret: encrypted, created_at: z.string() });

/** Two while one replaces the other. */
export const signingSecrets = z.partialRecord(z.enum(KEY_SLOTS), signingSecretSchema);
export type SigningSecrets = z.output<typeof signingSecrets>;

export const endpointsSchema = z.object({
  source: z.int(),
  /** Incremented by every change. A write requires the version that was read. */
  version: z.int(),
  webhook: z.optional(endpointSchema),
  postback: z.optional(endpointSchema),
  secrets: signingSecrets,
});
export type Endpoints = z.output<typeof endpointsSchema>;

/** Empty with version 0 if there is none. */
export async function get({ table }: DataContext, source: number): Promise<Endpoints> {
  const item = await table.get(keys.endpoints(source));
  return item === undefined ? { source, version: 0, secrets: {} } : endpointsSchema.parse(item);
}

export const changed = (expected: Endpoints, next: Omit<Endpoints, 'source' | 'version'>): Put =>
  versioned({ ...keys.endpoints(expected.source), ...next, source: expected.source }, expected.version);

/** @returns false if an admin changed the endpoints since */
export async function gone(
  { table }: DataContext,
  expected: Endpoints,
  endpoint: Endpoint,
  at: Date,
): Promise<boolean> {
  const { ok } = await table.update({
    key: keys.endpoints(expected.source),
    update: 'SET #endpoint.gone_at = :at, #version = :next',
    condition: '#version = :expected',
    names: { '#endpoint': endpoint, '#version': 'version' },
    values: { ':at': at.toISOString(), ':expected': expected.version, ':next': expected.version + 1 },
  });
  return ok;
}

export function endpointsFor(endpoints: Endpoints, event: CallbackEvent): Endpoint[] {
  return ENDPOINTS.filter((name) => {
    const settings = endpoints[name];
    return settings !== undefined && settings.gone_at === undefined && settings.events.includes(event);
  });
}
