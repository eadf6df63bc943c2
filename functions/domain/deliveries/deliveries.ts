/** Delivers a lead over one channel, in the attempts of `outgoing.ts`, until it is delivered or fails for good. */

import type { ChannelAdapter } from '#functions/channels/channel';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import { channelCircuit } from '#functions/data/deliveries/circuits';
import * as dedupMarkerStore from '#functions/data/deliveries/dedup-markers';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import * as payloadStore from '#functions/data/deliveries/payloads';
import type { Result } from '#functions/data/deliveries/sending-store';
import type { Delivery } from '#functions/data/leads/lead';
import { addressProblem, noteReport } from '#functions/domain/common/addresses';
import { handle, type Sender, type SendingContext } from '#functions/domain/deliveries/outgoing';
import type { TellOperator } from '#functions/operator/operator';
import type { DeliverMessage } from '#functions/queues/messages';
import { type Queue, sendAll } from '#functions/queues/queue';
import type { Channel } from '#shared/channels/channels';
import type { KeptReason } from '#shared/rules/constants';

export type Channels = Readonly<Record<Channel, ChannelAdapter>>;

/** What becomes of a refused lead of a buyer whose refused leads are given on. */
export type GiveOn = (
  refused: Delivery,
) => Promise<{ readonly is: 'given_on' | 'open' } | { readonly is: 'kept'; readonly why: KeptReason }>;

export interface DeliverContext extends AddressContext, SendingContext<DeliverMessage> {
  readonly channels: Channels;
  /** Receives deliveries that failed for good, which raises its alarm; null where there is none. */
  readonly deadLetters: Queue<DeliverMessage> | null;
  readonly giveOn: GiveOn;
  readonly tellOperator: TellOperator;
}

/** For one delivery attempt, unless its channel needs more. */
const ATTEMPT_TIMEOUT_MS = 30_000;
/** The reconciliation has an attempt taken over within so long after its lease has ended. */
const TAKEN_OVER_WITHIN_MS = 12 * 60_000;
/** The operator is told once in this time of failures at the same buyer and channel. */
const TOLD_ONCE_PER_SECONDS = 3600;
/** For which one worker alone tells the operator: longer than that can take. */
const TELL_LEASE_SECONDS = 60;

/** Handles one message. @throws Error when the table or the queue did not respond; the message is then received again */
export async function deliver(context: DeliverContext, message: DeliverMessage): Promise<void> {
  const delivery = await deliveryStore.get(context, message.lead_id, message.channel);
  if (delivery?.round === message.round && delivery.status === 'failed' && delivery.unreported === true)
    return reportAgain(context, delivery);
  await handle(context, deliveries(context), delivery, message);
}

const PAUSED = 'Paused after repeated failures at this buyer';

function deliveries(context: DeliverContext): Sender<Delivery, DeliveryPayload, DeliverMessage> {
  const { channels, runtime } = context;
  return {
    tried: 'delivery tried',
    paused: PAUSED,
    messageFor,
    stored: deliveryStore.DELIVERIES,
    heldUp,
    targetOf: async (delivery) => {
      const loaded = await payloadStore.load(context, delivery);
      return loaded.ok
        ? { target: { ...loaded.payload, afterUnknown: mayHaveArrived(delivery) } }
        : { error: loaded.error };
    },
    circuit: ({ buyer, channel }) => channelCircuit(buyer, channel),
    destination: ({ channel }, payload) => destinationOf(channels, payload, channel),
    longestMs: ({ channel }) => channels[channel].longestMs ?? ATTEMPT_TIMEOUT_MS,
    send: ({ channel }, payload, longestMs) => channels[channel].send(payload, runtime.timeout(longestMs)),
    works: ({ outcome, misconfigured }) =>
      outcome === 'delivered' || (outcome === 'permanent' && misconfigured !== true),
    logged: ({ lead_id, channel }) => ({ lead: lead_id, channel }),
    recorded: async ({ claimed, target, report, result, now }, written) => {
      if (written) recordResult(context, claimed.channel, result);
      if (claimed.channel === 'email')
        await noteReport(context, target.buyer.buyer_email, attemptName(claimed), report);
      if (!written || result.status !== 'failed') return;
      const failed = { ...claimed, ...(result.refused === true && { refused: true as const }) };
      await settleFailure(context, failed, now, target.buyer, report.error ?? 'unknown');
    },
    gaveUp: async (delivery, { buyer }, now) => {
      recordResult(context, delivery.channel, { status: 'failed' });
      await reportFailure(context, delivery, now, { buyerId: buyer.buyer_id, error: PAUSED });
    },
    circuitOpened: ({ channel }, { buyer }, { error }) =>
      context.tellOperator(
        `Deliveries paused: ${channel} of buyer ${buyer.buyer_id}`,
        [
          `Several deliveries in a row failed by ${channel} for buyer ${buyer.buyer_id}.`,
          `Last error: ${error ?? 'none given'}`,
          'They are queued and retried automatically; nothing is lost. See Deliveries in the admin app.',
        ].join('\n'),
      ),
  };
}

/**
 * An attempt that another worker should have taken over long ago. Either nothing ran since, or a clock is wrong and the call is
 * still under way: it is taken over by a message that has waited for as long as the call may last.
 */
function heldUp({ sending_until, sending_by, updated_at }: Delivery, message: DeliverMessage, now: Date) {
  if (sending_until === undefined || sending_by === undefined || message.unfinished === sending_by)
    return undefined;
  const until = new Date(sending_until).getTime();
  if (now.getTime() <= until + TAKEN_OVER_WITHIN_MS) return undefined;
  const leaseMs = until - new Date(updated_at).getTime();
  return { message: { ...message, unfinished: sending_by }, until: new Date(now.getTime() + leaseMs) };
}

const attemptName = ({ lead_id, round, attempt_count }: Delivery) =>
  `smtp#${lead_id}#${round}#${attempt_count}`;

function recordResult(context: DeliverContext, channel: Channel, { status }: Pick<Result, 'status'>): void {
  const metric = (
    { delivered: 'DeliveriesDelivered', retrying: 'DeliveriesRetried', failed: 'DeliveriesFailed' } as const
  )[status];
  context.runtime.metrics.record(metric, 1, { Channel: channel });
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
  if (context.deadLetters !== null) await sendAll(context.deadLetters, [{ message: messageFor(delivery) }]);
  if (reserved === 'sent') return deliveryStore.reported(context, delivery, failedAt, kept);
  await context.tellOperator(
    `Delivery failed: ${delivery.channel} of buyer ${buyerId}`,
    [
      `Lead ${delivery.order_id}-${delivery.sequence} could not be delivered to buyer ${buyerId} by ${delivery.channel} and is not retried.`,
      `Reason: ${error}`,
      ...(await addressLine(context, address)),
      'You can resend it under Deliveries in the admin app. Further failures of this buyer and channel are not',
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
    : [`The buyer’s e-mail address ${addressProblem(state)}. Correct it in the buyer’s settings.`];
}

/** The message for the next delivery attempt. */
export function messageFor({ lead_id, channel, round, attempt_count, buyer }: Delivery): DeliverMessage {
  return { lead_id, channel, round, attempt_count, buyer };
}

/** The key by which calls to the same destination are limited together. */
function destinationOf(channels: Channels, payload: DeliveryPayload, channel: Channel): string {
  const server = channels[channel].destination?.(payload);
  return server === undefined ? channel : `${channel}:${server}`;
}

function mayHaveArrived(delivery: Delivery): boolean {
  return delivery.attempts.some(({ outcome }) => outcome === 'unknown' || outcome === 'delivered');
}
