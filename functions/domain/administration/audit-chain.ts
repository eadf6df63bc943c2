/**
 * Seals the audit trail and the consents of leads: the reconciliation adds entries of a certain age to the next link of a hash chain, so adding an entry takes one
 * write and does not wait for the chain. One conditional write takes the number of a link, so parallel sealers cannot fork the chain.
 */

import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import { type Link, nextLink, OVERLAP_MS } from '#functions/data/administration/audit-chain-store';
import { seedFrom } from '#functions/data/administration/audit-commitments';
import type { EntryPlace } from '#functions/data/administration/audit-store';
import * as auditStore from '#functions/data/administration/audit-store';
import type { Context } from '#functions/data/context';
import type { Key } from '#functions/data/table/keys';

/** After this time the transaction of an entry has ended and the index contains the entry. */
const SEAL_AFTER_MS = 2 * 60_000;
const LINK_EVERY_MS = 24 * 3_600_000;
const LIMITS = { entriesPerLink: 500, linksPerRun: 10 };

/** Repeatable, also in parallel. @param limits passed only by tests @returns how many entries it sealed */
export async function sealAudit(context: Context, limits = LIMITS): Promise<number> {
  const now = context.runtime.now().toISOString();
  const until = earlier(now, SEAL_AFTER_MS);
  // After a clock was set back, new entries have times in a period that is already sealed.
  const since = ({ up_to }: Link) => earlier(up_to < until ? up_to : until, OVERLAP_MS);
  const recent = await auditChainStore.newest(context, since);
  const taken = new Set(recent.flatMap(({ leaves }) => leaves.map(([pk, sk]) => identity({ pk, sk }))));
  let [newest] = recent;
  let waiting = await auditStore.between(
    context,
    newest === undefined ? '0' : since(newest),
    until,
    (key) => !taken.has(identity(key)),
    limits.entriesPerLink * limits.linksPerRun + 1,
  );
  let sealed = 0;
  for (let links = 0; links < limits.linksPerRun; links += 1) {
    const link = await linkDue(context, newest, waiting, { now, until, most: limits.entriesPerLink });
    if (link === undefined || !(await auditChainStore.add(context, link))) break;
    // The log is outside the table, so an attacker would have to rewrite it as well.
    const { hash, leaves } = link;
    context.runtime.log.info('audit sealed', { link: link.link, hash, entries: leaves.length });
    sealed += leaves.length;
    newest = link;
    waiting = waiting.slice(limits.entriesPerLink);
  }
  return sealed;
}

const identity = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);
const earlier = (instant: string, milliseconds: number) =>
  new Date(new Date(instant).getTime() - milliseconds).toISOString();

async function linkDue(
  context: Context,
  newest: Link | undefined,
  waiting: readonly EntryPlace[],
  { now, until, most }: { readonly now: string; readonly until: string; readonly most: number },
): Promise<Link | undefined> {
  const due = waiting.slice(0, most);
  const isDue = newest !== undefined && newest.sealed_at <= earlier(now, LINK_EVERY_MS);
  if (due.length === 0 && !isDue) return undefined;
  const keys = due.map(({ key }) => key);
  const entries = await auditStore.sealable(context, keys, () => seedFrom(context.runtime.newToken()));
  const last = due.at(-1);
  const upTo = waiting.length > due.length && last !== undefined ? last.at : until;
  return nextLink(newest, await auditChainStore.skipAfter(context, newest), now, upTo, entries);
}
