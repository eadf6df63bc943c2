/**
 * Double opt-in: a person confirms the consent of a form by the link in an e-mail. Until then the lead is pending as
 * `consent_unconfirmed`, its consent is not sealed, and no buyer gets it. Without a confirmation in time it is discarded. See
 * `docs/adr/0056-double-opt-in.md`.
 */
import type { Context, DataContext } from '#functions/data/context';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as notificationStore from '#functions/data/deliveries/notification-store';
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
import { conflict, DomainError, notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { discardLead } from '#functions/domain/leads/leads';
import { type ConsentLinkState, confirmBy, receivedToConfirmBy } from '#shared/rules/consent';
import type { ConfirmationEmailState } from '#shared/rules/constants';

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
    const given = recordOf(consent)?.consent;
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

export interface ConfirmationEmail {
  readonly state: ConfirmationEmailState;
  readonly at: string;
}

/** Undefined unless the lead waits for the confirmation. */
export async function confirmationEmail(
  context: DataContext,
  { lead_id, status, reason }: Lead,
): Promise<ConfirmationEmail | undefined> {
  if (status !== 'pending' || reason !== 'consent_unconfirmed') return undefined;
  const found = await notificationStore.get(context, { about: 'confirm_consent', lead_id });
  if (found === undefined) return undefined;
  const { done_at, unsent = 'sent', created_at } = found;
  return done_at === undefined ? { state: 'queued', at: created_at } : { state: unsent, at: done_at };
}

/** @throws DomainError 404; 409 if the lead does not wait for it, or the e-mail is being sent */
export async function resendConfirmation(context: Context, who: string, leadId: string): Promise<void> {
  const { runtime } = context;
  const [details, email] = await Promise.all([
    leadStore.details(context, leadId),
    notificationStore.get(context, { about: 'confirm_consent', lead_id: leadId }),
  ]);
  if (details === undefined) throw notFound('Lead');
  if (details.lead.status !== 'pending' || confirmationOf(details, runtime.now()).state !== 'open')
    throw conflict('confirmation_over', 'The lead does not wait for a confirmation');
  const { ok } =
    email?.done_at === undefined
      ? { ok: false }
      : await context.table.transact([
          notificationStore.repeated(email, runtime.newId(), runtime.now()),
          auditEntry(context, { who, action: 'sent_again_confirmation', ...aboutLead(leadId) }),
        ]);
  if (!ok) throw conflict('already_on_its_way', 'The e-mail is being sent already');
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
