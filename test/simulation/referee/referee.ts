/**
 * The referee of the simulation: the rules of the product stated a second time, independent of its code. It reads the
 * table and imports nothing of the product, so it does not share the product's mistakes (`.oxlintrc.json` enforces that).
 *
 * - Eligible is an open buyer that is active and has an order with capacity, a weight, and a minimum of at most the lead's
 *   amount. It has neither refused the lead nor received the person (specification; ADR 2, 48, 49). `shares.ts`
 * - Each eligible buyer is credited with its weight over the sum of the weights, and the one furthest behind gets the
 *   lead; after conflicts one that is behind is drawn. Every other buyer is listed with a true reason (ADR 1). `shares.ts`
 * - Hours and days are those of Berlin, where one day repeats an hour and one skips an hour (ADR 48). `berlin.ts`
 * - A cap counts the leads of a day, and of a week from Monday; an end date spreads the rest over working days (ADR 48).
 *   `caps.ts`
 * - A source sends a person once within its window, and no buyer gets the person twice within the windows of both sources.
 *   An idempotency key is held for a minute (ADR 14). `persons.ts`
 * - Billed are originals that were assigned and not deleted, at the buyer's price at that time; replacements are owed,
 *   moved and delivered once (specification; ADR 7, 10). `money.ts`
 * - No data of an erased person is left, plain or hashed, unless another lead has it (ADR 41). `erasure.ts`
 * - Each chain link has the hashes of its entries and of the link before, and every entry is in one link (ADR 42).
 *   `trail.ts`
 * - TrackBox gets the lead's data; missing values are omitted (specification). `partners.ts`
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
  /** How much the clocks of processes may differ, in milliseconds. */
  readonly slackMs: number;
  /** All requested prices, as decimal numbers. */
  readonly prices: readonly string[];
  /** The key of the hashes that identify persons. */
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

    /** Violations even before the workers have caught up, as sentences. */
    ofDistribution: (items: readonly Item[]) => inDistribution(stored(items), false),
    /** Items that identify erased people. */
    ofErased: (items: readonly Item[]) => leftOfErased(stored(items), persons, personKey),
    /** The difference between ledger and decisions, in leads. */
    ledgerOff: (items: readonly Item[]) => ledgerOff(stored(items)),

    /** Violations in a world at rest, as sentences. */
    atRest(rested: {
      readonly items: readonly Item[];
      /** When the last full reconciliation began. */
      readonly restedAt: number;
      /** The allowed difference of the ledger, in leads. */
      readonly ledgerMayBeOff: number;
      /** Whether a client of a source left without an answer. */
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
        ...waitingInVain(all, isCapped, [restedAt, now()], personKey),
        ...caps.miscounted(all),
        ...misnoted(all, restedAt),
        ...money.miscounted(all, statements),
        ...leftOfErased(all, persons, personKey),
        ...trail.broken(items, restedAt),
      ];
    },
  };
}
