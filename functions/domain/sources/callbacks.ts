import { type CallbackContent, GONE, type SendCallback } from '#functions/channels/callback';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { DataContext } from '#functions/data/context';
import { endpointCircuit, webhookCircuit } from '#functions/data/deliveries/circuits';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import { type Callback, eventIdOf, sequenceOf, subjectOf } from '#functions/data/sources/callback';
import type { AnyCallback } from '#functions/data/sources/callback-store';
import * as callbackStore from '#functions/data/sources/callback-store';
import * as endpointStore from '#functions/data/sources/endpoints';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { handle, type Sender, type SendingContext } from '#functions/domain/deliveries/outgoing';
import { messageFor } from '#functions/domain/sources/callback-message';
import type { Target } from '#functions/domain/sources/target';
import { ofWebhook } from '#functions/domain/webhooks/receiver';
import type { NotifyOperator } from '#functions/operator/operator';
import type { CallbackMessage } from '#functions/queues/messages';
import { CALLBACK_STATUSES } from '#shared/rules/constants';

export interface CallBackContext extends SendingContext<CallbackMessage> {
  readonly send: SendCallback;
  readonly notifyOperator: NotifyOperator;
}

/** The specification recommends 15 to 30 seconds. */
const ATTEMPT_TIMEOUT_MS = 25_000;
const NOTIFY_INTERVAL_SECONDS = 3600;
const NOTIFY_LEASE_SECONDS = 60;

export async function callBack(context: CallBackContext, message: CallbackMessage): Promise<void> {
  const callback = await callbackStore.get(context, subjectOf(message), message.callback_id);
  await handle(context, callbacks(context), callback, message);
}

const callbacks = (context: CallBackContext): Sender<AnyCallback, Target, CallbackMessage> => ({
  tried: 'callback tried',
  paused: 'Paused after repeated failures at this endpoint',
  messageFor,
  stored: callbackStore.CALLBACKS,
  targetOf: (callback) =>
    'webhook' in callback ? ofWebhook(context, callback) : ofSource(context, callback),
  circuit: (callback) =>
    'webhook' in callback
      ? webhookCircuit(callback.webhook)
      : endpointCircuit(callback.source, callback.endpoint),
  destination: (_, { url }) => `callback:${hostOf(url)}`,
  longestMs: () => ATTEMPT_TIMEOUT_MS,
  send: async (_, target, longestMs) =>
    context.send(target, await target.content(), context.runtime.timeout(longestMs)),
  works: ({ outcome }) => outcome === 'delivered',
  logged: (callback) => ({
    callback: callback.callback_id,
    ...('webhook' in callback
      ? { about: subjectOf(callback), webhook: callback.webhook }
      : { lead: callback.lead_id, source: callback.source }),
  }),
  beforeRecord: async ({ target, report, result, now }) => {
    if (report.status_code === GONE) await switchOff(context, target, now);
    else if (result.status === 'failed') await notifyOfFailure(context, target, report.error);
  },
});

async function ofSource(
  context: DataContext,
  callback: Callback,
): Promise<{ readonly target: Target } | { readonly error: string }> {
  const { source: id, endpoint } = callback;
  const [source, endpoints] = await Promise.all([
    sourceStore.get(context, id),
    endpointStore.get(context, id),
  ]);
  const settings = endpoints[endpoint];
  if (source === undefined || settings === undefined) return { error: 'The source has no such endpoint now' };
  if (settings.gone_at !== undefined) return { error: 'The endpoint is off: its receiver is gone' };
  if (source.state === 'test') return { error: 'The source is in test' };
  return {
    target: {
      endpoint,
      url: settings.url,
      secrets: Object.values(endpoints.secrets).map(({ secret }) => secret),
      content: () => contentOf(context, callback, source),
      switchOff: (now) => endpointStore.gone(context, endpoints, endpoint, now),
      name: `${endpoint} of source ${id}`,
      failed: `Source ${id} (${source.name}) could not be notified of a lead.`,
      place: 'Sources',
      marker: `callback#${id}#${endpoint}`,
    },
  };
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
async function switchOff(context: CallBackContext, target: Target, now: Date): Promise<void> {
  if (!(await target.switchOff(now))) return;
  await context.notifyOperator(
    `Callbacks turned off: ${target.name}`,
    [
      `The ${target.name} at ${hostOf(target.url)} answered 410 (Gone).`,
      `Nothing is sent there until you save it again under ${target.place} in the admin app.`,
    ].join('\n'),
  );
}

async function notifyOfFailure(
  context: CallBackContext,
  { name, failed, place, marker }: Target,
  error: string | null,
): Promise<void> {
  const { table, runtime } = context;
  const reserved = await dedupMarkerStore.reserve({ table }, marker, runtime.now(), NOTIFY_LEASE_SECONDS);
  if (reserved !== 'taken') return;
  await context.notifyOperator(
    `Callback failed: ${name}`,
    [
      `${failed} This callback is not retried.`,
      `Reason: ${error ?? 'unknown'}`,
      `You can resend it under ${place} in the admin app. Further failures of this endpoint are not reported within the`,
      'next hour.',
    ].join('\n'),
  );
  await dedupMarkerStore.confirm({ table }, marker, runtime.now(), NOTIFY_INTERVAL_SECONDS);
}

const hostOf = (url: string): string => {
  const withoutMacros = url.replaceAll(/[{}]/g, '');
  return URL.canParse(withoutMacros) ? new URL(withoutMacros).host : '';
};
