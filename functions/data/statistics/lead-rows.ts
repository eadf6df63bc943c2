/**
 * Rows of the list of leads, derived from their counts. A row is in the bucket of each day on which something happened to its lead:
 * received, assigned, claimed, refused. So a period of any of them reads only its days.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import type { Counted } from '#functions/data/statistics/statistics-store';
import {
  CLAIM_STATUSES,
  type ClaimStatus,
  LEAD_ROW_STATUSES,
  LEAD_TYPES,
  type LeadRowStatus,
  type LeadType,
} from '#shared/rules/constants';
import { berlinDay } from '#shared/rules/working-days';

export interface LeadRow {
  readonly lead_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Berlin day of receipt. */
  readonly day: string;
  readonly state: LeadRowStatus;
  /** Cents. */
  readonly amount: number;
  readonly term: number;
  readonly source: number | undefined;
  readonly consents: boolean;
  readonly assigned:
    | { readonly day: string; readonly buyer: number; readonly order: number; readonly type: LeadType }
    | undefined;
  readonly claim: { readonly day: string; readonly buyer: number; readonly status: ClaimStatus } | undefined;
  /** By partners of buyers that the lead was assigned to before. */
  readonly refused: readonly { readonly day: string; readonly buyer: number }[];
  /** Days in whose buckets it was before. */
  readonly former: readonly string[];
}

/** @returns undefined for a lead that is not or no longer listed */
export function rowOf(leadId: string, counted: Counted): LeadRow | undefined {
  const { received, assignment, decided, claim, refused = [], came } = counted;
  const state = counted.state ?? (came?.duplicate === true ? 'refused' : undefined);
  if (received === undefined || state === undefined) return undefined;
  const at = new Date(received.at);
  return {
    lead_id: leadId,
    at: at.getTime(),
    day: berlinDay(at),
    state,
    amount: (decided ?? received).amount ?? 0,
    term: (decided ?? received).term ?? 0,
    source: came?.source,
    consents: (decided ?? received).consents === true,
    assigned:
      assignment === null
        ? undefined
        : {
            day: assignment.day,
            buyer: assignment.buyer,
            order: assignment.order ?? 0,
            type: assignment.type,
          },
    claim: claim && { day: claim.day, buyer: claim.buyer, status: claim.status },
    refused,
    former: [],
  };
}

/** The days in whose buckets a row belongs. */
export const daysOf = ({ day, assigned, claim, refused }: LeadRow): ReadonlySet<string> =>
  new Set([
    day,
    ...(assigned ? [assigned.day] : []),
    ...(claim ? [claim.day] : []),
    ...refused.map((one) => one.day),
  ]);

const numbers = z.array(z.number());
const texts = z.array(z.string());
/** A list for each field takes a third of the space of a list of objects, and is parsed in half the time. */
const columnsSchema = z.object({
  ids: texts,
  at: numbers,
  states: numbers,
  amounts: numbers,
  terms: numbers,
  /** 0: none; likewise below. */
  sources: numbers,
  consents: numbers,
  days: texts,
  buyers: numbers,
  orders: numbers,
  types: numbers,
  /** `{day}|{buyer}|{status}`, empty without one; refusals `{day}|{buyer},...`. */
  claims: texts,
  refusals: texts,
  /** With commas. */
  former: texts,
});

export function packRows(rows: readonly LeadRow[]): Uint8Array {
  const packed: z.input<typeof columnsSchema> = {
    ids: rows.map(({ lead_id }) => lead_id),
    at: rows.map(({ at }) => at),
    states: rows.map(({ state }) => LEAD_ROW_STATUSES.indexOf(state)),
    amounts: rows.map(({ amount }) => amount),
    terms: rows.map(({ term }) => term),
    sources: rows.map(({ source }) => source ?? 0),
    consents: rows.map(({ consents }) => Number(consents)),
    days: rows.map(({ assigned }) => assigned?.day ?? ''),
    buyers: rows.map(({ assigned }) => assigned?.buyer ?? 0),
    orders: rows.map(({ assigned }) => assigned?.order ?? 0),
    types: rows.map(({ assigned }) => LEAD_TYPES.indexOf(assigned?.type ?? 'original')),
    claims: rows.map(({ claim }) => (claim ? [claim.day, claim.buyer, claim.status].join('|') : '')),
    refusals: rows.map(({ refused }) => refused.map(({ day, buyer }) => `${day}|${buyer}`).join(',')),
    former: rows.map(({ former }) => former.join(',')),
  };
  return deflateRawSync(JSON.stringify(packed));
}

export function unpackRows(block: Uint8Array): LeadRow[] {
  const packed = columnsSchema.parse(JSON.parse(inflateRawSync(block).toString('utf8')));
  const berlin = new Map<number, string>();
  /** The conversion is slow, and an hour is never in two days. */
  const dayOf = (at: number) => {
    const hour = Math.floor(at / 3_600_000);
    const known = berlin.get(hour) ?? berlinDay(new Date(at));
    berlin.set(hour, known);
    return known;
  };
  return packed.ids.map((lead_id, index) => {
    const at = packed.at[index] ?? 0;
    const assigned = packed.days[index] ?? '';
    return {
      lead_id,
      at,
      day: dayOf(at),
      state: LEAD_ROW_STATUSES[packed.states[index] ?? 0] ?? 'assigned',
      amount: packed.amounts[index] ?? 0,
      term: packed.terms[index] ?? 0,
      source: packed.sources[index] || undefined,
      consents: packed.consents[index] === 1,
      assigned:
        assigned === ''
          ? undefined
          : {
              day: assigned,
              buyer: packed.buyers[index] ?? 0,
              order: packed.orders[index] ?? 0,
              type: LEAD_TYPES[packed.types[index] ?? 0] ?? 'original',
            },
      claim: claimFrom(packed.claims[index] ?? ''),
      refused: refusalsFrom(packed.refusals[index] ?? ''),
      former: packed.former[index] ? packed.former[index].split(',') : NO_DAYS,
    };
  });
}

function claimFrom(text: string): LeadRow['claim'] {
  const [day = '', buyer, status] = text.split('|');
  const known = CLAIM_STATUSES.find((one) => one === status);
  return known && { day, buyer: Number(buyer), status: known };
}

const NO_DAYS: readonly string[] = [];
const NONE: LeadRow['refused'] = [];
function refusalsFrom(text: string): LeadRow['refused'] {
  if (text === '') return NONE;
  return text.split(',').map((one) => {
    const [day = '', buyer] = one.split('|');
    return { day, buyer: Number(buyer) };
  });
}
