/** What a buyer says of a lead of its order, by the order's link: reached, not reached, or closed. */
import type { BuyerStore } from '#functions/data/buyers/buyer-store';
import { feedbackOf, type Lead } from '#functions/data/leads/lead';
import type { LeadStore } from '#functions/data/leads/lead-store';
import type { OrderStore } from '#functions/data/orders/order-store';
import type { Table } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { conflict, forbidden, personErased } from '#functions/domain/common/errors';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { openOrderOf } from '#functions/domain/leads/leads-view';
import type { LinkVisitor } from '#functions/domain/orders/link-access';
import { CONFLICT } from '#functions/retry';
import type { Runtime } from '#functions/runtime';
import type { Feedback } from '#shared/rules/constants';

export interface FeedbackDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly leads: Pick<LeadStore, 'get' | 'feedbackChanged'>;
  readonly orders: Pick<OrderStore, 'byToken' | 'leadEdited'>;
  readonly buyers: Pick<BuyerStore, 'get'>;
  readonly runtime: Runtime;
}

/**
 * Notes it on the lead, in place of what was said before. Nothing happens where it says the same. The order's count of edits is
 * raised with it, so that its list changes for everybody who has it open.
 * @param input.feedback null to take it back @param input.who `link`, or the name of an admin
 * @throws DomainError 404 for an unknown or expired link, 403 without its code or for a lead of another order, 409 for a lead
 *   that left the order or whose person was erased
 */
export async function saveFeedback(
  deps: FeedbackDeps,
  token: string,
  visitor: LinkVisitor,
  { leadId, feedback, who }: { leadId: string; feedback: Feedback | null; who: string },
): Promise<void> {
  const { order } = await openOrderOf(deps, token, visitor);
  const { order_id } = order;
  return retryOnConflict(deps.runtime, async () => {
    const lead = await deps.leads.get(leadId);
    if (lead?.order_id !== order_id)
      throw forbidden('token_mismatch', 'Lead, order and buyer are not those of this link');
    if (lead.status !== 'assigned') throw conflict('lead_not_listed', 'This lead is no longer in this list');
    if (lead.erased_at !== undefined) throw personErased();
    const before = feedbackOf(lead)?.said ?? null;
    if (before === feedback) return undefined;
    const at = deps.runtime.now().toISOString();
    const after: Lead['feedback'] = feedback === null ? undefined : { said: feedback, at, who, order_id };
    const result = await deps.table.transact([
      deps.leads.feedbackChanged({ ...lead, order_id }, after),
      ...deps.orders.leadEdited(order_id),
      auditEntry(deps, {
        who,
        action: 'feedback',
        entity: 'lead',
        entityId: leadId,
        before: { feedback: before },
        after: { feedback },
      }),
    ]);
    return result.ok ? undefined : CONFLICT;
  });
}
