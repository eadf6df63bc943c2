import { setTimeout as wait } from 'node:timers/promises';

/** A wait between two looks for work, which news of work cuts short. */
export class WakeableTimer {
  #woken = new AbortController();

  /** To be called before each look: news that come during it are not slept over. */
  lookingNow(): void {
    if (this.#woken.signal.aborted) this.#woken = new AbortController();
  }

  wake(): void {
    this.#woken.abort();
  }

  /** Until so many milliseconds are over, or woken since the last look. */
  async take(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: this.#woken.signal }).catch(() => {});
  }
}
