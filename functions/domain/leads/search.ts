import { type Buyer, isServed, type ListedEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { DataContext } from '#functions/data/context';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadLists from '#functions/data/leads/lead-lists';
import * as leadStore from '#functions/data/leads/lead-store';
import * as searchIndex from '#functions/data/leads/search-index';
import { hasTerm, lookupsOf, type SearchTerm, searchTerms } from '#functions/data/leads/search-index';
import { type Order, orderStatus } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import type { OrderStatus } from '#shared/rules/constants';

export interface SearchResults {
  readonly buyers: readonly Buyer[];
  readonly orders: readonly { readonly order: Order; readonly buyer: Buyer; readonly status: OrderStatus }[];
  readonly leads: readonly { readonly lead: Lead; readonly buyer: Buyer | undefined }[];
}

const MAX_RESULTS = 8;
const MAX_CANDIDATES = 100;

/** Leads are found by ID, `order-lead` number, beginnings of names and e-mail address, and any four digits of the phone number. */
export async function search(context: DataContext, query: string): Promise<SearchResults> {
  const text = query.trim();
  const [all, entries, leads] = await Promise.all([
    buyerStore.all(context),
    poolStore.listed(context),
    leadsMatching(context, text),
  ]);
  const byInternalId = new Map(all.map((buyer) => [buyer.buyer, buyer]));
  const buyers = buyersMatching(all, text);
  const poolEntries = new Map(entries.map((poolEntry) => [poolEntry.buyer, poolEntry]));
  const orders = await ordersMatching(context, text, buyers, poolEntries);
  return {
    buyers,
    orders: orders.flatMap((order) => {
      const buyer = byInternalId.get(order.buyer);
      if (buyer === undefined) return [];
      const status = orderStatus(order, isServed(poolEntries.get(order.buyer), order.order_id));
      return [{ order, buyer, status }];
    }),
    leads: leads.map((lead) => ({
      lead,
      buyer: lead.buyer === undefined ? undefined : byInternalId.get(lead.buyer),
    })),
  };
}

function buyersMatching(all: readonly Buyer[], text: string): Buyer[] {
  const wanted = text.toLowerCase();
  const rank = ({ buyer_id, buyer_email }: Buyer) => {
    const id = buyer_id.toLowerCase();
    if (id === wanted) return 0;
    if (id.startsWith(wanted)) return 1;
    return buyer_email.toLowerCase().startsWith(wanted) ? 2 : 3;
  };
  return all
    .filter(
      ({ buyer_id, buyer_email, deleted_at }) =>
        deleted_at === null &&
        (buyer_id.toLowerCase().includes(wanted) || buyer_email.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => rank(a) - rank(b) || a.buyer_id.localeCompare(b.buyer_id))
    .slice(0, MAX_RESULTS);
}

async function ordersMatching(
  context: DataContext,
  text: string,
  buyers: readonly Buyer[],
  poolEntries: ReadonlyMap<number, ListedEntry>,
): Promise<Order[]> {
  const number = /^(?:order )?(\d{1,15})$/i.exec(text)?.[1];
  const ids = [
    ...(number === undefined ? [] : [Number(number)]),
    ...buyers.flatMap(({ buyer }) => poolEntries.get(buyer)?.order_id ?? []),
  ];
  const found = await orderStore.getMany(context, [...new Set(ids)]);
  return found.filter((order) => order !== undefined).slice(0, MAX_RESULTS);
}

function isShown(lead: Lead | undefined): lead is Lead {
  return lead?.status === 'assigned' || lead?.status === 'pending' || lead?.status === 'received';
}

/** @returns undefined for a text that is neither a system ID nor an `order-lead` number */
export async function leadsByReference(
  context: DataContext,
  text: string,
): Promise<(Lead | undefined)[] | undefined> {
  const id = text.toUpperCase();
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) return [await leadStore.get(context, id)];
  // Order numbers do not begin with a zero; phone numbers do.
  const assignment = /^#?([1-9]\d{0,14})-(\d{1,12})$/.exec(text);
  if (assignment === null) return undefined;
  return [await leadLists.ofOrderBySequence(context, Number(assignment[1]), Number(assignment[2]))];
}

async function leadsMatching(context: DataContext, text: string): Promise<Lead[]> {
  const referenced = await leadsByReference(context, text);
  if (referenced !== undefined) return referenced.filter(isShown);
  const terms = searchTerms(text);
  const first = longestOf(terms);
  if (first === undefined) return [];
  const candidates = await leadStore.getMany(
    context,
    await candidatesOf(context, first, terms.length === 1 ? MAX_RESULTS : MAX_CANDIDATES),
  );
  // The index follows the leads with a delay, so the leads themselves are checked.
  return candidates
    .filter(isShown)
    .filter((lead) => terms.every((term) => hasTerm(lead, term)))
    .sort((a, b) => b.received_at.localeCompare(a.received_at))
    .slice(0, MAX_RESULTS);
}

/** The longest word finds the fewest leads. */
export const longestOf = (terms: readonly SearchTerm[]): SearchTerm | undefined =>
  terms.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];

const lengthOf = ({ words: [word = ''] }: SearchTerm) => word.length;

async function candidatesOf(context: DataContext, term: SearchTerm, limit: number): Promise<string[]> {
  const found = await Promise.all(
    lookupsOf(term).map((prefix) => searchIndex.leadsWith(context, prefix, limit)),
  );
  return [...new Set(found.flat())].slice(0, MAX_CANDIDATES);
}
