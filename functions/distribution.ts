/** What every function that moves leads is built from. */
import type * as z from 'zod/mini';
import { createLeadStore } from '#functions/data/leads';
import { createOrderStore } from '#functions/data/orders';
import { createPoolStore } from '#functions/data/pool';
import type { Table } from '#functions/data/table';
import type { DistributionDeps } from '#functions/domain/distribution';
import { LedgerDesk } from '#functions/domain/ledger-desk';
import type { verificationEnvironment } from '#functions/environment';
import type { Runtime } from '#functions/runtime';
import { createChecks } from '#functions/verification/checks';

export function createDistribution(
  environment: z.output<typeof verificationEnvironment>,
  runtime: Runtime,
  table: Table,
): DistributionDeps {
  const pool = createPoolStore(table);
  return {
    table,
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    pool,
    ledger: new LedgerDesk({ pool, runtime }),
    checks: createChecks({ environment, runtime, table }),
    mustBeCertain: environment.VERIFICATION_MUST_BE_CERTAIN === '1',
    runtime,
  };
}
