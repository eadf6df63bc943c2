/** Delivers a lead over one channel: repeats recorded delivery attempts until it is delivered or fails for good. */

import type { ChannelAdapter, Report } from '#functions/channels/channel';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { channelCircuit, type Permit } from '#functions/data/deliveries/circuits';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { type Result } from '#functions/data/deliveries/delivery-store';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import * as payloadStore from '#functions/data/deliveries/payloads';
import { roundBegan } from '#functions/data/deliveries/sending';
import type { Attempt, Delivery } from '#functions/data/leads/lead';
import { addressProblem, noteReport } from '#functions/domain/common/addresses';
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
import { earliestAfterUnconfirmed, nextAttemptAt } from '#functions/domain/deliveries/retry-schedule';
import type { TellOperator } from '#functions/operator/operator';
import type { DeliverMessage } from '#functions/queues/messages';
import { type Queue, sendAll } from '#functions/queues/queue';
import type { Channel } from '#shared/channels/channels';
import type { KeptReason } from '#shared/rules/constants';

export type Channels = Readonly<Record<Channel, ChannelAdapter>>;

/**
 * Runs work while bounding the number of concurrent calls to one destination.
 * @returns false when there was no turn soon, so that the work was not begun
 */
export type ConcurrencyLimiter = (destination: string, work: () => Promise<void>) => Promise<boolean>;

/** What becomes of a refused lead of a buyer whose refused leads are given on. */
export type GiveOn = (
  refused: Delivery,
) => Promise<{ readonly is: 'given_on' | 'open' } | { readonly is: 'kept'; readonly why: KeptReason }>;

export interface DeliverContext extends AddressContext {
  readonly channels: Channels;
  readonly queue: Queue<DeliverMessage>;
  /** Receives deliveries that failed for good, which raises its alarm; null where there is none. */
  readonly deadLetters: Queue<DeliverMessage> | null;
  readonly giveOn: GiveOn;
  readonly tellOperator: TellOperator;
  readonly limiter: ConcurrencyLimiter;
}

/** For one delivery attempt, unless its channel needs more. */
const ATTEMPT_TIMEOUT_MS = 30_000;
/** So long after the attempt can have ended another worker may take over. */
const LEASE_MARGIN_MS = 90_000;
/** The reconciliation has an attempt taken over within so long after its lease has ended. */
const TAKEN_OVER_WITHIN_MS = 12 * 60_000;
/** The operator is told once in this time of failures at the same buyer and channel. */
const TOLD_ONCE_PER_SECONDS = 3600;
/** For which one worker alone tells the operator: longer than that can take. */
const TELL_LEASE_SECONDS = 60;

/**
 * Handles one message. Safe to repeat: a message about a delivery attempt that was made changes nothing, and an attempt
 * is claimed by a conditional write before it is made.
 * @throws Error when the table or the queue did not respond; the message is then received again
 */
export async function deliver(context: DeliverContext, message: DeliverMessage): Promise<void> {
  const delivery = await deliveryStore.get(context, message.lead_id, message.channel);
  const now = context.runtime.now();
  if (delivery === undefined || delivery.round !== message.round) return;
  if (delivery.status === 'failed' && delivery.unreported === true) return reportAgain(context, delivery);
  if (delivery.status === 'delivered' || delivery.status === 'failed') return;

  const beingSent = delivery.sending_until !== undefined;
  if (!beingSent && delivery.attempt_count !== message.attempt_count) return;
  const due = dueAt(delivery, now);
  // Not due: postponed, or another worker has the lease; if that worker crashes, this message takes over.
  if (due.getTime() > now.getTime() + MAX_EARLY_MS) return enqueue(context.queue, message, due, now);
  const unfinished = unfinishedLongAgo(delivery, now);
  if (unfinished !== undefined && message.unfinished !== unfinished.by)
    return enqueue(
      context.queue,
      { ...message, unfinished: unfinished.by },
      new Date(now.getTime() + unfinished.leaseMs),
      now,
    );

  const loaded = await payloadStore.load(context, delivery);
  if (!loaded.ok) return withdraw(context, delivery, loaded.error);
  const permit = await circuitStore.permit(context, channelCircuit(delivery.buyer, delivery.channel), now);
  if (!permit.ok) return postpone(context, delivery, loaded.payload.buyer.buyer_id, permit.until);

  const payload: DeliveryPayload = { ...loaded.payload, afterUnknown: mayHaveArrived(delivery) };
  const begun = await context.limiter(destinationOf(context.channels, payload, delivery.channel), () =>
    attempt(context, delivery, payload, permit),
  );
  if (!begun) await comeBackLater(context, message);
}

/**
 * An attempt that another worker should have taken over long ago. Either nothing ran since, or a clock is wrong and the call is
 * still under way: it is taken over by a message that has waited for as long as the call may last.
 */
function unfinishedLongAgo(
  { sending_until, sending_by, updated_at }: Delivery,
  now: Date,
): { readonly by: string; readonly leaseMs: number } | undefined {
  if (sending_until === undefined || sending_by === undefined) return undefined;
  const until = new Date(sending_until).getTime();
  if (now.getTime() <= until + TAKEN_OVER_WITHIN_MS) return undefined;
  return { by: sending_by, leaseMs: until - new Date(updated_at).getTime() };
}

async function attempt(
  context: DeliverContext,
  seen: Delivery,
  payload: DeliveryPayload,
  permit: Permit,
): Promise<void> {
  const { runtime } = context;
  const longestMs = longestAttemptMs(context, seen.channel);
  const startedAt = runtime.now();
  const claimed = await deliveryStore.claim(
    context,
    seen,
    interrupted(startedAt),
    new Date(startedAt.getTime() + longestMs + LEASE_MARGIN_MS),
  );
  if (claimed === undefined) return;

  const report = await context.channels[claimed.channel].send(payload, runtime.timeout(longestMs));
  const now = runtime.now();
  const attempts = [...claimed.attempts.slice(0, -1), attemptOf(report, startedAt, now)];
  const result = resultOf(claimed, report, attempts, now, runtime.random());
  const written = await deliveryStore.finish(context, claimed, result, now);
  runtime.log.info('delivery tried', {
    lead: claimed.lead_id,
    channel: claimed.channel,
    outcome: report.outcome,
    status: result.status,
    attempt_count: result.attempt_count,
    duration_ms: now.getTime() - startedAt.getTime(),
  });

  if (written) recordResult(context, claimed.channel, result);
  if (claimed.channel === 'email')
    await noteReport(context, payload.buyer.buyer_email, attemptName(claimed), report);
  if (written && result.next_attempt_at !== null)
    await enqueue(context.queue, messageFor(claimed, result.attempt_count), result.next_attempt_at, now);
  if (written && result.status === 'failed')
    await settleFailure(
      context,
      { ...claimed, ...refusedOf(result) },
      now,
      payload.buyer,
      report.error ?? 'unknown',
    );
  await recordCircuit(context, claimed, payload.buyer.buyer_id, report, permit, now);
}

const attemptName = ({ lead_id, round, attempt_count }: Delivery) =>
  `smtp#${lead_id}#${round}#${attempt_count}`;

function longestAttemptMs({ channels }: Pick<DeliverContext, 'channels'>, channel: Channel): number {
  return channels[channel].longestMs ?? ATTEMPT_TIMEOUT_MS;
}

function recordResult(context: DeliverContext, channel: Channel, { status }: Result): void {
  const metric = (
    { delivered: 'DeliveriesDelivered', retrying: 'DeliveriesRetried', failed: 'DeliveriesFailed' } as const
  )[status];
  context.runtime.metrics.record(metric, 1, { Channel: channel });
}

const refusedOf = ({ refused }: Pick<Result, 'refused'>) => (refused === true ? { refused } : {});

const FAILED = { status: 'failed', next_attempt_at: null, unreported: true } as const;

/** What becomes of a claimed delivery by the report on its attempt. */
export function resultOf(
  claimed: Delivery,
  report: Pick<Report, 'outcome' | 'error' | 'external_id' | 'retryAfter' | 'unconfirmed' | 'refused'>,
  attempts: readonly Attempt[],
  now: Date,
  random: number,
): Result {
  const common = {
    attempts,
    attempt_count: claimed.attempt_count,
    // A mail server names the mail, a partner the lead, which it keeps over all attempts.
    external_id:
      claimed.channel === 'email' ? report.external_id : (report.external_id ?? claimed.external_id),
  };
  if (report.outcome === 'delivered')
    return { ...common, status: 'delivered', next_attempt_at: null, error: null };
  if (report.outcome === 'permanent')
    return { ...common, ...FAILED, ...refusedOf(report), error: report.error };
  const notBefore =
    report.unconfirmed === true
      ? earliestAfterUnconfirmed(now, unknownsBefore(claimed, attempts))
      : new Date(now.getTime() + (report.retryAfter ?? 0) * 1000);
  const next = nextAttemptAt(claimed.attempt_count, new Date(roundBegan(claimed)), now, random, notBefore);
  return next === null
    ? { ...common, ...FAILED, error: givenUp(report.error) }
    : { ...common, status: 'retrying', next_attempt_at: next, error: report.error };
}

/** Attempts of this round with an unknown outcome, without the one that has just ended. */
function unknownsBefore(claimed: Delivery, attempts: readonly Attempt[]): number {
  const began = roundBegan(claimed);
  return attempts.slice(0, -1).filter(({ at, outcome }) => outcome === 'unknown' && at >= began).length;
}

/** The circuit is open: no delivery attempt is made or counted, but the time of the round goes on. */
async function postpone(
  context: DeliverContext,
  delivery: Delivery,
  buyerId: string,
  until: Date,
): Promise<void> {
  const { runtime } = context;
  const now = runtime.now();
  const next = nextAttemptAt(1, new Date(roundBegan(delivery)), now, runtime.random(), until);
  const error = 'Paused after repeated failures at this buyer';
  const result: Result = {
    ...(next === null ? FAILED : { status: 'retrying', next_attempt_at: next }),
    attempts: [...withoutLastSkip(delivery.attempts), skipped(now, error)],
    attempt_count: delivery.attempt_count,
    external_id: delivery.external_id,
    error: next === null ? givenUp(delivery.error) : (delivery.error ?? error),
  };
  if (!(await deliveryStore.recordSkipped(context, delivery, result, now))) return;
  if (next === null) {
    recordResult(context, delivery.channel, result);
    return reportFailure(context, delivery, now, { buyerId, error });
  }
  await enqueue(context.queue, messageFor(delivery, delivery.attempt_count), next, now);
}

/** The payload no longer exists: the delivery fails without telling the operator. */
async function withdraw(context: DeliverContext, delivery: Delivery, error: string): Promise<void> {
  const now = context.runtime.now();
  const result: Result = {
    status: 'failed',
    attempts: [...delivery.attempts, skipped(now, error)],
    attempt_count: delivery.attempt_count,
    next_attempt_at: null,
    external_id: delivery.external_id,
    error,
  };
  await deliveryStore.recordSkipped(context, delivery, result, now);
}

async function recordCircuit(
  context: DeliverContext,
  delivery: Delivery,
  buyerId: string,
  report: Report,
  permit: Permit,
  now: Date,
): Promise<void> {
  const { buyer, channel } = delivery;
  const succeeded =
    report.outcome === 'delivered' || (report.outcome === 'permanent' && !report.misconfigured);
  if (succeeded) return circuitStore.succeeded(context, channelCircuit(buyer, channel), permit);
  if (await circuitStore.failed(context, channelCircuit(buyer, channel), permit, now))
    await context.tellOperator(
      `Deliveries paused: ${channel} of buyer ${buyerId}`,
      [
        `Several deliveries in a row failed over ${channel} for buyer ${buyerId}.`,
        `Last error: ${report.error ?? 'none given'}`,
        'They wait and are tried again by themselves; nothing is lost. See Deliveries in the admin tool.',
      ].join('\n'),
    );
}

/** The worker that recorded the failure crashed before it reported it, or another one was telling the operator. */
async function reportAgain(context: DeliverContext, delivery: Delivery): Promise<void> {
  const buyer = await payloadStore.buyer(context, delivery.buyer);
  await settleFailure(context, delivery, new Date(delivery.updated_at), buyer, delivery.error ?? 'unknown');
}

/**
 * A lead that the partner refused may go on to another buyer; otherwise the operator is told. While another channel decides
 * about that, the failure stays unreported, and the reconciliation has it looked at again.
 */
async function settleFailure(
  context: DeliverContext,
  delivery: Delivery,
  failedAt: Date,
  buyer: Buyer | undefined,
  error: string,
): Promise<void> {
  const goesOn = delivery.refused === true && buyer?.on_refusal === 'give_on';
  const settled = goesOn ? await context.giveOn(delivery) : undefined;
  if (settled !== undefined && settled.is !== 'kept') {
    context.runtime.log.info('delivery refused', {
      lead: delivery.lead_id,
      channel: delivery.channel,
      lead_is: settled.is,
    });
    return;
  }
  const buyerId = buyer?.buyer_id ?? String(delivery.buyer);
  await reportFailure(context, delivery, failedAt, {
    buyerId,
    error,
    kept: settled?.why,
    address: delivery.channel === 'email' ? buyer?.buyer_email : undefined,
  });
}

/**
 * Tells the operator of a final failure. It is recorded as reported only after the operator was told: until then the
 * reconciliation has it reported again, whoever dies meanwhile.
 */
async function reportFailure(
  context: DeliverContext,
  delivery: Delivery,
  failedAt: Date,
  {
    buyerId,
    error,
    kept,
    address,
  }: { buyerId: string; error: string; kept?: KeptReason | undefined; address?: string | undefined },
): Promise<void> {
  const { runtime } = context;
  const marker = `failed#${delivery.buyer}#${delivery.channel}`;
  const reserved = await dedupMarkerStore.reserve(context, marker, runtime.now(), TELL_LEASE_SECONDS);
  // Whoever is telling the operator of an earlier failure may die before it has.
  if (reserved === 'busy') return;
  if (context.deadLetters !== null)
    await sendAll(context.deadLetters, [{ message: messageFor(delivery, delivery.attempt_count) }]);
  if (reserved === 'sent') return deliveryStore.reported(context, delivery, failedAt, kept);
  await context.tellOperator(
    `Delivery failed: ${delivery.channel} of buyer ${buyerId}`,
    [
      `Lead ${delivery.order_id}-${delivery.sequence} could not be delivered to buyer ${buyerId} over ${delivery.channel} and is not tried again.`,
      `Reason: ${error}`,
      ...(await addressLine(context, address)),
      'It can be sent again under Deliveries in the admin tool. Further failures of this buyer and channel are not',
      'reported within the next hour.',
    ].join('\n'),
  );
  await dedupMarkerStore.confirm(context, marker, runtime.now(), TOLD_ONCE_PER_SECONDS);
  await deliveryStore.reported(context, delivery, failedAt, kept);
}

/** What is known against the address, for the operator. */
async function addressLine(context: DeliverContext, address: string | undefined): Promise<string[]> {
  const state = address === undefined ? undefined : await addressStore.addressState(context, address);
  return state === undefined
    ? []
    : [
        `The e-mail address of the buyer ${addressProblem(state)}. Please correct it in the buyer's settings.`,
      ];
}

/**
 * Puts a message back whose destination is busy. As a new message, because the queue gives up on one that was received too
 * often.
 */
async function comeBackLater({ queue, runtime }: DeliverContext, message: DeliverMessage): Promise<void> {
  const busy = message.busy ?? 0;
  const now = runtime.now();
  await enqueue(queue, { ...message, busy: busy + 1 }, busyUntil(busy, now, runtime.random()), now);
}

/** The message for the next delivery attempt. */
export function messageFor(delivery: Delivery, attempt_count: number): DeliverMessage {
  const { lead_id, channel, round, buyer } = delivery;
  return { lead_id, channel, round, attempt_count, buyer };
}

async function enqueue(
  queue: Queue<DeliverMessage>,
  message: DeliverMessage,
  due: Date,
  now: Date,
): Promise<void> {
  await sendAll(queue, [outgoingAt(message, due, now)]);
}

/** The key by which calls to the same destination are limited together. */
function destinationOf(channels: Channels, payload: DeliveryPayload, channel: Channel): string {
  const server = channels[channel].destination?.(payload);
  return server === undefined ? channel : `${channel}:${server}`;
}

function mayHaveArrived(delivery: Delivery): boolean {
  return delivery.attempts.some(({ outcome }) => outcome === 'unknown' || outcome === 'delivered');
}
