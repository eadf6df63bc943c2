import type { Buyer } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Claim } from '#functions/data/claims/claim';
import { blockRangeOf, type ListedClaim, totalOf } from '#functions/data/claims/claim-lists';
import * as claimStore from '#functions/data/claims/claim-store';
import { type SearchTerms, termsOf } from '#functions/data/claims/claim-words';
import type { DataContext } from '#functions/data/context';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import type { Order } from '#functions/data/orders/order';
import * as orderStore from '#functions/data/orders/order-store';
import type { ClaimScope } from '#functions/data/table/keys';
import { CLAIM_STATUSES, type ClaimSort, type ClaimStatus } from '#shared/rules/constants';

export interface ClaimQuery {
  readonly page: number;
  readonly limit: number;
  readonly buyerId?: string | undefined;
  readonly orderId?: number | undefined;
  readonly statuses?: readonly ClaimStatus[] | undefined;
  readonly search?: string | undefined;
  readonly sortBy: ClaimSort;
  readonly descending: boolean;
}

export interface ClaimInContext {
  readonly claim: Claim;
  readonly lead: Lead | undefined;
  readonly order: Order;
  readonly buyer: Buyer;
}

export interface ClaimPage {
  readonly claims: readonly ClaimInContext[];
  readonly total: number;
  readonly sortedByDateInstead: boolean;
}

/** Longer lists are always sorted by date. */
export const MAX_SORTED_CLAIMS = 10_000;
/** Reading a claim costs as much as reading so many rows of a list. */
const ROWS_PER_CLAIM = 40;
export const MAX_PENDING_CLAIMS = 5000;

const EMPTY: ClaimPage = { claims: [], total: 0, sortedByDateInstead: false };

export async function listClaims(deps: DataContext, query: ClaimQuery): Promise<ClaimPage> {
  const scope = await scopeOf(deps, query);
  if (scope === undefined) return EMPTY;
  const statuses =
    query.statuses === undefined || query.statuses.length === 0
      ? CLAIM_STATUSES
      : CLAIM_STATUSES.filter((status) => query.statuses?.includes(status));
  if (query.search !== undefined && query.search.trim() !== '') {
    const terms = termsOf(query.search);
    return terms.length === 0 ? EMPTY : searched(deps, query, scope, statuses, terms);
  }
  const counts = await claimStore.counts(deps, scope);
  const total = totalOf(counts, statuses);
  if (!byDate(query.sortBy) && total <= MAX_SORTED_CLAIMS)
    return sorted(deps, query, await claimStore.rows(deps, scope, statuses));

  const offset = (query.page - 1) * query.limit;
  const range = blockRangeOf(counts, statuses, query.descending, offset, query.limit);
  const rows = range === undefined ? [] : await claimStore.rows(deps, scope, statuses, { blocks: range });
  const start = offset - (range?.skipped ?? 0);
  const ids = byNumber(rows, query.descending).slice(start, start + query.limit);
  return { claims: await inContext(deps, ids), total, sortedByDateInstead: !byDate(query.sortBy) };
}

export async function pendingClaims(deps: DataContext): Promise<readonly ClaimInContext[]> {
  const rows = await claimStore.rows(deps, { all: true }, ['pending']);
  return inContext(deps, byNumber(rows, true).slice(0, MAX_PENDING_CLAIMS));
}

/** @throws Error if the claim's order or buyer is missing, which the product never causes */
export async function claimInContext(deps: DataContext, claim: Claim): Promise<ClaimInContext> {
  const [context] = await withContext(deps, [claim]);
  if (context === undefined) throw new Error('The claim has no order or buyer');
  return context;
}

type ByDate = 'created_at' | 'claim_id';
const byDate = (sort: ClaimSort): sort is ByDate => sort === 'created_at' || sort === 'claim_id';

/** @returns undefined if no claim can match: an unknown buyer, or an order of another buyer */
async function scopeOf(deps: DataContext, query: ClaimQuery): Promise<ClaimScope | undefined> {
  const buyer = query.buyerId === undefined ? undefined : await buyerStore.byId(deps, query.buyerId);
  if (query.buyerId !== undefined && buyer === undefined) return undefined;
  if (query.orderId === undefined) return buyer === undefined ? { all: true } : { buyer: buyer.buyer };
  if (buyer !== undefined && (await orderStore.get(deps, query.orderId))?.buyer !== buyer.buyer)
    return undefined;
  return { order: query.orderId };
}

async function searched(
  deps: DataContext,
  query: ClaimQuery,
  scope: ClaimScope,
  statuses: readonly ClaimStatus[],
  terms: SearchTerms,
): Promise<ClaimPage> {
  const matches = await claimStore.search(deps, terms);
  if ('all' in scope && statuses.length === CLAIM_STATUSES.length && byDate(query.sortBy))
    return paged(deps, query, sortNumbers([...matches], query.descending));
  const total = totalOf(await claimStore.counts(deps, scope), statuses);
  if (matches.size * ROWS_PER_CLAIM <= total) {
    const claims = await claimStore.getMany(deps, [...matches]);
    const rows = claims.flatMap((claim) => (claim === undefined ? [] : [claimStore.rowOf(claim)]));
    const within = rows.filter((row) => isIn(row, scope) && statuses.includes(row.claim_status));
    return sorted(deps, query, within);
  }
  return sorted(deps, query, await claimStore.rows(deps, scope, statuses, { claims: matches }));
}

function isIn(row: ListedClaim, scope: ClaimScope): boolean {
  if ('all' in scope) return true;
  return 'buyer' in scope ? row.buyer === scope.buyer : row.order_id === scope.order;
}

async function sorted(deps: DataContext, query: ClaimQuery, rows: readonly ListedClaim[]) {
  if (byDate(query.sortBy) || rows.length > MAX_SORTED_CLAIMS) {
    const page = await paged(deps, query, byNumber(rows, query.descending));
    return { ...page, sortedByDateInstead: !byDate(query.sortBy) };
  }
  const keyOf = await sortKey(deps, query.sortBy, rows);
  const direction = query.descending ? -1 : 1;
  const keyed = rows.map((row) => ({ id: row.claim_id, key: keyOf(row) }));
  // Equal keys are sorted by claim number, newest first, so that pages never overlap.
  keyed.sort((a, b) => direction * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || b.id - a.id);
  const ids = keyed.map(({ id }) => id);
  return paged(deps, query, ids);
}

async function sortKey(
  deps: DataContext,
  sort: Exclude<ClaimSort, ByDate>,
  rows: readonly ListedClaim[],
): Promise<(row: ListedClaim) => string | number> {
  switch (sort) {
    case 'claim_status':
      return (row) => row.claim_status;
    case 'order_id':
      return (row) => row.order_id;
    case 'nachname':
      return (row) => row.nachname;
    case 'anlagebetrag':
      return (row) => row.anlagebetrag;
    case 'claim_reason':
      return (row) => row.reason;
    case 'buyer_email': {
      const buyers = await buyerStore.ofEach(deps, rows);
      return (row) => buyers.get(row.buyer)?.buyer_email.toLowerCase() ?? '';
    }
    default:
      return sort satisfies never;
  }
}

function byNumber(rows: readonly ListedClaim[], descending: boolean): number[] {
  const ids = rows.map(({ claim_id }) => claim_id);
  return sortNumbers(ids, descending);
}

function sortNumbers(claimIds: number[], descending: boolean): number[] {
  return claimIds.sort((a, b) => (descending ? b - a : a - b));
}

async function paged(deps: DataContext, query: ClaimQuery, ids: readonly number[]): Promise<ClaimPage> {
  const start = (query.page - 1) * query.limit;
  return {
    claims: await inContext(deps, ids.slice(start, start + query.limit)),
    total: ids.length,
    sortedByDateInstead: false,
  };
}

async function inContext(deps: DataContext, ids: readonly number[]): Promise<ClaimInContext[]> {
  const claims = await claimStore.getMany(deps, ids);
  const known = claims.flatMap((claim) => claim ?? []);
  return withContext(deps, known);
}

async function withContext(deps: DataContext, claims: readonly Claim[]): Promise<ClaimInContext[]> {
  const orderIds = [...new Set(claims.map(({ order_id }) => order_id))];
  const [leads, orders, buyers] = await Promise.all([
    leadStore.ofEach(deps, claims),
    orderStore.getMany(deps, orderIds),
    buyerStore.ofEach(deps, claims),
  ]);
  const orderOf = new Map(orderIds.map((id, at) => [id, orders[at]]));
  return claims.flatMap((claim, at) => {
    const order = orderOf.get(claim.order_id);
    const buyer = buyers.get(claim.buyer);
    return order === undefined || buyer === undefined ? [] : [{ claim, lead: leads[at], order, buyer }];
  });
}
