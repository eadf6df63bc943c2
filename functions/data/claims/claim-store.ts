/** Claims with their list rows, counts and search words, which change in the same transaction as the claim. */

import { type Claim, claimSchema } from '#functions/data/claims/claim';
import {
  type BlockCounts,
  blockOf,
  claimOfRow,
  type ListedClaim,
  packRow,
  unpackRow,
} from '#functions/data/claims/claim-lists';
import {
  type Lookup,
  type Posting,
  type PrefixLookup,
  phoneLookups,
  phonePositionOf,
  postingId,
  postingsOf,
  type SearchTerms,
} from '#functions/data/claims/claim-words';
import type { DataContext } from '#functions/data/context';
import type { Person } from '#functions/data/leads/lead';
import { takeNumber } from '#functions/data/table/counter';
import { newItem, read, readMany } from '#functions/data/table/items';
import { type ClaimScope, indexed, type Key, keys } from '#functions/data/table/keys';
import {
  equations,
  type Item,
  type Table,
  type TransactionItem,
  type Update,
} from '#functions/data/table/table';
import { CLAIM_STATUSES, type ClaimRule, type ClaimStatus } from '#shared/rules/constants';
import { MAX_PHONE_DIGITS, type PhonePart } from '#shared/rules/search-text';

const CLAIMS_PER_POSTING_ITEM = 1000;
const BLOCKS_PER_COUNT_ITEM = 100;

export type NewClaim = Omit<Claim, 'claim_status' | 'processed_at' | 'admin_notes' | 'row' | 'row_edition'>;
export interface ClaimDecision {
  readonly status: Exclude<ClaimStatus, 'pending'>;
  readonly notes: string | null;
  readonly at: string;
  /** Absent if an admin decided. */
  readonly rule?: ClaimRule | undefined;
}

async function eachFound(
  { table }: DataContext,
  { tier, prefix, exact }: PrefixLookup,
  found: (claim: number, word: string) => void,
): Promise<void> {
  const items = await table.queryAll({
    partition: keys.claimWords(tier, prefix),
    sort: { prefix: exact ? keys.claimWordBlocks(prefix) : prefix },
    consistent: true,
  });
  for (const item of items) {
    const base = numberAfterLastHash(item) * CLAIMS_PER_POSTING_ITEM;
    for (const offset of members(item.claims)) found(base + Number(offset), String(item.sk));
  }
}

/** A position in a phone number is stored as one number: `claim × 16 + position`. */
async function withPhonePart(context: DataContext, phone: PhonePart): Promise<Set<number>> {
  const positions = await Promise.all(
    phoneLookups(phone).map(async (lookup) => {
      const begins = new Set<number>();
      await eachFound(context, lookup, (claim, word) => {
        const position = phonePositionOf(word) - lookup.offset;
        if (phone.atStart ? position === 0 : position >= 0) begins.add(claim * MAX_PHONE_DIGITS + position);
      });
      return begins;
    }),
  );
  return new Set(Array.from(intersection(positions), (position) => Math.floor(position / MAX_PHONE_DIGITS)));
}

async function lookUp(context: DataContext, lookup: Lookup): Promise<Set<number>> {
  if ('phone' in lookup) return withPhonePart(context, lookup.phone);
  const found = new Set<number>();
  await eachFound(context, lookup, (claim) => found.add(claim));
  return found;
}

export const nextId = ({ table }: DataContext): Promise<number> => takeNumber(table, 'claim');

export const get = (context: DataContext, claimId: number): Promise<Claim | undefined> =>
  read(context, keys.claim(claimId), claimSchema);

export const getMany = (context: DataContext, claimIds: readonly number[]): Promise<(Claim | undefined)[]> =>
  readMany(context, claimIds.map(keys.claim), claimSchema);

/** Pending claims with a default decision whose deadline (Berlin) was before `today`, earliest first. */
export async function overdue({ table }: DataContext, today: string, limit: number): Promise<Claim[]> {
  const { items } = await table.query({
    index: 'gsi1',
    partition: indexed.dueClaims(),
    // Keys of today itself are longer, and so sort after it.
    sort: { from: '0', to: today },
    limit,
  });
  return items.map((item) => claimSchema.parse(item));
}

/** At most 67 items. */
export function filed(
  input: NewClaim,
  person: Person,
): { readonly claim: Claim; readonly items: TransactionItem[] } {
  const claim: Claim = {
    ...input,
    claim_status: 'pending',
    processed_at: null,
    admin_notes: null,
    row: packRow(input, person),
    row_edition: 0,
  };
  return {
    claim,
    items: [
      newItem(keys.claim(claim.claim_id), { ...claim, ...dueEntry(claim) }),
      ...scopesOf(claim).flatMap((scope) => [
        rowChange('ADD', scope, claim, claim.claim_status),
        countChange(scope, claim, { pending: 1 }),
      ]),
      ...postingsOf(claim, person).map((posting) => postingChange('ADD', posting, claim.claim_id)),
    ],
  };
}

export function decided(
  expected: Claim,
  { status, notes, at, rule }: ClaimDecision,
): { readonly claim: Claim; readonly items: TransactionItem[] } {
  const by = rule === undefined ? {} : { rule };
  const claim: Claim = { ...expected, claim_status: status, admin_notes: notes, processed_at: at, ...by };
  return { claim, items: statusChanged(expected, claim, by) };
}

/** Reverses a decision that the product made, once. */
export function reversed(
  expected: Claim,
  { status, notes, at }: ClaimDecision,
): { readonly claim: Claim; readonly items: TransactionItem[] } {
  const claim: Claim = {
    ...expected,
    claim_status: status,
    admin_notes: notes,
    processed_at: at,
    reversed_at: at,
  };
  return { claim, items: statusChanged(expected, claim, { reversed_at: at }) };
}

/** Empty if the person was already erased. */
export function personErased(wordless: Claim, person: Person): TransactionItem[] {
  const nobody = withoutPerson(person);
  // The words were removed with the row. Deleting one from a removed item would create that item again.
  return wordless.row === packRow(wordless, nobody) ? [] : personChanged(wordless, person, nobody);
}

export const personalWords = (claim: Claim, person: Person): Key[] =>
  without(claim, person, withoutPerson(person)).map((posting) => postingKey(posting, claim.claim_id));

/** Called after that transaction. Deletes words without claims, because their keys are personal data. */
export function removeUnusedWords(
  { table }: DataContext,
  claim: Claim,
  before: Person,
  after: Person = withoutPerson(before),
): Promise<void> {
  return removeUnused(table, without(claim, before, after), claim);
}

/** Reads the whole table. */
export async function* everyWord({ table }: DataContext): AsyncGenerator<{
  readonly claims: readonly number[];
  readonly words: readonly { readonly posting: Posting; readonly claims: readonly number[] }[];
}> {
  for await (const items of table.scan())
    yield {
      claims: items.filter(({ sk }) => sk === keys.claim(0).sk).map((item) => Number(item.claim_id)),
      words: items.flatMap((item) => {
        const posting = postingOf(item);
        const base = numberAfterLastHash(item) * CLAIMS_PER_POSTING_ITEM;
        return posting === undefined
          ? []
          : [{ posting, claims: Array.from(members(item.claims), (offset) => base + Number(offset)) }];
      }),
    };
}

/** At most 99 words. @returns false if the claim's words changed since it was read; then nothing is written */
export async function correctWords(
  { table }: DataContext,
  claim: Claim,
  { missing, surplus }: { readonly missing: readonly Posting[]; readonly surplus: readonly Posting[] },
): Promise<boolean> {
  const { ok } = await table.transact([
    {
      key: keys.claim(claim.claim_id),
      update: 'SET row_edition = :expected',
      condition: 'row_edition = :expected',
      values: { ':expected': claim.row_edition },
    },
    ...missing.map((posting) => postingChange('ADD', posting, claim.claim_id)),
    ...surplus.map((posting) => postingChange('DELETE', posting, claim.claim_id)),
  ]);
  if (ok) await removeUnused(table, surplus, claim);
  return ok;
}

export async function counts({ table }: DataContext, scope: ClaimScope): Promise<BlockCounts> {
  const items = await table.queryAll({
    partition: keys.claimCounts(scope),
    consistent: true,
  });
  const counts = new Map<number, Record<ClaimStatus, number>>();
  for (const item of items) {
    const base = Number(item.sk) * BLOCKS_PER_COUNT_ITEM;
    for (const [name, value] of Object.entries(item)) {
      const [status, offset] = name.split('_');
      const known = CLAIM_STATUSES.find((candidate) => candidate === status);
      if (known === undefined || offset === undefined) continue;
      const block = counts.get(base + Number(offset)) ?? { pending: 0, approved: 0, rejected: 0 };
      block[known] = Number(value);
      counts.set(base + Number(offset), block);
    }
  }
  return counts;
}

interface Among {
  readonly blocks?: { readonly first: number; readonly last: number } | undefined;
  readonly claims?: ReadonlySet<number>;
}

/** Unordered. */
export async function rows(
  { table }: DataContext,
  scope: ClaimScope,
  statuses: readonly ClaimStatus[],
  { blocks, claims }: Among = {},
): Promise<ListedClaim[]> {
  const found: ListedClaim[] = [];
  await Promise.all(
    statuses.map(async (status) => {
      const items = await table.queryAll({
        partition: keys.claimRows(scope, status),
        ...(blocks !== undefined && {
          sort: { from: keys.claimBlock(blocks.first), to: keys.claimBlock(blocks.last) },
        }),
        consistent: true,
      });
      for (const item of items) {
        const block = Number(item.sk);
        for (const rows of [item.claims, item.claims_edited])
          for (const row of members(rows))
            if (claims === undefined || claims.has(claimOfRow(String(row), block)))
              found.push(unpackRow(String(row), block, status));
      }
    }),
  );
  return found;
}

export function rowOf(claim: Claim): ListedClaim {
  return unpackRow(claim.row, blockOf(claim.claim_id), claim.claim_status);
}

export async function search(context: DataContext, terms: SearchTerms): Promise<ReadonlySet<number>> {
  const found = await Promise.all(
    terms.map(async (alternatives) => {
      const sets = await Promise.all(
        alternatives.map(async (lookups) =>
          intersection(await Promise.all(lookups.map((lookup) => lookUp(context, lookup)))),
        ),
      );
      return union(sets);
    }),
  );
  return intersection(found);
}

function statusChanged(
  expected: Claim,
  claim: Claim,
  more: Partial<Pick<Claim, 'rule' | 'reversed_at'>>,
): TransactionItem[] {
  const { claim_status, admin_notes, processed_at } = claim;
  const { texts, names, values } = equations({ claim_status, admin_notes, processed_at, ...more });
  return [
    {
      key: keys.claim(claim.claim_id),
      update: `SET ${texts.join(', ')} REMOVE gsi1pk, gsi1sk`,
      // Otherwise a concurrent edit of the lead would leave the old row in the list.
      condition: 'claim_status = :from AND row_edition = :edition AND attribute_not_exists(reversed_at)',
      names,
      values: { ...values, ':from': expected.claim_status, ':edition': expected.row_edition },
    },
    ...scopesOf(claim).flatMap((scope) => [
      rowChange('DELETE', scope, claim, expected.claim_status),
      rowChange('ADD', scope, claim, claim.claim_status),
      countChange(scope, claim, { [expected.claim_status]: -1, [claim.claim_status]: 1 }),
    ]),
  ];
}

/** The writes that follow an edit of the claim's lead. Empty if neither row nor words change. */
export function personChanged(claim: Claim, before: Person, after: Person): TransactionItem[] {
  const row = packRow(claim, after);
  const words = [
    ...without(claim, before, after).map((posting) => postingChange('DELETE', posting, claim.claim_id)),
    ...without(claim, after, before).map((posting) => postingChange('ADD', posting, claim.claim_id)),
  ];
  if (row === claim.row && words.length === 0) return [];
  return [
    {
      key: keys.claim(claim.claim_id),
      update: 'SET #row = :row, row_edition = row_edition + :one',
      condition: 'claim_status = :status AND row_edition = :expected',
      names: { '#row': 'row' },
      values: {
        ':row': row,
        ':one': 1,
        ':status': claim.claim_status,
        ':expected': claim.row_edition,
      },
    },
    ...scopesOf(claim).map((scope) => rowReplaced(scope, claim, row)),
    ...words,
  ];
}

const withoutPerson = (person: Person): Person => ({
  ...person,
  vorname: '',
  nachname: '',
  email: '',
  telefon: '',
});

/** Sets may contain a hundred thousand numbers, so a single non-empty one is not copied. */
function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const [largest = new Set<number>(), ...others] = [...sets].sort((a, b) => b.size - a.size);
  if (others.every((set) => set.size === 0)) return largest;
  const all = new Set(largest);
  for (const set of others) for (const id of set) all.add(id);
  return all;
}

function intersection(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const [smallest = new Set<number>(), ...others] = [...sets].sort((a, b) => a.size - b.size);
  if (others.length === 0) return smallest;
  const common = new Set<number>();
  for (const id of smallest) if (others.every((set) => set.has(id))) common.add(id);
  return common;
}

/** Lists a claim with a default decision by its deadline. */
function dueEntry({ claim_id, decide_by, default_decision }: NewClaim): Record<string, string> {
  if (decide_by === undefined || default_decision === undefined || default_decision === 'none') return {};
  return { gsi1pk: indexed.dueClaims(), gsi1sk: indexed.at(decide_by, indexed.sequence(claim_id)) };
}

function scopesOf(claim: Pick<Claim, 'buyer' | 'order_id'>): ClaimScope[] {
  return [{ all: true }, { buyer: claim.buyer }, { order: claim.order_id }];
}

function rowChange(verb: 'ADD' | 'DELETE', scope: ClaimScope, claim: Claim, status: ClaimStatus): Update {
  return {
    key: keys.claimRowBlock(scope, status, blockOf(claim.claim_id)),
    update: `${verb} ${rowSet(claim.row_edition)} :row`,
    values: { ':row': new Set([claim.row]) },
  };
}

/** One update cannot both delete from a set and add to it, so a row that changes alternates between two sets. */
const rowSet = (edition: number) => (edition % 2 === 0 ? 'claims' : 'claims_edited');

function rowReplaced(scope: ClaimScope, claim: Claim, row: string): Update {
  return {
    key: keys.claimRowBlock(scope, claim.claim_status, blockOf(claim.claim_id)),
    update: `DELETE ${rowSet(claim.row_edition)} :old ADD ${rowSet(claim.row_edition + 1)} :new`,
    values: { ':old': new Set([claim.row]), ':new': new Set([row]) },
  };
}

function countChange(scope: ClaimScope, claim: Claim, changes: Partial<Record<ClaimStatus, number>>): Update {
  const block = blockOf(claim.claim_id);
  const offset = block % BLOCKS_PER_COUNT_ITEM;
  const changed = CLAIM_STATUSES.flatMap((status) => {
    const change = changes[status];
    return change === undefined ? [] : [{ status, change }];
  });
  return {
    key: keys.claimCount(scope, Math.floor(block / BLOCKS_PER_COUNT_ITEM)),
    update: `ADD ${changed.map(({ status }) => `${status}_${offset} :${status}`).join(', ')}`,
    values: Object.fromEntries(changed.map(({ status, change }) => [`:${status}`, change])),
  };
}

const postingKey = ({ tier, word }: Posting, claimId: number) =>
  keys.claimWord(tier, word, Math.floor(claimId / CLAIMS_PER_POSTING_ITEM));

function without(claim: Claim, one: Person, other: Person): Posting[] {
  const others = new Set(postingsOf(claim, other).map(postingId));
  return postingsOf(claim, one).filter((posting) => !others.has(postingId(posting)));
}

function postingOf({ pk, sk }: Item): Posting | undefined {
  const tier = /^CLAIMWORDS#(\d+)#/.exec(String(pk))?.[1];
  const word = String(sk);
  return tier === undefined ? undefined : { tier: Number(tier), word: word.slice(0, word.lastIndexOf('#')) };
}

async function removeUnused(
  table: Pick<Table, 'delete'>,
  postings: readonly Posting[],
  claim: Claim,
): Promise<void> {
  await Promise.all(
    postings.map((posting) =>
      table.delete({
        delete: postingKey(posting, claim.claim_id),
        condition: 'attribute_not_exists(claims)',
      }),
    ),
  );
}

function postingChange(verb: 'ADD' | 'DELETE', posting: Posting, claimId: number): Update {
  return {
    key: postingKey(posting, claimId),
    update: `${verb} claims :claim`,
    values: { ':claim': new Set([claimId % CLAIMS_PER_POSTING_ITEM]) },
  };
}

function members(value: unknown): Iterable<unknown> {
  return value instanceof Set ? value : [];
}

function numberAfterLastHash(item: Item): number {
  const text = String(item.sk);
  return Number(text.slice(text.lastIndexOf('#') + 1));
}
