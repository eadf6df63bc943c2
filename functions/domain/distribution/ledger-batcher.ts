/**
 * Makes the choices of all distribution attempts of one process and settles them in the ledger.
 *
 * The ledger is one item that every lead changes. So that one process does not conflict with itself, it has one write of the
 * ledger under way at a time. Requests for a choice that arrive meanwhile are settled together by the next write, one after
 * the other by the share rule; transactions that change the ledger take turns with them. Conflicts between processes are found
 * by the ledger's version; measurements are in `docs/adr/0006-hot-path.md`.
 */

import { EMPTY_LEDGER, type Ledger } from '#functions/data/distribution/ledger';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import {
  byLargestDeficit,
  byNeed,
  type ChoiceRequest,
  chooseAll,
  type SettledChoice,
} from '#functions/domain/distribution/choices';
import { type Candidate, type Choice, LEAD } from '#functions/domain/distribution/share-rule';
import type { Runtime } from '#functions/runtime';

/** After so many conflicts the choice is drawn instead, so that a burst does not keep conflicting. */
const MAX_ATTEMPTS = 2;
/** Upper bound of the random wait before another attempt. */
const MAX_JITTER_MS = 12;

interface Request extends ChoiceRequest {
  readonly settled: (choice: SettledChoice | undefined) => void;
  readonly failed: (error: unknown) => void;
}

/** What a transaction came to. */
interface Turn<Result> {
  readonly result: Result;
  /** The ledger afterwards; undefined where it is as it was. */
  readonly ledger: Ledger | undefined;
}

export class LedgerBatcher {
  readonly #pool: Pick<PoolStore, 'settle' | 'settleBlindly'>;
  readonly #runtime: Pick<Runtime, 'random' | 'sleep'>;
  /** The newest ledger that this process has read or written. */
  #known: Ledger = EMPTY_LEDGER;
  #waiting: Request[] = [];
  readonly #turns: (() => Promise<void>)[] = [];
  #writing = false;

  constructor(deps: {
    readonly pool: Pick<PoolStore, 'settle' | 'settleBlindly'>;
    readonly runtime: Pick<Runtime, 'random' | 'sleep'>;
  }) {
    this.#pool = deps.pool;
    this.#runtime = deps.runtime;
  }

  /**
   * Makes the choice for a lead and settles it.
   * @param seen the ledger as the distribution attempt read it
   * @param instead an earlier choice for this lead to withdraw, because the lead was not assigned by it
   * @throws RangeError without candidates
   */
  async choose(
    seen: Ledger,
    leadId: string,
    candidates: readonly Candidate[],
    instead: Choice | undefined,
  ): Promise<SettledChoice> {
    this.#learn(seen);
    const choice = await this.#request(leadId, candidates, instead);
    if (choice === undefined) throw new RangeError('There is nobody to choose from');
    return choice;
  }

  /** Reverses a settled choice of a lead that no buyer gets. */
  async withdraw(leadId: string, choice: Choice): Promise<void> {
    await this.#request(leadId, [], choice);
  }

  /**
   * Runs a transaction that changes the ledger while no other write of it is under way in this process.
   * @param seen the ledger as the caller read it
   * @param write is given the newest ledger that this process knows
   */
  inTurn<Result>(seen: Ledger, write: (known: Ledger) => Promise<Turn<Result>>): Promise<Result> {
    this.#learn(seen);
    return new Promise((done, failed) => {
      this.#turns.push(async () => {
        try {
          const { result, ledger } = await write(this.#known);
          this.#known = ledger ?? this.#known;
          done(result);
        } catch (error) {
          failed(error);
        }
      });
      if (!this.#writing) void this.#work();
    });
  }

  /** The largest absolute deficit in the newest ledger that this process knows, in leads. */
  distance(): number {
    const deficits = Object.values(this.#known.deficits);
    return deficits.reduce((most, deficit) => Math.max(most, Math.abs(deficit)), 0) / LEAD;
  }

  #learn(seen: Ledger): void {
    if (seen.version > this.#known.version) this.#known = seen;
  }

  #request(
    leadId: string,
    candidates: readonly Candidate[],
    instead: Choice | undefined,
  ): Promise<SettledChoice | undefined> {
    return new Promise((settled, failed) => {
      this.#waiting.push({ leadId, candidates, instead, settled, failed });
      if (!this.#writing) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0 || this.#turns.length > 0) {
      if (this.#waiting.length > 0) await this.#settleWaiting();
      await this.#turns.shift()?.();
    }
    this.#writing = false;
  }

  async #settleWaiting(): Promise<void> {
    const batch: Request[] = [];
    try {
      const choices = await this.#settle(batch);
      for (const [at, request] of batch.entries()) request.settled(choices[at]);
    } catch (error) {
      for (const request of batch) request.failed(error);
    }
  }

  /** @param batch is filled with the waiting requests, before every attempt anew */
  async #settle(batch: Request[]): Promise<readonly (SettledChoice | undefined)[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (attempt > 0) await this.#runtime.sleep(this.#runtime.random() * MAX_JITTER_MS);
      batch.push(...this.#waiting.splice(0));
      const { choices, changes } = chooseAll(batch, this.#known, byLargestDeficit);
      const { settled, ledger } = await this.#pool.settle(this.#known, changes);
      this.#known = ledger;
      if (settled) return choices;
    }
    const { choices, changes } = chooseAll(batch, this.#known, byNeed(this.#runtime));
    this.#known = await this.#pool.settleBlindly(changes);
    return choices;
  }
}
