/**
 * Double opt-in: a person confirms the consent of a form by the link in an e-mail. Until then the lead is pending as
 * `consent_unconfirmed`, its consent is not sealed, and no buyer gets it. Without a confirmation in time it is discarded. See
 * `docs/adr/0056-double-opt-in.md`.
 */
import type { Context } from '#functions/data/context';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import { type Consent, consentConfirmed, recordOf } from '#functions/data/leads/consent';
import type { Lead } from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import type { RetainedLeads } from '#functions/data/leads/retention-store';
import * as retentionStore from '#functions/data/leads/retention-store';
import * as orderStore from '#functions/data/orders/order-store';
import type { TransactionItem } from '#functions/data/table/table';
import { aboutLead, auditEntry } from '#functions/domain/common/audit';
import { DomainError, notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { discardLead } from '#functions/domain/leads/leads';
import { type ConsentLinkState, confirmBy, receivedToConfirmBy } from '#shared/rules/consent';

interface Confirmation {
  readonly state: ConsentLinkState;
  readonly done_at: string | null;
}

export async function viewConfirmation(context: Context, leadId: string): Promise<Confirmation> {
  return confirmationOf(await requireDetails(context, leadId), context.runtime.now());
}

/** Repeatable: one call confirms, the others find it done. The stream then has the lead distributed. */
export async function confirmConsent(context: Context, leadId: string, ip: string): Promise<Confirmation> {
  return retryOnConflict(context.runtime, async () => {
    const details = await requireDetails(context, leadId);
    const { lead, consent } = details;
    const now = context.runtime.now();
    const found = confirmationOf(details, now);
    const given = consent && recordOf(consent);
    if (found.state !== 'open' || consent === undefined || given === undefined) return found;
    const at = now.toISOString();
    return committed(context, { state: 'done' as const, done_at: at }, [
      consentConfirmed(consent, given, at, ip),
      ...leadConfirmed(context, lead, given, at),
      auditEntry(context, {
        who: 'link',
        action: 'consent_confirmed',
        ...aboutLead(leadId),
        before: { status: lead.status, reason: lead.reason },
      }),
    ]);
  });
}

/** A lead that an admin assigned or that waits for another reason stays where it is. */
function leadConfirmed(context: Context, lead: Lead, { channels }: Consent, at: string): TransactionItem[] {
  const fields = { consent: channels, unconfirmed: undefined };
  if (lead.status === 'pending' && lead.reason === 'consent_unconfirmed')
    return [leadStore.restartWith(context, lead, at, { ...fields, verified: false }).update];
  return [
    leadWrites.consentConfirmed(lead, channels),
    ...(lead.order_id === undefined ? [] : orderStore.leadEdited(lead.order_id)),
  ];
}

async function requireDetails(context: Context, leadId: string): Promise<LeadDetails> {
  const details = await leadStore.details(context, leadId);
  if (details === undefined) throw notFound('Link');
  return details;
}

function confirmationOf({ lead, consent }: LeadDetails, now: Date): Confirmation {
  const { status, withdrawn_at: withdrawnAt = null } = lead;
  if (withdrawnAt !== null) return { state: 'withdrawn', done_at: withdrawnAt };
  if (lead.consent !== undefined) return { state: 'done', done_at: consent?.recorded_at ?? null };
  const isOpen =
    lead.unconfirmed === true &&
    consent?.seed !== undefined &&
    (status === 'received' || status === 'pending' || status === 'assigned') &&
    now <= confirmBy(lead.received_at);
  return { state: isOpen ? 'open' : 'over', done_at: null };
}

/** Discards the leads that nobody confirmed in time. @returns how many */
export async function dropUnconfirmed(context: AddressContext & Context): Promise<number> {
  const before = receivedToConfirmBy(context.runtime.now()).toISOString();
  let [dropped, after]: [number, string | undefined] = [0, ''];
  while (after !== undefined) {
    const page: RetainedLeads = await retentionStore.pending(context, after, before, 'unconfirmed');
    for (const { lead_id } of page.leads) if (await isDropped(context, lead_id)) dropped += 1;
    after = page.next;
  }
  return dropped;
}

/** @returns false if it is no longer waiting: it was confirmed, erased or discarded meanwhile */
async function isDropped(context: AddressContext, leadId: string): Promise<boolean> {
  try {
    await discardLead(context, 'system', leadId, 'consent_unconfirmed');
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
