import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import type { ErasureContext } from '#functions/domain/leads/erasure';
import type { KeyLoader } from '#functions/keys/keys';
import type { providerKeyEnvironment } from '#functions/platform/environment';
import { createFingerprints } from '#functions/platform/fingerprints';
import type { Runtime } from '#functions/platform/runtime';
import { storedResultsOf } from '#functions/verification/online';

export function createWithdrawals(
  environment: z.output<typeof providerKeyEnvironment>,
  runtime: Runtime,
  table: Table,
  loadKeys: KeyLoader,
) {
  const personKey = async () => (await loadKeys()).person;
  return {
    table,
    runtime,
    verifiedAs: (person) => storedResultsOf(environment, person),
    personKey,
    fingerprintsOf: createFingerprints(personKey),
    cipher: async () => (await loadKeys()).cipher,
  } satisfies ErasureContext;
}
