/** The replacement ledger: entries are only added, in the transaction that changes the counters. */

import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import { type Order, orderSchema } from '#functions/data/orders/order';
import { type Replacement, replacementSchema } from '#functions/data/orders/replacement';
import { newItem, readAll } from '#functions/data/table/items';
import { keys, kindOf } from '#functions/data/table/keys';
import type { Put, Table } from '#functions/data/table/table';

export interface ReplacementRecords {
  readonly buyers: readonly Pick<Buyer, 'buyer' | 'balance_count'>[];
  readonly orders: readonly Pick<
    Order,
    'order_id' | 'buyer' | 'reimbursement_pending' | 'reimbursement_delivered' | 'replacement_reservations'
  >[];
  readonly entries: readonly Replacement[];
  readonly assignments: ReadonlyMap<string, { readonly order_id: number; readonly sequence: number }>;
}

export const ofBuyer = (context: DataContext, buyer: number): Promise<Replacement[]> =>
  readAll(context, { partition: keys.replacements(buyer) }, replacementSchema);

/** Counters and entries may be of different instants, so a discrepancy counts only if it is found twice. */
export async function readReplacementRecords(table: Pick<Table, 'scan'>): Promise<ReplacementRecords> {
  const buyers: Buyer[] = [];
  const orders: Order[] = [];
  const entries: Replacement[] = [];
  const assignments = new Map<string, { order_id: number; sequence: number }>();
  for await (const items of table.scan()) {
    for (const item of items) {
      switch (kindOf(item)) {
        case 'buyer':
          buyers.push(buyerSchema.parse(item));
          break;
        case 'order':
          orders.push(orderSchema.parse(item));
          break;
        case 'lead':
          if (item.order_id !== undefined)
            assignments.set(String(item.lead_id), {
              order_id: Number(item.order_id),
              sequence: Number(item.sequence),
            });
          break;
        case 'replacement':
          entries.push(replacementSchema.parse(item));
          break;
        case undefined:
          break;
      }
    }
  }
  return { buyers, orders, entries, assignments };
}

/** A kind of movement occurs once per instant and claim, lead or order, so the key is unique. */
export function replacementAdded(entry: Replacement): Put {
  const thing = entry.claim_id ?? entry.lead_id ?? entry.order_id;
  return newItem(keys.replacement(entry.buyer, entry.at, entry.kind, String(thing)), entry);
}
