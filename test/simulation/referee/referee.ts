/**
 * The referee of the simulation: the rules of the product said a second time, plainly, by somebody who has not seen its code. It
 * reads what stands in the table and imports nothing of the product, so a rule that the product gets wrong is not wrong here
 * in the same way (`.oxlintrc.json` keeps the wall; `docs/simulation.md` lists the planted faults that it finds).
 *
 * - Eligible is who is active, has an order that takes leads, a weight, a minimum below the lead's amount, and is open; it neither
 *   refused the lead nor has the person (specification; ADR 31, 48, 49). `shares.ts`
 * - Of them, each credited with its weight over the sum of the weights, the one furthest behind gets the lead; after conflicts
 *   one that is behind is drawn. Everybody else is named with a reason that was so (ADR 1). `shares.ts`
 * - Hours and days are those of Berlin, where one day has an hour twice and one an hour less (ADR 48). `berlin.ts`
 * - A cap counts the leads that were taken on a day and in a week from Monday, an end date spreads the rest over working days
 *   (ADR 48). `caps.ts`
 * - A source sends a person once within its window, and within the windows of both no buyer gets it twice; who has an idempotency
 *   key keeps it for a minute (ADR 14, 36). `persons.ts`
 * - Paid for are originals that were assigned and not deleted, at the price that the buyer had; replacements are owed, moved and
 *   delivered once (specification; ADR 7, 52). `money.ts`
 * - Of an erased person nothing is left, hashed or not, of which no other lead tells (ADR 41). `erasure.ts`
 * - Each link of the audit trail holds the hashes of its entries and of the link before, and every entry is in one link
 *   (ADR 42). `trail.ts`
 * - TrackBox is told what the lead says, and what it does not say is left out (specification). `partners.ts`
 */
import { Caps } from '#test/simulation/referee/caps';
import { leftOf } from '#test/simulation/referee/erasure';
import type { Change, Item } from '#test/simulation/referee/facts';
import { Money, type Told } from '#test/simulation/referee/money';
import { Persons } from '#test/simulation/referee/persons';
import { contradicted, ledgerOff, Shares, waitingInVain } from '#test/simulation/referee/shares';
import { Trail } from '#test/simulation/referee/trail';

export interface RefereeOptions {
  readonly now: () => number;
  /** By how many milliseconds clocks of processes may differ. */
  readonly slackMs: number;
  /** The prices that anybody asks for, as decimal numbers. */
  readonly prices: readonly string[];
  /** The key of the hashes by which persons are recognised. */
  readonly personKey: Uint8Array;
}

/** A world in which nothing is under way. */
export interface AtRest {
  readonly items: readonly Item[];
  readonly now: number;
  /** When the last reconciliation that looked at everything began. */
  readonly restedAt: number;
  /** By how many leads the ledger may be off. */
  readonly ledgerMayBeOff: number;
  /** Whether a client of a source went away without an answer. */
  readonly mayForget: boolean;
  readonly statements: readonly Told[];
}

export type Referee = ReturnType<typeof createReferee>;

export function createReferee({ now, slackMs, prices, personKey }: RefereeOptions) {
  const shares = new Shares();
  const hoursOf = (buyer: number) => [undefined, ...shares.entriesOf(buyer).map(({ schedule }) => schedule)];
  const caps = new Caps(hoursOf, slackMs);
  const persons = new Persons(slackMs);
  const money = new Money(prices);
  const trail = new Trail();

  /** What holds whether or not the workers have caught up. */
  const ofDistribution = (items: readonly Item[], mayForget: boolean): string[] => [
    ...contradicted(items),
    ...money.unbalanced(items),
    ...persons.wrong(items, mayForget),
  ];

  return {
    /** @throws Violation */
    observe(changes: readonly Change[]): void {
      shares.follow(changes);
      caps.follow(changes, now());
      persons.follow(changes, now());
      money.follow(changes);
      trail.follow(changes, now());
    },

    ofDistribution,
    /** Items that tell of erased people. */
    ofErased: (items: readonly Item[]) => leftOf(items, persons, personKey),
    /** By how many leads the ledger of shares differs from the decisions. */
    ledgerOff,

    /** What is wrong, as sentences. */
    atRest({ items, now: at, restedAt, ledgerMayBeOff, mayForget, statements }: AtRest): string[] {
      const off = ledgerOff(items);
      const isCapped = (entry: Item, order: Item, then: number) =>
        caps.reachedAt(order, entry.schedule, then) !== undefined;
      return [
        ...ofDistribution(items, mayForget),
        ...(off > ledgerMayBeOff + 1e-6
          ? [`the ledger of shares is off by ${off.toFixed(2)} leads, and may be by ${ledgerMayBeOff}`]
          : []),
        ...waitingInVain(items, isCapped, [restedAt, at]),
        ...caps.misnoted(items, restedAt),
        ...money.miscounted(items, statements),
        ...leftOf(items, persons, personKey),
        ...trail.broken(items, restedAt),
      ];
    },
  };
}
