/**
 * Leads of the same person. A person is known by phone number (E.164) or e-mail address (case folded), by keyed hashes; who
 * came first is decided by conditional writes of these marks, whatever comes at the same moment.
 *
 * A lead that came later knows the earlier ones (`earlier_leads`); one that may still be distributed learns of the later ones
 * (`later_leads`). That no buyer gets two of them holds because a later lead waits while an earlier one is in flight, and is
 * assigned on the condition that an earlier one that it saw pending is still as it was. A lead that its buyer refused does
 * the same with the later ones.
 */
import type { Context, DataContext } from '#functions/data/context';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import * as personMarkStore from '#functions/data/leads/person-mark-store';
import {
  type Mark,
  type MarkedLead,
  type Marking,
  windowStart,
} from '#functions/data/leads/person-mark-store';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import type { TransactionItem } from '#functions/data/table/table';
import { SAME_ANSWER_DAYS } from '#shared/rules/constants';

/** The marks that a lead wants, in their order, and what it found when it wanted the first. */
export interface Wanted {
  readonly markings: readonly Marking[];
  /** The mark of others; undefined when the lead has taken it, or wants none. */
  readonly found: Mark | undefined;
}

type Verdict =
  | { readonly is: 'first' }
  /** The same source has sent the person within the window. */
  | { readonly is: 'again'; readonly earlier: string }
  /** Other sources have, or did while the lead was not stored, or another call may find so. */
  | { readonly is: 'later'; readonly earlier: readonly string[] };

/** By then a lead whose mark is there is stored as well, or its call has died. */
const STORED_AFTER_MS = 60_000;
/** A call that took so long asks for its mark again: by the clock of another process the lead may have been passed over. */
const STORED_LATE_MS = STORED_AFTER_MS / 2;

/** @param days of the window of its source; 0: none */
function markingsOf({ marks = [], source, lead_id, received_at }: Lead, days: number): Marking[] {
  if (days === 0 || source === undefined) return [];
  const lead = { lead_id, source, received_at };
  return marks.toSorted((one, other) => (one < other ? -1 : 1)).map((hash) => ({ hash, lead, days }));
}

/** Takes the first mark of a lead, side by side with the write of the lead itself. */
export async function takeMark(context: Context, lead: Lead, days: number): Promise<Wanted> {
  const markings = markingsOf(lead, days);
  const [first] = markings;
  return { markings, found: first && (await personMarkStore.take(context, first)) };
}

/** Removes what `takeMark` took for a lead that was not stored after all. */
export async function releaseMark(context: Context, { markings, found }: Wanted): Promise<void> {
  const [first] = markings;
  if (first !== undefined && found === undefined) await personMarkStore.release(context, first);
}

/**
 * Tells whether the person of a lead came before. Repeatable: the order of the leads in a mark changes only by those that were
 * never stored.
 *
 * All leads want their marks in the same order, one after the other, and a lead that is refused wants no more. So of several
 * leads of one source at least one is refused by none, and of two leads in the same marks both know that the lower one decides.
 *
 * A call may end after it has taken a mark and before it has stored the lead. The next leads of the person pass that one over
 * after a minute, and take its place from it; if its source repeats the call first, it keeps its place. The mark decides.
 *
 * @param isOwn whether the lead is the caller's to distribute: then those behind it are noted on it, and the mark says so
 */
async function judge(
  context: Context,
  lead: Lead,
  { markings, found: first }: Wanted,
  isOwn: boolean,
): Promise<Verdict> {
  const earlier = new Set<string>();
  let isUnsure = (lead.later_leads?.size ?? 0) > 0;
  const lower: Lower[] = [];
  for (const [at, marking] of markings.entries()) {
    const found = at === 0 ? first : await personMarkStore.take(context, marking);
    const place = await placeIn(context, lead, marking, found, lower, isOwn);
    const same = place.before.find(({ source }) => source === lead.source);
    if (same !== undefined) return { is: 'again', earlier: same.lead_id };
    for (const one of place.before) earlier.add(one.lead_id);
    isUnsure ||= place.isUnsure;
    lower.push({ hash: marking.hash, ahead: new Set(place.ahead.map(({ lead_id }) => lead_id)) });
  }
  return earlier.size === 0 && !isUnsure ? { is: 'first' } : { is: 'later', earlier: [...earlier] };
}

/**
 * Writes down on a lead and on those before it who comes after whom, which takes the lead over.
 * @returns undefined when another distribution attempt has taken it over
 */
async function noted(context: Context, lead: Lead, earlier: readonly string[]) {
  const [taken] = await Promise.all([
    leadStore.noteEarlier(context, lead, earlier, context.runtime.now().toISOString()),
    ...earlier.map((id) => leadStore.noteLater(context, id, lead.lead_id)),
  ]);
  return taken;
}

interface Place {
  /** The leads of the person within the window that came before this one. */
  readonly before: readonly MarkedLead[];
  /** All that are ahead of it in the mark. */
  readonly ahead: readonly MarkedLead[];
  /**
   * Whether others joined while this lead was not stored, and knew nothing that they could have noted it on, or somebody was passed
   * over whom a call that looked earlier counts: then this one begins another distribution attempt.
   */
  readonly isUnsure: boolean;
}

/** Gives a lead its place in a mark, unless its source has sent the person before. @param found undefined when it took the mark */
async function placeIn(
  context: Context,
  lead: Lead,
  marking: Marking,
  found: Mark | undefined,
  lower: readonly Lower[],
  isOwn: boolean,
): Promise<Place> {
  for (let mark = found; mark !== undefined; mark = await personMarkStore.take(context, marking)) {
    const { ahead, behind, earlierCall } = around(marking, mark);
    const { before, passed } = await earlierIn(context, marking, ahead, lower);
    const isAgain = before.some(({ source }) => source === lead.source);
    // Before the mark forgets the call that did not store the lead, and with it that they are behind.
    if (isOwn && !isAgain)
      await Promise.all(behind.map((one) => leadStore.noteLater(context, lead.lead_id, one.lead_id)));
    const placed = isOwn ? marking : { ...marking, lead: earlierCall ?? marking.lead };
    if (isAgain || (await personMarkStore.join(context, mark, placed, passed)))
      return { before, ahead, isUnsure: behind.length > 0 || passed.length > 0 };
  }
  return { before: [], ahead: [], isUnsure: false };
}

/** A mark that was looked at before, and who is ahead of the lead there. */
interface Lower {
  readonly hash: string;
  readonly ahead: ReadonlySet<string>;
}

/** Who is ahead of a lead in a mark; and who is behind it, where an earlier call had taken the mark and did not store the lead. */
function around({ lead }: Marking, { leads }: Mark) {
  const place = leads.findIndex(({ lead_id }) => lead_id === lead.lead_id);
  const found = leads[place];
  if (found === undefined) return { ahead: leads, behind: [] };
  const ahead = leads.slice(0, place);
  if (found.received_at === lead.received_at) return { ahead, behind: [] };
  const behind = leads.slice(place + 1).filter(({ source }) => source !== lead.source);
  return { ahead, behind, earlierCall: found };
}

/** The leads of the person within the window that came before this one, as one mark tells it; and who was never stored. */
async function earlierIn(
  context: Context,
  { hash, lead, days }: Marking,
  ahead: readonly MarkedLead[],
  lower: readonly Lower[],
) {
  const start = windowStart(lead, days);
  const within = ahead.filter(({ received_at }) => received_at > start);
  const stored = await leadStore.getMany(
    context,
    within.map(({ lead_id }) => lead_id),
  );
  const known = within.map((one, at) => knownAs(context, hash, one.received_at, stored[at]));
  const same = within.filter((_, at) => known[at] === 'same');
  const came = await Promise.all(same.map((one) => cameLater(context, one, lower)));
  return {
    before: same.filter((_, at) => came[at] === false),
    passed: within.filter((_, at) => known[at] === 'never stored'),
  };
}

/** Whether a lead that is ahead in this mark is behind in a lower one. */
async function cameLater(context: Context, one: MarkedLead, lower: readonly Lower[]): Promise<boolean> {
  for (const { hash, ahead } of lower) {
    if (ahead.has(one.lead_id)) return false;
    const now = await personMarkStore.get(context, hash);
    if (now?.leads.some(({ lead_id }) => lead_id === one.lead_id) === true) return true;
  }
  return false;
}

/** A mark may be left over from a lead that was never stored, or was stored with another person. */
function knownAs({ runtime }: Context, hash: string, receivedAt: string, stored: Lead | undefined) {
  if (stored === undefined)
    return runtime.now().getTime() - Date.parse(receivedAt) < STORED_AFTER_MS ? 'same' : 'never stored';
  // Of a lead that was refused or erased nothing is left to compare. A refused one counts: it tells as well that its
  // phone number and its e-mail address are of one person.
  return stored.marks === undefined || stored.marks.includes(hash) ? 'same' : 'other';
}

const DAY_MS = 86_400_000;

/**
 * Refuses or holds a received lead whose person its source has sent before.
 * @param wanted the marks that it found before it was stored
 * @returns the lead to distribute, or what became of it
 */
export async function settlePerson(
  context: Context,
  source: Pick<Source, 'window_days' | 'on_duplicate'>,
  lead: Lead,
  wanted?: Wanted,
): Promise<Lead | 'refused' | 'held'> {
  const now = context.runtime.now();
  const isLate = now.getTime() - Date.parse(lead.received_at) >= STORED_LATE_MS;
  // Its place may be about to be given away by somebody who did not find it stored: taken anew, it is another one.
  const judged = isLate ? { ...lead, received_at: now.toISOString() } : lead;
  const taken = isLate ? undefined : wanted;
  const verdict = await judge(
    context,
    judged,
    taken ?? (await takeMark(context, judged, source.window_days)),
    true,
  );
  switch (verdict.is) {
    case 'first':
      return lead;
    case 'later':
      return (await noted(context, lead, verdict.earlier)) ?? whatBecameOf(context, lead);
    case 'again':
      return turnAway(context, source, lead, verdict.earlier);
  }
}

/**
 * The same for a lead that another call has stored and may be about to distribute: unless it is refused or held, it stays with
 * that call. If that has ended, the reconciliation finds the lead.
 * @returns whether it is refused
 */
export async function settleRepeated(
  context: Context,
  source: Pick<Source, 'window_days' | 'on_duplicate'>,
  lead: Lead,
): Promise<boolean> {
  if (isSettled(lead)) return false;
  const verdict = await judge(context, lead, await takeMark(context, lead, source.window_days), false);
  return verdict.is === 'again' && (await turnAway(context, source, lead, verdict.earlier)) === 'refused';
}

/** A lead that was pending or assigned has been judged, and an admin may have decided about it since. */
const isSettled = ({ reason, earlier_leads, refused_by }: Lead) =>
  reason !== undefined || earlier_leads !== undefined || refused_by !== undefined;

/** Of a lead that somebody else has taken over meanwhile. */
async function whatBecameOf(context: Context, { lead_id }: Lead): Promise<'refused' | 'held'> {
  const [now] = await leadStore.getMany(context, [lead_id]);
  return now?.status === 'duplicate' ? 'refused' : 'held';
}

/** What becomes of a lead whose person its source has sent before. */
async function turnAway(
  context: DataContext,
  { on_duplicate }: Pick<Source, 'on_duplicate'>,
  lead: Lead,
  earlier: string,
): Promise<'refused' | 'held'> {
  if (on_duplicate === 'hold') {
    await leadStore.markPending(context, lead, { reason: 'duplicate', notes: [] });
    return 'held';
  }
  const until = new Date(Date.parse(lead.received_at) + SAME_ANSWER_DAYS * DAY_MS);
  return (await leadStore.refuse(context, lead, earlier, until)) ? 'refused' : 'held';
}

/**
 * For leads that an earlier call has stored, and maybe ended before it knew whether the person came before.
 * @returns undefined for a lead that is not to be distributed
 */
export async function withPersonSettled(context: Context, lead: Lead): Promise<Lead | undefined> {
  const { source: of } = lead;
  if (of === undefined || isSettled(lead)) return lead;
  const source = await sourceStore.get(context, of);
  if (source === undefined) return lead;
  const settled = await settlePerson(context, source, lead);
  return typeof settled === 'string' ? undefined : settled;
}

/** The earlier ones first. One that was passed over, and stored by a repeated call, has come before and after. */
const othersOf = ({ earlier_leads = [], later_leads = new Set() }: Related): readonly string[] => [
  ...new Set([...earlier_leads, ...later_leads]),
];

type Related = Pick<Lead, 'earlier_leads' | 'later_leads'>;

/** The buyers of the leads that are of the same person as one of these, by lead. Others may get one meanwhile. */
export async function buyersOfOthers(
  context: DataContext,
  leads: readonly Lead[],
): Promise<Map<string, number>> {
  const ids = [...new Set(leads.flatMap(othersOf))];
  const others = ids.length === 0 ? [] : await leadStore.getMany(context, ids);
  return new Map(
    others.flatMap((lead) => (lead?.buyer === undefined ? [] : [[lead.lead_id, lead.buyer] as const])),
  );
}

/** @param known the answer of `buyersOfOthers` @returns the buyers that have a lead of the same person */
export function buyersWithPerson(lead: Lead, known: ReadonlyMap<string, number>): ReadonlySet<number> {
  return new Set(othersOf(lead).flatMap((id) => known.get(id) ?? []));
}

/** The buyers that have a lead of the same person, and what must stay as it is until another lead is assigned. */
export interface SamePerson {
  readonly buyers: ReadonlySet<number>;
  readonly checks: readonly TransactionItem[];
}

const NOBODY: SamePerson = { buyers: new Set(), checks: [] };

/**
 * The leads of the same person that must be at rest, and stay so, while this one is assigned: the earlier ones. A later one that
 * saw this lead with its former buyer does not wait for it any more, so of a lead that was given on they are waited for, too.
 */
export function leadsWaitedFor(lead: Related & Pick<Lead, 'refused_by'>): readonly string[] {
  return lead.refused_by === undefined ? (lead.earlier_leads ?? []) : othersOf(lead);
}

/** An earlier lead in flight is waited for about as long as a distribution attempt takes at worst. */
const MAX_WAITS = 50;
const WAIT_MS = 100;

/**
 * @param held leads in flight that the caller has taken over and distributes one after the other
 * @returns undefined while another earlier lead is still in flight
 */
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
    // One that was not stored yet could not be told; refused by its buyer, it would not know who has the person by then.
    const untold = others.filter(({ id, lead }) => earlier.includes(id) && lead && isUntold(lead, lead_id));
    if (untold.length > 0) {
      await Promise.all(untold.map(({ id }) => leadStore.noteLater(context, id, lead_id)));
      continue;
    }
    const before = others.filter(({ id }) => awaited.has(id));
    // One that is not there may be about to be stored.
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

/** Whether a lead that may still be distributed, or given on, does not know of one that came later. */
const isUntold = ({ status, later_leads }: Lead, later: string) =>
  (status === 'received' || status === 'pending' || status === 'assigned') &&
  later_leads?.has(later) !== true;
