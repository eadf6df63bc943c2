/**
 * The erasure of a person: all its leads, notifications to the buyers that received them, a final check, and reminders until
 * each buyer has confirmed. Its state is stored, so the reconciliation continues it after a crash. See
 * `docs/adr/0041-erasure-and-retention.md`.
 */

import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import type { Erasure, Recipient } from '#functions/data/leads/erasure-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import * as leadStore from '#functions/data/leads/lead-store';
import { type TraceContext, tracesOf } from '#functions/data/leads/traces';
import type { Item } from '#functions/data/table/table';
import { aboutLead, auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { changedMeanwhile } from '#functions/domain/common/retry-on-conflict';
import { type ErasureContext, eraseLead } from '#functions/domain/leads/erasure';
import {
  isCheckDue,
  recipientsOf,
  requestEmail,
  tellRecipients,
} from '#functions/domain/leads/erasure-recipients';
import type { RetainedFiles } from '#functions/domain/leads/people';
import { continueWithdrawal } from '#functions/domain/leads/withdrawal';
import { errorFields } from '#functions/platform/logger';

export interface ErasuresContext extends ErasureContext, Pick<TraceContext, 'verifiedAs'> {
  readonly files: RetainedFiles;
  /** Stores outside the table which leads are erased, so that they are erased again in a restored table. */
  readonly recordErased: (erasure: Erasure) => Promise<void>;
  /** Removes erased data outside the table's items, in local mode. @returns false if that is not complete yet */
  readonly forgetSidecar: (leadIds: readonly string[]) => Promise<boolean>;
}

const RECHECK_DELAY_MS = 60_000;
const MAX_ERASURES_PER_RUN = 10;
const MAX_EMAILS_PER_RUN = 50;

/** @param leadIds of one person, at most 25, so that all fits into a transaction @throws DomainError 404, 409 if all are erased */
export async function beginErasure(context: ErasuresContext, who: string, leadIds: readonly string[]) {
  const ids = [...new Set(leadIds)];
  const all = await Promise.all(ids.map((leadId) => leadStore.details(context, leadId)));
  const details = all.map((one) => {
    if (one === undefined) throw notFound('Lead');
    return one;
  });
  if (details.every(({ lead }) => lead.erased_at !== undefined))
    throw conflict('person_erased', 'These leads are already erased');
  const erasure: Erasure = {
    erasure_id: context.runtime.newId(),
    purpose: 'erasure',
    lead_ids: ids,
    stage: 'erasing',
    begun_by: who,
    begun_at: context.runtime.now().toISOString(),
    fingerprints: [...new Set(details.flatMap(({ lead }) => lead.fingerprints ?? []))],
  };
  const { ok } = await context.table.transact([
    ...erasureStore.begun(erasure, await recipientsOf(context, erasure, details)),
    ...ids.map((leadId) => auditEntry(context, { who, action: 'erasure_begun', ...aboutLead(leadId) })),
  ]);
  if (!ok) throw changedMeanwhile();
  return erasure;
}

/**
 * Performs the steps of an erasure or a withdrawal that are due. Repeatable, also in parallel. @throws DomainError 409 after
 * repeated conflicts
 */
export async function continueErasure(context: ErasuresContext, erasure: Erasure): Promise<Erasure> {
  if (erasure.purpose === 'withdrawal') return continueWithdrawal(context, erasure);
  switch (erasure.stage) {
    case 'erasing':
      return erase(context, erasure);
    case 'checking':
      return check(context, erasure);
    case 'done':
      return erasure;
  }
}

async function erase(context: ErasuresContext, erasure: Erasure): Promise<Erasure> {
  // First, so that a restored table never contains them, whatever happens next.
  await context.recordErased(erasure);
  for (const leadId of erasure.lead_ids) await eraseLead(context, erasure.begun_by, leadId, 'request');
  await context.files.clear();
  return tellRecipients(context, erasure);
}

async function check(context: ErasuresContext, erasure: Erasure): Promise<Erasure> {
  const now = context.runtime.now();
  if (!isCheckDue(erasure, now)) return erasure;
  let left = 0;
  for (const leadId of erasure.lead_ids) {
    await eraseLead(context, erasure.begun_by, leadId, 'request', erasure.fingerprints);
    const traces = await tracesOf(context, leadId);
    for (const trace of traces ?? [])
      if (trace.left.length > 0) {
        left += 1;
        context.runtime.log.warn('erasure: personal data is left', { lead: leadId, kind: trace.kind });
      }
  }
  // Before the sidecar, which forgets only what the table no longer holds.
  if (left === 0) await erasureStore.fingerprintsForgotten(context, erasure);
  if (left > 0 || !(await context.forgetSidecar(erasure.lead_ids))) {
    await erasureStore.checkAgain(context, erasure, new Date(now.getTime() + RECHECK_DELAY_MS));
    return erasure;
  }
  await context.table.transact([erasureStore.moved(erasure, 'done', now, now)]);
  return { ...erasure, stage: 'done', done_at: now.toISOString() };
}

export async function continueErasures(
  context: ErasuresContext,
): Promise<{ readonly erasures: number; readonly email_count: number }> {
  const now = context.runtime.now();
  const open = await erasureStore.open(context, now, MAX_ERASURES_PER_RUN);
  for (const erasure of open)
    try {
      await continueErasure(context, erasure);
    } catch (error) {
      context.runtime.log.error('erasure failed', { erasure: erasure.erasure_id, ...errorFields(error) });
      await erasureStore.checkAgain(context, erasure, new Date(now.getTime() + RECHECK_DELAY_MS));
    }
  const due = await erasureStore.emailsDue(context, now, MAX_EMAILS_PER_RUN);
  for (const recipient of due) await requestEmail(context, recipient, now);
  return { erasures: open.length, email_count: due.length };
}

export interface ErasureInFull {
  readonly erasure: Erasure;
  readonly recipients: readonly Recipient[];
  readonly buyers: ReadonlyMap<number, Buyer>;
}

export async function erasureInFull(context: DataContext, erasureId: string): Promise<ErasureInFull> {
  const erasure = await erasureStore.get(context, erasureId);
  if (erasure === undefined) throw notFound('Erasure');
  return inFull(context, erasure);
}

async function inFull(context: DataContext, erasure: Erasure): Promise<ErasureInFull> {
  const recipients = await erasureStore.recipients(context, erasure.erasure_id);
  const buyers = await buyerStore.ofEach(context, recipients);
  return { erasure, recipients, buyers };
}

export async function listErasures(
  context: DataContext,
  options: { readonly limit: number; readonly after?: Item | undefined },
): Promise<{ readonly erasures: readonly ErasureInFull[]; readonly next: Item | undefined }> {
  const { erasures, next } = await erasureStore.list(context, options);
  return { erasures: await Promise.all(erasures.map((erasure) => inFull(context, erasure))), next };
}

export async function remindRecipient(context: ErasuresContext, id: string, buyer: number): Promise<void> {
  const recipient = await requireOpen(context, id, buyer);
  if (recipient.by_hand) throw conflict('notified_by_hand', 'This buyer has no e-mail address to write to');
  if (!(await requestEmail(context, recipient, context.runtime.now()))) throw changedMeanwhile();
}

/** Records a confirmation that came by other means than the link. @throws DomainError 404, 409 if it was confirmed already */
export async function confirmForRecipient(
  context: Context,
  who: string,
  erasureId: string,
  buyer: number,
): Promise<void> {
  await confirm(context, await requireOpen(context, erasureId, buyer), who);
}

async function requireOpen(context: DataContext, erasureId: string, buyer: number): Promise<Recipient> {
  const recipient = await erasureStore.recipient(context, erasureId, buyer);
  if (recipient === undefined) throw notFound('Erasure');
  if (recipient.confirmed_at !== undefined)
    throw conflict('already_confirmed', 'This buyer has already confirmed');
  return recipient;
}

async function confirm(context: Context, recipient: Recipient, by: string): Promise<void> {
  const [lead] = recipient.leads;
  const after = { buyer_number: recipient.buyer };
  await context.table.transact([
    erasureStore.confirmed(recipient, by, context.runtime.now()),
    ...(lead === undefined
      ? []
      : [
          auditEntry(context, {
            who: by,
            action: `${recipient.purpose}_confirmed`,
            ...aboutLead(lead.lead_id),
            after,
          }),
        ]),
  ]);
}

export async function recipientOfToken(context: Context, token: string): Promise<Recipient> {
  const recipient = await erasureStore.byToken(context, token, context.runtime.now());
  if (recipient === undefined) throw notFound('Link');
  return recipient;
}

/** Records the buyer's confirmation; repeated calls change nothing. */
export async function confirmByToken(context: Context, token: string): Promise<Recipient> {
  const recipient = await recipientOfToken(context, token);
  if (recipient.confirmed_at === undefined) await confirm(context, recipient, 'link');
  return recipientOfToken(context, token);
}
