/** Verifies the audit trail: the chain itself, the chain against the checkpoints kept outside, and every entry and consent against the chain. */
import {
  type Checkpoint,
  type Link,
  linkHash,
  type NumberedLink,
  OVERLAP_MS,
} from '#functions/data/administration/audit-chain-store';
import { leafOf } from '#functions/data/administration/audit-commitments';
import {
  foreignFields,
  isAuditEntry,
  isListed,
  storedEntry,
} from '#functions/data/administration/audit-store';
import { merkleRoot } from '#functions/data/administration/merkle';
import { consentItemSchema, consentLeaf, isConsent } from '#functions/data/leads/consent';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { skippedTo } from '#shared/rules/consent-proof';

/** Actions that remove values from the entries of a lead and its claim. */
const ERASING: ReadonlySet<string> = new Set(['erasure_begun', 'erased', 'discarded']);

/** @param links read before `pages` @param pages all items of the table @param checkpoints stored outside the table */
export async function verifyAudit(
  links: AsyncIterable<NumberedLink>,
  pages: AsyncIterable<readonly Item[]>,
  lists: AsyncIterable<readonly Item[]>,
  checkpoints: readonly Checkpoint[],
) {
  const chain = await readChain(links);
  const listed = await readLists(lists, chain);
  const findings = [...chain.findings];
  const agreeing = checkpoints.filter((checkpoint) => {
    const hash = chain.hashes.get(checkpoint.link);
    if (hash === undefined) findings.push(missingCheckpoint(checkpoint, chain.newest));
    else if (hash !== checkpoint.hash)
      findings.push(`link ${checkpoint.link} was written again: a checkpoint kept outside has another hash`);
    return hash === checkpoint.hash;
  });
  const trail = await readTrail(pages, chain, listed);
  findings.push(...trail.findings);
  for (const entry of chain.leaves.keys()) findings.push(`${entry}: was removed`);
  return {
    links: chain.hashes.size,
    intact: trail.intact,
    waiting: trail.waiting,
    checkpoints: agreeing.length,
    newest: chain.newest,
    findings,
  };
}

function missingCheckpoint({ link }: Checkpoint, newest: Link | undefined): string {
  return newest === undefined || link > newest.link
    ? `the chain was cut off: it ends with link ${newest?.link ?? 0}, a checkpoint kept outside is of link ${link}`
    : `link ${link} is missing, of which a checkpoint is kept outside`;
}

interface Chain {
  readonly hashes: ReadonlyMap<number, string>;
  readonly leaves: Map<string, string>;
  readonly newest: Link | undefined;
  readonly findings: readonly string[];
}

async function readChain(links: AsyncIterable<NumberedLink>): Promise<Chain> {
  const hashes = new Map<number, string>();
  const leaves = new Map<string, string>();
  const findings: string[] = [];
  let expected = 1;
  let before: Link | undefined;
  for await (const { number, link } of links) {
    for (; expected < number; expected += 1) findings.push(`link ${expected} is missing`);
    expected = number + 1;
    if (link === undefined || !isWhole(link) || link.link !== number)
      findings.push(`link ${number} was changed`);
    if (link === undefined) continue;
    const follows =
      (link.previous === (before?.hash ?? '') || (before?.link ?? 0) !== number - 1) &&
      (link.skip === undefined || link.skip === (hashes.get(skippedTo(number)) ?? link.skip));
    if (!follows) findings.push(`link ${number} does not follow from the link before it`);
    for (const [pk, sk, leaf] of link.leaves) {
      const name = nameOf(pk, sk);
      if (leaves.has(name)) findings.push(`${name}: was sealed a second time, by link ${number}`);
      else leaves.set(name, leaf);
    }
    hashes.set(number, link.hash);
    before = link;
  }
  return { hashes, leaves, newest: before, findings };
}

const isWhole = (link: Link) =>
  linkHash(link) === link.hash && (link.root === undefined || link.root === merkleRoot(link.leaves));

const nameOf = (pk: string, sk: string) => `entry ${pk} ${sk}`;

/** Every entry is in the list of all entries and in the list of its kind. */
const LISTS_OF_AN_ENTRY = 2;

async function readLists(
  lists: AsyncIterable<readonly Item[]>,
  { leaves }: Pick<Chain, 'leaves'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, number>();
  for await (const items of lists)
    for (const item of items) {
      const name = nameOf(String(item.pk), String(item.sk));
      const entry = readable(item);
      if (entry !== undefined && leafOf(entry) === leaves.get(name))
        rows.set(name, (rows.get(name) ?? 0) + 1);
    }
  return rows;
}

function readable(item: Item): ReturnType<typeof storedEntry> | undefined {
  try {
    return storedEntry(item);
  } catch {
    return undefined;
  }
}

async function readTrail(
  pages: AsyncIterable<readonly Item[]>,
  { leaves, newest }: Chain,
  listed: ReadonlyMap<string, number>,
) {
  const findings: string[] = [];
  const erasedLeads = new Set<string>();
  const leadOfClaim = new Map<string, string>();
  const erased: { name: string; entity: string; id: string; fields: readonly string[] }[] = [];
  let intact = 0;
  let waiting = 0;
  // Every entry that is older than this is in a link.
  const open = newest === undefined ? '' : minus(newest.up_to, OVERLAP_MS);
  const check = (item: Item) => {
    const name = nameOf(String(item.pk), String(item.sk));
    const leaf = leaves.get(name);
    leaves.delete(name);
    const entry = readable(item);
    if (entry === undefined) {
      findings.push(`${name}: was changed, it cannot be read`);
      return;
    }
    const what = `${name} (${entry.action} by ${entry.who})`;
    if (!isListed(item, entry)) findings.push(`${what}: was changed, the lists do not show it`);
    // A sealed entry is minutes old, so the indexes must contain it.
    else if (leaf === leafOf(entry) && (listed.get(name) ?? 0) < LISTS_OF_AN_ENTRY)
      findings.push(`${what}: was removed from a list, or changed in it`);
    const foreign = foreignFields(item);
    if (foreign.length > 0) findings.push(`${what}: was changed, ${foreign.join(', ')} was added`);
    if (entry.entity === 'lead' && ERASING.has(entry.action)) erasedLeads.add(entry.entity_id);
    const fields = entry.changes.flatMap(({ field, commitment }) => (commitment === undefined ? [] : field));
    if (fields.length > 0) erased.push({ name: what, entity: entry.entity, id: entry.entity_id, fields });
    if (leaf !== undefined) {
      if (leaf === leafOf(entry)) intact += 1;
      else findings.push(`${what}: was changed`);
    } else if (entry.at < open) findings.push(`${what}: was inserted, it is old and in no link`);
    else waiting += 1;
  };
  const checkConsent = (item: Item) => {
    const name = nameOf(String(item.pk), String(item.sk));
    const leaf = leaves.get(name);
    leaves.delete(name);
    const consent = consentItemSchema.safeParse(item);
    if (!consent.success) findings.push(`${name}: was changed, it cannot be read`);
    else if (leaf === consentLeaf(consent.data)) intact += 1;
    else if (leaf !== undefined) findings.push(`${name}: was changed`);
    else if (item.gsi1pk === indexed.consents(consent.data.lead_id)) {
      if (consent.data.recorded_at < open) findings.push(`${name}: was inserted, it is old and in no link`);
      else waiting += 1;
    }
  };
  for await (const items of pages)
    for (const item of items) {
      if (isConsent(item)) checkConsent(item);
      else if (isAuditEntry(item)) check(item);
      else if (item.sk === keys.claim(0).sk) leadOfClaim.set(String(item.claim_id), String(item.lead_id));
    }
  for (const { name, entity, id, fields } of erased) {
    const lead = entity === 'claim' ? leadOfClaim.get(id) : id;
    if (lead === undefined || !erasedLeads.has(lead))
      findings.push(`${name}: the values of ${fields.join(', ')} were removed without an erasure`);
  }
  return { intact, waiting, findings };
}

const minus = (instant: string, milliseconds: number) =>
  new Date(new Date(instant).getTime() - milliseconds).toISOString();
