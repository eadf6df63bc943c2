/**
 * Makes the choices of all distribution attempts of one process and settles them in the ledger.
 *
 * The ledger is one item that every lead changes. So that one process does not conflict with itself, it has one write of the
 * ledger under way at a time. Requests for a choice that arrive meanwhile are settled together by the next write, one after
 * the other by the share rule; transactions that change the ledger take turns with them. Conflicts between processes are found
 * by the ledger's version; measurements are in `docs/adr/0006-hot-path.md`.
 */

import type { Context } from '#functions/data/context';
import { EMPTY_LEDGER, type Ledger } from '#functions/data/distribution/ledger';
import { createLedgerWriter, type LedgerWriter } from '#functions/data/distribution/ledger-writer';
import type { Pool } from '#functions/data/distribution/pool-store';
import type { DistributionAttempt } from '#functions/data/orders/reservation-store';
import { CapacityAhead, ordersOf } from '#functions/domain/distribution/capacity-ahead';
import {
  byLargestDeficit,
  byNeed,
  type ChoiceRequest,
  type Choices,
  chooseAll,
  type Rule,
  type SettledChoice,
} from '#functions/domain/distribution/choices';
import { type Candidate, type Choice, LEAD } from '#functions/domain/distribution/share-rule';
import type { Runtime } from '#functions/platform/runtime';

/** After so many conflicts the choice is drawn instead, so that a burst does not keep conflicting. */
const MAX_ATTEMPTS = 2;
/** Upper bound of the random wait before another attempt. */
const MAX_JITTER_MS = 12;

interface Request extends ChoiceRequest {
  readonly attempt: DistributionAttempt;
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
  readonly #writer: LedgerWriter;
  readonly #runtime: Pick<Runtime, 'random' | 'sleep'>;
  /** What orders have left, for the choices of this process. */
  readonly ahead: CapacityAhead;
  /** The newest ledger that this process has read or written. */
  #known: Ledger = EMPTY_LEDGER;
  #waiting: Request[] = [];
  readonly #turns: (() => Promise<void>)[] = [];
  #writing = false;

  constructor(context: Context, writer: LedgerWriter = createLedgerWriter(context.table)) {
    this.#writer = writer;
    this.#runtime = context.runtime;
    this.ahead = new CapacityAhead(context);
  }

  /**
   * Makes the choice for a lead and settles it. Once its reservation is answered, `ahead` is to be told.
   * @param seen the pool as the distribution attempt read it
   * @param instead an earlier choice for this lead to withdraw, because the lead was not assigned by it
   * @throws RangeError without candidates
   */
  async choose(
    seen: Pick<Pool, 'entries' | 'ledger'>,
    attempt: DistributionAttempt,
    candidates: readonly Candidate[],
    instead: Choice | undefined,
  ): Promise<SettledChoice> {
    this.#learn(seen.ledger);
    const choice = await this.#request(attempt, candidates, instead, ordersOf(seen.entries));
    if (choice === undefined) throw new RangeError('There is nobody to choose from');
    return choice;
  }

  /** Reverses a settled choice of a lead that no buyer gets. */
  async withdraw(attempt: DistributionAttempt, choice: Choice): Promise<void> {
    await this.#request(attempt, [], choice, () => undefined);
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
    attempt: DistributionAttempt,
    candidates: readonly Candidate[],
    instead: Choice | undefined,
    orderOf: Request['orderOf'],
  ): Promise<SettledChoice | undefined> {
    return new Promise((settled, failed) => {
      const leadId = attempt.lead_id;
      this.#waiting.push({ attempt, leadId, candidates, instead, orderOf, settled, failed });
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
      for (const [at, request] of batch.entries()) this.#settled(request, choices[at]);
    } catch (error) {
      for (const request of batch) request.failed(error);
    }
  }

  #settled({ attempt, orderOf, settled }: Request, choice: SettledChoice | undefined): void {
    const order = choice && orderOf(choice.winner);
    if (order !== undefined) this.ahead.chosen(order.order_id, attempt);
    settled(choice);
  }

  #choose(batch: readonly Request[], rule: Rule): Promise<Choices> {
    return this.ahead.within((left) => chooseAll(batch, this.#known, rule, left));
  }

  /** @param batch is filled with the waiting requests, before every attempt anew */
  async #settle(batch: Request[]): Promise<readonly (SettledChoice | undefined)[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (attempt > 0) await this.#runtime.sleep(this.#runtime.random() * MAX_JITTER_MS);
      batch.push(...this.#waiting.splice(0));
      const { choices, changes } = await this.#choose(batch, byLargestDeficit);
      const { settled, ledger } = await this.#writer.settle(this.#known, changes);
      this.#known = ledger;
      if (settled) return choices;
    }
    const { choices, changes } = await this.#choose(batch, byNeed(this.#runtime));
    this.#known = await this.#writer.settleBlindly(changes);
    return choices;
  }
}

/** The functions of a process have one runtime. By the names of tables, since tests have several. */
const batchers = new WeakMap<Runtime, Map<string, LedgerBatcher>>();

/** That of the process, which all its functions share: in the cloud a process has one function, locally all. */
export function ledgerBatcherOf(context: Context): LedgerBatcher {
  const ofRuntime = batchers.get(context.runtime) ?? new Map<string, LedgerBatcher>();
  batchers.set(context.runtime, ofRuntime);
  const batcher = ofRuntime.get(context.table.name) ?? new LedgerBatcher(context);
  ofRuntime.set(context.table.name, batcher);
  return batcher;
}
