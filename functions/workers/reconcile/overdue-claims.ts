import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import type { Table } from '#functions/data/table/table';
import { decideBySilence } from '#functions/domain/claims/silence';
import type { DistributionDeps } from '#functions/domain/distribution/distribution';

/** Decides claims by silence. In a file of its own, which a start does not load. @returns how many */
export function decideOverdue(distribution: DistributionDeps, table: Table): Promise<number> {
  return decideBySilence({
    ...distribution,
    table,
    claims: createClaimStore(table),
    buyers: createBuyerStore(table),
    notices: createNoticeStore(table),
  });
}
