import type { Report } from '#functions/channels/channel';
import { MAX_CLOCK_DIFFERENCE_MS, type Sending, seriesBegan } from '#functions/data/deliveries/sending';
import type { Attempt } from '#functions/data/leads/lead';
import { MAX_DELAY_SECONDS, type Outgoing } from '#functions/queues/queue';

/** The average wait after a busy destination. It doubles each time, because every attempt costs a worker's time. */
const FIRST_BUSY_WAIT_MS = 2_000;
/** Jitter adds up to half of it, and a dead worker's lease lasts 10 seconds: a destination is called at most 30 seconds after a crash. */
const MAX_BUSY_WAIT_MS = 12_000;

/**
 * When the next attempt is due. If a wrong clock wrote it into the future, it is due now, unless an earlier attempt may have arrived or
 * be in progress: a late delivery is better than a double one.
 */
export function dueAt(sending: Sending, now: Date): Date {
  const due = new Date(sending.next_attempt_at ?? seriesBegan(sending));
  const writtenAhead = new Date(sending.updated_at).getTime() > now.getTime() + MAX_CLOCK_DIFFERENCE_MS;
  const last = sending.attempts.at(-1)?.outcome;
  const cannotArrive =
    sending.sending_until === undefined && (last === undefined || last === 'transient' || last === 'skipped');
  return writtenAhead && cannotArrive && due > now ? now : due;
}

export function busyUntil(before: number, now: Date, random: number): Date {
  const averageMs = Math.min(MAX_BUSY_WAIT_MS, FIRST_BUSY_WAIT_MS * 2 ** before);
  return new Date(now.getTime() + averageMs * (0.5 + random));
}

/** A message can be delayed by 15 minutes at most; if it is due later, its receiver delays it again. */
export function outgoingAt<Message>(message: Message, due: Date, now: Date): Outgoing<Message> {
  const seconds = Math.ceil((due.getTime() - now.getTime()) / 1000);
  return { message, delay: Math.min(MAX_DELAY_SECONDS, Math.max(0, seconds)) };
}

export function givenUp(error: string | null): string {
  return `Stopped retrying after a day. ${error ?? ''}`.trim();
}

export const NOT_RECORDED = 'The outcome was not recorded';
/** Recorded while an attempt runs; it stays in the log if the worker crashes. */
export const interrupted = (at: Date): Attempt => unsent(at, 'unknown', NOT_RECORDED);

export const skipped = (at: Date, why: string): Attempt => unsent(at, 'skipped', why);

const unsent = (at: Date, outcome: Attempt['outcome'], answer: string): Attempt => ({
  at: at.toISOString(),
  outcome,
  status_code: null,
  request: null,
  answer,
  duration_ms: 0,
});

export function attemptOf(report: Report, startedAt: Date, endedAt: Date): Attempt {
  return {
    at: startedAt.toISOString(),
    outcome: report.outcome,
    status_code: report.status_code,
    request: report.request,
    answer: report.answer ?? report.error,
    duration_ms: endedAt.getTime() - startedAt.getTime(),
  };
}

export function withoutLastSkip(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.at(-1)?.outcome === 'skipped' ? attempts.slice(0, -1) : attempts;
}
