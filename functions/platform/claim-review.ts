import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import { type ReviewContext, reviewClaim } from '#functions/domain/claims/review';
import type { providerEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import { createChecks } from '#functions/verification/checks';

/** @param personKey by which persons are hashed */
export function createClaimReview(
  environment: z.output<typeof providerEnvironment>,
  runtime: Runtime,
  table: Table,
  personKey: () => Promise<Uint8Array>,
): (leadId: string) => Promise<void> {
  const checks = createChecks({ environment, runtime, table });
  const context: ReviewContext = { table, personKey, checks, runtime };
  return (leadId) => reviewClaim(context, leadId);
}
