/**
 * How claims are listed: blocks of numbers, each with its rows and its counts.
 *
 * Claims are numbered in the order they are filed, so a block of numbers is a stretch of time. For everything that can
 * be filtered by (all claims, a buyer's, an order's; each by status) a block is one item holding a packed row per
 * claim, and beside it stand the counts of all blocks. A page by date reads the counts and the one or two blocks it
 * lies in; any other order reads the rows of what was filtered, and nothing else.
 */

import type { Claim } from '#functions/data/claims/claim';
import type { Person } from '#functions/data/leads/lead';
import { normalise } from '#functions/data/leads/search-text';
import { CLAIM_STATUSES, type ClaimStatus } from '#shared/contract/constants';

/** Claims of one block. Larger blocks make fewer, but heavier writes. */
export const BLOCK = 250;

/** One claim as lists know it: enough to filter and to sort by every column. */
export interface ListedClaim {
  readonly claim_id: number;
  readonly claim_status: ClaimStatus;
  readonly buyer: number;
  readonly order_id: number;
  /** Cents. */
  readonly anlagebetrag: number;
  /** Normalised and cut. */
  readonly reason: string;
  /** Normalised and cut. */
  readonly nachname: string;
}

const REASON_LENGTH = 20;
const NAME_LENGTH = 24;

export const blockOf = (claimId: number) => Math.floor(claimId / BLOCK);

/** `{place in block}|{buyer}|{order}|{cents}|{reason}|{name}`: a set of short texts is what reads fastest. */
export function packRow(
  claim: Pick<Claim, 'claim_id' | 'buyer' | 'order_id' | 'claim_reason'>,
  person: Pick<Person, 'nachname' | 'anlagebetrag'>,
): string {
  return [
    claim.claim_id % BLOCK,
    claim.buyer,
    claim.order_id,
    person.anlagebetrag,
    sortText(claim.claim_reason, REASON_LENGTH),
    sortText(person.nachname, NAME_LENGTH),
  ].join('|');
}

/** The number of the claim that a packed row is of. */
export function claimOfRow(row: string, block: number): number {
  return block * BLOCK + Number(row.slice(0, row.indexOf('|')));
}

export function unpackRow(row: string, block: number, status: ClaimStatus): ListedClaim {
  const [, buyer, order, cents, reason = '', nachname = ''] = row.split('|');
  return {
    claim_id: claimOfRow(row, block),
    claim_status: status,
    buyer: Number(buyer),
    order_id: Number(order),
    anlagebetrag: Number(cents),
    reason,
    nachname,
  };
}

function sortText(text: string, length: number): string {
  return normalise(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, length);
}

/** How many claims of each status lie in each block. */
export type BlockCounts = ReadonlyMap<number, Readonly<Record<ClaimStatus, number>>>;

export function totalOf(counts: BlockCounts, statuses: readonly ClaimStatus[] = CLAIM_STATUSES): number {
  let total = 0;
  for (const block of counts.values()) for (const status of statuses) total += block[status];
  return total;
}

/** The blocks in which a stretch of a list lies, and how many claims of the list come before the first of them. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly skipped: number;
}

/** @returns undefined where the list ends before `offset` */
export function stretchOf(
  counts: BlockCounts,
  statuses: readonly ClaimStatus[],
  descending: boolean,
  offset: number,
  limit: number,
): Stretch | undefined {
  const blocks = [...counts.keys()].sort((a, b) => (descending ? b - a : a - b));
  let before = 0;
  let start: { block: number; skipped: number } | undefined;
  let end: number | undefined;
  for (const block of blocks) {
    const here = statuses.reduce((sum, status) => sum + (counts.get(block)?.[status] ?? 0), 0);
    if (here === 0) continue;
    if (start === undefined && before + here > offset) start = { block, skipped: before };
    if (start !== undefined) end = block;
    before += here;
    if (before >= offset + limit) break;
  }
  if (start === undefined || end === undefined) return undefined;
  return {
    first: Math.min(start.block, end),
    last: Math.max(start.block, end),
    skipped: start.skipped,
  };
}
