/** The product's clock: real time, moved forward by tests that do not want to wait. */
export class Clock {
  #offset = 0;

  readonly now = (): Date => new Date(Date.now() + this.#offset);

  /** @param milliseconds how far to go forward */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  /** From here the time goes on as usual. */
  set(instant: Date): void {
    this.#offset = instant.getTime() - Date.now();
  }
}
