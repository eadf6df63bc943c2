/**
 * Leads of the same person. Keyed hashes ("fingerprints") of phone number (E.164) and e-mail address (case folded) identify
 * a person. Conditional writes of these fingerprints decide which lead came first.
 *
 * A lead lists the earlier ones (`earlier_leads`) and, while it may still be distributed, the later ones (`later_leads`). No
 * buyer gets two leads of a person: a later lead waits while an earlier one is in flight, and its assignment requires that
 * an earlier lead that was pending is unchanged. After a refusal, the lead waits for the later ones in the same way.
 */
import type { Context, DataContext } from '#functions/data/context';
import * as consentStore from '#functions/data/leads/consent';
import * as doNotContactStore from '#functions/data/leads/do-not-contact-store';
import { hasConsent, heldFor, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import * as personFingerprintStore from '#functions/data/leads/person-fingerprint-store';
import {
  type FingerprintEntry,
  type FingerprintedLead,
  type PersonFingerprint,
  windowStart,
} from '#functions/data/leads/person-fingerprint-store';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import type { TransactionItem } from '#functions/data/table/table';
import {
  isWithdrawn,
  type MarksContext,
  marksOfOne,
  refuseWithdrawn,
  withKnown,
} from '#functions/domain/distribution/do-not-contact';

export interface Wanted {
  readonly entries: readonly FingerprintEntry[];
  readonly found: PersonFingerprint | undefined;
}

type Verdict =
  | { readonly is: 'first' }
  | { readonly is: 'again'; readonly earlier: string }
  /** Other sources sent the person before, or a concurrent process may conclude that they did. */
  | { readonly is: 'later'; readonly earlier: readonly string[] };

/** After this time, the process that took a fingerprint has stored its lead or died. */
const STORED_AFTER_MS = 60_000;
/** After this time a process takes its fingerprint again, because another process with a faster clock may have skipped the lead. */
const STORED_LATE_MS = STORED_AFTER_MS / 2;

function entriesOf(
  { fingerprints = [], source, lead_id, received_at }: Lead,
  days: number,
): FingerprintEntry[] {
  if (days === 0 || source === undefined) return [];
  const lead = { lead_id, source, received_at };
  return fingerprints.toSorted((one, other) => (one < other ? -1 : 1)).map((hash) => ({ hash, lead, days }));
}

/** Takes the first fingerprint of a lead, in parallel with the write of the lead itself. */
export async function takeFingerprints(context: Context, lead: Lead, days: number): Promise<Wanted> {
  const entries = entriesOf(lead, days);
  const [first] = entries;
  return { entries, found: first && (await personFingerprintStore.take(context, first)) };
}

export async function releaseFingerprints(context: Context, { entries, found }: Wanted): Promise<void> {
  const [first] = entries;
  if (first !== undefined && found === undefined) await personFingerprintStore.release(context, first);
}

/**
 * Determines whether the person of a lead came before. Repeatable: stored leads never change their order in a fingerprint.
 *
 * All leads take their fingerprints in the same order, and a rejected lead takes no further ones. So at least one lead of
 * several from one source is accepted, and two leads with the same fingerprints agree that the lower fingerprint decides.
 *
 * A process may die after it took a fingerprint and before it stored the lead. After a minute the person's next leads skip
 * that lead. If its source repeats the call before that, the lead keeps its position.
 *
 * @param isOwn whether the caller distributes the lead: then the leads behind it are noted on it, and the fingerprint is updated
 */
async function classifyDuplicate(
  context: Context,
  lead: Lead,
  { entries, found: first }: Wanted,
  isOwn: boolean,
): Promise<Verdict> {
  const earlier = new Set<string>();
  let isUnsure = (lead.later_leads?.size ?? 0) > 0;
  const lower: Lower[] = [];
  for (const [at, entry] of entries.entries()) {
    const found = at === 0 ? first : await personFingerprintStore.take(context, entry);
    const position = await positionIn(context, lead, { entry, found }, lower, isOwn);
    const same = position.before.find(({ source }) => source === lead.source);
    if (same !== undefined) return { is: 'again', earlier: same.lead_id };
    for (const one of position.before) earlier.add(one.lead_id);
    isUnsure ||= position.isUnsure;
    lower.push({ hash: entry.hash, ahead: new Set(position.ahead.map(({ lead_id }) => lead_id)) });
  }
  return earlier.size === 0 && !isUnsure ? { is: 'first' } : { is: 'later', earlier: [...earlier] };
}

/** Takes the lead over. @returns undefined if another distribution attempt has taken it over */
async function noted(context: Context, lead: Lead, earlier: readonly string[]) {
  const [taken] = await Promise.all([
    leadStore.noteEarlier(context, lead, earlier, context.runtime.now().toISOString()),
    ...earlier.map((id) => leadStore.noteLater(context, id, lead.lead_id)),
  ]);
  return taken;
}

interface PositionFound {
  readonly before: readonly FingerprintedLead[];
  readonly ahead: readonly FingerprintedLead[];
  /** Another process may see a different order: leads joined before this one was stored, or one was skipped. Starts a new attempt. */
  readonly isUnsure: boolean;
}

/**
 * Gives a lead its position in a fingerprint, unless its source sent the person before. @param found undefined if it took the
 * fingerprint
 */
async function positionIn(
  context: Context,
  lead: Lead,
  { entry, found }: { entry: FingerprintEntry; found: PersonFingerprint | undefined },
  lower: readonly Lower[],
  isOwn: boolean,
): Promise<PositionFound> {
  for (
    let fingerprint = found;
    fingerprint !== undefined;
    fingerprint = await personFingerprintStore.take(context, entry)
  ) {
    const { ahead, behind, earlierCall } = around(entry, fingerprint);
    const { before, passed } = await earlierIn(context, entry, ahead, lower);
    const isAgain = before.some(({ source }) => source === lead.source);
    // Must precede `join`, which removes the failed earlier call and with it the evidence that these leads are behind.
    if (isOwn && !isAgain)
      await Promise.all(behind.map((one) => leadStore.noteLater(context, lead.lead_id, one.lead_id)));
    const joining = isOwn ? entry : { ...entry, lead: earlierCall ?? entry.lead };
    if (isAgain || (await personFingerprintStore.join(context, fingerprint, joining, passed)))
      return { before, ahead, isUnsure: behind.length > 0 || passed.length > 0 };
  }
  return { before: [], ahead: [], isUnsure: false };
}

interface Lower {
  readonly hash: string;
  readonly ahead: ReadonlySet<string>;
}

/** The leads ahead in a fingerprint. Those behind only matter if an earlier call took it and did not store the lead. */
function around({ lead }: FingerprintEntry, { leads }: PersonFingerprint) {
  const position = leads.findIndex(({ lead_id }) => lead_id === lead.lead_id);
  const found = leads[position];
  if (found === undefined) return { ahead: leads, behind: [] };
  const ahead = leads.slice(0, position);
  if (found.received_at === lead.received_at) return { ahead, behind: [] };
  const behind = leads.slice(position + 1).filter(({ source }) => source !== lead.source);
  return { ahead, behind, earlierCall: found };
}

/** The leads within the window that came before this one, and those that were never stored. */
async function earlierIn(
  context: Context,
  { hash, lead, days }: FingerprintEntry,
  ahead: readonly FingerprintedLead[],
  lower: readonly Lower[],
) {
  const start = windowStart(lead, days);
  const within = ahead.filter(({ received_at }) => received_at > start);
  const stored = await leadStore.ofEach(context, within);
  const known = within.map((one, at) => knownAs(context, hash, one.received_at, stored[at]));
  const same = within.filter((_, at) => known[at] === 'same');
  const came = await Promise.all(same.map((one) => cameLater(context, one, lower)));
  return {
    before: same.filter((_, at) => came[at] === false),
    passed: within.filter((_, at) => known[at] === 'never stored'),
  };
}

/** Whether a lead that is ahead in this fingerprint is behind in a lower one. */
async function cameLater(context: Context, one: FingerprintedLead, lower: readonly Lower[]) {
  for (const { hash, ahead } of lower) {
    if (ahead.has(one.lead_id)) return false;
    const now = await personFingerprintStore.get(context, hash);
    if (now?.leads.some(({ lead_id }) => lead_id === one.lead_id) === true) return true;
  }
  return false;
}

/** A fingerprint may list a lead that was never stored, or was stored with another person. */
function knownAs({ runtime }: Context, hash: string, receivedAt: string, stored: Lead | undefined) {
  if (stored === undefined)
    return runtime.now().getTime() - Date.parse(receivedAt) < STORED_AFTER_MS ? 'same' : 'never stored';
  // Refused because the person withdrew the consent. A lead with a newer one is no duplicate of it.
  if (stored.status === 'withdrawn') return 'other';
  // A rejected or erased lead has no fingerprints left to compare, but it counts as the same person.
  return stored.fingerprints === undefined || stored.fingerprints.includes(hash) ? 'same' : 'other';
}

/** Rejects or holds a lead whose person its source sent before. @returns the lead to distribute, or the outcome */
export async function resolvePerson(
  context: Context,
  source: Pick<Source, 'window_days' | 'on_duplicate'>,
  lead: Lead,
  wanted?: Wanted,
): Promise<Lead | 'refused' | 'held' | 'unconfirmed'> {
  const now = context.runtime.now();
  const isLate = now.getTime() - Date.parse(lead.received_at) >= STORED_LATE_MS;
  // Another process may just be skipping this lead, which was stored late. So the lead takes a new position.
  const classified = isLate ? { ...lead, received_at: now.toISOString() } : lead;
  const given = isLate ? undefined : wanted;
  const taken = given ?? (await takeFingerprints(context, classified, source.window_days));
  const verdict = await classifyDuplicate(context, classified, taken, true);
  switch (verdict.is) {
    case 'first':
      return unlessHeld(context, lead);
    case 'later': {
      const own = await noted(context, lead, verdict.earlier);
      return own === undefined ? currentOutcome(context, lead) : unlessHeld(context, own);
    }
    case 'again':
      return reject(context, source, lead, verdict.earlier);
  }
}

/** Also before a batch: `distribute` does the same for a single lead. */
async function unlessHeld(context: DataContext, lead: Lead): Promise<Lead | 'held' | 'unconfirmed'> {
  const reason = heldFor(lead);
  if (reason === undefined) return lead;
  await leadStore.markPending(context, lead, { reason, notes: [] });
  return reason === 'consent_unconfirmed' ? 'unconfirmed' : 'held';
}

/** The same for a lead that another process distributes unless it is rejected or held. @returns whether it is rejected */
export async function resolveRepeated(
  context: Context,
  source: Pick<Source, 'window_days' | 'on_duplicate'>,
  lead: Lead,
): Promise<boolean> {
  if (isSettled(lead)) return false;
  const wanted = await takeFingerprints(context, lead, source.window_days);
  const verdict = await classifyDuplicate(context, lead, wanted, false);
  return verdict.is === 'again' && (await reject(context, source, lead, verdict.earlier)) === 'refused';
}

/** A lead that was pending or assigned is resolved, and an admin may have decided about it since. */
const isSettled = ({ reason, earlier_leads, refused_by }: Lead) =>
  reason !== undefined || earlier_leads !== undefined || refused_by !== undefined;

async function currentOutcome(context: Context, { lead_id }: Lead): Promise<'refused' | 'held'> {
  const [now] = await leadStore.getMany(context, [lead_id]);
  return now?.status === 'duplicate' ? 'refused' : 'held';
}

async function reject(
  context: DataContext,
  { on_duplicate }: Pick<Source, 'on_duplicate'>,
  lead: Lead,
  earlier: string,
): Promise<'refused' | 'held'> {
  if (on_duplicate === 'hold') {
    await leadStore.markPending(context, lead, { reason: 'duplicate', notes: [] });
    return 'held';
  }
  if (hasConsent(lead)) await consentStore.erase(context, lead);
  const isSamePerson = sharesAll(lead, await leadStore.get(context, earlier));
  return (await leadStore.refuse(context, lead, 'duplicate', { lead_id: earlier, isSamePerson }))
    ? 'refused'
    : 'held';
}

/** A lead is a duplicate also if it shares only a phone number, and may then be of somebody else. */
const sharesAll = ({ fingerprints = [] }: Lead, earlier: Lead | undefined): boolean =>
  earlier?.fingerprints !== undefined &&
  doNotContactStore.pairOf(earlier.fingerprints) === doNotContactStore.pairOf(fingerprints);

/** Continues for a process that may have died before it resolved the person. @returns undefined for a lead that must not be distributed */
export async function withPersonResolved(context: MarksContext, lead: Lead): Promise<Lead | undefined> {
  // A list may have named its person since it was resolved.
  if (isSettled(lead)) return withKnown(context, lead, await marksOfOne(context, lead));
  const { source: of } = lead;
  const [source, marks] = await Promise.all([
    of === undefined ? undefined : sourceStore.get(context, of),
    marksOfOne(context, lead),
  ]);
  if (await isWithdrawn(context, lead, marks.withdrawnAt)) {
    await refuseWithdrawn(context, lead);
    return undefined;
  }
  const own = await withKnown(context, lead, marks);
  if (source === undefined || own === undefined) return own;
  const settled = await resolvePerson(context, source, own);
  return typeof settled === 'string' ? undefined : settled;
}

/** The earlier ones first. A skipped lead that a repeated call stored later is in both lists. */
const othersOf = ({ earlier_leads = [], later_leads = new Set() }: Related): readonly string[] => [
  ...new Set([...earlier_leads, ...later_leads]),
];

type Related = Pick<Lead, 'earlier_leads' | 'later_leads'>;

/** By lead, the buyers of the leads of the same persons. Others may be assigned meanwhile. */
export async function buyersOfOthers(
  context: DataContext,
  leads: readonly Lead[],
): Promise<Map<string, number>> {
  const ids = [...new Set(leads.flatMap(othersOf))];
  const others = ids.length === 0 ? [] : await leadStore.getMany(context, ids);
  return new Map(others.flatMap((lead) => (lead?.buyer === undefined ? [] : [[lead.lead_id, lead.buyer]])));
}

export function buyersWithPerson(lead: Lead, known: ReadonlyMap<string, number>): ReadonlySet<number> {
  return new Set(othersOf(lead).flatMap((id) => known.get(id) ?? []));
}

export interface SamePerson {
  readonly buyers: ReadonlySet<number>;
  readonly checks: readonly TransactionItem[];
}

const NOBODY: SamePerson = { buyers: new Set(), checks: [] };

/**
 * The leads of the same person that must not be in flight, and stay unchanged, while this one is assigned: the earlier ones. A
 * later lead that saw this one with its former buyer does not wait for it, so a redistributed lead waits for later ones too.
 */
export function leadsWaitedFor(lead: Related & Pick<Lead, 'refused_by'>): readonly string[] {
  return lead.refused_by === undefined ? (lead.earlier_leads ?? []) : othersOf(lead);
}

/** About as long as a distribution attempt takes at worst. */
const MAX_WAITS = 50;
const WAIT_MS = 100;

/** @param held leads that the caller has taken over @returns undefined while another earlier lead is in flight */
export async function samePerson(
  context: Context,
  lead: Lead,
  held: readonly Lead[] = [],
): Promise<SamePerson | undefined> {
  const { lead_id, earlier_leads: earlier = [], received_at } = lead;
  const ids = othersOf(lead);
  if (ids.length === 0) return NOBODY;
  const awaited = new Set(leadsWaitedFor(lead));
  const isHeld = ({ lead_id, distribution_attempt }: Lead) =>
    held.some((one) => one.lead_id === lead_id && one.distribution_attempt === distribution_attempt);
  for (let wait = 0; wait < MAX_WAITS; wait += 1) {
    if (wait > 0) await context.runtime.sleep(WAIT_MS);
    const stored = await leadStore.getMany(context, ids);
    const others = ids.map((id, at) => ({ id, lead: stored[at] }));
    // An earlier lead that was stored late does not list this one yet. After a refusal it must know which buyers have the person.
    const unrecorded = others.filter(
      ({ id, lead }) => earlier.includes(id) && lead && isUnrecorded(lead, lead_id),
    );
    if (unrecorded.length > 0) {
      await Promise.all(unrecorded.map(({ id }) => leadStore.noteLater(context, id, lead_id)));
      continue;
    }
    const before = others.filter(({ id }) => awaited.has(id));
    // A missing lead may be about to be stored.
    const isNew = context.runtime.now().getTime() - Date.parse(received_at) < STORED_AFTER_MS;
    if (before.some(({ lead }) => (lead === undefined ? isNew : lead.status === 'received' && !isHeld(lead))))
      continue;
    return {
      buyers: new Set(stored.flatMap((lead) => (lead?.buyer === undefined ? [] : [lead.buyer]))),
      checks: before.flatMap(({ id, lead }): TransactionItem[] => {
        if (lead === undefined) return [leadWrites.absent(id)];
        return lead.status === 'pending' || lead.status === 'received' ? [leadWrites.unchanged(lead)] : [];
      }),
    };
  }
  return undefined;
}

/** Whether a lead that may still be distributed or redistributed does not list a later one. */
const isUnrecorded = ({ status, later_leads }: Lead, later: string) =>
  (status === 'received' || status === 'pending' || status === 'assigned') &&
  later_leads?.has(later) !== true;
