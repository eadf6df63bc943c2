/**
 * Redistributes a lead that its buyer's partner refused, without this buyer. One transaction releases its capacity, withdraws its
 * choice from the ledger, keeps its deliveries as history and puts it in flight for its next attempt. The stream then has it
 * distributed; if that is lost, the reconciliation resumes it. See `docs/adr/0049-refused-and-bounced-leads.md`.
 */

import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Context } from '#functions/data/context';
import { type Ledger, ledgerAfter } from '#functions/data/distribution/ledger';
import { MAX_CHANGES_PER_WRITE } from '#functions/data/distribution/ledger-writer';
import * as poolStore from '#functions/data/distribution/pool-store';
import {
  type Assignment,
  assignmentOf,
  type Decision,
  type Delivery,
  isOfAssignment,
} from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import type { Update } from '#functions/data/table/table';
import { auditEntry } from '#functions/domain/common/audit';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { recompute } from '#functions/domain/distribution/decision-check';
import type { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import type { Deficits } from '#functions/domain/distribution/share-rule';
import { leavesOrder } from '#functions/domain/orders/leaving';
import { CONFLICT } from '#functions/platform/retry';
import type { ReassignmentBlocker } from '#shared/rules/constants';

export interface ReassignContext extends Context {
  readonly ledger: Pick<LedgerBatcher, 'inTurn'>;
}

export type AfterRefusal =
  | { readonly is: 'reassigned' }
  /** A delivery by another channel is still open. Its end decides. */
  | { readonly is: 'open' }
  | { readonly is: 'blocked'; readonly why: ReassignmentBlocker };

/** Repeatable: a late or second call changes nothing. @throws DomainError 409 after repeated conflicts */
export async function reassign(context: ReassignContext, refused: Delivery): Promise<AfterRefusal> {
  return retryOnConflict(context.runtime, async () => {
    const [stored, pool] = await Promise.all([
      leadStore.details(context, refused.lead_id),
      poolStore.read(context),
    ]);
    if (stored === undefined) return { is: 'reassigned' };
    const assignment = assignmentOf(stored.lead);
    const own = stored.deliveries.filter(
      (delivery) => delivery.sequence === refused.sequence && delivery.order_id === refused.order_id,
    );
    // The assignment no longer exists, because the lead was already redistributed.
    if (own.length === 0) return { is: 'reassigned' };
    const decided = decide(stored, own);
    if (decided !== undefined || assignment === undefined)
      return decided ?? { is: 'blocked', why: 'left_order' };
    const poolEntry = pool.entries.find(({ buyer }) => buyer === assignment.buyer);
    if (poolEntry !== undefined && (await losesPaidCapacity(context, assignment, poolEntry)))
      return blocked('order_over');
    const at = context.runtime.now().toISOString();
    const leaves = [
      ...leadStore.reassigned(context, stored, assignment, at),
      ...(await leavesOrder(context, stored.lead, assignment, poolEntry, at)),
      auditEntry(context, {
        who: 'system',
        action: 'reassigned',
        entity: 'lead',
        entityId: stored.lead.lead_id,
        before: { status: 'assigned', order_id: assignment.order_id },
        after: { status: 'received' },
      }),
    ];
    const isDone = await context.ledger.inTurn(pool.ledger, async (ledger) => {
      const changes = takenBack(ledger, stored.decision);
      const { ok } = await context.table.transact([...leaves, ...ledgerChanged(ledger, changes)]);
      return { result: ok, ledger: ok && changes.size > 0 ? ledgerAfter(ledger, changes) : undefined };
    });
    if (!isDone) return CONFLICT;
    context.runtime.metrics.record('LeadsReassigned', 1, {});
    return { is: 'reassigned' };
  });
}

const blocked = (why: ReassignmentBlocker) => ({ is: 'blocked', why }) as const;

function decide(
  { lead, decision }: LeadDetails,
  own: readonly Delivery[],
): Exclude<AfterRefusal, { is: 'reassigned' }> | undefined {
  const isOver = lead.erased_at !== undefined || lead.withdrawn_at !== undefined;
  if (isOver || own.some((delivery) => !isOfAssignment(delivery, lead))) return blocked('left_order');
  if (lead.claim_id !== undefined) return blocked('claimed');
  if (decision?.mode === 'manual') return blocked('by_hand');
  // An e-mail cannot be refused: it may have been read.
  if (own.some(({ channel }) => channel === 'email')) return blocked('mail');
  if (own.some(({ status, refused }) => status === 'delivered' || (status === 'failed' && refused !== true)))
    return blocked('other_channel');
  if (own.some(mayHaveArrived)) return blocked('may_have_arrived');
  return own.some(({ status }) => status !== 'failed') ? { is: 'open' } : undefined;
}

/**
 * Whether reassigning would lose capacity that the buyer has paid for, because another order is current now. If the buyer keeps the
 * lead, it can claim it, which credits the current order. Postpaid capacity costs nothing, and a replacement returns to the balance.
 */
async function losesPaidCapacity(
  context: ReassignContext,
  { order_id, lead_type }: Assignment,
  poolEntry: PoolEntry,
): Promise<boolean> {
  if (lead_type !== 'original') return false;
  const order = await orderStore.get(context, order_id);
  if (order?.buyer_type !== 'prepay') return false;
  return poolEntry.order_id !== order_id || order.deleted_at !== null;
}

/** The log of a delivery is cut after this many attempts, so the outcome of older ones is unknown. */
const MAX_KNOWN_ATTEMPTS = 59;

/**
 * Whether the partner may have the lead from an attempt before the refusal. The refusal, its latest answer, replaces an error that
 * the partner itself answered. It does not replace an attempt without an answer.
 */
const mayHaveArrived = ({ attempts }: Delivery) =>
  attempts.length > MAX_KNOWN_ATTEMPTS ||
  attempts.some(
    ({ outcome, status_code }) =>
      outcome === 'delivered' || (outcome === 'unknown' && !isErrorOfPartner(status_code)),
  );

/** Gateways answer these when the partner did not respond in time; from 520 on they are those of CDNs. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504]);
const FIRST_CDN_STATUS = 520;

const isErrorOfPartner = (status: number | null) =>
  status !== null && status >= 400 && status < FIRST_CDN_STATUS && !GATEWAY_STATUSES.has(status);

function takenBack(ledger: Ledger, decision: Decision | undefined): Deficits {
  const recomputed = decision && recompute(decision);
  const choice = recomputed?.agrees === true ? recomputed.choice : undefined;
  if (choice === undefined || ledger.version === 0) return new Map();
  return new Map([...choice.changes].map(([buyer, shares]) => [buyer, -shares]));
}

/** Without the ledger's version where possible: the withdrawal does not depend on other choices. */
function ledgerChanged(ledger: Ledger, changes: Deficits): Update[] {
  if (changes.size === 0) return [];
  return [poolStore.ledgerChanged(ledger, changes, changes.size <= MAX_CHANGES_PER_WRITE)];
}
