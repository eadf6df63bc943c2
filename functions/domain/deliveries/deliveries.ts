/** Delivers a lead over one channel, by the engine in `outgoing.ts`, until it is delivered or fails permanently. */

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
import type { NotifyOperator } from '#functions/operator/operator';
import type { DeliverMessage } from '#functions/queues/messages';
import { type Queue, sendAll } from '#functions/queues/queue';
import type { Channel } from '#shared/channels/channels';
import type { ReassignmentBlocker } from '#shared/rules/constants';

export type Channels = Readonly<Record<Channel, ChannelAdapter>>;

export type Reassign = (
  refused: Delivery,
) => Promise<
  { readonly is: 'reassigned' | 'open' } | { readonly is: 'blocked'; readonly why: ReassignmentBlocker }
>;

export interface DeliverContext extends AddressContext, SendingContext<DeliverMessage> {
  readonly channels: Channels;
  /** The dead-letter queue for permanent failures, which has an alarm; null without a queue. */
  readonly deadLetters: Queue<DeliverMessage> | null;
  readonly reassign: Reassign;
  readonly notifyOperator: NotifyOperator;
}

const ATTEMPT_TIMEOUT_MS = 30_000;
/** The reconciliation requeues an interrupted attempt within this time after its lease. */
const TAKEN_OVER_WITHIN_MS = 12 * 60_000;
const NOTIFY_INTERVAL_SECONDS = 3600;
/** Longer than the notification of the operator can take. */
const NOTIFY_LEASE_SECONDS = 60;

/** @throws Error if the table or the queue did not respond; the message is then received again */
export async function deliver(context: DeliverContext, message: DeliverMessage): Promise<void> {
  const delivery = await deliveryStore.get(context, message.lead_id, message.channel);
  if (delivery?.series === message.series && delivery.status === 'failed' && delivery.unreported === true)
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
    delay,
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
      context.notifyOperator(
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
 * For an attempt that should have been taken over long ago. Either nothing has run since, or a clock is wrong and the call is still in
 * progress. So the message is delayed for as long as a call may last, and then takes over.
 */
function delay({ sending_until, sending_by, updated_at }: Delivery, message: DeliverMessage, now: Date) {
  if (sending_until === undefined || message.unfinished === sending_by) return undefined;
  const until = new Date(sending_until).getTime();
  if (now.getTime() <= until + TAKEN_OVER_WITHIN_MS) return undefined;
  const leaseMs = until - new Date(updated_at).getTime();
  return { message: { ...message, unfinished: sending_by }, until: new Date(now.getTime() + leaseMs) };
}

const attemptName = ({ lead_id, series, attempt_count }: Delivery) =>
  `smtp#${lead_id}#${series}#${attempt_count}`;

function recordResult(context: DeliverContext, channel: Channel, { status }: Pick<Result, 'status'>): void {
  const metric = (
    { delivered: 'DeliveriesDelivered', retrying: 'DeliveriesRetried', failed: 'DeliveriesFailed' } as const
  )[status];
  context.runtime.metrics.record(metric, 1, { Channel: channel });
}

/** The worker that recorded the failure crashed before it reported it, or another one was reporting. */
async function reportAgain(context: DeliverContext, delivery: Delivery): Promise<void> {
  const buyer = await payloadStore.buyer(context, delivery.buyer);
  await settleFailure(context, delivery, new Date(delivery.updated_at), buyer, delivery.error ?? 'unknown');
}

/**
 * A lead that the partner refused may be redistributed; otherwise the operator is notified. While that depends on another channel, the
 * failure stays unreported, and the reconciliation requeues it.
 */
async function settleFailure(
  context: DeliverContext,
  delivery: Delivery,
  failedAt: Date,
  buyer: Buyer | undefined,
  error: string,
): Promise<void> {
  const mayReassign = delivery.refused === true && buyer?.on_refusal === 'reassign';
  const settled = mayReassign ? await context.reassign(delivery) : undefined;
  if (settled !== undefined && settled.is !== 'blocked') {
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
    blocker: settled?.why,
    address: delivery.channel === 'email' ? buyer?.buyer_email : undefined,
  });
}

interface FailureDetails {
  readonly buyerId: string;
  readonly error: string;
  readonly blocker?: ReassignmentBlocker | undefined;
  readonly address?: string | undefined;
}

/** Recorded as reported only after the operator was notified. Until then the reconciliation requeues it. */
async function reportFailure(
  context: DeliverContext,
  delivery: Delivery,
  failedAt: Date,
  { buyerId, error, blocker, address }: FailureDetails,
): Promise<void> {
  const { runtime } = context;
  const marker = `failed#${delivery.buyer}#${delivery.channel}`;
  const reserved = await dedupMarkerStore.reserve(context, marker, runtime.now(), NOTIFY_LEASE_SECONDS);
  // Another worker is reporting an earlier failure. If it crashes, the reconciliation requeues this one.
  if (reserved === 'busy') return;
  if (context.deadLetters !== null) await sendAll(context.deadLetters, [{ message: messageFor(delivery) }]);
  if (reserved === 'sent') return deliveryStore.reported(context, delivery, failedAt, blocker);
  await context.notifyOperator(
    `Delivery failed: ${delivery.channel} of buyer ${buyerId}`,
    [
      `Lead ${delivery.order_id}-${delivery.sequence} could not be delivered to buyer ${buyerId} by ${delivery.channel} and is not retried.`,
      `Reason: ${error}`,
      ...(await addressLine(context, address)),
      'You can resend it under Deliveries in the admin app. Further failures of this buyer and channel are not',
      'reported within the next hour.',
    ].join('\n'),
  );
  await dedupMarkerStore.confirm(context, marker, runtime.now(), NOTIFY_INTERVAL_SECONDS);
  await deliveryStore.reported(context, delivery, failedAt, blocker);
}

async function addressLine(context: DeliverContext, address: string | undefined): Promise<string[]> {
  const state = address === undefined ? undefined : await addressStore.addressState(context, address);
  return state === undefined
    ? []
    : [`The buyer’s e-mail address ${addressProblem(state)}. Correct it in the buyer’s settings.`];
}

export function messageFor({ lead_id, channel, series, attempt_count, buyer }: Delivery): DeliverMessage {
  return { lead_id, channel, series, attempt_count, buyer };
}

function destinationOf(channels: Channels, payload: DeliveryPayload, channel: Channel): string {
  const server = channels[channel].destination?.(payload);
  return server === undefined ? channel : `${channel}:${server}`;
}

function mayHaveArrived(delivery: Delivery): boolean {
  return delivery.attempts.some(({ outcome }) => outcome === 'unknown' || outcome === 'delivered');
}
