/** The buyers that received a person's leads: notified of an erasure or a withdrawal, and reminded until they have confirmed. */
import * as templateStore from '#functions/data/administration/template-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import type { Erasure, Recipient } from '#functions/data/leads/erasure-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import { displayId } from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import { receivedOf } from '#functions/domain/leads/receivers';

/** After this time everything that was in progress has ended, and its writes can be read. */
const CHECKED_AFTER_MS = 60_000;
const REMINDED_AFTER_MS = 7 * 24 * 3600_000;
/** Without a request: the first e-mail and four reminders. */
const MAX_EMAILS = 5;

export const isCheckDue = ({ erased_at = '' }: Erasure, now: Date): boolean =>
  now.getTime() >= Date.parse(erased_at) + CHECKED_AFTER_MS;

/** Who received the leads. A withdrawal tells nothing but their numbers. */
export async function recipientsOf(
  context: DataContext,
  { erasure_id, purpose }: Erasure,
  details: readonly Pick<LeadDetails, 'lead' | 'deliveries' | 'refusals'>[],
): Promise<Recipient[]> {
  const leadsOf = new Map<number, Recipient['leads'][number][]>();
  for (const { buyer, lead_id, assigned_at, deliveries, ...number } of details.flatMap(receivedOf)) {
    const partnerIds = deliveries.flatMap(({ channel, external_id }) =>
      purpose === 'withdrawal' || channel === 'email' ? [] : (external_id ?? []),
    );
    const partner_ids = [...new Set(partnerIds)];
    const given = { lead_id, number: displayId(number), delivered_at: assigned_at, partner_ids };
    leadsOf.set(buyer, [...(leadsOf.get(buyer) ?? []), given]);
  }
  const [buyers, templates] = await Promise.all([
    buyerStore.getMany(context, [...leadsOf.keys()]),
    templateStore.all(context),
  ]);
  return Array.from(leadsOf, ([buyer, leads]) => ({
    erasure_id,
    purpose,
    buyer,
    leads,
    by_hand: templates.length === 0 || (buyers.get(buyer)?.buyer_email ?? '') === '',
    email_count: 0,
  }));
}

/** Sends the first e-mails, once each, and lets the check follow. */
export async function tellRecipients(context: Context, erasure: Erasure): Promise<Erasure> {
  const now = context.runtime.now();
  for (const recipient of await erasureStore.recipients(context, erasure.erasure_id))
    if (!recipient.by_hand && recipient.email_count === 0 && recipient.confirmed_at === undefined)
      await requestEmail(context, recipient, now);
  const nextCheckAt = new Date(now.getTime() + CHECKED_AFTER_MS);
  const { ok } = await context.table.transact([erasureStore.moved(erasure, 'checking', now, nextCheckAt)]);
  return ok
    ? { ...erasure, stage: 'checking', erased_at: now.toISOString() }
    : ((await erasureStore.get(context, erasure.erasure_id)) ?? erasure);
}

/** Writes the notification, from which the outbox makes a message. @returns false if the buyer has confirmed meanwhile */
export async function requestEmail(context: Context, recipient: Recipient, now: Date): Promise<boolean> {
  const [lead] = recipient.leads;
  if (lead === undefined) return false;
  const email_number = recipient.email_count + 1;
  const next = email_number < MAX_EMAILS ? new Date(now.getTime() + REMINDED_AFTER_MS) : undefined;
  const { erasure_id: erasure, buyer } = recipient;
  const { ok } = await context.table.transact([
    erasureStore.emailRequested(recipient, next),
    notificationStore.created({ about: 'erasure', lead_id: lead.lead_id, erasure, buyer, email_number }, now),
  ]);
  return ok;
}
