/** What was asked of the product and what it answered, so that it can be held to it afterwards. */
import { CallFailed } from '#local/api-client';
import { systemCode } from '#local/start-error';
import type { ProductProcess } from '#test/harness/product-process';

/** One lead that was posted, under an e-mail address that no other lead has. */
export interface Posted {
  readonly email: string;
  /**
   * `accepted`: it was answered with its id. `refused`: it was refused and no request about it stayed without an answer.
   * `open`: whether it was stored is not known.
   */
  state: 'accepted' | 'refused' | 'open';
  leadId?: string;
  /** Its `display_id`, where the answer said that it was assigned. */
  displayId?: string;
  /** How often it was posted. */
  tries: number;
  /** Posted with an idempotency key, so that it may be posted again until an answer comes. */
  readonly again: (() => Promise<void>) | undefined;
}

export interface Kill {
  readonly at: number;
  readonly what: 'product' | 'engine' | 'product while it started' | 'product while it sent' | 'stopped';
  /** When its end was over: the process has ended, or one that was only stopped went on. */
  until: number;
}

/** An answer that says the product failed, as long after a kill as it can come from that kill. */
const SHADOW_MS = 10_000;

const ON_ITS_WAY_MS = 500;

export class Journal {
  readonly posted: Posted[] = [];
  readonly kills: Kill[] = [];
  /** By the claim's number: what it was decided to be, as answered. */
  readonly decided = new Map<number, 'approved' | 'rejected'>();
  /** Ids of leads whose deletion was asked for, whatever came of it. */
  readonly deletionAsked = new Set<string>();
  /** Milliseconds from launch to ready, one for each start. */
  readonly starts: number[] = [];
  /** Milliseconds of the calls that took in a lead at once. */
  readonly intake: number[] = [];
  /** Calls by how they ended; `unreached`: nothing listened, or what listened was not ready yet. */
  readonly counts = { answered: 0, refused: 0, unreached: 0, open: 0 };
  /** How often each was done, and how often each was refused by which code. */
  readonly actions = new Map<string, number>();
  readonly refusals = new Map<string, number>();
  readonly #broken = new Set<string>();

  get broken(): readonly string[] {
    return [...this.#broken];
  }

  violation(what: string): void {
    this.#broken.add(what);
  }

  /**
   * Makes a call and counts how it ended.
   * @returns what it answered, or why there is no answer
   */
  async make<T>(
    action: string,
    call: () => Promise<T>,
  ): Promise<{ readonly answer: T } | { readonly refused: CallFailed } | { readonly open: true }> {
    const began = Date.now();
    try {
      const answer = await call();
      this.counts.answered += 1;
      countOne(this.actions, action);
      return { answer };
    } catch (error) {
      if (error instanceof CallFailed && error.status < 500) {
        this.counts.refused += 1;
        countOne(this.refusals, `${action}: ${error.code}`);
        return { refused: error };
      }
      if (isUnreached(error)) this.counts.unreached += 1;
      else {
        this.counts.open += 1;
        if (error instanceof CallFailed) this.#failed(error, began);
      }
      return { open: true };
    }
  }

  /** A 500 is allowed only where a kill took the table away. */
  #failed(error: CallFailed, began: number): void {
    const now = Date.now();
    if (!this.killed(began - SHADOW_MS, now)) this.violation(`${error.message} without a kill before it`);
  }

  /** Starts the product, and notes how long that takes. */
  async start(product: ProductProcess): Promise<void> {
    const began = Date.now();
    await product.start();
    this.starts.push(Date.now() - began);
  }

  /**
   * Something is killed or stopped now. A product whose engine was killed still sends until it has ended, and what was on
   * its way to a server arrives a moment later.
   */
  strike(what: Kill['what']): { over(): void } {
    const kill: Kill = { at: Date.now(), what, until: Number.POSITIVE_INFINITY };
    this.kills.push(kill);
    return {
      over: () => {
        kill.until = Date.now() + ON_ITS_WAY_MS;
      },
    };
  }

  /** Whether something was killed or stood still in this time. */
  killed(from: number, to: number): boolean {
    return this.kills.some(({ at, until }) => until >= from && at <= to);
  }
}

/** 503 is the gateway before the product is ready. */
function isUnreached(error: unknown): boolean {
  if (error instanceof CallFailed) return error.status === 503;
  return error instanceof TypeError && systemCode(error.cause) === 'ECONNREFUSED';
}

const countOne = (of: Map<string, number>, what: string) => of.set(what, (of.get(what) ?? 0) + 1);
