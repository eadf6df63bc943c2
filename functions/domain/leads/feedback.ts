/** A buyer's feedback on a lead, given by the order's link: reached, not reached, or closed. */
import type { Context } from '#functions/data/context';
import { feedbackOf, type Lead } from '#functions/data/leads/lead';
import * as leadWrites from '#functions/data/leads/lead-writes';
import * as orderStore from '#functions/data/orders/order-store';
import { aboutLead, auditEntry } from '#functions/domain/common/audit';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { listedLead, openOrderOf } from '#functions/domain/leads/leads-view';
import type { LinkVisitor } from '#functions/domain/orders/link-access';
import type { Feedback } from '#shared/rules/constants';

/** @throws DomainError 404, 403 without the link's code or for a foreign lead, 409 if it has left the order or was erased */
export async function saveFeedback(
  context: Context,
  token: string,
  visitor: LinkVisitor,
  { leadId, feedback }: { leadId: string; feedback: Feedback | null },
): Promise<void> {
  const { order } = await openOrderOf(context, token, visitor);
  const { who } = visitor;
  return retryOnConflict(context.runtime, async () => {
    const lead = await listedLead(context, order, leadId);
    const { order_id } = lead;
    const before = feedbackOf(lead)?.said ?? null;
    if (before === feedback) return undefined;
    const at = context.runtime.now().toISOString();
    const after: Lead['feedback'] = feedback === null ? undefined : { said: feedback, at, who, order_id };
    return committed(context, undefined, [
      leadWrites.feedbackChanged(lead, after),
      ...orderStore.leadEdited(order_id),
      auditEntry(context, {
        who,
        action: 'feedback',
        ...aboutLead(leadId),
        before: { feedback: before },
        after: { feedback },
      }),
    ]);
  });
}
