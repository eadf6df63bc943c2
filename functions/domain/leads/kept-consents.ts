/**
 * The proof of a consent outlives its person: a buyer that called must be able to show it (§ 7a UWG). It is kept, encrypted, if
 * a buyer received the lead, until a period after the last delivery or recorded use ends.
 */
import * as z from 'zod/mini';
import type { Claim } from '#functions/data/claims/claim';
import type { Context, DataContext } from '#functions/data/context';
import {
  type Consent,
  type Consenter,
  consentBarred,
  consentErased,
  readRecord,
} from '#functions/data/leads/consent';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import * as keptConsentStore from '#functions/data/leads/kept-consent-store';
import { isKept, type KeptConsent, kept } from '#functions/data/leads/kept-consent-store';
import { displayId, hasConsent } from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import * as retentionStore from '#functions/data/leads/retention-store';
import type { TransactionItem } from '#functions/data/table/table';
import { aboutLead, auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { type ReceivedLead, receivedOf } from '#functions/domain/leads/receivers';
import type { Cipher } from '#functions/keys/cipher';

/** What is encrypted. Person and consent as in the erased record, because the commitment covers their text. */
const keptProofSchema = z.object({
  recorded_at: z.string(),
  person: z.string(),
  consent: z.string(),
  seed: z.string(),
  withdrawn_at: z.optional(z.string()),
  /** In order of time. */
  received: z.array(z.object({ number: z.string(), buyer: z.int(), delivered_at: z.string() })),
});
type KeptProof = z.output<typeof keptProofSchema>;

export interface KeepingContext extends Context {
  /** Absent without the application keys. */
  readonly cipher?: (() => Promise<Cipher>) | undefined;
  readonly personKey: (() => Promise<Uint8Array>) | undefined;
}

type ErasedDetails = Pick<LeadDetails, 'lead' | 'consent' | 'deliveries' | 'refusals'>;

/**
 * Removes the consent of a lead, and keeps its proof if a buyer received the lead. Both belong to the transaction that takes
 * the lead out of distribution: otherwise a buyer could receive it in between.
 * @throws DomainError 409 without the application keys
 */
export async function consentRemoved(
  context: KeepingContext,
  details: ErasedDetails,
  claim?: Claim,
): Promise<TransactionItem[]> {
  const { consent, lead } = details;
  if (consent === undefined) return hasConsent(lead) ? [consentBarred(lead)] : [];
  if (consent.seed === undefined) return [];
  const received = receivedOf(details);
  const until = await keptUntil(context, received, [
    lead.feedback?.said && lead.feedback.at,
    claim?.created_at,
  ]);
  if (until === undefined || !isKept(until, context.runtime.now())) return [consentErased(consent)];
  if (context.cipher === undefined || context.personKey === undefined)
    throw conflict('keys_required', 'The proof of consent cannot be kept without the application keys');
  const [cipher, key] = await Promise.all([context.cipher(), context.personKey()]);
  const proof: KeptProof = keptProofSchema.parse({
    ...consent,
    withdrawn_at: lead.withdrawn_at,
    received: received.map(({ buyer, assigned_at, ...number }) => ({
      number: displayId(number),
      buyer,
      delivered_at: assigned_at,
    })),
  });
  const sealed: KeptConsent = {
    lead_id: lead.lead_id,
    kept_until: until,
    proof: cipher.encrypt(JSON.stringify(proof)),
  };
  return [kept(sealed, readRecord(proof).person, key), consentErased(consent, until)];
}

/** Undefined if no buyer received the lead, or proofs are not kept. */
async function keptUntil(
  context: DataContext,
  received: readonly ReceivedLead[],
  uses: readonly (string | undefined)[],
): Promise<string | undefined> {
  if (received.length === 0) return undefined;
  const { consent_years: years } = await retentionStore.settings(context);
  if (years === null) return undefined;
  const delivered = received.flatMap(({ assigned_at, deliveries }) => [
    assigned_at,
    ...deliveries.flatMap(({ status, updated_at }) => (status === 'delivered' ? [updated_at] : [])),
  ]);
  const last = new Date([...delivered, ...uses.flatMap((at) => at ?? [])].toSorted().at(-1) ?? '');
  return new Date(last.setUTCFullYear(last.getUTCFullYear() + years)).toISOString();
}

export interface OpenedProof extends Omit<KeptProof, 'person' | 'consent'> {
  readonly kept_until: string;
  readonly person: Consenter;
  readonly consent: Consent;
  readonly wording: string | undefined;
  /** Its texts are those that the audit chain sealed. */
  readonly sealed: KeptProof;
}

/**
 * Reading the proof is no use of the consent, and does not prolong its period: otherwise looking at it would keep it forever.
 * @throws DomainError 404 if no proof is kept, or no longer
 */
export async function openKeptConsent(
  context: Context & { readonly cipher: () => Promise<Cipher> },
  who: string,
  leadId: string,
  reason: string,
): Promise<OpenedProof> {
  const found = await keptConsentStore.get(context, leadId, context.runtime.now());
  if (found === undefined) throw notFound('Proof of consent');
  const cipher = await context.cipher();
  const proof = keptProofSchema.parse(JSON.parse(cipher.decrypt(found.proof)));
  const given = readRecord(proof);
  const wording = await consentTextStore.get(context, given.consent.text);
  // Nobody sees a proof whose opening is not recorded.
  await context.table.put(
    auditEntry(context, { who, action: 'consent_proof_opened', ...aboutLead(leadId), after: { reason } }),
  );
  return { ...proof, ...given, sealed: proof, kept_until: found.kept_until, wording };
}
