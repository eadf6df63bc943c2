/**
 * Where distribution attempts have their choice made and written into the ledger. Each process has one.
 *
 * The ledger is one item that every lead changes, so distribution attempts of the same process do not race for it: whoever comes while
 * a write is under way waits for the next one, and that one settles all who came meanwhile, one after the other by the
 * rule. Between processes the ledger's version decides; see `docs/adr/0006-hot-path.md` for what that is worth.
 */

import { EMPTY_LEDGER, type Ledger } from '#functions/data/distribution/ledger';
import type { PoolStore } from '#functions/data/distribution/pool-store';
import {
  type Candidate,
  type Choice,
  chooseByNeed,
  chooseLargestDeficit,
  type Deficits,
  LEAD,
} from '#functions/domain/distribution/share-rule';
import type { Runtime } from '#functions/runtime';

/** After so many lost races the choice is drawn instead: a burst must not wait on itself. */
const TRIES = 2;
/** Milliseconds. */
const JITTER = 12;

export interface SettledChoice extends Choice {
  readonly mode: 'weights' | 'drawn';
  /** The number in [0, 1) that a drawn choice was made with. */
  readonly draw?: number;
  /** The deficits that the choice was made on. */
  readonly before: Deficits;
}

interface Request {
  readonly leadId: string;
  /** None where an earlier choice is only taken back. */
  readonly candidates: readonly Candidate[];
  /** An earlier choice for the same lead, taken back by the same write. */
  readonly instead: Choice | undefined;
  readonly settled: (choice: SettledChoice | undefined) => void;
  readonly failed: (error: unknown) => void;
}

type Rule = (request: Request, deficits: Deficits) => Omit<SettledChoice, 'before'>;

export class LedgerBatcher {
  readonly #pool: Pick<PoolStore, 'settle' | 'settleBlindly'>;
  readonly #runtime: Pick<Runtime, 'random' | 'sleep'>;
  /** The newest ledger that anybody here has seen. */
  #known: Ledger = EMPTY_LEDGER;
  #waiting: Request[] = [];
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
   * @param instead an earlier choice for this lead, which did not come to anything
   */
  async choose(
    seen: Ledger,
    leadId: string,
    candidates: readonly Candidate[],
    instead: Choice | undefined,
  ): Promise<SettledChoice> {
    if (seen.version > this.#known.version) this.#known = seen;
    const choice = await this.#request(leadId, candidates, instead);
    if (choice === undefined) throw new RangeError('There is nobody to choose from');
    return choice;
  }

  /** Takes a settled choice back because the lead goes to nobody. */
  async withdraw(leadId: string, choice: Choice): Promise<void> {
    await this.#request(leadId, [], choice);
  }

  /** How far the worst-off buyer is from its share, in leads, as far as this process knows. */
  distance(): number {
    const deficits = Object.values(this.#known.deficits);
    return deficits.reduce((most, deficit) => Math.max(most, Math.abs(deficit)), 0) / LEAD;
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
    while (this.#waiting.length > 0) {
      const batch: Request[] = [];
      try {
        const choices = await this.#settle(batch);
        for (const [at, request] of batch.entries()) request.settled(choices[at]);
      } catch (error) {
        for (const request of batch) request.failed(error);
      }
    }
    this.#writing = false;
  }

  /** @param batch is filled with those who wait, also with those who come before the last try */
  async #settle(batch: Request[]): Promise<(SettledChoice | undefined)[]> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await this.#runtime.sleep(this.#runtime.random() * JITTER);
      batch.push(...this.#waiting.splice(0));
      const { choices, changes } = decide(batch, this.#known, byLargestDeficit);
      const { settled, ledger } = await this.#pool.settle(this.#known, changes);
      this.#known = ledger;
      if (settled) return choices;
    }
    const { choices, changes } = decide(batch, this.#known, this.#byNeed);
    this.#known = await this.#pool.settleBlindly(changes);
    return choices;
  }

  readonly #byNeed: Rule = ({ candidates }, deficits) => {
    const draw = this.#runtime.random();
    return { ...chooseByNeed(candidates, deficits, draw), mode: 'drawn', draw };
  };
}

const byLargestDeficit: Rule = ({ leadId, candidates }, deficits) => ({
  ...chooseLargestDeficit(leadId, candidates, deficits),
  mode: 'weights',
});

/** The choices of a batch, one after the other, and all that they change. */
function decide(batch: readonly Request[], ledger: Ledger, rule: Rule) {
  const deficits = new Map(
    Object.entries(ledger.deficits).map(([buyer, deficit]) => [Number(buyer), deficit]),
  );
  const changes = new Map<number, number>();
  const change = (by: Deficits, sign: 1 | -1) => {
    for (const [buyer, shares] of by) {
      deficits.set(buyer, (deficits.get(buyer) ?? 0) + sign * shares);
      changes.set(buyer, (changes.get(buyer) ?? 0) + sign * shares);
    }
  };
  const choices = batch.map((request): SettledChoice | undefined => {
    if (request.instead !== undefined) change(request.instead.changes, -1);
    if (request.candidates.length === 0) return undefined;
    const before = new Map(request.candidates.map(({ buyer }) => [buyer, deficits.get(buyer) ?? 0]));
    const choice = { ...rule(request, deficits), before };
    change(choice.changes, 1);
    return choice;
  });
  return { choices, changes };
}
