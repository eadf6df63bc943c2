/**
 * The referee of the simulation: the rules of the product said a second time, plainly, by somebody who has not seen its code. It
 * reads what stands in the table and imports nothing of the product, so a rule that the product gets wrong is not wrong here
 * in the same way (`.oxlintrc.json` keeps the wall; `docs/simulation.md` lists the planted faults that it finds).
 *
 * - Eligible is who is active, has an order that takes leads, a weight, a minimum below the lead's amount, and is open; it neither
 *   refused the lead nor has the person (specification; ADR 2, 48, 49). `shares.ts`
 * - Of them, each credited with its weight over the sum of the weights, the one furthest behind gets the lead; after conflicts
 *   one that is behind is drawn. Everybody else is named with a reason that was so (ADR 1). `shares.ts`
 * - Hours and days are those of Berlin, where one day has an hour twice and one an hour less (ADR 48). `berlin.ts`
 * - A cap counts the leads that were taken on a day and in a week from Monday, an end date spreads the rest over working days
 *   (ADR 48). `caps.ts`
 * - A source sends a person once within its window, and within the windows of both no buyer gets it twice; who has an idempotency
 *   key keeps it for a minute (ADR 14). `persons.ts`
 * - Paid for are originals that were assigned and not deleted, at the price that the buyer had; replacements are owed, moved and
 *   delivered once (specification; ADR 7, 10). `money.ts`
 * - Of an erased person nothing is left, hashed or not, of which no other lead tells (ADR 41). `erasure.ts`
 * - Each link of the audit trail holds the hashes of its entries and of the link before, and every entry is in one link
 *   (ADR 42). `trail.ts`
 * - TrackBox is told what the lead says, and what it does not say is left out (specification). `partners.ts`
 */
import { createCaps, misnoted, reachedAt } from '#test/simulation/referee/caps';
import { leftOfErased } from '#test/simulation/referee/erasure';
import { type Change, type Item, type Stored, stored } from '#test/simulation/referee/facts';
import { createMoney, type Notified } from '#test/simulation/referee/money';
import { createPersons } from '#test/simulation/referee/persons';
import { contradicted, createShares, ledgerOff, waitingInVain } from '#test/simulation/referee/shares';
import { createTrail } from '#test/simulation/referee/trail';

export interface RefereeOptions {
  readonly now: () => number;
  /** By how many milliseconds clocks of processes may differ. */
  readonly slackMs: number;
  /** The prices that anybody asks for, as decimal numbers. */
  readonly prices: readonly string[];
  /** The key of the hashes by which persons are recognised. */
  readonly personKey: Uint8Array;
}

export type Referee = ReturnType<typeof createReferee>;

export function createReferee({ now, slackMs, prices, personKey }: RefereeOptions) {
  const shares = createShares();
  const hoursOf = (buyer: number) => [undefined, ...shares.entriesOf(buyer).map(({ schedule }) => schedule)];
  const caps = createCaps(hoursOf, slackMs);
  const persons = createPersons(slackMs);
  const money = createMoney(prices);
  const trail = createTrail();

  const inDistribution = (all: Stored, mayForget: boolean): string[] => [
    ...contradicted(all),
    ...money.unbalanced(all),
    ...persons.wrong(all, mayForget),
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

    /** What is wrong whether or not the workers have caught up, as sentences. */
    ofDistribution: (items: readonly Item[]) => inDistribution(stored(items), false),
    /** Items that tell of erased people. */
    ofErased: (items: readonly Item[]) => leftOfErased(stored(items), persons, personKey),
    /** By how many leads the ledger of shares differs from the decisions. */
    ledgerOff: (items: readonly Item[]) => ledgerOff(stored(items)),

    /** What is wrong in a world in which nothing is under way, as sentences. */
    atRest(rested: {
      readonly items: readonly Item[];
      /** When the last reconciliation that looked at everything began. */
      readonly restedAt: number;
      /** By how many leads the ledger may be off. */
      readonly ledgerMayBeOff: number;
      /** Whether a client of a source went away without an answer. */
      readonly mayForget: boolean;
      readonly statements: readonly Notified[];
    }): string[] {
      const { items, restedAt, ledgerMayBeOff, mayForget, statements } = rested;
      const all = stored(items);
      const off = ledgerOff(all);
      const isCapped = (entry: Item, order: Item, then: number) =>
        reachedAt(order, entry.schedule, then) !== undefined;
      return [
        ...inDistribution(all, mayForget),
        ...(off > ledgerMayBeOff + 1e-6
          ? [`the ledger of shares is off by ${off.toFixed(2)} leads, and may be by ${ledgerMayBeOff}`]
          : []),
        ...waitingInVain(all, isCapped, [restedAt, now()]),
        ...caps.miscounted(all),
        ...misnoted(all, restedAt),
        ...money.miscounted(all, statements),
        ...leftOfErased(all, persons, personKey),
        ...trail.broken(items, restedAt),
      ];
    },
  };
}
