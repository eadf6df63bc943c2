import * as auditStore from '#functions/data/administration/audit-store';
import { type Claim, claimSchema } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import type { DataContext } from '#functions/data/context';
import * as addressStore from '#functions/data/deliveries/address-store';
import * as verificationResultStore from '#functions/data/distribution/verification-result-store';
import {
  callbackErased,
  claimTextsErased,
  deliveryErased,
  leadErased,
  notBlank,
  refusedDeliveryErased,
} from '#functions/data/leads/erasure';
import * as intakeKeyStore from '#functions/data/leads/idempotency-key-store';
import { deliverySchema, type Lead, leadSchema, type Person } from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import * as leadStore from '#functions/data/leads/lead-store';
import type { FingerprintsOf } from '#functions/data/leads/person-fingerprint-store';
import * as personFingerprintStore from '#functions/data/leads/person-fingerprint-store';
import * as orderStore from '#functions/data/orders/order-store';
import { blanked, personalFields } from '#functions/data/personal';
import { callbackSchema } from '#functions/data/sources/callback';
import type { TransactionItem } from '#functions/data/table/table';
import { aboutLead, auditEntry, MAX_ENTRIES_PER_TRANSACTION } from '#functions/domain/common/audit';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { consentRemoved, type KeepingContext } from '#functions/domain/leads/kept-consents';
import { CONFLICT } from '#functions/platform/retry';
import type { DeliveryStatus } from '#shared/rules/constants';

export interface ErasureContext extends KeepingContext {
  readonly verifiedAs: (person: Person) => Promise<readonly string[]>;
  readonly fingerprintsOf: FingerprintsOf;
}

export type ErasureReason = 'request' | 'retention' | 'withdrawal';

/**
 * Removes all personal values from a lead of any status, its deliveries and callbacks, its claim, the audit trail of both, and the
 * intake records. A lead without a buyer is discarded first; open deliveries and callbacks fail. Counts, amounts, buyer, order
 * and decision stay. Repeatable: the lead itself is erased last, so the next call completes an interrupted erasure, and a complete
 * one writes nothing.
 * @param who the admin, `operator` or `system`
 * @param fingerprints that the lead had before: a call in progress may have added the erased lead to one
 * @returns false if there is no such lead. Its intake may have removed it because the chosen buyer had no capacity
 * @throws DomainError 409 after repeated conflicts
 */
export async function eraseLead(
  context: ErasureContext,
  who: string,
  leadId: string,
  reason: ErasureReason,
  fingerprints: readonly string[] = [],
): Promise<boolean> {
  return retryOnConflict(context.runtime, async () => {
    const details = await leadStore.details(context, leadId);
    if (details === undefined) return false;
    const { lead } = details;
    const claim = lead.claim_id === undefined ? undefined : await claimStore.get(context, lead.claim_id);
    if (claim !== undefined && !(await eraseClaim(context, claim, lead))) return CONFLICT;
    const removals = await auditStore.valuesRemoved(context, 'lead', leadId, personalFields(leadSchema));
    if (!(await written(context, removals))) return CONFLICT;
    if (!(await eraseIntake(context, lead, fingerprints))) return CONFLICT;
    return (await eraseItems(context, who, reason, details, claim)) || CONFLICT;
  });
}

export const isOpen = ({ status }: { readonly status: DeliveryStatus }) =>
  status === 'pending' || status === 'retrying';

/** The lead and its deliveries in one write, so that no new attempt can read the person in between. */
async function eraseItems(
  context: ErasureContext,
  who: string,
  reason: ErasureReason,
  details: LeadDetails,
  claim: Claim | undefined,
): Promise<boolean> {
  const { lead, deliveries, refusals, callbacks } = details;
  const now = context.runtime.now();
  const callbackUpdates = callbacks
    .filter((callback) => isOpen(callback) || notBlank(callbackSchema, callback).length > 0)
    .map((callback) => callbackErased(callback, now));
  const sent = deliveries
    .filter((delivery) => isOpen(delivery) || notBlank(deliverySchema, delivery).length > 0)
    .map((delivery) => deliveryErased(delivery, now));
  const refused = refusals
    .flatMap((refusal) => refusal.deliveries.map((delivery) => ({ refusal, delivery })))
    .filter(({ delivery }) => notBlank(deliverySchema, delivery).length > 0)
    .map(({ refusal, delivery }) => refusedDeliveryErased(refusal, delivery));
  if (!(await written(context, [...callbackUpdates, ...refused]))) return false;
  const consents = await consentRemoved(context, details, claim);
  const isErased = lead.erased_at !== undefined && notBlank(leadSchema, lead).length === 0;
  if (isErased) return written(context, [...consents, ...sent]);
  const status = lead.status === 'received' || lead.status === 'pending' ? 'discarded' : lead.status;
  return written(context, [
    leadErased(lead, now.toISOString()),
    ...consents,
    ...sent,
    ...(lead.order_id === undefined ? [] : orderStore.leadEdited(lead.order_id)),
    auditEntry(context, {
      who,
      action: 'erased',
      ...aboutLead(lead.lead_id),
      before: { status: lead.status },
      after: { status, because_of: reason },
    }),
  ]);
}

async function eraseClaim(context: ErasureContext, claim: Claim, lead: Lead): Promise<boolean> {
  const wordless = claimSchema.parse({ ...claim, ...blanked(claimSchema) });
  if (!(await written(context, claimStore.personErased(wordless, lead)))) return false;
  await claimStore.removeUnusedWords(context, claim, lead);
  const [id, fields] = [String(claim.claim_id), personalFields(claimSchema)];
  const removals = await auditStore.valuesRemoved(context, 'claim', id, fields);
  const texts = notBlank(claimSchema, claim).length > 0 ? [claimTextsErased(claim)] : [];
  return written(context, [...texts, ...removals]);
}

async function eraseIntake(
  context: ErasureContext,
  lead: Lead,
  fingerprints: readonly string[],
): Promise<boolean> {
  for (const hash of new Set([...fingerprints, ...(lead.fingerprints ?? [])])) {
    const fingerprint = await personFingerprintStore.get(context, hash);
    if (fingerprint === undefined) continue;
    const others = await leadStore.ofEach(context, fingerprint.leads);
    const gone = new Set(
      fingerprint.leads.flatMap(({ lead_id }, at) => (identifiesNobody(lead, others[at]) ? [lead_id] : [])),
    );
    if (!(await personFingerprintStore.forget(context, fingerprint, (leadId) => gone.has(leadId))))
      return false;
  }
  if (lead.intake_key !== undefined) await intakeKeyStore.forget(context, lead.intake_key, lead.lead_id);
  for (const name of await context.verifiedAs(lead)) await verificationResultStore.remove(context, name);
  await addressStore.forget(context, lead);
  return true;
}

/** Erased leads and rejected duplicates give no reason to keep a fingerprint. */
const identifiesNobody = (erased: Lead, other: Lead | undefined) =>
  other !== undefined &&
  (other.lead_id === erased.lead_id ||
    other.erased_at !== undefined ||
    other.status === 'duplicate' ||
    other.status === 'withdrawn');

async function written({ table }: DataContext, items: readonly TransactionItem[]): Promise<boolean> {
  for (let start = 0; start < items.length; start += MAX_ENTRIES_PER_TRANSACTION) {
    const { ok } = await table.transact(items.slice(start, start + MAX_ENTRIES_PER_TRANSACTION));
    if (!ok) return false;
  }
  return true;
}
