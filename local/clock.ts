/** The product's clock: real time, moved forward by tests that do not want to wait. */
export class Clock {
  #offsetMs = 0;

  readonly now = (): Date => new Date(Date.now() + this.#offsetMs);

  /** @param milliseconds how far to go forward */
  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }

  /** Sets the time; it goes on from there as usual. */
  set(instant: Date): void {
    this.#offsetMs = instant.getTime() - Date.now();
  }
}
