/**
 * Whether the server answers. Browsers believe they are online while the server is down, so failed calls decide: the first one
 * starts a check, and the server counts as down if that fails too. Checks are repeated, ever more rarely, until it answers.
 */

const FIRST_CHECK_AFTER_MS = 1000;
const MAX_BETWEEN_CHECKS_MS = 30_000;
const CHECK_TIMEOUT_MS = 8000;

export class Connection {
  /** The first failed call since the last answer. */
  #failedAt: Date | undefined;
  #downSince: Date | undefined;
  #pauseMs = FIRST_CHECK_AFTER_MS;
  #isChecking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #reachesServer: () => Promise<boolean>;

  constructor(reachesServer: () => Promise<boolean>) {
    this.#reachesServer = reachesServer;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly downSince = (): Date | undefined => this.#downSince;

  /** A call had an answer. */
  answered(): void {
    if (this.#failedAt === undefined) return;
    clearTimeout(this.#timer);
    this.#failedAt = undefined;
    this.#downSince = undefined;
    this.#pauseMs = FIRST_CHECK_AFTER_MS;
    for (const listener of this.#listeners) listener();
  }

  /** A call had no answer, or the browser reports that it is offline. */
  readonly unanswered = (): void => {
    if (this.#failedAt !== undefined) return;
    this.#failedAt = new Date();
    void this.check();
  };

  /** Checks now, not only when the pause is over. */
  readonly check = async (): Promise<void> => {
    if (this.#failedAt === undefined || this.#isChecking) return;
    clearTimeout(this.#timer);
    this.#isChecking = true;
    const answers = await this.#reachesServer();
    this.#isChecking = false;
    if (answers) return this.answered();
    // Another call may have been answered meanwhile.
    if (this.#failedAt === undefined) return;
    this.#timer = setTimeout(() => void this.check(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_BETWEEN_CHECKS_MS);
    if (this.#downSince !== undefined) return;
    this.#downSince = this.#failedAt;
    for (const listener of this.#listeners) listener();
  };

  /** Resolves once the server answers. */
  async answering(): Promise<void> {
    while (this.#failedAt !== undefined)
      await new Promise<void>((resolve) => {
        const stop = this.subscribe(() => {
          stop();
          resolve();
        });
      });
  }
}

/** What a gateway answers if the server behind it does not. */
export const isGatewayStatus = (status: number): boolean => status >= 502 && status <= 504;

export const connection = new Connection(async () => {
  try {
    const { status } = await fetch('/api/check-auth', { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    return !isGatewayStatus(status);
  } catch {
    return false;
  }
});
