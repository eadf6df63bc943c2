/**
 * The statement of a buyer: what was delivered, claimed, replaced and is to be paid, by order and month, and the replacements
 * that it is owed. The months come from the statistics, which follow the leads by a moment; the totals of each order from the
 * counters that the leads were written with, and what is owed from the replacement ledger. Where a month is not known yet, a
 * line without one makes up the total, so that the lines of an order always add up to it. See
 * `docs/adr/0010-statistics.md`.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import * as leadStore from '#functions/data/leads/lead-store';
import { type Order, originalLeads } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import { nameOf, type Sums, sumsIn, whatOf } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import { addUp, creditedClaims } from '#functions/domain/orders/replacement-ledger';
import type { LeadType } from '#shared/rules/constants';

/** What is counted of an order in a month: leads by the month of their delivery, claims by that of their filing. */
const ACCOUNT_FIGURES = ['originals', 'replacements', 'claims', 'approved', 'rejected'] as const;
type AccountFigure = (typeof ACCOUNT_FIGURES)[number];
export type AccountFigures = Readonly<Record<AccountFigure, number>>;

export interface StatementLine extends AccountFigures {
  /** `2026-11`; null for what is not counted in its month yet. */
  readonly month: string | null;
  /** Cents: the originals at the price of the order; null where it has none. */
  readonly sum: number | null;
}

export interface StatementOrder {
  readonly order: Order;
  /** The oldest first, the one without a month last; months without anything have none. */
  readonly lines: readonly StatementLine[];
  /** The sums of the lines. */
  readonly total: AccountFigures & Pick<StatementLine, 'sum'>;
  /** Replacements that it still has to deliver. */
  readonly owed: number;
}

/** A replacement that is owed: the next to come first. */
export interface OwedReplacement {
  /** From 1. */
  readonly position: number;
  readonly claimId: number;
  /** When the claim was approved: an instant (UTC). */
  readonly since: string;
}

export interface Statement {
  readonly buyer: Buyer;
  /** By their numbers, deleted ones included, because their leads were delivered. */
  readonly orders: readonly StatementOrder[];
  /** Cents, of all orders. */
  readonly sum: number;
  /** Replacements owed that belong to no order. */
  readonly balance: number;
  readonly owed: readonly OwedReplacement[];
}

export async function statementOf(context: DataContext, buyer: Buyer): Promise<Statement> {
  // The months first: what is written meanwhile is then missing there, and made up for, instead of there twice.
  const months = await sumsIn(context, keys.accounts(), {
    prefix: whatOf(nameOf.accountMonth(buyer.buyer, '')),
  });
  const [orders, entries] = await Promise.all([
    orderStore.ofBuyer(context, buyer.buyer),
    replacementStore.ofBuyer(context, buyer.buyer),
  ]);
  const inFlight = await inFlightOf(context, orders);
  const ledger = addUp(entries);
  const ofOrders = orders.map((order) => ({
    ...linesOf(order, months, countersOf(order, inFlight.get(order.order_id) ?? NONE)),
    owed: ledger.orders.get(order.order_id)?.owed ?? 0,
  }));
  return {
    buyer,
    orders: ofOrders,
    sum: ofOrders.reduce((cents, { total }) => cents + (total.sum ?? 0), 0),
    balance: ledger.balance,
    owed: creditedClaims(entries)
      .filter(({ delivery }) => delivery === null)
      .map(({ claim_id, at }, index) => ({ position: index + 1, claimId: claim_id, since: at })),
  };
}

const NONE: InFlight = { original: 0, reimbursement: 0 };

/** @param counters what the lines add up to */
function linesOf(
  order: Order,
  months: ReadonlyMap<string, Sums>,
  counters: AccountFigures,
): Omit<StatementOrder, 'owed'> {
  const known = [...months].flatMap(([what, sums]) => {
    const [, month = ''] = what.split('#');
    const figures = figuresBy((figure) => sums.get(`${figure}:${order.order_id}`) ?? 0);
    return isNothing(figures) ? [] : [{ month, ...figures }];
  });
  const counted = figuresBy((figure) => known.reduce((sum, line) => sum + line[figure], 0));
  // Negative where something was taken out that its month still has.
  const rest = figuresBy((figure) => counters[figure] - counted[figure]);
  const lines = isNothing(rest) ? known : [...known, { month: null, ...rest }];
  const sumOf = ({ originals }: AccountFigures) =>
    order.price_per_lead === null ? null : originals * order.price_per_lead;
  return {
    order,
    lines: lines.map((line) => ({ ...line, sum: sumOf(line) })),
    total: { ...counters, sum: sumOf(counters) },
  };
}

/** Leads that an order counts though they are still being assigned to it. */
type InFlight = Readonly<Record<LeadType, number>>;

function countersOf(order: Order, inFlight: InFlight): AccountFigures {
  return {
    originals: originalLeads(order) - inFlight.original,
    replacements: order.reimbursement_delivered - inFlight.reimbursement,
    claims: order.total_claims,
    approved: order.approved_claims,
    rejected: order.rejected_claims,
  };
}

/** A reservation is noted on its order for a while after its lead was assigned, so the leads say which of them are in flight. */
async function inFlightOf(
  context: DataContext,
  orders: readonly Order[],
): Promise<ReadonlyMap<number, InFlight>> {
  const noted = orders.flatMap(reservationsOf);
  const leads = await leadStore.getMany(
    context,
    noted.map(({ lead_id }) => lead_id),
  );
  const inFlight = new Map<number, Record<LeadType, number>>();
  for (const [at, { order_id, sequence, lead_type }] of noted.entries()) {
    if (leads[at]?.order_id === order_id && leads[at].sequence === sequence) continue;
    const counts = inFlight.get(order_id) ?? { original: 0, reimbursement: 0 };
    counts[lead_type] += 1;
    inFlight.set(order_id, counts);
  }
  return inFlight;
}

function figuresBy(value: (figure: AccountFigure) => number): AccountFigures {
  const figures: Record<AccountFigure, number> = {
    originals: 0,
    replacements: 0,
    claims: 0,
    approved: 0,
    rejected: 0,
  };
  for (const figure of ACCOUNT_FIGURES) figures[figure] = value(figure);
  return figures;
}

const isNothing = (figures: AccountFigures) => ACCOUNT_FIGURES.every((figure) => figures[figure] === 0);
