import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import type { ErasureContext } from '#functions/domain/leads/erasure';
import type { ErasuresContext } from '#functions/domain/leads/erasures';
import { createStoredFiles } from '#functions/exports/s3-file-store';
import { createKeyLoader } from '#functions/keys/keys';
import type {
  erasureEnvironment,
  exportEnvironment,
  keyEnvironment,
  providerKeyEnvironment,
} from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import { createWithdrawals } from '#functions/platform/withdrawal';

type ErasureEnvironment = z.output<typeof providerKeyEnvironment> &
  z.output<typeof exportEnvironment> &
  z.output<typeof erasureEnvironment> &
  z.output<typeof keyEnvironment>;

/** @param loadKeys if the caller loads them as well */
export function createErasures(
  environment: ErasureEnvironment,
  runtime: Runtime,
  table: Table,
  loadKeys = createKeyLoader(environment),
) {
  return {
    ...createWithdrawals(environment, runtime, table, loadKeys),
    files: runtime.externalServices?.files ?? createStoredFiles(environment),
    recordErased: async ({ erasure_id, lead_ids }) => {
      await runtime.sidecar?.keepErased({ erasure_id, lead_ids });
      const bucket = environment.ERASED_BUCKET;
      if (bucket === undefined) return;
      const { writeToS3 } = await import('#functions/exports/s3');
      const text = JSON.stringify({ erasure_id, lead_ids });
      await writeToS3(environment, { bucket, key: `${erasure_id}.json`, text });
    },
    forgetSidecar: async (leadIds) => (await runtime.sidecar?.forget(leadIds)) ?? true,
  } satisfies ErasuresContext;
}

type ByKeys = Pick<ErasureContext, 'verifiedAs' | 'personKey' | 'fingerprintsOf' | 'cipher'>;
const WITHOUT_KEYS: ByKeys = {
  verifiedAs: async () => [],
  personKey: undefined,
  fingerprintsOf: async () => [],
  cipher: undefined,
};

/**
 * @param byKeys without them cached verification results and the state of addresses are not found, and a lead whose proof of
 * consent is to be kept is refused
 */
export const createErasure = (table: Table, runtime: Runtime, byKeys: Partial<ByKeys> = {}) =>
  ({ table, runtime, ...WITHOUT_KEYS, ...byKeys }) satisfies ErasureContext;
