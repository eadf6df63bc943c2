import type { Table } from '#functions/data/table/table';
import { decideByDefault } from '#functions/domain/claims/default-decision';
import type { DistributionContext } from '#functions/domain/distribution/attempt';

/** A separate file, so that it is loaded on demand. @returns how many */
export function decideOverdue(distribution: DistributionContext, table: Table): Promise<number> {
  return decideByDefault({ ...distribution, table });
}
