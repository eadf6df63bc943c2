/** Builds the dependencies of whoever erases leads. */
import type * as z from 'zod/mini';
import { createAuditStore } from '#functions/data/administration/audit-store';
import { createTemplateStore } from '#functions/data/administration/template-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { createVerificationResultStore } from '#functions/data/distribution/verification-result-store';
import { createErasureStore } from '#functions/data/leads/erasure-store';
import { createIntakeKeyStore } from '#functions/data/leads/idempotency-key-store';
import type { Person } from '#functions/data/leads/lead';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createPersonMarkStore } from '#functions/data/leads/person-mark-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import type { ErasureDeps } from '#functions/domain/leads/erasure';
import type { ErasuresDeps } from '#functions/domain/leads/erasures';
import type {
  erasureEnvironment,
  exportEnvironment,
  keyEnvironment,
  verificationEnvironment,
} from '#functions/environment';
import { createStoredFiles } from '#functions/exports/s3-file-store';
import { createKeyLoader } from '#functions/keys/keys';
import type { Runtime } from '#functions/runtime';
import { storedResultsOf } from '#functions/verification/online';

type ErasureEnvironment = z.output<typeof verificationEnvironment> &
  z.output<typeof exportEnvironment> &
  z.output<typeof erasureEnvironment> &
  z.output<typeof keyEnvironment>;

/** The dependencies of erasures from their beginning to the last confirmation. */
export function createErasures(environment: ErasureEnvironment, runtime: Runtime, table: Table) {
  const verifiedAs = (person: Person) => storedResultsOf(environment, person);
  const loadKeys = createKeyLoader(environment);
  const addresses = createAddressStore(table, async () => (await loadKeys()).person);
  return {
    ...createErasure(table, runtime, { verifiedAs, addresses }),
    addresses,
    buyers: createBuyerStore(table),
    templates: createTemplateStore(table),
    notices: createNoticeStore(table),
    erasures: createErasureStore(table),
    files: runtime.outside?.files ?? createStoredFiles(environment),
    keepOutside: async ({ erasure_id, lead_ids }) => {
      await runtime.beside?.keepErased({ erasure_id, lead_ids });
      const bucket = environment.ERASED_BUCKET;
      if (bucket === undefined) return;
      const { writeToS3 } = await import('#functions/exports/s3');
      const text = JSON.stringify({ erasure_id, lead_ids });
      await writeToS3(environment, { bucket, key: `${erasure_id}.json`, text });
    },
    forgetBeside: async (leadIds) => (await runtime.beside?.forget(leadIds)) ?? true,
  } satisfies ErasuresDeps;
}

const WITHOUT_KEYS: Pick<ErasureDeps, 'verifiedAs' | 'addresses'> = {
  verifiedAs: async () => [],
  addresses: undefined,
};

/** @param found by keys; without them what verification services said, which expires in a day, and what became of mails is not */
export function createErasure(
  table: Table,
  runtime: Runtime,
  { verifiedAs, addresses }: Pick<ErasureDeps, 'verifiedAs' | 'addresses'> = WITHOUT_KEYS,
) {
  return {
    table,
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    claims: createClaimStore(table),
    audit: createAuditStore(table),
    marks: createPersonMarkStore(table),
    intakeKeys: createIntakeKeyStore(table),
    verificationResults: createVerificationResultStore(table),
    verifiedAs,
    addresses,
    runtime,
  } satisfies ErasureDeps;
}
