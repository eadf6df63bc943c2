/** Real time, which tests move forward. */
export class Clock {
  #offsetMs = 0;

  readonly now = (): Date => new Date(Date.now() + this.#offsetMs);

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }

  set(instant: Date): void {
    this.#offsetMs = instant.getTime() - Date.now();
  }
}
