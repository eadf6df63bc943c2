export interface Decision {
  readonly claimId: number;
  readonly status: 'approved' | 'rejected';
  readonly notes: string;
}

/** How long a decision can be undone before it is sent. */
const UNDO_MS = 5000;
/** The maximum size of all held notes together: browsers send at most 64 KB while a page closes. */
const MAX_HELD_CHARACTERS = 10_000;

export interface HeldDecision extends Decision {
  /** `held` can be undone; `sent` reached the server, but not yet the lists. */
  readonly state: 'held' | 'sent';
}

/**
 * Delays decisions for a moment. They stay in the order in which they were made until `send` has ended, so that the list
 * can omit their claims until then.
 */
export class HeldDecisions {
  #decisions: readonly HeldDecision[] = [];
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<() => void>();
  readonly #send: (decision: Decision) => Promise<void>;

  /** @param send must not fail; it shows its own errors */
  constructor(send: (decision: Decision) => Promise<void>) {
    this.#send = send;
  }

  /**
   * Calls `listener` after every change.
   * @returns a function that ends that
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly HeldDecision[] => this.#decisions;

  /** Sends the decision in five seconds; a held claim keeps its first decision. */
  hold(decision: Decision): void {
    if (this.#decisions.some(({ claimId }) => claimId === decision.claimId)) return;
    this.#change([...this.#decisions, { ...decision, state: 'held' }]);
    this.#timers.set(
      decision.claimId,
      setTimeout(() => void this.#sendNow(decision), UNDO_MS),
    );
    for (const oldest of this.#held()) {
      if (this.#held().reduce((sum, { notes }) => sum + notes.length, 0) <= MAX_HELD_CHARACTERS) break;
      void this.#sendNow(oldest);
    }
  }

  /** Undoes a decision. @returns false if it was sent already */
  undo(claimId: number): boolean {
    const timer = this.#timers.get(claimId);
    if (timer === undefined) return false;
    clearTimeout(timer);
    this.#timers.delete(claimId);
    this.#change(this.#decisions.filter((decision) => decision.claimId !== claimId));
    return true;
  }

  /** Sends all held decisions, when the admin leaves the page. */
  sendAll(): void {
    for (const decision of this.#held()) void this.#sendNow(decision);
  }

  #held(): readonly HeldDecision[] {
    return this.#decisions.filter(({ state }) => state === 'held');
  }

  async #sendNow({ claimId, status, notes }: Decision): Promise<void> {
    clearTimeout(this.#timers.get(claimId));
    this.#timers.delete(claimId);
    const decision = { claimId, status, notes };
    this.#change(
      this.#decisions.map((other) => (other.claimId === claimId ? { ...decision, state: 'sent' } : other)),
    );
    await this.#send(decision);
    this.#change(this.#decisions.filter((other) => other.claimId !== claimId));
  }

  #change(decisions: readonly HeldDecision[]): void {
    this.#decisions = decisions;
    for (const listener of this.#listeners) listener();
  }
}
