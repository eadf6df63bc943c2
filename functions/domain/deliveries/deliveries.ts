/** Brings a lead to a buyer: one try after another, each written down, until it has arrived or is given up. */
import type { ChannelAdapter, Report } from '#functions/channels/channel';
import type { Circuits, Permit } from '#functions/data/deliveries/circuits';
import type { DedupMarkers } from '#functions/data/deliveries/dedup-markers';
import { type DeliveryRepository, type Result, roundBegan } from '#functions/data/deliveries/delivery-store';
import type { DeliveryPayload, PayloadLoader } from '#functions/data/deliveries/payloads';
import type { Attempt, Delivery } from '#functions/data/leads/lead';
import { nextAttemptAt } from '#functions/domain/deliveries/retry-schedule';
import type { TellOperator } from '#functions/operator/operator';
import type { DeliverMessage } from '#functions/queues/messages';
import { MAX_DELAY_SECONDS, type Outgoing, type Queue, sendAll } from '#functions/queues/queue';
import type { Runtime } from '#functions/runtime';
import type { Channel } from '#shared/channels/channels';

export type Channels = Readonly<Record<Channel, ChannelAdapter>>;

/**
 * Runs work when the destination can take it; keeps the number and the pace of calls to one destination bounded.
 * @returns false when the destination was busy for so long that the work was not begun
 */
export type ConcurrencyLimiter = (destination: string, work: () => Promise<void>) => Promise<boolean>;

export interface DeliverDeps {
  readonly deliveries: DeliveryRepository;
  readonly payloads: PayloadLoader;
  readonly channels: Channels;
  readonly circuits: Circuits;
  readonly dedupMarkers: DedupMarkers;
  readonly queue: Queue<DeliverMessage>;
  /** Its alarm watches it; null where there is none. */
  readonly deadLetters: Queue<DeliverMessage> | null;
  readonly tellOperator: TellOperator;
  readonly limiter: ConcurrencyLimiter;
  readonly runtime: Runtime;
}

/** Milliseconds for one try, whatever the channel. */
const ATTEMPT_TIMEOUT_MS = 30_000;
/** After so many milliseconds another worker may take a try over: well beyond what a worker can need for it. */
const LEASE = 120_000;
/** A message may be received this much before its time; clocks differ. */
const EARLY = 1_000;
/** Milliseconds after which a busy destination is asked again, and how far such tries are spread. */
const BUSY = { least: 2_000, spread: 8_000 } as const;
/** Seconds in which the operator is told once of failures at the same buyer and channel. */
const TOLD_FOR = 3600;

/**
 * Handles one message. Safe to repeat: a message about a try that has been made changes nothing, and a try is claimed by
 * a condition before it is made.
 * @throws Error when the table or the queue did not answer; the message then comes back
 */
export async function deliver(deps: DeliverDeps, message: DeliverMessage): Promise<void> {
  const delivery = await deps.deliveries.get(message.lead_id, message.channel);
  const now = deps.runtime.now();
  if (delivery === undefined || delivery.round !== message.round) return;
  if (delivery.status === 'failed' && delivery.unreported === true) return reportAgain(deps, delivery);
  if (delivery.status === 'delivered' || delivery.status === 'failed') return;

  const beingSent = delivery.sending_until !== undefined;
  if (!beingSent && delivery.attempt_count !== message.attempt_count) return;
  const due = new Date(delivery.next_attempt_at ?? now);
  // Not due: put off, or in the hands of another worker, after whose death this message takes over.
  if (due.getTime() > now.getTime() + EARLY) return enqueue(deps.queue, message, due, now);

  const loaded = await deps.payloads.load(delivery);
  if (!loaded.ok) return withdraw(deps, delivery, loaded.error);
  const permit = await deps.circuits.permit(delivery.buyer, delivery.channel, now);
  if (!permit.ok) return putOff(deps, delivery, loaded.payload.buyer.buyer_id, permit.until);

  const payload: DeliveryPayload = { ...loaded.payload, afterUnknown: mayHaveArrived(delivery) };
  const begun = await deps.limiter(destinationOf(deps.channels, payload, delivery.channel), () =>
    attempt(deps, delivery, payload, permit),
  );
  if (!begun) await enqueue(deps.queue, message, busyUntil(deps.runtime), deps.runtime.now());
}

async function attempt(
  deps: DeliverDeps,
  seen: Delivery,
  payload: DeliveryPayload,
  permit: Permit,
): Promise<void> {
  const { runtime } = deps;
  const startedAt = runtime.now();
  const claimed = await deps.deliveries.claim(
    seen,
    interrupted(startedAt),
    new Date(startedAt.getTime() + LEASE),
  );
  if (claimed === undefined) return;

  const report = await deps.channels[claimed.channel].send(payload, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS));
  const now = runtime.now();
  const attempts = [...claimed.attempts.slice(0, -1), attemptOf(report, startedAt, now)];
  const result = resultOf(claimed, report, attempts, now, runtime.random());
  const written = await deps.deliveries.finish(claimed, result, now);
  runtime.log.info('delivery tried', {
    lead: claimed.lead_id,
    channel: claimed.channel,
    outcome: report.outcome,
    status: result.status,
    attempt_count: result.attempt_count,
    duration_ms: now.getTime() - startedAt.getTime(),
  });

  if (written) recordResult(deps, claimed.channel, result);
  if (written && result.next_attempt_at !== null)
    await enqueue(deps.queue, messageFor(claimed, result.attempt_count), result.next_attempt_at, now);
  if (written && result.status === 'failed')
    await reportFailure(deps, claimed, payload.buyer.buyer_id, report.error ?? 'unknown');
  await recordCircuit(deps, claimed, payload.buyer.buyer_id, report, permit, now);
}

function recordResult(deps: DeliverDeps, channel: Channel, { status }: Result): void {
  const metric = (
    { delivered: 'DeliveriesDelivered', retrying: 'DeliveriesRetried', failed: 'DeliveriesFailed' } as const
  )[status];
  deps.runtime.metrics.record(metric, 1, { Channel: channel });
}

const FAILED = { status: 'failed', next_attempt_at: null, unreported: true } as const;

function resultOf(
  claimed: Delivery,
  report: Report,
  attempts: readonly Attempt[],
  now: Date,
  random: number,
): Result {
  const common = {
    attempts,
    attempt_count: claimed.attempt_count,
    external_id: report.external_id ?? claimed.external_id,
  };
  if (report.outcome === 'delivered')
    return { ...common, status: 'delivered', next_attempt_at: null, error: null };
  if (report.outcome === 'permanent') return { ...common, ...FAILED, error: report.error };
  const notBefore = new Date(now.getTime() + (report.retryAfter ?? 0) * 1000);
  const next = nextAttemptAt(claimed.attempt_count, new Date(roundBegan(claimed)), now, random, notBefore);
  return next === null
    ? { ...common, ...FAILED, error: givenUp(report.error) }
    : { ...common, status: 'retrying', next_attempt_at: next, error: report.error };
}

/** The circuit is open: the try is not made and does not count, but time goes on. */
async function putOff(deps: DeliverDeps, delivery: Delivery, buyerId: string, until: Date): Promise<void> {
  const { runtime } = deps;
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
  if (!(await deps.deliveries.putOff(delivery, result, now))) return;
  if (next === null) {
    recordResult(deps, delivery.channel, result);
    return reportFailure(deps, delivery, buyerId, error);
  }
  await enqueue(deps.queue, messageFor(delivery, delivery.attempt_count), next, now);
}

/** There is nothing to send any more; nobody needs to be alarmed. */
async function withdraw(deps: DeliverDeps, delivery: Delivery, error: string): Promise<void> {
  const now = deps.runtime.now();
  const result: Result = {
    status: 'failed',
    attempts: [...delivery.attempts, skipped(now, error)],
    attempt_count: delivery.attempt_count,
    next_attempt_at: null,
    external_id: delivery.external_id,
    error,
  };
  await deps.deliveries.putOff(delivery, result, now);
}

async function recordCircuit(
  deps: DeliverDeps,
  delivery: Delivery,
  buyerId: string,
  report: Report,
  permit: Permit,
  now: Date,
): Promise<void> {
  const { buyer, channel } = delivery;
  const sound = report.outcome === 'delivered' || (report.outcome === 'permanent' && !report.misconfigured);
  if (sound) return deps.circuits.succeeded(buyer, channel, permit);
  if (await deps.circuits.failed(buyer, channel, permit, now))
    await deps.tellOperator(
      `Deliveries paused: ${channel} of buyer ${buyerId}`,
      [
        `Several deliveries in a row failed over ${channel} for buyer ${buyerId}.`,
        `Last error: ${report.error ?? 'none given'}`,
        'They wait and are tried again by themselves; nothing is lost. See Deliveries in the admin tool.',
      ].join('\n'),
    );
}

/** The worker that gave it up died before it could say so. */
async function reportAgain(deps: DeliverDeps, delivery: Delivery): Promise<void> {
  const loaded = await deps.payloads.load(delivery);
  const buyerId = loaded.ok ? loaded.payload.buyer.buyer_id : String(delivery.buyer);
  await reportFailure(deps, delivery, buyerId, delivery.error ?? 'unknown');
}

async function reportFailure(
  deps: DeliverDeps,
  delivery: Delivery,
  buyerId: string,
  error: string,
): Promise<void> {
  const { runtime } = deps;
  if (deps.deadLetters !== null)
    await sendAll(deps.deadLetters, [{ message: messageFor(delivery, delivery.attempt_count) }]);
  const marker = `failed#${delivery.buyer}#${delivery.channel}`;
  if (!(await deps.dedupMarkers.take(marker, runtime.now(), TOLD_FOR)))
    return deps.deliveries.reported(delivery);
  await deps.tellOperator(
    `Delivery failed: ${delivery.channel} of buyer ${buyerId}`,
    [
      `Lead ${delivery.order_id}-${delivery.sequence} could not be delivered to buyer ${buyerId} over ${delivery.channel} and is not tried again.`,
      `Reason: ${error}`,
      'It can be sent again under Deliveries in the admin tool. Further failures of this buyer and channel are not',
      'reported within the next hour.',
    ].join('\n'),
  );
  await deps.deliveries.reported(delivery);
}

/** How far in the past a delivery may lie that was never put on the queue, or whose message was lost. */
const LOOK_BACK = 3 * 3600_000;
/** The same after the product has not run for some time, with queues that kept nothing. */
const LOOK_BACK_ALONE = 14 * 24 * 3600_000;
/** Younger ones are most likely on their way. */
const LEAVE_ALONE = 10 * 60_000;
/** A waiting one is overdue so long after its time. */
const OVERDUE_BY = 2 * 60_000;
const OVERDUE_AT_ONCE = 200;

/**
 * For the reconciliation: puts back on the queue what should have been tried and was not, because a message was lost or a worker
 * died. Those waiting for a next try, or sent again, stand in an index by due time. Those of the first round that were
 * never tried stand in none, since that would cost every lead a write; they are found among the recent deliveries of each
 * buyer, and only `thoroughly`, which the reconciliation need not do every minute. What was found once stands in the index as well.
 * @param buyers internal ids of the buyers to look at thoroughly
 * @param alone true where nothing can be on its way: whatever was never tried is put back at once
 * @returns how many were put on the queue
 */
export async function requeueOverdueDeliveries(
  deps: Pick<DeliverDeps, 'deliveries' | 'queue' | 'runtime'>,
  buyers: readonly number[] = [],
  alone = false,
): Promise<number> {
  const now = deps.runtime.now();
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const found = await deps.deliveries.overdue(ago(OVERDUE_BY), OVERDUE_AT_ONCE);
  for (const buyer of buyers) {
    const since = ago(alone ? LOOK_BACK_ALONE : LOOK_BACK);
    found.push(...(await deps.deliveries.neverEnded(buyer, since, ago(alone ? 0 : LEAVE_ALONE))));
  }
  const lost: Delivery[] = [];
  for (const delivery of found) {
    // Later each time: it may be on its way after all, to a destination that is busy.
    const due = new Date(delivery.next_attempt_at ?? roundBegan(delivery));
    const wait = Math.max(LEAVE_ALONE, now.getTime() - due.getTime());
    if (await deps.deliveries.lookAgain(delivery, new Date(now.getTime() + wait))) lost.push(delivery);
  }
  if (lost.length > 0) {
    deps.runtime.log.warn('overdue deliveries put back on the queue', { count: lost.length });
    await sendAll(
      deps.queue,
      lost.map((delivery) => ({ message: messageFor(delivery, delivery.attempt_count) })),
    );
  }
  return lost.length;
}

function busyUntil({ now, random }: Runtime): Date {
  return new Date(now().getTime() + BUSY.least + random() * BUSY.spread);
}

function messageFor(delivery: Delivery, attempt_count: number): DeliverMessage {
  return { lead_id: delivery.lead_id, channel: delivery.channel, round: delivery.round, attempt_count };
}

/** A message can wait a quarter of an hour at most; one that is meant for later is put back when it arrives. */
async function enqueue(
  queue: Queue<DeliverMessage>,
  message: DeliverMessage,
  due: Date,
  now: Date,
): Promise<void> {
  const seconds = Math.ceil((due.getTime() - now.getTime()) / 1000);
  const outgoing: Outgoing<DeliverMessage> = {
    message,
    delay: Math.min(MAX_DELAY_SECONDS, Math.max(0, seconds)),
  };
  await sendAll(queue, [outgoing]);
}

/** Calls to the same destination are limited together. */
function destinationOf(channels: Channels, payload: DeliveryPayload, channel: Channel): string {
  const server = channels[channel].destination?.(payload);
  return server === undefined ? channel : `${channel}:${server}`;
}

function mayHaveArrived(delivery: Delivery): boolean {
  return delivery.attempts.some(({ outcome }) => outcome === 'unknown' || outcome === 'delivered');
}

function givenUp(error: string | null): string {
  return `Given up after a day. ${error ?? ''}`.trim();
}

/** Stands in the log until the try has ended, and for good if the worker died. */
function interrupted(at: Date): Attempt {
  return {
    at: at.toISOString(),
    outcome: 'unknown',
    status_code: null,
    request: null,
    answer: 'The outcome was not recorded',
    duration_ms: 0,
  };
}

function attemptOf(report: Report, startedAt: Date, endedAt: Date): Attempt {
  return {
    at: startedAt.toISOString(),
    outcome: report.outcome,
    status_code: report.status_code,
    request: report.request,
    answer: report.answer ?? report.error,
    duration_ms: endedAt.getTime() - startedAt.getTime(),
  };
}

function skipped(at: Date, why: string): Attempt {
  return {
    at: at.toISOString(),
    outcome: 'skipped',
    status_code: null,
    request: null,
    answer: why,
    duration_ms: 0,
  };
}

/** A long pause is one line in the log, not one for every time it was looked at. */
function withoutLastSkip(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.at(-1)?.outcome === 'skipped' ? attempts.slice(0, -1) : attempts;
}
