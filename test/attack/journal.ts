/** Requests and answers, to compare with the product afterwards. */
import { CallFailed } from '#local/api-client';
import { systemCode } from '#local/start-error';
import type { ProductProcess } from '#test/harness/product-process';

/** A posted lead; its e-mail address is unique. */
export interface Posted {
  readonly email: string;
  /** `accepted`: answered with its ID. `refused`: every request for it was answered with an error. `open`: unknown. */
  state: 'accepted' | 'refused' | 'open';
  leadId?: string;
  /** Its `display_id`, if the answer said that it was assigned. */
  displayId?: string;
  /** How often it was posted. */
  tries: number;
  /** Posted with an idempotency key, so it can be repeated until there is an answer. */
  readonly again: (() => Promise<void>) | undefined;
}

export interface Kill {
  readonly at: number;
  readonly what:
    | 'product'
    | 'engine'
    | 'product while it started'
    | 'product while it sent'
    | 'stopped'
    | 'deployed';
  /** When the outage ended: the process is gone, or a stopped process runs again. */
  until: number;
}

/** Errors within this time after a kill can be caused by it. */
const SHADOW_MS = 10_000;

const ON_ITS_WAY_MS = 500;

export class Journal {
  readonly posted: Posted[] = [];
  readonly kills: Kill[] = [];
  /** The decision as answered, by claim number. */
  readonly decided = new Map<number, 'approved' | 'rejected'>();
  /** IDs of leads whose deletion was requested, with any outcome. */
  readonly deletionAsked = new Set<string>();
  /** Milliseconds from launch to ready, per start. */
  readonly starts: number[] = [];
  /** Milliseconds of the calls that ingested one lead and waited for its buyer. */
  readonly intake: number[] = [];
  /** Calls by outcome; `unreached`: the product did not listen or was not ready. */
  readonly counts = { answered: 0, refused: 0, unreached: 0, open: 0 };
  /** Actions by name, and rejected ones by code. */
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
   * Makes a call and counts its outcome.
   * @returns the answer, or the reason for its absence
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

  /** A 500 is allowed only if a kill made the table unavailable. */
  #failed(error: CallFailed, began: number): void {
    const now = Date.now();
    if (!this.killed(began - SHADOW_MS, now)) this.violation(`${error.message} without a kill before it`);
  }

  /** Starts the product, and records the duration. */
  async start(product: ProductProcess): Promise<void> {
    const began = Date.now();
    await product.start();
    this.starts.push(Date.now() - began);
  }

  /**
   * Records a kill or stop that happens now. A product whose engine was killed still sends until it ends, and what is in
   * transit arrives a moment later.
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

  /** Whether something was killed or stopped in this period. */
  killed(from: number, to: number): boolean {
    return this.kills.some(({ at, until }) => until >= from && at <= to);
  }
}

/** The gateway answers 503 until the product is ready. */
function isUnreached(error: unknown): boolean {
  if (error instanceof CallFailed) return error.status === 503;
  return error instanceof TypeError && systemCode(error.cause) === 'ECONNREFUSED';
}

const countOne = (of: Map<string, number>, what: string) => of.set(what, (of.get(what) ?? 0) + 1);
