import { type Buyer, isServed } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { ConsentItem } from '#functions/data/leads/consent';
import * as consentStore from '#functions/data/leads/consent';
import { type Assignment, assignmentOf, type Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import * as listViewStore from '#functions/data/orders/list-view-store';
import { type Order, orderStatus } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import { reservationsOf } from '#functions/data/orders/reservation-store';
import { conflict, linkMismatch, notFound, personErased } from '#functions/domain/common/errors';
import { digest, isSettled, type ListTag, tagOf } from '#functions/domain/leads/list-tag';
import { type LinkVisitor, requireOpen } from '#functions/domain/orders/link-access';
import { errorFields } from '#functions/platform/logger';
import type { OrderStatus } from '#shared/rules/constants';

export interface AssignedLead {
  readonly lead: Lead;
  readonly assignment: NonNullable<ReturnType<typeof assignmentOf>>;
}

export interface LeadsView {
  readonly order: Order;
  readonly buyer: Buyer;
  readonly status: OrderStatus;
  readonly comments: string;
  readonly leads: readonly AssignedLead[];
  readonly complete: boolean;
}

/** @throws DomainError 404 for a token that is unknown, expired or replaced, 403 if a code must be entered first */
export async function openOrderOf(
  context: Context,
  token: string,
  visitor: LinkVisitor,
): Promise<{ readonly order: Order; readonly buyer: Buyer }> {
  const order = await orderOfToken(context, token);
  const buyer = await buyerStore.get(context, order.buyer);
  return { order, buyer: await requireOpen(order, buyer, visitor, context.runtime.now()) };
}

async function orderOfToken(context: DataContext, token: string): Promise<Order> {
  const order = await orderStore.byToken(context, token);
  if (order === undefined) throw notFound('Link');
  return order;
}

type ListedLead = Lead & Pick<Assignment, 'order_id'>;

/** @throws DomainError 403 for a lead of another order, 409 if it has left the order or was erased */
export async function listedLead(
  context: DataContext,
  { order_id }: Order,
  leadId: string,
): Promise<ListedLead> {
  const lead = await leadStore.get(context, leadId);
  if (lead?.order_id !== order_id) throw linkMismatch();
  if (lead.status !== 'assigned') throw conflict('lead_not_listed', 'This lead is no longer on this list');
  if (lead.erased_at !== undefined) throw personErased();
  return { ...lead, order_id };
}

/** @throws DomainError those of `openOrderOf` and `listedLead`, 404 for a lead without consent */
export async function listedConsent(
  context: Context,
  token: string,
  visitor: LinkVisitor,
  leadId: string,
): Promise<{ readonly lead: ListedLead; readonly item: ConsentItem; readonly buyer: Buyer }> {
  const { order, buyer } = await openOrderOf(context, token, visitor);
  const lead = await listedLead(context, order, leadId);
  const item = lead.consent && (await consentStore.get(context, leadId));
  if (item === undefined) throw notFound('Consent');
  return { lead, item, buyer };
}

const MAX_RECORDING_WAIT_MS = 300;

interface Wanted {
  readonly known?: ListTag | undefined;
  readonly newest?: number | undefined;
}

/** Records leads as seen, unless an admin opens the list. @throws DomainError those of `openOrderOf` */
export async function viewLeads(
  context: Context,
  token: string,
  visitor: LinkVisitor,
  { known, newest }: Wanted = {},
) {
  const { admin } = visitor;
  const order = await orderOfToken(context, token);
  const readLeads = () =>
    Promise.all([
      newest === undefined
        ? newestFirst(leadLists.ofOrder(context, order.order_id, order.last_sequence))
        : leadLists.newestOfOrder(context, order.order_id, newest),
      admin ? undefined : tolerated(context, listViewStore.viewedUpTo(context, order.order_id)),
    ]);
  const [buyer, poolEntry, comments, early] = await Promise.all([
    buyerStore.get(context, order.buyer),
    poolStore.entry(context, order.buyer),
    orderStore.comments(context, [order.order_id]),
    known?.settled === true ? undefined : readLeads(),
  ]);
  if (buyer === undefined) throw notFound('Link');
  const now = context.runtime.now();
  await requireOpen(order, buyer, visitor, now);
  const about = {
    order,
    buyer,
    status: orderStatus(order, isServed(poolEntry, order.order_id)),
    comments: comments.get(order.order_id) ?? '',
  };
  const state = digest([order, buyer.buyer_id, buyer.last_order_id, about.status, about.comments, admin]);
  if (known !== undefined && isSettled(known, state, now))
    return { orderId: order.order_id, view: undefined, tag: known };

  const [leads, viewedUpTo] = early ?? (await readLeads());
  const assigned = leads.flatMap((lead) => {
    const assignment = assignmentOf(lead);
    return assignment === undefined ? [] : [{ lead, assignment }];
  });
  const complete = newest === undefined || leads.length < newest;
  const recorded = admin || (await recordListView(context, order.order_id, assigned, viewedUpTo));
  const view = { ...about, leads: assigned, complete };
  const orderId = order.order_id;
  if (!complete) return { orderId, view, tag: undefined };
  const isFinal = recorded && reservationsOf(order).length === 0;
  const tag = tagOf({ state, content: digest(assigned) }, known, isFinal, now);
  const isSame = known?.state === tag.state && known.content === tag.content;
  return { orderId, view: isSame ? undefined : view, tag };
}

async function newestFirst(leads: Promise<Lead[]>): Promise<readonly Lead[]> {
  return (await leads).reverse();
}

/** Neither a failure nor a slow write affects the response. @returns whether every lead is known to be recorded */
async function recordListView(
  context: Context,
  orderId: number,
  leads: readonly AssignedLead[],
  viewedUpTo: string | undefined | typeof UNKNOWN,
): Promise<boolean> {
  if (viewedUpTo === UNKNOWN) return false;
  const newest = leads.reduce(
    (latest, { assignment: { assigned_at } }) => (assigned_at > latest ? assigned_at : latest),
    '',
  );
  if (newest <= (viewedUpTo ?? '')) return true;
  const recorded = listViewStore.opened(context, orderId, newest, context.runtime.now().toISOString());
  await Promise.race([tolerated(context, recorded), context.runtime.sleep(MAX_RECORDING_WAIT_MS)]);
  return false;
}

const UNKNOWN = Symbol('could not be read');

async function tolerated<T>(context: Context, work: Promise<T>): Promise<T | typeof UNKNOWN> {
  try {
    return await work;
  } catch (error) {
    context.runtime.log.warn('list views could not be read or recorded', errorFields(error));
    return UNKNOWN;
  }
}
