import type * as z from 'zod/mini';
import type { FingerprintsOf } from '#functions/data/leads/person-fingerprint-store';
import { createReservationStore } from '#functions/data/orders/reservation-store';
import type { Table } from '#functions/data/table/table';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { ledgerBatcherOf } from '#functions/domain/distribution/ledger-batcher';
import type { verificationEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import { createChecks } from '#functions/verification/checks';

export function createDistribution(
  environment: z.output<typeof verificationEnvironment>,
  runtime: Runtime,
  table: Table,
  fingerprintsOf?: FingerprintsOf,
): DistributionContext {
  return {
    table,
    reservations: createReservationStore(table),
    ledger: ledgerBatcherOf({ table, runtime }),
    checks: createChecks({ environment, runtime, table }),
    mustBeCertain: environment.VERIFICATION_MUST_BE_CERTAIN === '1',
    runtime,
    fingerprintsOf,
  };
}
