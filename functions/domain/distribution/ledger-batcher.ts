/**
 * Makes the choices of all distribution attempts of one process and settles them in the ledger.
 *
 * Every lead changes the ledger, which is one item. A process has one write of it in progress at a time, so it does not conflict
 * with itself. Choices that are requested meanwhile are settled together by the next write; transactions that change the ledger
 * take turns with these writes. Conflicts between processes show in the ledger's version. Measurements:
 * `docs/adr/0006-hot-path.md`.
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

/** After so many conflicts the choice is drawn, so that a burst does not keep conflicting. */
const MAX_ATTEMPTS = 2;
const MAX_JITTER_MS = 12;

interface Request extends ChoiceRequest {
  readonly attempt: DistributionAttempt;
  readonly settled: (choice: SettledChoice | undefined) => void;
  readonly failed: (error: unknown) => void;
}

interface Turn<Result> {
  readonly result: Result;
  readonly ledger: Ledger | undefined;
}

export class LedgerBatcher {
  readonly #writer: LedgerWriter;
  readonly #runtime: Pick<Runtime, 'random' | 'sleep'>;
  readonly ahead: CapacityAhead;
  #known: Ledger = EMPTY_LEDGER;
  #waiting: Request[] = [];
  readonly #turns: (() => Promise<void>)[] = [];
  #writing = false;

  constructor(context: Context, writer: LedgerWriter = createLedgerWriter(context.table)) {
    this.#writer = writer;
    this.#runtime = context.runtime;
    this.ahead = new CapacityAhead(context);
  }

  /** Call `ahead.answered` once its reservation is answered. @throws RangeError without candidates */
  async choose(
    seen: Pick<Pool, 'entries' | 'ledger'>,
    attempt: DistributionAttempt,
    candidates: readonly Candidate[],
    instead: Choice | undefined,
  ): Promise<SettledChoice> {
    this.#learn(seen.ledger);
    const choice = await this.#request(attempt, candidates, instead, ordersOf(seen.entries));
    if (choice === undefined) throw new RangeError('No candidate was left to choose');
    return choice;
  }

  async withdraw(attempt: DistributionAttempt, choice: Choice): Promise<void> {
    await this.#request(attempt, [], choice, () => undefined);
  }

  /** Runs a transaction while this process has no other write of the ledger in progress. @param write gets the newest known ledger */
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

/** By table name within the runtime: tests have several tables. */
const batchers = new WeakMap<Runtime, Map<string, LedgerBatcher>>();

/** All functions of a process share it: in the cloud a process has one function, locally it has all. */
export function ledgerBatcherOf(context: Context): LedgerBatcher {
  const ofRuntime = batchers.get(context.runtime) ?? new Map<string, LedgerBatcher>();
  batchers.set(context.runtime, ofRuntime);
  const batcher = ofRuntime.get(context.table.name) ?? new LedgerBatcher(context);
  ofRuntime.set(context.table.name, batcher);
  return batcher;
}
