/** The list of all leads: filtered, sorted and counted from their rows. See `docs/adr/0069-list-of-leads.md`. */
import * as z from 'zod/mini';
import type { Context } from '#functions/data/context';
import * as store from '#functions/data/statistics/lead-row-store';
import type { LeadRow } from '#functions/data/statistics/lead-rows';
import { invalid, unknownCursor } from '#functions/domain/common/errors';
import { daysOf as datesOf } from '#functions/domain/statistics/buyer-statistics';
import type { ClaimStatus, LEAD_EVENTS, LeadRowStatus, LeadType } from '#shared/rules/constants';
import { addDays, berlinDay, daysBetween } from '#shared/rules/working-days';

export interface LeadFilter {
  /** Berlin days as `2026-11-21`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** What happened in the period, and with the buyer. */
  readonly by: (typeof LEAD_EVENTS)[number];
  /** 0: leads without a source. */
  readonly source?: number | undefined;
  readonly buyer?: number | undefined;
  readonly order?: number | undefined;
  /** `accepted`: all but `refused`. */
  readonly status?: LeadRowStatus | 'accepted' | undefined;
  readonly type?: LeadType | undefined;
  /** Cents, both included. */
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
  readonly claim?: ClaimStatus | 'any' | 'none' | undefined;
  readonly consents?: boolean | undefined;
  /** Whether the deliveries of an assigned lead are in the wanted state. */
  readonly isDelivered?: ((leadId: string) => boolean) | undefined;
}

export interface LeadQuery {
  readonly filter: LeadFilter;
  /** By time: by the day in question, then by receipt. */
  readonly sort: 'time' | 'amount';
  readonly descending: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Requires to read the whole period. */
  readonly counts: boolean;
}

export interface ListedLeads {
  readonly rows: readonly LeadRow[];
  readonly next: string | null;
  /** Null if it was not requested, or the period has too many leads to count. */
  readonly total: number | null;
  /** Changes up to this instant are contained. */
  readonly asOf: Date;
}

/** In rows; about 5 MB of blocks. */
const MAX_ROWS_READ = 200_000;
const DAYS_AT_ONCE = 92;
/** In each of the four partitions of the index; beyond them the list is of an earlier instant. */
const MAX_CHANGES = 5000;

/** Day or amount, instant of receipt, ID. */
type Place = readonly [first: string | number, at: number, leadId: string];

/** @throws DomainError 400 for an unknown cursor, reversed days, or more leads than can be sorted by amount */
export async function listLeads(context: Context, query: LeadQuery): Promise<ListedLeads> {
  const { filter, sort, descending, limit } = query;
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, sort);
  const buckets = await openBuckets(context, filter);
  const readsAll = query.counts || sort === 'amount';
  const found: { readonly row: LeadRow; readonly place: Place }[] = [];
  const ordered = descending ? buckets.days.toReversed() : buckets.days;
  const isPassed = (day: string) => after !== undefined && (descending ? day > after[0] : day < after[0]);
  let left = readsAll ? ordered : ordered.filter((day) => !isPassed(day));
  let read = 0;
  let reached = 0;
  for (let step = readsAll ? DAYS_AT_ONCE : 1; left.length > 0; step = Math.min(step * 2, DAYS_AT_ONCE)) {
    if (read > MAX_ROWS_READ || (reached > limit && !readsAll)) break;
    for (const { row, day } of await buckets.rowsOf(left.slice(0, step))) {
      read += 1;
      if (!matches(row, filter)) continue;
      const place: Place = [sort === 'amount' ? row.amount : day, row.at, row.lead_id];
      found.push({ row, place });
      if (isAfter(place, after, descending)) reached += 1;
    }
    left = left.slice(step);
  }
  if (left.length > 0 && sort === 'amount')
    throw invalid('too_many_leads', 'Too many leads to sort them by amount. Choose a shorter period.');
  const rest = found
    .filter(({ place }) => isAfter(place, after, descending))
    .toSorted((a, b) => (descending ? compare(b.place, a.place) : compare(a.place, b.place)));
  const shown = rest.slice(0, limit);
  const [unread] = left;
  const unreadFrom = unread === undefined ? undefined : beginningOf(unread, descending);
  const end = rest.length > limit ? shown.at(-1)?.place : unreadFrom;
  return {
    rows: shown.map(({ row }) => row),
    next: end === undefined ? null : writeCursor(end, sort),
    total: query.counts && left.length === 0 ? found.length : null,
    asOf: buckets.asOf,
  };
}

/** The days of the period, and their rows with the changes since they were packed. */
async function openBuckets(context: Context, filter: LeadFilter) {
  const now = context.runtime.now();
  const progress = await store.progress(context);
  const { changes, upTo } = await store.changesSince(context, {
    from: progress.packed_to,
    most: MAX_CHANGES,
  });
  const changed = new Set(changes.map(({ lead_id }) => lead_id));
  const recent = changes.flatMap(({ row }) => row ?? []);
  const today = berlinDay(now);
  const known = [...recent.flatMap((row) => daysOf(row, filter)), progress.first_day ?? today].toSorted();
  const days = periodOf(filter, known[0] ?? today, today);
  const [start = '', last = ''] = [days[0], days.at(-1)];
  /** A lead is listed once: on the last of its days in the period. */
  const listedOn = (row: LeadRow) =>
    daysOf(row, filter)
      .filter((day) => day >= start && day <= last)
      .toSorted()
      .at(-1);
  return {
    days,
    asOf: upTo === undefined ? now : new Date(upTo),
    /** @param some consecutive days, in either order */
    async rowsOf(some: readonly string[]): Promise<{ readonly row: LeadRow; readonly day: string }[]> {
      const [from = '', to = ''] = [some[0] ?? '', some.at(-1) ?? ''].toSorted();
      const packed = [...(await store.rowsBetween(context, from, to))].flatMap(([day, rows]) =>
        rows.flatMap((row) => (changed.has(row.lead_id) || listedOn(row) !== day ? [] : { row, day })),
      );
      const others = recent.flatMap((row) => {
        const day = listedOn(row);
        return day !== undefined && some.includes(day) ? [{ row, day }] : [];
      });
      return [...packed, ...others];
    },
  };
}

function periodOf({ from, to }: LeadFilter, earliest: string, today: string): string[] {
  const { first, last } = datesOf({ days: 1, from, to }, today);
  const begin = from === undefined && earliest < last ? earliest : first;
  return Array.from({ length: daysBetween(begin, last) + 1 }, (_, at) => addDays(begin, at));
}

/** When it happened, with this buyer if there is one. */
function daysOf({ day, assigned, claim, refused }: LeadRow, { by, buyer }: LeadFilter): string[] {
  const of = (some: readonly { readonly day: string; readonly buyer: number }[]) =>
    some.filter((one) => buyer === undefined || one.buyer === buyer).map((one) => one.day);
  switch (by) {
    case 'received':
      return buyer === undefined || assigned?.buyer === buyer ? [day] : [];
    case 'assigned':
      return of(assigned ? [assigned] : []);
    case 'claimed':
      return of(claim ? [claim] : []);
    case 'refused':
      return of(refused);
  }
}

function matches(row: LeadRow, filter: LeadFilter): boolean {
  const { source, order, status, type, amountFrom, amountTo, claim, consents, isDelivered } = filter;
  return (
    (source === undefined || (row.source ?? 0) === source) &&
    (order === undefined || row.assigned?.order === order) &&
    (status === undefined || (status === 'accepted' ? row.state !== 'refused' : row.state === status)) &&
    (type === undefined || row.assigned?.type === type) &&
    (amountFrom === undefined || row.amount >= amountFrom) &&
    (amountTo === undefined || row.amount <= amountTo) &&
    (consents === undefined || row.consents === consents) &&
    isClaimed(row, claim) &&
    (isDelivered === undefined || (row.state === 'assigned' && isDelivered(row.lead_id)))
  );
}

function isClaimed({ claim }: LeadRow, wanted: LeadFilter['claim']): boolean {
  if (wanted === undefined) return true;
  if (wanted === 'none') return claim === undefined;
  return claim !== undefined && (wanted === 'any' || claim.status === wanted);
}

function compare(a: Place, b: Place): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  const [left, right] = [a[at], b[at]];
  if (left === undefined || right === undefined) return 0;
  return left < right ? -1 : 1;
}

const isAfter = (place: Place, after: Place | undefined, descending: boolean): boolean =>
  after === undefined || (descending ? compare(place, after) < 0 : compare(place, after) > 0);

const beginningOf = (day: string, descending: boolean): Place =>
  descending ? [day, Number.MAX_SAFE_INTEGER, ''] : [day, -1, ''];

const places = {
  time: z.tuple([z.literal('time'), z.string(), z.number(), z.string()]),
  amount: z.tuple([z.literal('amount'), z.number(), z.number(), z.string()]),
};

const writeCursor = (place: Place, sort: LeadQuery['sort']): string =>
  Buffer.from(JSON.stringify([sort, ...place])).toString('base64url');

function readCursor(cursor: string, sort: LeadQuery['sort']): Place {
  const parsed = places[sort].safeParse(jsonOf(cursor));
  if (!parsed.success) throw unknownCursor();
  const [, ...place] = parsed.data;
  return place;
}

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
