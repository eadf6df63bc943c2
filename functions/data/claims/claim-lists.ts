/**
 * The lists of claims, stored as rows and counts per block of claim numbers.
 *
 * Claims are numbered in the order they are filed, so a block of consecutive numbers is also a period of time. For
 * every list that can be asked for (all claims, those of a buyer or of an order; each by status), one item contains the
 * packed rows of a block, and separate items contain the counts of all blocks. A page sorted by date reads the counts
 * and the one or two blocks that contain the page. Any other sort reads all rows of that list.
 */

import type { Claim } from '#functions/data/claims/claim';
import type { Person } from '#functions/data/leads/lead';
import { CLAIM_STATUSES, type ClaimStatus } from '#shared/rules/constants';
import { normalise } from '#shared/rules/search-text';

/** Larger blocks make fewer reads, but heavier writes. */
const CLAIMS_PER_BLOCK = 250;
/** Of the texts in a row, by which lists are sorted. */
const MAX_REASON_CHARACTERS = 20;
const MAX_NAME_CHARACTERS = 24;

/** One unpacked row: what a list is filtered and sorted by. */
export interface ListedClaim {
  readonly claim_id: number;
  readonly claim_status: ClaimStatus;
  readonly buyer: number;
  readonly order_id: number;
  /** Cents. */
  readonly anlagebetrag: number;
  /** Normalised, its first 20 characters. */
  readonly reason: string;
  /** Normalised, its first 24 characters. */
  readonly nachname: string;
}

/** The number of the block that a claim belongs to. */
export const blockOf = (claimId: number) => Math.floor(claimId / CLAIMS_PER_BLOCK);

/**
 * A claim's row: `{number within the block}|{buyer}|{order}|{cents}|{reason}|{name}`. A set of short
 * texts is read fastest.
 */
export function packRow(
  claim: Pick<Claim, 'claim_id' | 'buyer' | 'order_id' | 'claim_reason'>,
  person: Pick<Person, 'nachname' | 'anlagebetrag'>,
): string {
  return [
    claim.claim_id % CLAIMS_PER_BLOCK,
    claim.buyer,
    claim.order_id,
    person.anlagebetrag,
    sortText(claim.claim_reason, MAX_REASON_CHARACTERS),
    sortText(person.nachname, MAX_NAME_CHARACTERS),
  ].join('|');
}

/** The claim number of a packed row. */
export function claimOfRow(row: string, block: number): number {
  return block * CLAIMS_PER_BLOCK + Number(row.slice(0, row.indexOf('|')));
}

/** The reverse of `packRow`. The status is part of the item's key, not of the row. */
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

function sortText(text: string, maxCharacters: number): string {
  return normalise(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters);
}

/** How many claims of each status a block contains, by the number of the block. */
export type BlockCounts = ReadonlyMap<number, Readonly<Record<ClaimStatus, number>>>;

/** The number of claims in the list with these statuses. */
export function totalOf(counts: BlockCounts, statuses: readonly ClaimStatus[] = CLAIM_STATUSES): number {
  let total = 0;
  for (const block of counts.values()) for (const status of statuses) total += block[status];
  return total;
}

/** The blocks that contain a page of a list. */
export interface BlockRange {
  /** The lowest block number. */
  readonly first: number;
  /** The highest block number, included. */
  readonly last: number;
  /** How many claims of the list come before those of these blocks, in the list's order. */
  readonly skipped: number;
}

/**
 * Finds the blocks that contain a page of a list sorted by claim number.
 * @param offset the claims of the list before the page
 * @param limit the claims of a page
 * @returns undefined where the list ends before `offset`
 */
export function blockRangeOf(
  counts: BlockCounts,
  statuses: readonly ClaimStatus[],
  descending: boolean,
  offset: number,
  limit: number,
): BlockRange | undefined {
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
