/**
 * The statement of a buyer by order and month, and the replacements that it is owed. Months come from the statistics, which follow
 * the leads with a delay; totals from the counters of the orders; what is owed from the replacement ledger. A line without a month
 * holds the difference, so the lines of an order always add up to its total. See `docs/adr/0010-statistics.md`.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import * as leadStore from '#functions/data/leads/lead-store';
import { type Order, originalLeads } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import * as replacementStore from '#functions/data/orders/replacement-store';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import { nameOf, type Sums, sumsIn, tailOf } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import { addUp, creditedClaims } from '#functions/domain/orders/replacement-ledger';
import type { LeadType } from '#shared/rules/constants';

const ACCOUNT_FIGURES = ['originals', 'replacements', 'claims', 'approved', 'rejected'] as const;
type AccountFigure = (typeof ACCOUNT_FIGURES)[number];
export type AccountFigures = Readonly<Record<AccountFigure, number>>;

export interface StatementLine extends AccountFigures {
  /** `2026-11`; null for what the statistics do not have yet. */
  readonly month: string | null;
  /** Cents: the originals at the order's price; null without a price. */
  readonly sum: number | null;
}

export interface StatementOrder {
  readonly order: Order;
  readonly lines: readonly StatementLine[];
  readonly total: AccountFigures & Pick<StatementLine, 'sum'>;
  readonly owed: number;
}

export interface OwedReplacement {
  readonly position: number;
  readonly claimId: number;
  readonly since: string;
}

export interface Statement {
  readonly buyer: Buyer;
  readonly orders: readonly StatementOrder[];
  readonly sum: number;
  readonly balance: number;
  readonly owed: readonly OwedReplacement[];
}

export async function statementOf(context: DataContext, buyer: Buyer): Promise<Statement> {
  // Reads the months first. A change between the reads is then part of the difference instead of being counted twice.
  const prefix = tailOf(nameOf.accountMonth(buyer.buyer, ''));
  const months = await sumsIn(context, keys.accounts(), { prefix });
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

function linesOf(
  order: Order,
  months: ReadonlyMap<string, Sums>,
  counters: AccountFigures,
): Omit<StatementOrder, 'owed'> {
  const known = [...months].flatMap(([what, sums]) => {
    const [, month = ''] = what.split('#');
    const figures = figuresBy((figure) => sums.get(`${figure}:${order.order_id}`) ?? 0);
    return isZero(figures) ? [] : [{ month, ...figures }];
  });
  const counted = figuresBy((figure) => known.reduce((sum, line) => sum + line[figure], 0));
  // Negative if a lead or claim was removed that its month still counts.
  const rest = figuresBy((figure) => counters[figure] - counted[figure]);
  const lines = isZero(rest) ? known : [...known, { month: null, ...rest }];
  const sumOf = ({ originals }: AccountFigures) =>
    order.price_per_lead === null ? null : originals * order.price_per_lead;
  return {
    order,
    lines: lines.map((line) => ({ ...line, sum: sumOf(line) })),
    total: { ...counters, sum: sumOf(counters) },
  };
}

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

/** A reservation stays on its order for a while after the assignment, so only the leads say which ones are in flight. */
async function inFlightOf(
  context: DataContext,
  orders: readonly Order[],
): Promise<ReadonlyMap<number, InFlight>> {
  const noted = orders.flatMap(reservationsOf);
  const leads = await leadStore.ofEach(context, noted);
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
  return {
    originals: value('originals'),
    replacements: value('replacements'),
    claims: value('claims'),
    approved: value('approved'),
    rejected: value('rejected'),
  };
}

const isZero = (figures: AccountFigures) => ACCOUNT_FIGURES.every((figure) => figures[figure] === 0);
