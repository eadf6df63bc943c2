/** Filing and deciding claims. One transaction writes the claim, its lead, all counters and lists, and the replacement. */

import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import * as claimStore from '#functions/data/claims/claim-store';
import { evidenceKept, type FrozenEvidence } from '#functions/data/claims/evidence';
import type { Context, DataContext } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import { withCapacity } from '#functions/data/distribution/pool-store';
import { anotherOf, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import { claimQuotaOf, hasCapacity, type Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import type { TransactionItem } from '#functions/data/table/table';
import { checkWeights } from '#functions/domain/buyers/weights';
import { aboutClaim, auditEntry } from '#functions/domain/common/audit';
import {
  conflict,
  DomainError,
  invalid,
  linkMismatch,
  notFound,
  personErased,
} from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { type LinkVisitor, requireOpen } from '#functions/domain/orders/link-access';
import { creditEntry, creditTarget } from '#functions/domain/orders/replacement-ledger';
import { requireNoReservations } from '#functions/domain/orders/reservations';
import type { AutomaticDecision } from '#shared/rules/claim-evidence-rules';
import {
  type ClaimRefusal,
  checkClaim,
  decideByOf,
  type ParsedReason,
  reasonLabel,
} from '#shared/rules/claim-windows';
import type { DecidedStatus } from '#shared/rules/constants';

export type ClaimAccess =
  | { readonly token: string; readonly visitor: LinkVisitor }
  | { readonly admin: string };

/**
 * Files a claim for a delivered lead.
 * @param input.reason as in the request, see `parseClaimReason`
 * @throws DomainError 404 for an unknown or expired link (for an admin: lead); 403 without its code, or if lead, order and buyer do not
 *   belong to the link; 400 for a filing rule; 409 if the lead can no longer be claimed, or the order's quota is used up
 */
export async function fileClaim(
  context: Context,
  access: ClaimAccess,
  input: { leadId: string; orderId: number; buyerId: string; reason: string },
): Promise<Claim> {
  let claimId: number | undefined;
  return retryOnConflict(context.runtime, async () => {
    const { lead, order } = await requireOwnLead(context, access, input.leadId, input);
    if (lead.status !== 'assigned') throw notListed();
    if (lead.erased_at !== undefined) throw personErased();
    const now = context.runtime.now();
    const reason = requireClaimable(lead, order, now, input.reason);
    claimId ??= await claimStore.nextId(context);
    const { claim, items } = claimStore.filed(
      {
        claim_id: claimId,
        created_at: now.toISOString(),
        claim_reason: reason.code === 'other' ? reason.text : reasonLabel(reason.code, order.min_days_for_ne),
        claim_reason_code: reason.code,
        lead_id: lead.lead_id,
        buyer: order.buyer,
        order_id: order.order_id,
        sequence: lead.sequence ?? 0,
        ...(order.decision_days !== null && {
          decide_by: decideByOf(now, order.decision_days),
          default_decision: order.default_decision,
        }),
      },
      lead,
    );
    const { claim_status, lead_id, claim_reason } = claim;
    return committed(context, claim, [
      leadWrites.claimFiled(lead, claim),
      ...orderStore.claimFiled(order),
      buyerStore.claimFiled(order.buyer),
      ...items,
      // Starts the automatic review, even if this process dies.
      notificationStore.created({ about: 'claim_review', lead_id }, context.runtime.now()),
      auditEntry(context, {
        who: 'admin' in access ? access.admin : access.visitor.who,
        action: 'filed',
        ...aboutClaim(claimId),
        after: { claim_status, lead_id, claim_reason },
      }),
    ]);
  });
}

export interface Basis {
  readonly evidence?: FrozenEvidence | undefined;
  /** The rule of an automatic decision; undefined for an admin's. */
  readonly automatic?: AutomaticDecision | undefined;
}

/**
 * Approves or rejects a pending claim. The decision is final. An approval credits a replacement for prepaid orders.
 * @param input.who the admin, or `system`
 * @throws DomainError 404, 409 if the claim is decided already, or its evidence no longer proves it
 */
export async function decideClaim(
  context: Context,
  input: { who: string; claimId: number; status: DecidedStatus; notes: string },
  { evidence, automatic }: Basis = {},
): Promise<Claim> {
  return retryOnConflict(context.runtime, async () => {
    const expected = await claimStore.get(context, input.claimId);
    if (expected === undefined) throw notFound('Claim');
    if (expected.claim_status !== 'pending') throw alreadyDecided(expected);
    const [order, buyer] = await Promise.all([
      orderStore.get(context, expected.order_id),
      buyerStore.get(context, expected.buyer),
    ]);
    if (order === undefined || buyer === undefined) throw notFound('Order');
    const dead = automatic?.dead && { field: automatic.dead, buyer: buyer.buyer };
    if (dead && (await leadStore.get(context, expected.lead_id))?.[anotherOf(dead.field)] === dead.buyer)
      throw knownOtherwise();

    const at = context.runtime.now().toISOString();
    const notes = input.notes.trim() === '' ? null : input.notes;
    const { status } = input;
    const { claim, items } = claimStore.decided(expected, { status, notes, at, rule: automatic?.rule });
    const { lead_id } = claim;
    const credit =
      status === 'approved' && order.buyer_type === 'prepay'
        ? await creditOf(context, { claim, order, buyer, at })
        : NO_CREDIT;
    return committed(context, claim, [
      ...items,
      leadWrites.claimDecided(claim, dead),
      // Otherwise a parallel claim for the earlier lead could be approved too, and the buyer be compensated for both.
      ...(automatic?.earlierLead === undefined
        ? []
        : [leadWrites.stillPaid(automatic.earlierLead, claim.buyer, automatic.others ?? [])]),
      ...orderStore.claimDecided(order, status, credit.order),
      buyerStore.claimDecided(buyer, status, credit.buyer),
      ...credit.items,
      ...(evidence === undefined ? [] : [evidenceKept(claim.claim_id, 'decided', evidence)]),
      // The e-mail to the buyer is sent even if this process dies.
      notificationStore.created({ about: 'claim_decided', lead_id, status }, context.runtime.now()),
      auditEntry(context, {
        who: input.who,
        action: claim.claim_status,
        ...aboutClaim(claim.claim_id),
        before: { claim_status: expected.claim_status, admin_notes: null },
        after: {
          claim_status: claim.claim_status,
          admin_notes: notes,
          ...(automatic && { rule: automatic.rule, evidence: automatic.english }),
        },
      }),
    ]);
  });
}

const claimNamed = async (context: DataContext, { claim_id }: Lead) =>
  claim_id === undefined ? undefined : claimStore.get(context, claim_id);

export async function claimOfLead(context: Context, access: ClaimAccess, leadId: string): Promise<Claim> {
  const { lead } = await requireOwnLead(context, access, leadId);
  const claim = await claimNamed(context, lead);
  if (claim === undefined) throw notFound('Claim');
  return claim;
}

export async function claimChangesForLead(context: DataContext, before: Lead, after: Lead) {
  const claim = await claimNamed(context, before);
  return claim === undefined ? [] : claimStore.personChanged(claim, before, after);
}

/** Call this after the transaction, because unused words are keys that contain the former personal data. */
export async function removeUnusedClaimWords(context: DataContext, before: Lead, after: Lead): Promise<void> {
  const claim = await claimNamed(context, before);
  if (claim !== undefined) await claimStore.removeUnusedWords(context, claim, before, after);
}

/** With a link, a lead of another order and an unknown lead get the same answer. */
async function requireOwnLead(
  context: Context,
  access: ClaimAccess,
  leadId: string,
  stated?: { orderId: number; buyerId: string },
): Promise<{ lead: Lead; order: Order }> {
  if ('token' in access) {
    const [order, lead] = await Promise.all([
      orderStore.byToken(context, access.token),
      leadStore.get(context, leadId),
    ]);
    if (order === undefined) throw notFound('Token');
    const buyer = await buyerStore.get(context, order.buyer);
    await requireOpen(order, buyer, access.visitor, context.runtime.now(), 'Token');
    if (lead?.order_id !== order.order_id || !(await belongs(context, order, stated))) throw linkMismatch();
    return { lead, order };
  }
  const lead = await leadStore.get(context, leadId);
  if (lead === undefined) throw notFound('Lead');
  const order = lead.order_id === undefined ? undefined : await orderStore.get(context, lead.order_id);
  if (order === undefined) throw notListed();
  if (!(await belongs(context, order, stated)))
    throw invalid('claim_mismatch', 'Lead, order and buyer do not match');
  return { lead, order };
}

async function belongs(
  context: Context,
  order: Order,
  stated: { orderId: number; buyerId: string } | undefined,
): Promise<boolean> {
  if (stated === undefined) return true;
  if (stated.orderId !== order.order_id) return false;
  const buyer = await buyerStore.get(context, order.buyer);
  return buyer?.buyer_id === stated.buyerId;
}

function requireClaimable(lead: Lead, order: Order, now: Date, reason: string): ParsedReason {
  const checked = checkClaim(
    {
      leadType: lead.lead_type ?? 'original',
      claimStatus: lead.claim_status ?? null,
      deliveredAt: new Date(lead.assigned_at ?? Number.NaN),
    },
    {
      maxClaimDays: order.max_claim_days,
      minDaysForNe: order.min_days_for_ne,
      quota: claimQuotaOf(order),
    },
    now,
    reason,
  );
  if (!checked.ok) throw refusal(checked);
  return checked.reason;
}

function refusal({ code, message }: ClaimRefusal): DomainError {
  switch (code) {
    case 'already_claimed':
    case 'replacement_not_claimable':
    case 'claim_quota_reached':
      return conflict(code, message);
    case 'claim_window_closed':
    case 'invalid_delivery_date':
      return invalid(code, message);
    case 'reason_required':
    case 'reason_text_required':
    case 'reason_too_long':
    case 'html_not_allowed':
    case 'ne_too_early':
      return invalid(code, message, { claim_reason: message });
    default:
      return code satisfies never;
  }
}

interface Credit {
  readonly order: Order | null;
  readonly buyer: Partial<Buyer>;
  readonly items: readonly TransactionItem[];
}

const NO_CREDIT: Credit = { order: null, buyer: {}, items: [] };

export async function creditOf(
  context: Context,
  input: { claim: Claim; order: Order; buyer: Buyer; at: string },
): Promise<Credit> {
  const { claim, order, buyer, at } = input;
  const poolEntry = await poolStore.entry(context, buyer.buyer);
  const currentId = poolEntry === undefined ? buyer.last_order_id : poolEntry.order_id;
  const current = currentId === null ? undefined : await orderStore.get(context, currentId);
  const credited = creditTarget(order, current);
  // The buyer has become postpaid since, and postpaid orders deliver no replacements.
  const target = credited?.buyer_type === 'postpay' ? null : credited;
  const common = { buyer: buyer.buyer, claimId: claim.claim_id, at };
  if (target === null) {
    // An order that is opened or restored meanwhile changes the buyer, whose version is a condition of this write.
    const balance = buyer.balance_count + 1;
    return {
      order: null,
      buyer: { balance_count: balance },
      items: [creditEntry({ ...common, order: null, balanceAfter: balance })],
    };
  }
  const after = { ...target, reimbursement_pending: target.reimbursement_pending + 1 };
  const entry = creditEntry({ ...common, order: after, balanceAfter: null });
  if (poolEntry === undefined) return { order: target, buyer: {}, items: [entry] };
  if (current !== undefined && current.order_id !== target.order_id)
    if (hasCapacity(await requireNoReservations(context, current))) return creditOf(context, input);
  const weights = reactivates(poolEntry, current) ? await weightsWith(context, buyer) : undefined;
  const fields: Partial<Buyer> = weights === undefined ? {} : { active: true };
  const active = fields.active ?? poolEntry.active;
  const { order_id } = target;
  return {
    order: target,
    buyer: fields,
    items: [
      entry,
      // Built from the pool entry: the buyer may have been read before both were changed.
      poolStore.entryChanged(
        poolEntry,
        withCapacity({ ...poolEntry, active, order_id }, after, new Date(at)),
      ),
      ...(weights === undefined ? [] : [poolStore.weightsChanged(weights)]),
    ],
  };
}

/** Whether the buyer is inactive because its current order was deleted; an order that opens again activates it. */
function reactivates(poolEntry: PoolEntry, current: Order | undefined): boolean {
  return !poolEntry.active && current !== undefined && current.deleted_at !== null;
}

/** The version of the weights; undefined if the sum with the buyer's weight exceeds 100 %: then an admin must activate it. */
async function weightsWith(context: Context, buyer: Buyer): Promise<number | undefined> {
  const pool = await poolStore.readForWeights(context);
  try {
    // The weight in effect may not be written to the buyer yet.
    checkWeights(pool, pool.entries.find((entry) => entry.buyer === buyer.buyer) ?? buyer, false);
    return pool.weightsVersion;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

const knownOtherwise = () =>
  conflict('person_known_otherwise', 'A later lead of this person was compensated because of this one');
const notListed = () =>
  conflict('lead_not_claimable', 'This lead is no longer on this list, so it cannot be claimed');
const alreadyDecided = (claim: Claim) =>
  conflict('claim_already_decided', `This claim has already been ${claim.claim_status}`);
