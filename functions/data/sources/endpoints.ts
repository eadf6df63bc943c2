/** Where a source is called back. An item of its own: that of the source is written by every call of the intake. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { encrypted } from '#functions/data/table/encrypted';
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
  /** Of a postback with macros, see `shared/rules/postback.ts`. */
  url: z.string(),
  events: z.array(z.enum(CALLBACK_EVENTS)),
  /** Since when nothing is sent there, because its receiver has answered that it is gone. */
  gone_at: z.optional(z.string()),
});
export type EndpointSettings = z.output<typeof endpointSchema>;

export const signingSecretSchema = z.object({ secret: encrypted, created_at: z.string() });

export const endpointsSchema = z.object({
  source: z.int(),
  /** Raised by every change, which states the one it read. */
  version: z.int(),
  webhook: z.optional(endpointSchema),
  postback: z.optional(endpointSchema),
  /** By which webhooks are signed: two while one replaces the other. */
  secrets: z.partialRecord(z.enum(KEY_SLOTS), signingSecretSchema),
});
export type Endpoints = z.output<typeof endpointsSchema>;

/** Of a source that has none: empty, with version 0. */
export async function get({ table }: DataContext, source: number): Promise<Endpoints> {
  const item = await table.get(keys.endpoints(source));
  return item === undefined ? { source, version: 0, secrets: {} } : endpointsSchema.parse(item);
}

/** Replaces what was read as `seen`, on the condition that it has not changed since. */
export const changed = (seen: Endpoints, next: Omit<Endpoints, 'source' | 'version'>): Put => ({
  put: { ...keys.endpoints(seen.source), ...next, source: seen.source, version: seen.version + 1 },
  ...(seen.version === 0
    ? { condition: 'attribute_not_exists(pk)' }
    : {
        condition: '#version = :seen',
        names: { '#version': 'version' },
        values: { ':seen': seen.version },
      }),
});

/** Records that an endpoint is gone, unless an admin has changed the endpoints since. @returns whether it was recorded */
export async function gone(
  { table }: DataContext,
  seen: Endpoints,
  endpoint: Endpoint,
  at: Date,
): Promise<boolean> {
  const written = await table.update({
    key: keys.endpoints(seen.source),
    update: 'SET #endpoint.gone_at = :at, #version = :next',
    condition: '#version = :seen',
    names: { '#endpoint': endpoint, '#version': 'version' },
    values: { ':at': at.toISOString(), ':seen': seen.version, ':next': seen.version + 1 },
  });
  return written.ok;
}

/** The endpoints of a source that are told of an event. */
export function toldOf(endpoints: Endpoints, event: CallbackEvent): Endpoint[] {
  return ENDPOINTS.filter((name) => {
    const settings = endpoints[name];
    return settings !== undefined && settings.gone_at === undefined && settings.events.includes(event);
  });
}
