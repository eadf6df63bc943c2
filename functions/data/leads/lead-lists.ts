/** Lists of leads: in flight, pending, and those of an order. */
import { type Lead, leadSchema } from '#functions/data/leads/lead';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards } from '#functions/data/table/shards';
import type { Item, Table } from '#functions/data/table/table';

/** Of the leads of an order, newest first, which are read until they are too old. */
const LEADS_PER_PAGE = 100;

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly next: Item | undefined;
}

export interface LeadLists {
  inFlight(before: string, limit: number): Promise<Lead[]>;
  pending(options: { limit: number; after?: Item; descending?: boolean }): Promise<PageOf<Lead>>;
  countPending(): Promise<number>;
  /**
   * An order's leads by their sequence.
   * @param lastSequence of the order, if known: then a long list is read in parts in parallel
   */
  ofOrder(orderId: number, lastSequence?: number): Promise<Lead[]>;
  /** The newest leads of an order, the newest first. */
  newestOfOrder(orderId: number, count: number): Promise<readonly Lead[]>;
  /** The leads of an order that were assigned since an instant, and the one before them if there is one; the newest first. */
  ofOrderSince(orderId: number, since: Date): Promise<readonly Lead[]>;
  countOfOrder(orderId: number): Promise<number>;
  /** The lead with this number in an order. */
  ofOrderBySequence(orderId: number, sequence: number): Promise<Lead | undefined>;
}

const LEADS_PER_PART = 500;
const MAX_SEQUENCE = 999_999_999_999;

/** Ranges that together contain every sequence, also those given since `lastSequence` was read. */
function sequenceRanges(lastSequence: number): { readonly from: string; readonly to: string }[] {
  const parts = Math.max(1, Math.ceil(lastSequence / LEADS_PER_PART));
  return Array.from({ length: parts }, (_, at) => ({
    from: indexed.sequence(at * LEADS_PER_PART + 1),
    to: indexed.sequence(at === parts - 1 ? MAX_SEQUENCE : (at + 1) * LEADS_PER_PART),
  }));
}

export function createLeadLists(table: Table): LeadLists {
  const page = async (query: Parameters<Table['query']>[0]): Promise<PageOf<Lead>> => {
    const { items, next } = await table.query(query);
    return { items: items.map((item) => leadSchema.parse(item)), next };
  };

  return {
    async inFlight(before, limit) {
      const items = await firstOfShards(table, indexed.everyInFlight(), { before, limit });
      return items.map((item) => leadSchema.parse(item));
    },

    pending({ limit, after, descending }) {
      return page({
        index: 'gsi1',
        partition: indexed.pending(),
        limit,
        ...(after !== undefined && { after }),
        ...(descending !== undefined && { descending }),
      });
    },

    countPending() {
      return table.count({ index: 'gsi1', partition: indexed.pending() });
    },

    async ofOrder(orderId, lastSequence = 1) {
      const parts = await Promise.all(
        sequenceRanges(lastSequence).map((sort) =>
          table.queryAll({ index: 'gsi1', partition: indexed.orderLeads(orderId), sort }),
        ),
      );
      return parts.flat().map((item) => leadSchema.parse(item));
    },

    async newestOfOrder(orderId, count) {
      const partition = indexed.orderLeads(orderId);
      const { items } = await page({ index: 'gsi1', partition, limit: count, descending: true });
      return items;
    },

    async ofOrderSince(orderId, since) {
      const [found, from]: [Lead[], string] = [[], since.toISOString()];
      let after: Item | undefined;
      do {
        const { items, next } = await page({
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
    },

    countOfOrder(orderId) {
      return table.count({ index: 'gsi1', partition: indexed.orderLeads(orderId) });
    },

    async ofOrderBySequence(orderId, sequence) {
      const at = indexed.sequence(sequence);
      const { items } = await page({
        index: 'gsi1',
        partition: indexed.orderLeads(orderId),
        sort: { from: at, to: at },
      });
      return items[0];
    },
  };
}

/** The position after which a listing of pending leads continues, whether the lead is still pending or not. */
export function pendingCursor({ lead_id, received_at }: Pick<Lead, 'lead_id' | 'received_at'>): Item {
  return { ...keys.lead(lead_id), gsi1pk: indexed.pending(), gsi1sk: indexed.at(received_at, lead_id) };
}
