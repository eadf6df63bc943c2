import { setTimeout as wait } from 'node:timers/promises';

export class WakeableTimer {
  #woken = new AbortController();

  /** Call before each poll, so that a wake-up during the poll ends the next wait. */
  polling(): void {
    if (this.#woken.signal.aborted) this.#woken = new AbortController();
  }

  wake(): void {
    this.#woken.abort();
  }

  async take(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: this.#woken.signal }).catch(() => {});
  }
}
