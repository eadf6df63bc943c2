import { setTimeout as wait } from 'node:timers/promises';

/** A wait between two looks for work, which a wake-up cuts short. */
export class WakeableTimer {
  #woken = new AbortController();

  /** To be called before each look for work, so that a wake-up during the look ends the next wait at once. */
  lookingNow(): void {
    if (this.#woken.signal.aborted) this.#woken = new AbortController();
  }

  wake(): void {
    this.#woken.abort();
  }

  /** Waits for the time, or until woken since the last look. */
  async take(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: this.#woken.signal }).catch(() => {});
  }
}
