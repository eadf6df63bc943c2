import type { DataContext } from '#functions/data/context';
import { type Lead, leadSchema } from '#functions/data/leads/lead';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards } from '#functions/data/table/shards';
import type { Item, Table } from '#functions/data/table/table';

const LEADS_PER_PAGE = 100;

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly next: Item | undefined;
}

const LEADS_PER_PART = 500;
const MAX_SEQUENCE = 999_999_999_999;

/** Ranges that contain every sequence, also those given since `lastSequence` was read. */
function sequenceRanges(lastSequence: number): { readonly from: string; readonly to: string }[] {
  const parts = Math.max(1, Math.ceil(lastSequence / LEADS_PER_PART));
  return Array.from({ length: parts }, (_, at) => ({
    from: indexed.sequence(at * LEADS_PER_PART + 1),
    to: indexed.sequence(at === parts - 1 ? MAX_SEQUENCE : (at + 1) * LEADS_PER_PART),
  }));
}

async function page({ table }: DataContext, query: Parameters<Table['query']>[0]): Promise<PageOf<Lead>> {
  const { items, next } = await table.query(query);
  return { items: items.map((item) => leadSchema.parse(item)), next };
}

export async function inFlight({ table }: DataContext, before: string, limit: number): Promise<Lead[]> {
  const items = await firstOfShards(table, indexed.everyInFlight(), { before, limit });
  return items.map((item) => leadSchema.parse(item));
}

export function pending(
  context: DataContext,
  { limit, after, descending }: { limit: number; after?: Item; descending?: boolean },
): Promise<PageOf<Lead>> {
  return page(context, {
    index: 'gsi1',
    partition: indexed.pending(),
    limit,
    ...(after !== undefined && { after }),
    ...(descending !== undefined && { descending }),
  });
}

export function countPending({ table }: DataContext): Promise<number> {
  return table.count({ index: 'gsi1', partition: indexed.pending() });
}

/** @param lastSequence of the order, if known: a long list is then read in parallel parts */
export async function ofOrder({ table }: DataContext, orderId: number, lastSequence = 1): Promise<Lead[]> {
  const parts = await Promise.all(
    sequenceRanges(lastSequence).map((sort) =>
      table.queryAll({ index: 'gsi1', partition: indexed.orderLeads(orderId), sort }),
    ),
  );
  return parts.flat().map((item) => leadSchema.parse(item));
}

export async function ofOrderBetween({ table }: DataContext, orderId: number, first: number, last: number) {
  const sort = { from: indexed.sequence(first), to: indexed.sequence(last) };
  const items = await table.queryAll({ index: 'gsi1', partition: indexed.orderLeads(orderId), sort });
  return items.map((item) => leadSchema.parse(item));
}

export async function newestOfOrder(context: DataContext, orderId: number, count: number) {
  const partition = indexed.orderLeads(orderId);
  const { items } = await page(context, { index: 'gsi1', partition, limit: count, descending: true });
  return items;
}

/** The leads of an order assigned since an instant, and the one before them; newest first. */
export async function ofOrderSince(context: DataContext, orderId: number, since: Date): Promise<Lead[]> {
  const [found, from]: [Lead[], string] = [[], since.toISOString()];
  let after: Item | undefined;
  do {
    const { items, next } = await page(context, {
      index: 'gsi1',
      partition: indexed.orderLeads(orderId),
      limit: LEADS_PER_PAGE,
      descending: true,
      ...(after && { after }),
    });
    for (const lead of items) {
      found.push(lead);
      if ((lead.assigned_at ?? '') < from) return found;
    }
    after = next;
  } while (after !== undefined);
  return found;
}

export function countOfOrder({ table }: DataContext, orderId: number): Promise<number> {
  return table.count({ index: 'gsi1', partition: indexed.orderLeads(orderId) });
}

export async function ofOrderBySequence(
  context: DataContext,
  orderId: number,
  sequence: number,
): Promise<Lead | undefined> {
  const at = indexed.sequence(sequence);
  const { items } = await page(context, {
    index: 'gsi1',
    partition: indexed.orderLeads(orderId),
    sort: { from: at, to: at },
  });
  return items[0];
}

/** Works whether the lead is still pending or not. */
export function pendingCursor({ lead_id, received_at }: Pick<Lead, 'lead_id' | 'received_at'>): Item {
  return { ...keys.lead(lead_id), gsi1pk: indexed.pending(), gsi1sk: indexed.at(received_at, lead_id) };
}
