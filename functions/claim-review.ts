/** Builds the review of filed claims. */
import type * as z from 'zod/mini';
import { createSettingStore } from '#functions/data/administration/settings-store';
import { createBuyerStore } from '#functions/data/buyers/buyer-store';
import { createClaimStore } from '#functions/data/claims/claim-store';
import { createEvidenceStore } from '#functions/data/claims/evidence';
import { createAddressStore } from '#functions/data/deliveries/address-store';
import { createNoticeStore } from '#functions/data/deliveries/notice-store';
import { createPoolStore } from '#functions/data/distribution/pool-store';
import { createVerificationResultStore } from '#functions/data/distribution/verification-result-store';
import { createLeadStore } from '#functions/data/leads/lead-store';
import { createSearchIndex } from '#functions/data/leads/search-index';
import { createListViewStore } from '#functions/data/orders/list-view-store';
import { createOrderStore } from '#functions/data/orders/order-store';
import { createReservationStore } from '#functions/data/orders/reservation-store';
import { createSourceFigureStore } from '#functions/data/statistics/source-figures';
import type { Table } from '#functions/data/table/table';
import { type ReviewDeps, reviewClaim } from '#functions/domain/claims/review';
import type { verificationEnvironment } from '#functions/environment';
import type { Runtime } from '#functions/runtime';
import { createChecks } from '#functions/verification/checks';

/** @param personKey the key by which persons are hashed @returns reviews the claim of a lead by its id */
export function createClaimReview(
  environment: z.output<typeof verificationEnvironment>,
  runtime: Runtime,
  table: Table,
  personKey: () => Promise<Uint8Array>,
): (leadId: string) => Promise<void> {
  const deps: ReviewDeps = {
    table,
    claims: createClaimStore(table),
    evidence: createEvidenceStore(table),
    leads: createLeadStore(table),
    orders: createOrderStore(table),
    reservations: createReservationStore(table),
    buyers: createBuyerStore(table),
    pool: createPoolStore(table),
    notices: createNoticeStore(table),
    settings: createSettingStore(table),
    addresses: createAddressStore(table, personKey),
    listViews: createListViewStore(table),
    searchIndex: createSearchIndex(table),
    sourceFigures: createSourceFigureStore(table),
    checks: createChecks({ environment, runtime, results: createVerificationResultStore(table) }),
    runtime,
  };
  return (leadId) => reviewClaim(deps, leadId);
}
