/** What is recorded of attempts to send something, and when its message comes again. */
import type { Report } from '#functions/channels/channel';
import { MAX_CLOCK_DIFFERENCE_MS, roundBegan, type Sending } from '#functions/data/deliveries/sending';
import type { Attempt } from '#functions/data/leads/lead';
import { MAX_DELAY_SECONDS, type Outgoing } from '#functions/queues/queue';

/** The wait after a busy destination, on average: doubled each time, because looking again costs a worker's time. */
const FIRST_BUSY_WAIT_MS = 2_000;
/** With half of it more, at random, and the length of a lease a destination is called within 30 seconds after a kill. */
const MAX_BUSY_WAIT_MS = 12_000;

/**
 * When the next attempt is due. One that was written in our future is due as soon as its message comes, so that a wrong clock
 * delays it by little. But not where an attempt may have arrived or may be under way: a late delivery is better than a copy.
 */
export function dueAt(sending: Sending, now: Date): Date {
  const due = new Date(sending.next_attempt_at ?? roundBegan(sending));
  const writtenAhead = new Date(sending.updated_at).getTime() > now.getTime() + MAX_CLOCK_DIFFERENCE_MS;
  const last = sending.attempts.at(-1)?.outcome;
  const cannotArrive =
    sending.sending_until === undefined && (last === undefined || last === 'transient' || last === 'skipped');
  return writtenAhead && cannotArrive && due > now ? now : due;
}

/** When a destination that was busy is tried again. @param before how often it was busy before @param random in [0, 1) */
export function busyUntil(before: number, now: Date, random: number): Date {
  const averageMs = Math.min(MAX_BUSY_WAIT_MS, FIRST_BUSY_WAIT_MS * 2 ** before);
  return new Date(now.getTime() + averageMs * (0.5 + random));
}

/** A message can be delayed by 15 minutes at most; one that is due later is put back when it is received. */
export function outgoingAt<Message>(message: Message, due: Date, now: Date): Outgoing<Message> {
  const seconds = Math.ceil((due.getTime() - now.getTime()) / 1000);
  return { message, delay: Math.min(MAX_DELAY_SECONDS, Math.max(0, seconds)) };
}

export function givenUp(error: string | null): string {
  return `Stopped retrying after a day. ${error ?? ''}`.trim();
}

/** Recorded while an attempt runs; it stays in the log if the worker crashes. */
export function interrupted(at: Date): Attempt {
  return {
    at: at.toISOString(),
    outcome: 'unknown',
    status_code: null,
    request: null,
    answer: 'The outcome was not recorded',
    duration_ms: 0,
  };
}

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

export function skipped(at: Date, why: string): Attempt {
  return {
    at: at.toISOString(),
    outcome: 'skipped',
    status_code: null,
    request: null,
    answer: why,
    duration_ms: 0,
  };
}

/** Successive skipped attempts are kept as one line in the log. */
export function withoutLastSkip(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.at(-1)?.outcome === 'skipped' ? attempts.slice(0, -1) : attempts;
}
