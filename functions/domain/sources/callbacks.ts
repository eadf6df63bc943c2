import { type CallbackContent, GONE, type Receiver, type SendCallback } from '#functions/channels/callback';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { DataContext } from '#functions/data/context';
import { endpointCircuit } from '#functions/data/deliveries/circuits';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import { type Callback, eventIdOf, sequenceOf } from '#functions/data/sources/callback';
import * as callbackStore from '#functions/data/sources/callback-store';
import type { Endpoints } from '#functions/data/sources/endpoints';
import * as endpointStore from '#functions/data/sources/endpoints';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { handle, type Sender, type SendingContext } from '#functions/domain/deliveries/outgoing';
import { messageFor } from '#functions/domain/sources/callback-message';
import type { NotifyOperator } from '#functions/operator/operator';
import type { CallbackMessage } from '#functions/queues/messages';
import { CALLBACK_STATUSES, type Endpoint } from '#shared/rules/constants';

export interface CallBackContext extends SendingContext<CallbackMessage> {
  readonly send: SendCallback;
  readonly notifyOperator: NotifyOperator;
}

/** The specification recommends 15 to 30 seconds. */
const ATTEMPT_TIMEOUT_MS = 25_000;
const NOTIFY_INTERVAL_SECONDS = 3600;
const NOTIFY_LEASE_SECONDS = 60;

interface Target extends Receiver {
  readonly source: Source;
  readonly endpoints: Endpoints;
}

export async function callBack(context: CallBackContext, message: CallbackMessage): Promise<void> {
  const callback = await callbackStore.get(context, message.lead_id, message.callback_id);
  await handle(context, callbacks(context), callback, message);
}

const callbacks = (context: CallBackContext): Sender<Callback, Target, CallbackMessage> => ({
  tried: 'callback tried',
  paused: 'Paused after repeated failures at this endpoint',
  messageFor,
  stored: callbackStore.CALLBACKS,
  targetOf: (callback) => targetOf(context, callback),
  circuit: ({ source, endpoint }) => endpointCircuit(source, endpoint),
  destination: (_, { url }) => `callback:${hostOf(url)}`,
  longestMs: () => ATTEMPT_TIMEOUT_MS,
  send: async (claimed, target, longestMs) => {
    const content = await contentOf(context, claimed, target.source);
    return context.send(target, content, context.runtime.timeout(longestMs));
  },
  works: ({ outcome }) => outcome === 'delivered',
  logged: ({ lead_id, callback_id, source }) => ({ lead: lead_id, callback: callback_id, source }),
  beforeRecord: async ({ claimed, target, report, result, now }) => {
    if (report.status_code === GONE) await switchOff(context, target, claimed.endpoint, now);
    else if (result.status === 'failed') await notifyOfFailure(context, claimed, target.source, report.error);
  },
});

async function targetOf(
  context: CallBackContext,
  { source: id, endpoint }: Callback,
): Promise<{ readonly target: Target } | { readonly error: string }> {
  const [source, endpoints] = await Promise.all([
    sourceStore.get(context, id),
    endpointStore.get(context, id),
  ]);
  const settings = endpoints[endpoint];
  if (source === undefined || settings === undefined) return { error: 'The source has no such endpoint now' };
  if (settings.gone_at !== undefined) return { error: 'The endpoint is off: its receiver is gone' };
  if (source.state === 'test') return { error: 'The source is in test' };
  const secrets = Object.values(endpoints.secrets).map(({ secret }) => secret);
  return { target: { endpoint, url: settings.url, secrets, source, endpoints } };
}

async function contentOf(context: DataContext, callback: Callback, source: Source): Promise<CallbackContent> {
  const buyer =
    source.sees_buyers && callback.buyer !== undefined
      ? await buyerStore.get(context, callback.buyer)
      : undefined;
  return {
    id: eventIdOf(callback),
    event: callback.event,
    status: callback.feedback ?? CALLBACK_STATUSES[callback.event],
    sequence: sequenceOf(callback),
    occurred_at: callback.occurred_at,
    received_at: callback.received_at,
    lead_id: callback.lead_id,
    external_id: callback.external_id ?? null,
    clickId: callback.clickId ?? null,
    reason: callback.reason ?? null,
    amount: callback.anlagebetrag ?? null,
    buyer: buyer?.buyer_id ?? null,
  };
}

/** After status 410 nothing is sent there until an admin saves the endpoint again. */
async function switchOff(
  context: CallBackContext,
  { endpoints, source, url }: Target,
  endpoint: Endpoint,
  now: Date,
): Promise<void> {
  if (!(await endpointStore.gone(context, endpoints, endpoint, now))) return;
  await context.notifyOperator(
    `Callbacks turned off: ${endpoint} of source ${source.source}`,
    [
      `The ${endpoint} of source ${source.source} at ${hostOf(url)} answered 410 (Gone).`,
      'Nothing is sent there until you save it again under Sources in the admin app.',
    ].join('\n'),
  );
}

async function notifyOfFailure(
  context: CallBackContext,
  { source, endpoint }: Callback,
  { name }: Source,
  error: string | null,
): Promise<void> {
  const marker = `callback#${source}#${endpoint}`;
  const { table, runtime } = context;
  const reserved = await dedupMarkerStore.reserve({ table }, marker, runtime.now(), NOTIFY_LEASE_SECONDS);
  if (reserved !== 'taken') return;
  await context.notifyOperator(
    `Callback failed: ${endpoint} of source ${source}`,
    [
      `Source ${source} (${name}) could not be notified of a lead. This callback is not retried.`,
      `Reason: ${error ?? 'unknown'}`,
      'You can resend it under Sources in the admin app. Further failures of this endpoint are not reported within the',
      'next hour.',
    ].join('\n'),
  );
  await dedupMarkerStore.confirm({ table }, marker, runtime.now(), NOTIFY_INTERVAL_SECONDS);
}

const hostOf = (url: string): string => {
  const withoutMacros = url.replaceAll(/[{}]/g, '');
  return URL.canParse(withoutMacros) ? new URL(withoutMacros).host : '';
};
