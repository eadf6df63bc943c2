import type { Table } from '#functions/data/table/table';
import { decideBySilence } from '#functions/domain/claims/silence';
import type { DistributionContext } from '#functions/domain/distribution/distribution';

/** Decides claims by silence. In a file of its own, which a start does not load. @returns how many */
export function decideOverdue(distribution: DistributionContext, table: Table): Promise<number> {
  return decideBySilence({
    ...distribution,
    table,
  });
}
