/** Builds the dependencies of every function that distributes leads. */
import type * as z from 'zod/mini';
import { createBatchStore } from '#functions/data/distribution/batch-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createVerificationResultStore } from '#functions/data/distribution/verification-result-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createPersonMarkStore } from '#functions/data/leads/person-mark-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createReservationStore } from '#functions/data/orders/reservation-store';
import { createSourceStore } from '#functions/data/sources/source-store';
import type { Table } from '#functions/data/table/table';
import type { DistributionDeps } from '#functions/domain/distribution/distribution';
import type { verificationEnvironment } from '#functions/environment';
import { ledgerBatcherOf } from '#functions/ledger-batcher';
import type { Runtime } from '#functions/runtime';
import { createChecks } from '#functions/verification/checks';

export function createDistribution(
  environment: z.output<typeof verificationEnvironment>,
  runtime: Runtime,
  table: Table,
): DistributionDeps {
  return {
    table,
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    reservations: createReservationStore(table),
    pool: createPoolStore(table),
    batches: createBatchStore(table),
    ledger: ledgerBatcherOf(table, runtime),
    marks: createPersonMarkStore(table),
    sources: createSourceStore(table),
    checks: createChecks({ environment, runtime, results: createVerificationResultStore(table) }),
    mustBeCertain: environment.VERIFICATION_MUST_BE_CERTAIN === '1',
    runtime,
  };
}
