/**
 * The lists of claims, stored as rows and counts per block of claim numbers. Claims are numbered in the order of
 * filing, so a page by date reads the counts and the one or two blocks that contain it. Any other sort reads all rows
 * of the list.
 */

import type { Claim } from '#functions/data/claims/claim';
import type { Person } from '#functions/data/leads/lead';
import { CLAIM_STATUSES, type ClaimStatus } from '#shared/rules/constants';
import { normalise } from '#shared/rules/search-text';

/** Larger blocks need fewer reads but heavier writes. */
const CLAIMS_PER_BLOCK = 250;
const MAX_REASON_CHARACTERS = 20;
const MAX_NAME_CHARACTERS = 24;

export interface ListedClaim {
  readonly claim_id: number;
  readonly claim_status: ClaimStatus;
  readonly buyer: number;
  readonly order_id: number;
  readonly anlagebetrag: number;
  /** Normalised and truncated, like `name`. */
  readonly reason: string;
  readonly nachname: string;
}

export const blockOf = (claimId: number) => Math.floor(claimId / CLAIMS_PER_BLOCK);

/** `{number within the block}|{buyer}|{order}|{cents}|{reason}|{name}` */
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

export function claimOfRow(row: string, block: number): number {
  return block * CLAIMS_PER_BLOCK + Number(row.slice(0, row.indexOf('|')));
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

function sortText(text: string, maxCharacters: number): string {
  return normalise(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters);
}

export type BlockCounts = ReadonlyMap<number, Readonly<Record<ClaimStatus, number>>>;

export function totalOf(counts: BlockCounts, statuses: readonly ClaimStatus[] = CLAIM_STATUSES): number {
  let total = 0;
  for (const block of counts.values()) for (const status of statuses) total += block[status];
  return total;
}

export interface BlockRange {
  readonly first: number;
  readonly last: number;
  /** Claims of the list before these blocks. */
  readonly skipped: number;
}

/** Finds the blocks of a page of a list sorted by claim number. @returns undefined if the list ends before `offset` */
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
