import { createRetentionStore } from '#functions/data/leads/retention-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import { eraseLead } from '#functions/domain/leads/erasure';
import type { ErasuresDeps } from '#functions/domain/leads/erasures';
import { eraseOldLeads } from '#functions/domain/leads/retention';

/** Erases leads that are old enough. In a file of its own, which a start does not load. @returns how many */
export function eraseOld(erasures: ErasuresDeps & { readonly table: Table }): Promise<number> {
  return eraseOldLeads({
    ...erasures,
    orders: createOrderStore(erasures.table),
    retention: createRetentionStore(erasures.table),
    erase: (leadId) => eraseLead(erasures, 'system', leadId, 'retention'),
  });
}
