/** Calls of clients that repeat what may be repeated. */
import { setTimeout as wait } from 'node:timers/promises';
import { CallFailed } from '#local/api-client';

const MAX_TRIES = 20;
const AGAIN_AFTER_MS = 250;

export class Calls {
  made = 0;
  repeated = 0;

  /**
   * @param canRepeat a read, or a write with an idempotency key
   * @throws Error for an answer after which a client cannot know what happened
   */
  async make<T>(what: string, canRepeat: boolean, call: () => Promise<T>): Promise<T> {
    this.made += 1;
    for (let tries = 1; ; tries += 1) {
      try {
        return await call();
      } catch (error) {
        if (!canRepeat || tries === MAX_TRIES || !mayRepeat(error, tries))
          throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        this.repeated += 1;
        await wait(AGAIN_AFTER_MS);
      }
    }
  }
}

/** A repetition that meets the first try waits for it. */
const mayRepeat = (error: unknown, tries: number): boolean =>
  error instanceof CallFailed
    ? (error.status === 503 && error.retryAfterSeconds !== undefined) ||
      (error.status === 409 && tries > 1 && error.code === 'request_under_way')
    : error instanceof TypeError;
