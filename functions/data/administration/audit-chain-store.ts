/**
 * The audit chain: append-only links. A link's hash covers its header: the root of a Merkle tree over its entries, and the hashes of
 * the previous link and of one further back, so that few headers lead from a link to any older one.
 */

import * as z from 'zod/mini';
import { hashOf } from '#functions/data/administration/audit-commitments';
import type { Sealable } from '#functions/data/administration/audit-store';
import { merkleRoot } from '#functions/data/administration/merkle';
import type { DataContext } from '#functions/data/context';
import { newItem, read } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Item, Table } from '#functions/data/table/table';
import { skippedTo } from '#shared/rules/consent-proof';

/** How far a link looks back before the previous one, for entries that were written late. */
export const OVERLAP_MS = 15 * 60_000;

const leafSchema = z.tuple([z.string(), z.string(), z.string()]);
const linkSchema = z.object({
  link: z.int(),
  previous: z.string(),
  /** Hash of the link `skippedTo`. Absent, like the root, in links whose hash covers the leaves themselves. */
  skip: z.optional(z.string()),
  sealed_at: z.string(),
  /** Entries before this time are included. It never decreases along the chain. */
  up_to: z.string(),
  /** The two keys of each entry, and its leaf. */
  leaves: z.array(leafSchema),
  root: z.optional(z.string()),
  hash: z.string(),
});
export type Link = z.output<typeof linkSchema>;

export type Checkpoint = Pick<Link, 'link' | 'hash'>;

export const CHECKPOINT_DESTINATIONS = ['email', 'file'] as const;
export type CheckpointDestination = (typeof CHECKPOINT_DESTINATIONS)[number];

const instant = z.optional(z.string());
const checkpointsSchema = z.object({
  since: z.string(),
  email: instant,
  file: instant,
});
export type CheckpointsSent = z.output<typeof checkpointsSchema>;

export const headerHash = ({ link, previous, skip, sealed_at, up_to, root }: Omit<Link, 'hash' | 'leaves'>) =>
  hashOf([link, previous, skip, sealed_at, up_to, root]);

export function linkHash({ leaves, ...header }: Omit<Link, 'hash'>): string {
  const { link, previous, sealed_at, up_to, root } = header;
  return root === undefined
    ? hashOf([link, previous, sealed_at, up_to, leaves])
    : headerHash({ ...header, root: merkleRoot(leaves) });
}

/** The hash that the next link skips to. */
export async function skipAfter(context: DataContext, previous: Link | undefined): Promise<string> {
  const number = skippedTo((previous?.link ?? 0) + 1);
  if (number === 0) return '';
  return number === previous?.link ? previous.hash : ((await linkAt(context, number))?.hash ?? '');
}

export function nextLink(
  previous: Link | undefined,
  skip: string,
  sealed_at: string,
  up_to: string,
  entries: readonly Sealable[],
): Link {
  const leaves = entries.map(({ key, leaf }): z.output<typeof leafSchema> => [key.pk, key.sk, leaf]);
  const content = {
    link: (previous?.link ?? 0) + 1,
    previous: previous?.hash ?? '',
    skip,
    sealed_at,
    up_to: previous !== undefined && previous.up_to > up_to ? previous.up_to : up_to,
    leaves,
    root: merkleRoot(leaves),
  };
  return { ...content, hash: linkHash(content) };
}

const fromItem = (item: Item): Link => linkSchema.parse({ ...item, leaves: JSON.parse(String(item.leaves)) });

export interface NumberedLink {
  readonly number: number;
  readonly link: Link | undefined;
}

function readable(item: Item): Link | undefined {
  try {
    return fromItem(item);
  } catch {
    return undefined;
  }
}

/** A link never changes, so its reads need not be consistent. */
export async function linkAt({ table }: DataContext, number: number): Promise<Link | undefined> {
  const item = await table.get(keys.auditLink(number), { consistent: false });
  return item && fromItem(item);
}

/** 0 without links. */
export async function newestNumber({ table }: DataContext): Promise<number> {
  const { items } = await table.query({
    partition: keys.auditChain(),
    descending: true,
    limit: 1,
    only: ['sk'],
  });
  return Number(items[0]?.sk ?? 0);
}

const LINKS_PER_PAGE = 20;

async function* itemsOf(table: Pick<Table, 'pages'>, descending: boolean): AsyncGenerator<Item> {
  const query = { partition: keys.auditChain(), consistent: true, descending, limit: LINKS_PER_PAGE };
  for await (const page of table.pages(query)) yield* page;
}

export async function* links({ table }: DataContext): AsyncGenerator<NumberedLink> {
  for await (const item of itemsOf(table, false)) yield { number: Number(item.sk), link: readable(item) };
}

/** The newest links down to the first whose entries are all before an instant; at least one if there is any. */
export async function newest({ table }: DataContext, notBefore: (newest: Link) => string): Promise<Link[]> {
  const found: Link[] = [];
  for await (const item of itemsOf(table, true)) {
    const link = fromItem(item);
    const [newest = link] = found;
    if (found.length > 0 && link.up_to < notBefore(newest)) break;
    found.push(link);
  }
  return found;
}

/** @returns false if the number is taken */
export async function add({ table }: DataContext, link: Link): Promise<boolean> {
  const { ok } = await table.put(
    newItem(keys.auditLink(link.link), { ...link, leaves: JSON.stringify(link.leaves) }),
  );
  return ok;
}

export const checkpointsSent = (context: DataContext): Promise<CheckpointsSent | undefined> =>
  read(context, keys.auditCheckpoints(), checkpointsSchema);
export async function checkpointsBegun({ table }: DataContext, at: string): Promise<void> {
  await table.put(newItem(keys.auditCheckpoints(), { since: at }));
}
/** With the public key that signed proofs at that time. */
export async function checkpointSent(
  { table }: DataContext,
  destination: CheckpointDestination,
  { link, hash, sealed_at }: Link,
  { at, key }: { readonly at: string; readonly key: string },
): Promise<void> {
  await table.put(newItem(keys.auditCheckpoint(link), { link, hash, sealed_at, key }));
  await table.update({
    key: keys.auditCheckpoints(),
    update: 'SET #destination = :at',
    names: { '#destination': destination },
    values: { ':at': at },
  });
}

const publishedSchema = z.object({ link: z.int(), hash: z.string(), sealed_at: z.string(), key: z.string() });
export type PublishedCheckpoint = z.output<typeof publishedSchema>;

const PUBLISHED_PER_PAGE = 400;
/** After every number, and before the item that says when one was sent. */
const AFTER_NUMBERS = 'A';

const publishedFrom = (link: number, to = AFTER_NUMBERS) => ({
  partition: keys.auditCheckpoints().pk,
  sort: { from: keys.auditCheckpoint(link).sk, to },
});

/** Newest first, one page. */
export async function published(
  { table }: DataContext,
  before: number | undefined,
): Promise<PublishedCheckpoint[]> {
  const to = before === undefined ? AFTER_NUMBERS : keys.auditCheckpoint(before - 1).sk;
  const query = { ...publishedFrom(0, to), descending: true, limit: PUBLISHED_PER_PAGE };
  return (await table.query(query)).items.map((item) => publishedSchema.parse(item));
}

/** The first published one that covers a link. */
export async function checkpointFrom(
  { table }: DataContext,
  link: number,
): Promise<PublishedCheckpoint | undefined> {
  const [item] = (await table.query({ ...publishedFrom(link), limit: 1 })).items;
  return item && publishedSchema.parse(item);
}
