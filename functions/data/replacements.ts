/** The ledger of replacements: entries are only ever added, in the transaction that moves the counters. */
import { type Replacement, replacementSchema } from '#functions/data/entities/replacement';
import { keys } from '#functions/data/keys';
import type { Put, Table } from '#functions/data/table';

export interface ReplacementStore {
  /** A buyer's entries in the order of time. */
  ofBuyer(buyer: number): Promise<Replacement[]>;
}

export function createReplacementStore(table: Table): ReplacementStore {
  return {
    async ofBuyer(buyer) {
      const items = await table.queryAll({ partition: keys.replacements(buyer), consistent: true });
      return items.map((item) => replacementSchema.parse(item));
    },
  };
}

/** What happened can happen to the same thing only once at an instant, so the key tells two entries apart. */
export function replacementAdded(entry: Replacement): Put {
  const thing = entry.claim_id ?? entry.lead_id ?? entry.order_id;
  return {
    put: { ...keys.replacement(entry.buyer, entry.at, entry.kind, String(thing)), ...entry },
    condition: 'attribute_not_exists(pk)',
  };
}
