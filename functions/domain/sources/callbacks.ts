/**
 * Tells sources what became of their leads: repeats recorded attempts until a callback has arrived or is given up, like
 * deliveries (`domain/deliveries/deliveries.ts`).
 */

import { GONE, type Receiver, type SendCallback, type Told } from '#functions/channels/callback';
import type { Report } from '#functions/channels/channel';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { endpointCircuit, type Permit } from '#functions/data/deliveries/circuits';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import { roundBegan } from '#functions/data/deliveries/sending';
import { type Callback, eventIdOf, sequenceOf } from '#functions/data/sources/callback';
import type { CallbackResult } from '#functions/data/sources/callback-store';
import * as callbackStore from '#functions/data/sources/callback-store';
import type { Endpoints } from '#functions/data/sources/endpoints';
import * as endpointStore from '#functions/data/sources/endpoints';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import {
  attemptOf,
  busyUntil,
  dueAt,
  givenUp,
  interrupted,
  MAX_EARLY_MS,
  outgoingAt,
  skipped,
  withoutLastSkip,
} from '#functions/domain/deliveries/attempts';
import type { ConcurrencyLimiter } from '#functions/domain/deliveries/deliveries';
import { nextAttemptAt } from '#functions/domain/deliveries/retry-schedule';
import { messageFor } from '#functions/domain/sources/callback-message';
import type { TellOperator } from '#functions/operator/operator';
import type { CallbackMessage } from '#functions/queues/messages';
import { type Queue, sendAll } from '#functions/queues/queue';
import { CALLBACK_STATUSES, type Endpoint } from '#shared/rules/constants';

export interface CallBackContext extends Context {
  readonly queue: Queue<CallbackMessage>;
  readonly send: SendCallback;
  readonly tellOperator: TellOperator;
  readonly limiter: ConcurrencyLimiter;
}

/** For one attempt; the specification recommends 15 to 30 seconds. */
const ATTEMPT_TIMEOUT_MS = 25_000;
/** So long after the attempt can have ended another worker may take over. */
const LEASE_MARGIN_MS = 90_000;
/** The operator is told once in this time of callbacks that were given up at the same endpoint. */
const TOLD_ONCE_PER_SECONDS = 3600;
/** For which one worker alone tells the operator. */
const TELL_LEASE_SECONDS = 60;

/** Where a callback goes now. */
interface Target extends Receiver {
  readonly source: Source;
  readonly endpoints: Endpoints;
}

/**
 * Handles one message. Safe to repeat: a message about an attempt that was made changes nothing, and an attempt is claimed by a
 * conditional write before it is made.
 * @throws Error when the table or the queue did not respond; the message is then received again
 */
export async function callBack(context: CallBackContext, message: CallbackMessage): Promise<void> {
  const { table, runtime } = context;
  const callback = await callbackStore.get({ table }, message.lead_id, message.callback_id);
  const now = runtime.now();
  if (callback === undefined || callback.round !== message.round) return;
  if (callback.status === 'delivered' || callback.status === 'failed') return;
  const isBeingSent = callback.sending_until !== undefined;
  if (!isBeingSent && callback.attempt_count !== message.attempt_count) return;
  const due = dueAt(callback, now);
  // Not due: postponed, or another worker has the lease; if that worker crashes, this message takes over.
  if (due.getTime() > now.getTime() + MAX_EARLY_MS) return enqueue(context, message, due);

  const target = await targetOf(context, callback);
  if ('error' in target) return withdraw(context, callback, target.error);
  const permit = await circuitStore.permit(context, endpointCircuit(callback.source, callback.endpoint), now);
  if (!permit.ok) return postpone(context, callback, permit.until);
  const begun = await context.limiter(`callback:${hostOf(target.url)}`, () =>
    attempt(context, callback, target, permit),
  );
  if (begun) return;
  const busy = message.busy ?? 0;
  await enqueue(context, { ...message, busy: busy + 1 }, busyUntil(busy, runtime.now(), runtime.random()));
}

async function attempt(
  context: CallBackContext,
  seen: Callback,
  target: Target,
  permit: Permit,
): Promise<void> {
  const { table, runtime } = context;
  const startedAt = runtime.now();
  const claimed = await callbackStore.claim(
    { table },
    seen,
    interrupted(startedAt),
    new Date(startedAt.getTime() + ATTEMPT_TIMEOUT_MS + LEASE_MARGIN_MS),
  );
  if (claimed === undefined) return;
  const told = await toldOf(context, claimed, target.source);
  const report = await context.send(target, told, runtime.timeout(ATTEMPT_TIMEOUT_MS));
  const now = runtime.now();
  const attempts = [...claimed.attempts.slice(0, -1), attemptOf(report, startedAt, now)];
  const result = resultOf(claimed, report, attempts, now, runtime.random());
  if (report.status_code === GONE) await switchOff(context, target, claimed.endpoint, now);
  else if (result.status === 'failed') await tellOfFailure(context, claimed, target.source, report.error);
  const written = await callbackStore.finish({ table }, claimed, result, now);
  runtime.log.info('callback tried', {
    lead: claimed.lead_id,
    callback: claimed.callback_id,
    source: claimed.source,
    outcome: report.outcome,
    status: result.status,
    attempt_count: claimed.attempt_count,
    duration_ms: now.getTime() - startedAt.getTime(),
  });
  if (written && result.next_attempt_at !== null)
    await enqueue(context, messageFor(claimed), result.next_attempt_at);
  const { source, endpoint } = claimed;
  if (report.outcome === 'delivered')
    await circuitStore.succeeded({ table }, endpointCircuit(source, endpoint), permit);
  else await circuitStore.failed({ table }, endpointCircuit(source, endpoint), permit, now);
}

/** What becomes of a claimed callback by the report on its attempt. */
function resultOf(
  claimed: Callback,
  { outcome, error, retryAfter = 0 }: Report,
  attempts: CallbackResult['attempts'],
  now: Date,
  random: number,
): CallbackResult {
  if (outcome === 'delivered') return { status: 'delivered', attempts, next_attempt_at: null, error: null };
  if (outcome === 'permanent') return { status: 'failed', attempts, next_attempt_at: null, error };
  const next = nextAttemptAt(
    claimed.attempt_count,
    new Date(roundBegan(claimed)),
    now,
    random,
    new Date(now.getTime() + retryAfter * 1000),
  );
  return next === null
    ? { status: 'failed', attempts, next_attempt_at: null, error: givenUp(error) }
    : { status: 'retrying', attempts, next_attempt_at: next, error };
}

/** Where it goes now, by what the admins have set since. */
async function targetOf(
  context: CallBackContext,
  { source: id, endpoint }: Callback,
): Promise<Target | { readonly error: string }> {
  const [source, endpoints] = await Promise.all([
    sourceStore.get(context, id),
    endpointStore.get(context, id),
  ]);
  const settings = endpoints[endpoint];
  if (source === undefined || settings === undefined) return { error: 'The source has no such endpoint now' };
  if (settings.gone_at !== undefined) return { error: 'The endpoint is switched off: its receiver is gone' };
  if (source.state === 'test') return { error: 'The source is in test' };
  const secrets = Object.values(endpoints.secrets).map(({ secret }) => secret);
  return { endpoint, url: settings.url, secrets, source, endpoints };
}

async function toldOf(context: DataContext, callback: Callback, source: Source): Promise<Told> {
  const buyer =
    source.sees_buyers && callback.buyer !== undefined
      ? await buyerStore.get(context, callback.buyer)
      : undefined;
  return {
    id: eventIdOf(callback),
    event: callback.event,
    status: CALLBACK_STATUSES[callback.event],
    sequence: sequenceOf(callback),
    occurred_at: callback.occurred_at,
    received_at: callback.received_at,
    lead_id: callback.lead_id,
    external_id: callback.external_id ?? null,
    clickId: callback.clickId ?? null,
    reason: callback.reason ?? null,
    buyer: buyer?.buyer_id ?? null,
  };
}

/** The circuit is open: no attempt is made or counted, but the time of the round goes on. */
async function postpone(context: CallBackContext, callback: Callback, until: Date): Promise<void> {
  const { runtime } = context;
  const now = runtime.now();
  const next = nextAttemptAt(1, new Date(roundBegan(callback)), now, runtime.random(), until);
  const why = 'Paused after repeated failures at this endpoint';
  const result: CallbackResult = {
    status: next === null ? 'failed' : 'retrying',
    attempts: [...withoutLastSkip(callback.attempts), skipped(now, why)],
    next_attempt_at: next,
    error: next === null ? givenUp(callback.error) : (callback.error ?? why),
  };
  if (!(await callbackStore.recordSkipped(context, callback, result, now))) return;
  if (next !== null) await enqueue(context, messageFor(callback), next);
}

/** There is nowhere to send it to any more. */
async function withdraw(context: CallBackContext, callback: Callback, error: string): Promise<void> {
  const now = context.runtime.now();
  const attempts = [...callback.attempts, skipped(now, error)];
  await callbackStore.recordSkipped(
    context,
    callback,
    { status: 'failed', attempts, next_attempt_at: null, error },
    now,
  );
}

/** The receiver wants no more: nothing is sent there until an admin saves the endpoint again. */
async function switchOff(
  context: CallBackContext,
  { endpoints, source, url }: Target,
  endpoint: Endpoint,
  now: Date,
): Promise<void> {
  if (!(await endpointStore.gone(context, endpoints, endpoint, now))) return;
  await context.tellOperator(
    `Callbacks switched off: ${endpoint} of source ${source.source}`,
    [
      `The ${endpoint} of source ${source.source} at ${hostOf(url)} answered 410: it wants no more calls.`,
      'Nothing is sent there until it is saved again under Sources in the admin tool.',
    ].join('\n'),
  );
}

async function tellOfFailure(
  context: CallBackContext,
  { source, endpoint }: Callback,
  { name }: Source,
  error: string | null,
): Promise<void> {
  const marker = `callback#${source}#${endpoint}`;
  const { table, runtime } = context;
  const reserved = await dedupMarkerStore.reserve({ table }, marker, runtime.now(), TELL_LEASE_SECONDS);
  if (reserved !== 'taken') return;
  await context.tellOperator(
    `Callback failed: ${endpoint} of source ${source}`,
    [
      `Source ${source} (${name}) could not be told of a lead and is not called again for it.`,
      `Reason: ${error ?? 'unknown'}`,
      'It can be sent again under Sources in the admin tool. Further failures of this endpoint are not reported within the',
      'next hour.',
    ].join('\n'),
  );
  await dedupMarkerStore.confirm({ table }, marker, runtime.now(), TOLD_ONCE_PER_SECONDS);
}

const hostOf = (url: string): string => {
  const withoutMacros = url.replaceAll(/[{}]/g, '');
  return URL.canParse(withoutMacros) ? new URL(withoutMacros).host : '';
};

async function enqueue(
  { queue, runtime }: Pick<CallBackContext, 'queue' | 'runtime'>,
  message: CallbackMessage,
  due: Date,
): Promise<void> {
  await sendAll(queue, [outgoingAt(message, due, runtime.now())]);
}
