/**
 * The engine for all that is sent in attempts: leads to buyers, callbacks to sources. A message names one attempt. The attempt is
 * claimed before it is made, its outcome is recorded, and the next one is queued, until it has arrived or failed for a day. See
 * `docs/adr/0009-deliveries.md` and `docs/adr/0020-outbox.md`.
 */

import type { Report } from '#functions/channels/channel';
import type { Context } from '#functions/data/context';
import type { Permit } from '#functions/data/deliveries/circuits';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { type Sending, seriesBegan } from '#functions/data/deliveries/sending';
import type { Kind, Result } from '#functions/data/deliveries/sending-store';
import * as sendingStore from '#functions/data/deliveries/sending-store';
import type { Attempt } from '#functions/data/leads/lead';
import type { Key } from '#functions/data/table/keys';
import {
  attemptOf,
  busyUntil,
  dueAt,
  givenUp,
  interrupted,
  outgoingAt,
  skipped,
  withoutLastSkip,
} from '#functions/domain/deliveries/attempts';
import { earliestAfterUnconfirmed, nextAttemptAt } from '#functions/domain/deliveries/retry-schedule';
import { type Queue, sendAll } from '#functions/queues/queue';

/** Bounds concurrent calls to one destination. @returns false if the work did not begin within a short wait */
export type ConcurrencyLimiter = (destination: string, work: () => Promise<void>) => Promise<boolean>;

interface AttemptMessage {
  readonly series: number;
  readonly attempt_count: number;
  readonly busy?: number | undefined;
}

export interface SendingContext<Message> extends Context {
  readonly queue: Queue<Message>;
  readonly limiter: ConcurrencyLimiter;
}

export interface Sender<Sent extends Sending, Target, Message extends AttemptMessage> {
  readonly tried: string;
  readonly paused: string;
  readonly messageFor: (sent: Sent) => Message;
  readonly stored: Kind<Sent>;
  readonly delay?: (
    sent: Sent,
    message: Message,
    now: Date,
  ) => { readonly message: Message; readonly until: Date } | undefined;
  readonly targetOf: (sent: Sent) => Promise<{ readonly target: Target } | { readonly error: string }>;
  readonly circuit: (sent: Sent) => Key;
  readonly destination: (sent: Sent, target: Target) => string;
  readonly longestMs: (sent: Sent) => number;
  readonly send: (claimed: Sent, target: Target, longestMs: number) => Promise<Report>;
  readonly works: (report: Report) => boolean;
  readonly logged: (claimed: Sent) => Readonly<Record<string, string | number>>;
  readonly beforeRecord?: (ended: Ended<Sent, Target>) => Promise<void>;
  readonly recorded?: (ended: Ended<Sent, Target>, written: boolean) => Promise<void>;
  readonly gaveUp?: (sent: Sent, target: Target, now: Date) => Promise<void>;
  readonly circuitOpened?: (sent: Sent, target: Target, report: Report) => Promise<void>;
}

export interface Ended<Sent, Target> {
  readonly claimed: Sent;
  readonly target: Target;
  readonly report: Report;
  readonly result: Result;
  readonly now: Date;
}

/** How long after the timeout of an attempt another worker may take over. */
const LEASE_MARGIN_MS = 90_000;
const MAX_EARLY_MS = 1_000;

/**
 * Handles one message. Safe to repeat: a message about an earlier attempt changes nothing, and a conditional write claims an attempt
 * before it is made.
 * @throws Error if the table or the queue did not respond; the message is then received again
 */
export async function handle<Sent extends Sending, Target, Message extends AttemptMessage>(
  context: SendingContext<Message>,
  kind: Sender<Sent, Target, Message>,
  sent: Sent | undefined,
  message: Message,
): Promise<void> {
  const { runtime } = context;
  const now = runtime.now();
  if (sent === undefined || sent.series !== message.series) return;
  if (sent.status === 'delivered' || sent.status === 'failed') return;
  const isBeingSent = sent.sending_until !== undefined;
  if (!isBeingSent && sent.attempt_count !== message.attempt_count) return;
  const due = dueAt(sent, now);
  // Postponed, or another worker has the lease; if that worker crashes, this message takes over.
  if (due.getTime() > now.getTime() + MAX_EARLY_MS) return enqueue(context, message, due, now);
  const held = kind.delay?.(sent, message, now);
  if (held !== undefined) return enqueue(context, held.message, held.until, now);

  const found = await kind.targetOf(sent);
  if ('error' in found) return withdraw(context, kind.stored, sent, found.error);
  const { target } = found;
  const permit = await circuitStore.permit(context, kind.circuit(sent), now);
  if (!permit.ok) return postpone(context, kind, sent, target, permit.until);
  const begun = await context.limiter(kind.destination(sent, target), () =>
    attempt(context, kind, sent, target, permit),
  );
  if (begun) return;
  // A new message, because the queue drops one that was received too often.
  const busy = message.busy ?? 0;
  const later = runtime.now();
  await enqueue(context, { ...message, busy: busy + 1 }, busyUntil(busy, later, runtime.random()), later);
}

async function attempt<Sent extends Sending, Target, Message extends AttemptMessage>(
  context: SendingContext<Message>,
  kind: Sender<Sent, Target, Message>,
  expected: Sent,
  target: Target,
  permit: Permit,
): Promise<void> {
  const { runtime } = context;
  const longestMs = kind.longestMs(expected);
  const startedAt = runtime.now();
  const until = new Date(startedAt.getTime() + longestMs + LEASE_MARGIN_MS);
  const claimed = await sendingStore.claim(context, kind.stored, expected, interrupted(startedAt), until);
  if (claimed === undefined) return;

  const report = await kind.send(claimed, target, longestMs);
  const now = runtime.now();
  const attempts = [...claimed.attempts.slice(0, -1), attemptOf(report, startedAt, now)];
  const result = resultOf(claimed, report, attempts, now, runtime.random());
  const ended = { claimed, target, report, result, now };
  await kind.beforeRecord?.(ended);
  const written = await sendingStore.finish(context, kind.stored, claimed, result, now);
  runtime.log.info(kind.tried, {
    ...kind.logged(claimed),
    outcome: report.outcome,
    status: result.status,
    attempt_count: claimed.attempt_count,
    duration_ms: now.getTime() - startedAt.getTime(),
  });
  await kind.recorded?.(ended, written);
  if (written && result.next_attempt_at !== null)
    await enqueue(context, kind.messageFor(claimed), result.next_attempt_at, now);
  const circuit = kind.circuit(claimed);
  if (kind.works(report)) await circuitStore.succeeded(context, circuit, permit);
  else if (await circuitStore.failed(context, circuit, permit, now))
    await kind.circuitOpened?.(claimed, target, report);
}

export function resultOf(
  claimed: Sending,
  report: Pick<Report, 'outcome' | 'error' | 'external_id' | 'retryAfter' | 'unconfirmed' | 'refused'>,
  attempts: readonly Attempt[],
  now: Date,
  random: number,
): Result {
  const { outcome, error, external_id, refused } = report;
  const common = { attempts, external_id, next_attempt_at: null, error };
  if (outcome === 'delivered') return { ...common, status: 'delivered', error: null };
  const failed = { ...common, status: 'failed', unreported: true } as const;
  if (outcome === 'permanent') return { ...failed, ...(refused === true && { refused }) };
  const notBefore =
    report.unconfirmed === true
      ? earliestAfterUnconfirmed(now, unknownsBefore(claimed, attempts))
      : new Date(now.getTime() + (report.retryAfter ?? 0) * 1000);
  const next = nextAttemptAt(claimed.attempt_count, new Date(seriesBegan(claimed)), now, random, notBefore);
  return next === null
    ? { ...failed, error: givenUp(error) }
    : { ...common, status: 'retrying', next_attempt_at: next };
}

function unknownsBefore(claimed: Sending, attempts: readonly Attempt[]): number {
  const began = seriesBegan(claimed);
  return attempts.slice(0, -1).filter(({ at, outcome }) => outcome === 'unknown' && at >= began).length;
}

/** While the circuit is open no attempt is made or counted, but the series still expires. */
async function postpone<Sent extends Sending, Target, Message extends AttemptMessage>(
  context: SendingContext<Message>,
  kind: Sender<Sent, Target, Message>,
  sent: Sent,
  target: Target,
  until: Date,
): Promise<void> {
  const { runtime } = context;
  const now = runtime.now();
  const next = nextAttemptAt(1, new Date(seriesBegan(sent)), now, runtime.random(), until);
  const result: Result = {
    ...(next === null ? { status: 'failed', unreported: true } : { status: 'retrying' }),
    attempts: [...withoutLastSkip(sent.attempts), skipped(now, kind.paused)],
    next_attempt_at: next,
    error: next === null ? givenUp(sent.error) : (sent.error ?? kind.paused),
  };
  if (!(await sendingStore.recordSkipped(context, kind.stored, sent, result, now))) return;
  if (next === null) await kind.gaveUp?.(sent, target, now);
  else await enqueue(context, kind.messageFor(sent), next, now);
}

/** The destination was removed. Fails without notifying the operator. */
async function withdraw<Sent extends Sending>(
  context: Context,
  stored: Kind<Sent>,
  sent: Sent,
  error: string,
): Promise<void> {
  const now = context.runtime.now();
  const attempts = [...sent.attempts, skipped(now, error)];
  const result: Result = { status: 'failed', attempts, next_attempt_at: null, error };
  await sendingStore.recordSkipped(context, stored, sent, result, now);
}

async function enqueue<Message>(
  { queue }: { readonly queue: Queue<Message> },
  message: Message,
  due: Date,
  now: Date,
): Promise<void> {
  await sendAll(queue, [outgoingAt(message, due, now)]);
}
