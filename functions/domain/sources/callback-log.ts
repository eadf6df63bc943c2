import type { SendCallback } from '#functions/channels/callback';
import type { Report } from '#functions/channels/channel';
import type { Context, DataContext } from '#functions/data/context';
import type { Callback } from '#functions/data/sources/callback';
import * as callbackStore from '#functions/data/sources/callback-store';
import { writeCursor } from '#functions/data/table/cursor';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { pageStart } from '#functions/domain/common/page-start';
import { readEndpoints } from '#functions/domain/sources/endpoints';
import type { Endpoint } from '#shared/rules/constants';

/** The API must answer within twenty seconds. */
export const TEST_TIMEOUT_MS = 15_000;

export async function listCallbacks(
  context: DataContext,
  source: number,
  asked: PageAsked,
): Promise<{ readonly callbacks: readonly Callback[]; readonly nextCursor: string | null }> {
  return callbackPage(`callbacks/${source}`, asked, (start) =>
    callbackStore.ofSource(context, source, start),
  );
}

export interface PageAsked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** @param list its name, to which a cursor belongs */
export async function callbackPage<One>(
  list: string,
  { limit, cursor }: PageAsked,
  read: (start: callbackStore.PageStart) => Promise<callbackStore.Page<One>>,
): Promise<{ readonly callbacks: readonly One[]; readonly nextCursor: string | null }> {
  const { callbacks, next } = await read({ limit, after: pageStart(cursor, list) });
  return { callbacks, nextCursor: next === undefined ? null : writeCursor(next, list) };
}

/** Sends a callback again under the same ID. @throws DomainError 404; 409 while it is in progress, and without an endpoint */
export async function resendCallback(
  context: Context,
  who: string,
  leadId: string,
  callbackId: string,
): Promise<void> {
  const expected = await callbackStore.get(context, leadId, callbackId);
  if (expected === undefined || 'webhook' in expected) throw notFound('Callback');
  await requireEndpoint(context, expected.source, expected.endpoint);
  const { ok } = await callbackStore.sendAgain(context, leadId, callbackId, context.runtime.now());
  if (!ok) throw conflict('already_on_its_way', 'This callback is already in progress');
  await context.table.put(
    auditEntry(context, { who, action: `sent_again_${expected.endpoint}`, entity: 'lead', entityId: leadId }),
  );
}

export async function sendTestCallback(
  context: Context & { readonly send: SendCallback },
  source: number,
  endpoint: Endpoint,
): Promise<Report> {
  const { url, secrets } = await requireEndpoint(context, source, endpoint);
  const at = context.runtime.now().toISOString();
  const id = context.runtime.newId();
  return context.send(
    { endpoint, url, secrets },
    {
      id: `test_${id}`,
      event: 'test',
      status: 'test',
      sequence: 0,
      occurred_at: at,
      received_at: at,
      lead_id: id,
      external_id: 'test',
      clickId: 'test',
      reason: null,
      amount: null,
      buyer: null,
    },
    context.runtime.timeout(TEST_TIMEOUT_MS),
  );
}

async function requireEndpoint(context: Context, source: number, endpoint: Endpoint) {
  const endpoints = await readEndpoints(context, source);
  const settings = endpoints[endpoint];
  if (settings === undefined)
    throw conflict('no_endpoint', `The source has no ${endpoint}. Set its address first.`);
  if (settings.gone_at !== undefined)
    throw conflict('endpoint_gone', `The ${endpoint} is off. Save it again first.`);
  const secrets = Object.values(endpoints.secrets).map(({ secret }) => secret);
  return { url: settings.url, secrets };
}
