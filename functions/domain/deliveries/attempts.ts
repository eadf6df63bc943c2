/** What is recorded of attempts to send something, and when its message comes again. */
import type { Report } from '#functions/channels/channel';
import type { Attempt } from '#functions/data/leads/lead';
import { MAX_DELAY_SECONDS, type Outgoing } from '#functions/queues/queue';

/** A message may be received this much before the attempt is due, because clocks differ. */
export const MAX_EARLY_MS = 1_000;
/** The wait after a busy destination, on average: doubled each time, because looking again costs a worker's time. */
const FIRST_BUSY_WAIT_MS = 2_000;
const MAX_BUSY_WAIT_MS = 30_000;

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
  return `Given up after a day. ${error ?? ''}`.trim();
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
