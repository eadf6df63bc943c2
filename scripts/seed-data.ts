/**
 * A realistic table: groups of buyers active in turn, orders that fill up, leads decided by the share rule, and
 * their statistics.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import { EMPTY_LEDGER } from '#functions/data/distribution/ledger';
import type { Decision, Lead } from '#functions/data/leads/lead';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { NOTHING_COUNTED, recounted } from '#functions/data/statistics/statistics-store';
import { sumsPut } from '#functions/data/statistics/sums';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, TransactionItem } from '#functions/data/table/table';
import { newBuyer } from '#functions/domain/buyers/new-buyer';
import { chooseLargestDeficit, RULE } from '#functions/domain/distribution/share-rule';
import { addTo, type Changes, toCount } from '#functions/domain/statistics/statistics';

export interface SeedSize {
  readonly buyers: number;
  readonly orders: number;
  readonly leads: number;
}

const BUYERS_PER_GROUP = 20;
const DAYS = 360;
const DAY_MS = 86_400_000;
const FIRST_NAMES = ['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Finn', 'Greta', 'Hans', 'Ida', 'Jonas'];
const LAST_NAMES = 'Bauer Becker Fischer Hoffmann Koch Meyer Müller Schmidt Schulz Weber'.split(' ');

/** @param now when the last leads arrived */
export function* seedItems(size: SeedSize, now: Date): Generator<Item> {
  const groups = Math.ceil(size.buyers / BUYERS_PER_GROUP);
  const ordersPerBuyer = Math.max(1, Math.round(size.orders / size.buyers));
  const limit = Math.ceil(size.leads / (size.buyers * ordersPerBuyer));
  const start = now.getTime() - DAYS * DAY_MS;
  const changes: Changes = new Map();
  let leadNumber = 0;
  let orderId = 0;
  for (let group = 0; group < groups; group += 1) {
    const isLast = group === groups - 1;
    const members = Math.min(BUYERS_PER_GROUP, size.buyers - group * BUYERS_PER_GROUP);
    const weight = Math.floor(10_000 / members);
    const buyers = Array.from({ length: members }, (_, at) =>
      seededBuyer(group * BUYERS_PER_GROUP + at + 1, weight, isLast, start),
    );
    const orders = new Map<number, Order[]>();
    const open = (buyer: number, at: string) => {
      orderId += 1;
      const its = orders.get(buyer) ?? [];
      its.push(newOrder(orderId, buyer, its.length + 1, limit, at));
      orders.set(buyer, its);
    };
    for (const { buyer, created_at } of buyers) open(buyer, created_at);
    const leads = Math.min(members * ordersPerBuyer * limit, size.leads - leadNumber);
    let deficits = new Map<number, number>();
    for (let at = 0; at < leads; at += 1) {
      leadNumber += 1;
      const instant = new Date(start + ((leadNumber - 0.5) / size.leads) * DAYS * DAY_MS);
      const id = ulidAt(instant, leadNumber);
      const candidates = buyers.flatMap(({ buyer }) => {
        const its = orders.get(buyer) ?? [];
        const last = its.at(-1);
        const full = last === undefined || last.leads_received >= limit;
        return full && its.length >= ordersPerBuyer ? [] : [{ buyer, weight }];
      });
      const choice = chooseLargestDeficit(id, candidates, deficits);
      const eligible = candidates.map(({ buyer }): [number, number, number] => [
        buyer,
        weight,
        deficits.get(buyer) ?? 0,
      ]);
      deficits = new Map(
        [...deficits].concat(
          [...choice.changes].map(([buyer, change]) => [buyer, (deficits.get(buyer) ?? 0) + change]),
        ),
      );
      if ((orders.get(choice.winner)?.at(-1)?.leads_received ?? 0) >= limit)
        open(choice.winner, instant.toISOString());
      const its = orders.get(choice.winner) ?? [];
      const order = its.pop();
      if (order === undefined) throw new Error('The chosen buyer has no order');
      const taken: Order = {
        ...order,
        leads_received: order.leads_received + 1,
        last_sequence: order.last_sequence + 1,
      };
      its.push(taken);
      const lead = newLead(id, leadNumber, taken, instant.toISOString());
      const decision: Decision = {
        lead_id: id,
        distribution_attempt: 1,
        rule: RULE,
        decided_at: instant.toISOString(),
        mode: 'weights',
        winner: choice.winner,
        eligible,
        not_eligible: {},
      };
      yield {
        ...keys.lead(id),
        ...lead,
        gsi1pk: indexed.orderLeads(taken.order_id),
        gsi1sk: indexed.sequence(taken.last_sequence),
      };
      yield {
        ...keys.decision(id),
        ...decision,
        eligible: JSON.stringify(eligible),
        not_eligible: JSON.stringify({}),
      };
      const counted = toCount(lead, decision, taken.price_per_lead);
      addTo(changes, counted, 1);
      yield* puts(
        recounted({
          leadId: id,
          previous: { version: 0, value: NOTHING_COUNTED },
          now: counted,
          at: instant.toISOString(),
        }),
      );
    }
    for (const buyer of buyers) {
      // The last order of the last group stays open.
      const its = orders.get(buyer.buyer) ?? [];
      const latest = its.at(-1);
      for (const order of its)
        yield* puts(
          orderStore.created(isLast && order === latest ? { ...order, lead_limit: limit + 1000 } : order),
        );
      const known: Buyer = { ...buyer, order_count: its.length, last_order_id: latest?.order_id ?? null };
      yield { ...keys.buyer(known.buyer), ...known };
      yield { ...keys.buyerId(known.buyer_id), buyer: known.buyer };
      yield {
        ...keys.poolEntry(known.buyer),
        buyer: known.buyer,
        buyer_id: known.buyer_id,
        probability: known.probability,
        min_investment: 0,
        manual_review: false,
        active: true,
        channels: [],
        order_id: known.last_order_id,
        has_capacity: isLast,
        version: 1,
      };
    }
    if (isLast)
      yield {
        ...keys.ledger(),
        ...EMPTY_LEDGER,
        version: 1,
        deficits: Object.fromEntries(deficits),
      };
  }
  for (const [name, value] of changes) yield sumsPut({ name, shard: 0, version: 0, value }).put;
  yield { ...keys.counter('buyer'), value: size.buyers };
  yield { ...keys.counter('order'), value: orderId };
}

function* puts(items: readonly TransactionItem[]): Generator<Item> {
  for (const item of items) if ('put' in item) yield item.put;
}

/** Without weight, so that the sum stays at 100 %. */
function seededBuyer(buyer: number, weight: number, isLast: boolean, start: number): Buyer {
  const id = `buyer-${String(buyer).padStart(4, '0')}`;
  return {
    ...newBuyer(buyer, id, new Date(start).toISOString()),
    buyer_email: `${id}@example.org`,
    probability: isLast ? weight : 0,
    price_per_lead: 4000 + (buyer % 50) * 100,
    buyer_type: buyer % 3 === 0 ? 'postpay' : 'prepay',
    active: true,
  };
}

function newOrder(orderId: number, buyer: number, number: number, limit: number, at: string): Order {
  return {
    order_id: orderId,
    buyer,
    buyer_order_number: number,
    lead_limit: limit,
    leads_received: 0,
    compensated_deletions: 0,
    reimbursement_pending: 0,
    reimbursement_delivered: 0,
    last_sequence: 0,
    reservations: {},
    replacement_reservations: {},
    // As long as a real token.
    token: `seed${String(orderId).padStart(39, '0')}`,
    price_per_lead: 4000 + (buyer % 50) * 100,
    buyer_type: buyer % 3 === 0 ? 'postpay' : 'prepay',
    max_claim_days: 7,
    min_days_for_ne: 5,
    decision_days: null,
    default_decision: 'none',
    claim_quota_percent: null,
    created_at: at,
    deleted_at: null,
    returned_to_balance: 0,
    total_claims: 0,
    pending_claims: 0,
    approved_claims: 0,
    rejected_claims: 0,
    edited_leads: 0,
    renewal: 'none',
  };
}

function newLead(id: string, number: number, order: Order, at: string): Lead {
  const first = FIRST_NAMES[number % FIRST_NAMES.length] ?? '';
  const last = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length] ?? '';
  return {
    lead_id: id,
    status: 'assigned',
    anrede: number % 2 === 0 ? 'Herr' : 'Frau',
    vorname: first,
    nachname: last,
    email: `person${number}@example.org`,
    telefon: `+49170${String(1_000_000 + number)}`,
    anlagebetrag: 1_000_000 + (number % 90) * 100_000,
    laufzeit: 12 + (number % 5) * 12,
    received_at: at,
    distribution_attempt: 1,
    buyer: order.buyer,
    order_id: order.order_id,
    sequence: order.last_sequence,
    lead_type: 'original',
    assigned_at: at,
  };
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The same seed gives the same table. */
function ulidAt(instant: Date, number: number): string {
  const encode = (value: number, length: number): string =>
    length === 0 ? '' : encode(Math.floor(value / 32), length - 1) + (ALPHABET[value % 32] ?? '');
  return encode(instant.getTime(), 10) + encode(number, 16);
}
