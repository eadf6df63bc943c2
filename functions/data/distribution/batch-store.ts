/**
 * Batches: leads that arrived together and are distributed together. A batch consists of a head, which lists it for the
 * reconciliation while leads are in flight; a body that never changes; and passes. A pass is written in the transaction
 * that settles its choices in the ledger, so every stored choice is settled. Every process that works on the batch makes
 * the same writes. Only IDs, amounts and the channels of the consent are stored.
 */

import * as z from 'zod/mini';
import { poolEntrySchema, scheduleSchema } from '#functions/data/buyers/buyer';
import type { DataContext } from '#functions/data/context';
import { type Ledger, ledgerSchema } from '#functions/data/distribution/ledger';
import type { Lead } from '#functions/data/leads/lead';
import type { Refusal } from '#functions/data/orders/reservation-store';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { newItem } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, Put, Update } from '#functions/data/table/table';
import { CONSENT_CHANNELS } from '#shared/rules/consent';
import { CAP_REASONS, type CapReason, PENDING_REASONS, type PendingReason } from '#shared/rules/constants';

/** In larger batches, a crash would repeat more work. */
export const MAX_BATCH_LEADS = 100;

export type BatchLead = Pick<Lead, 'lead_id' | 'anlagebetrag' | 'laufzeit' | 'source' | 'consent'>;

export const passEntrySchema = z.pick(poolEntrySchema, {
  buyer: true,
  probability: true,
  min_investment: true,
  max_investment: true,
  min_term: true,
  max_term: true,
  sources_allowed: true,
  sources_excluded: true,
  order_id: true,
  active: true,
  has_capacity: true,
  manual_review: true,
  requires_consent: true,
  schedule: true,
  capped_until: true,
  capped_by: true,
});
export type PassEntry = z.output<typeof passEntrySchema>;

export interface PassLead {
  readonly position: number;
  readonly winner: number | null;
  /** The number in [0, 1) that the winner was drawn with. */
  readonly draw?: number;
  readonly failed?: PendingReason;
}

export interface BatchPass {
  readonly pass: number;
  readonly decided_at: string;
  readonly entries: readonly PassEntry[];
  readonly full: readonly number[];
  readonly capped?: readonly (readonly [buyer: number, by: CapReason])[] | undefined;
  /** Orders whose capacity may end in this pass: leads left, and the reason for refusing the next one. */
  readonly left?: readonly (readonly [order: number, leads: number, refusal: Refusal])[] | undefined;
  readonly deficits: Readonly<Record<string, number>>;
  readonly leads: readonly PassLead[];
}

export interface NewBatch {
  readonly batch_id: string;
  readonly received_at: string;
  readonly leads: readonly BatchLead[];
}

export interface Batch extends NewBatch {
  readonly passes: readonly BatchPass[];
  readonly listed: string;
}

export type BatchSettled =
  | { readonly settled: true }
  | { readonly settled: false; readonly pass: BatchPass }
  | { readonly settled: false; readonly pass: undefined; readonly ledger: Ledger };

const KEPT_SECONDS = 7 * 24 * 3600;

/** ID, amount, term, source if any, and with consent the channels. Batches of an earlier version have no term. */
const LEADS = z.array(z.tuple([z.string(), z.int()], z.union([z.int(), z.enum(CONSENT_CHANNELS)])));
export const batchBodySchema = z.object({ batch_id: z.string(), received_at: z.string(), leads: z.string() });

/** The last number: whether the buyer requires consent. Absent in passes of an earlier version. Then its further limits, if any. */
const NUMBER = z.nullable(z.int());
/** Maximum, terms, and the sources that it allows; those that it excludes are negative. */
const LIMITS = z.tuple([NUMBER, NUMBER, NUMBER], z.int());
const ENTRIES = z.array(
  z.tuple([
    z.int(),
    z.int(),
    z.int(),
    z.nullable(z.int()),
    z.int(),
    z.int(),
    z.int(),
    z.optional(z.int()),
    z.optional(LIMITS),
  ]),
);
/** Buyer, schedule, and until when and why its order was capped. */
const PACES = z.array(
  z.tuple([z.int(), z.nullable(scheduleSchema), z.nullable(z.tuple([z.string(), z.enum(CAP_REASONS)]))]),
);
const PASS_LEADS = z.array(
  z.tuple([z.int(), z.nullable(z.int()), z.nullable(z.union([z.number(), z.enum(PENDING_REASONS)]))]),
);
export const passSchema = z.object({
  pass: z.int(),
  decided_at: z.string(),
  entries: z.string(),
  paces: z.optional(z.string()),
  full: z.array(z.int()),
  capped: z.optional(z.array(z.tuple([z.int(), z.enum(CAP_REASONS)]))),
  left: z.optional(z.array(z.tuple([z.int(), z.int(), z.enum(['limit_reached', ...CAP_REASONS])]))),
  deficits: z.record(z.string(), z.int()),
  leads: z.string(),
});

/** Must be written before the leads: the reconciliation cannot finish a batch that it does not know. */
export async function open(
  { table }: DataContext,
  { batch_id, received_at, leads }: NewBatch,
): Promise<void> {
  await Promise.all([
    table.put({ put: head(batch_id, received_at) }),
    table.put({
      put: {
        ...keys.batchBody(batch_id),
        batch_id,
        received_at,
        leads: JSON.stringify(
          leads.map(({ lead_id, anlagebetrag, laufzeit, source, consent = [] }) => [
            lead_id,
            anlagebetrag,
            laufzeit,
            ...(source === undefined ? [] : [source]),
            ...consent,
          ]),
        ),
        expires_at: expiry(received_at),
      },
    }),
  ]);
}

export async function reopen({ table }: DataContext, batchId: string, at: string): Promise<void> {
  await table.put({ put: head(batchId, at) });
}

export async function read({ table }: DataContext, batchId: string): Promise<Batch | undefined> {
  const items = await table.queryAll({ partition: keys.batch(batchId), consistent: true });
  const top = items.find(({ sk }) => sk === keys.batchHead(batchId).sk);
  if (top === undefined) return undefined;
  const listed = String(top.gsi1sk);
  const body = items.find(({ sk }) => sk === keys.batchBody(batchId).sk);
  // Its process died between the two writes and stored no lead.
  if (body === undefined) return { batch_id: batchId, received_at: '', leads: [], passes: [], listed };
  const { leads, ...batch } = batchBodySchema.parse(body);
  return {
    ...batch,
    listed,
    leads: LEADS.parse(JSON.parse(leads)).map(leadOf),
    // In the order of their sort keys.
    passes: items.filter(({ sk }) => String(sk).startsWith(PASS_PREFIX)).map(passFromItem),
  };
}

export async function settle(
  { table }: DataContext,
  batch: NewBatch,
  pass: BatchPass,
  ledger: Update | undefined,
): Promise<BatchSettled> {
  const result = await table.transact([passPut(batch, pass), ...(ledger === undefined ? [] : [ledger])]);
  if (result.ok) return { settled: true };
  const [other, changed] = result.failed;
  if (other && other.item !== undefined) return { settled: false, pass: passFromItem(other.item) };
  const item = changed ? changed.item : undefined;
  return { settled: false, pass: undefined, ledger: ledgerSchema.parse(item ?? {}) };
}

/** @param listed as read; if the batch was listed again since, it has new leads and stays open */
export async function close({ table }: DataContext, batchId: string, listed?: string): Promise<void> {
  await table.delete({
    delete: keys.batchHead(batchId),
    ...(listed !== undefined && { condition: 'gsi1sk = :listed', values: { ':listed': listed } }),
  });
}

export async function openSince({ table }: DataContext, before: string, limit: number): Promise<string[]> {
  const { items } = await table.query({
    index: 'gsi1',
    partition: indexed.batches(),
    sort: { from: '0', to: before },
    limit,
  });
  return items.map(({ batch_id }) => String(batch_id));
}

const PASS_PREFIX = keys.batchPass('', 0).sk.replace(/\d+$/, '');

const expiry = (receivedAt: string) => epochSeconds(new Date(receivedAt)) + KEPT_SECONDS;

const head = (batchId: string, at: string): Put['put'] => ({
  ...keys.batchHead(batchId),
  batch_id: batchId,
  gsi1pk: indexed.batches(),
  gsi1sk: indexed.at(at, batchId),
});

/** JSON text: nested attributes would take several times the size. */
function passPut(
  { batch_id, received_at }: NewBatch,
  { entries, leads, capped, left, ...pass }: BatchPass,
): Put {
  const paces = entries.flatMap(({ buyer, schedule, capped_until, capped_by }) =>
    schedule === undefined && capped_until === undefined
      ? []
      : [[buyer, schedule ?? null, capped_until === undefined ? null : [capped_until, capped_by]]],
  );
  return newItem(keys.batchPass(batch_id, pass.pass), {
    ...pass,
    ...(capped !== undefined && capped.length > 0 && { capped }),
    ...(left !== undefined && left.length > 0 && { left }),
    ...(paces.length > 0 && { paces: JSON.stringify(paces) }),
    entries: JSON.stringify(
      entries.map((entry) => [
        entry.buyer,
        entry.probability,
        entry.min_investment,
        entry.order_id,
        Number(entry.active),
        Number(entry.has_capacity),
        Number(entry.manual_review),
        Number(entry.requires_consent ?? false),
        ...limitsOf(entry),
      ]),
    ),
    leads: JSON.stringify(
      leads.map(({ position, winner, draw, failed }) => [position, winner, draw ?? failed ?? null]),
    ),
    expires_at: expiry(received_at),
  });
}

function passFromItem(item: Item): BatchPass {
  const { entries, leads, paces, ...pass } = passSchema.parse(item);
  const paceOf = new Map(
    PACES.parse(JSON.parse(paces ?? '[]')).map(([buyer, schedule, capped]) => [buyer, { schedule, capped }]),
  );
  return {
    ...pass,
    entries: ENTRIES.parse(JSON.parse(entries)).map(
      ([
        buyer,
        probability,
        min_investment,
        order_id,
        active,
        has_capacity,
        manual_review,
        consent,
        limits,
      ]) => ({
        ...pacedFields(paceOf.get(buyer)),
        buyer,
        probability,
        min_investment,
        order_id,
        active: active === 1,
        has_capacity: has_capacity === 1,
        manual_review: manual_review === 1,
        ...(consent === 1 && { requires_consent: true }),
        ...limitFields(limits),
      }),
    ),
    leads: PASS_LEADS.parse(JSON.parse(leads)).map(([position, winner, how]) => ({
      position,
      winner,
      ...(typeof how === 'number' && { draw: how }),
      ...(typeof how === 'string' && { failed: how }),
    })),
  };
}

function leadOf([lead_id, anlagebetrag, ...others]: z.output<typeof LEADS>[number]): BatchLead {
  const consent = others.filter((other) => typeof other !== 'number');
  const [laufzeit = 0, source] = others.filter((other) => typeof other === 'number');
  return {
    lead_id,
    anlagebetrag,
    laufzeit,
    ...(source !== undefined && { source }),
    ...(consent.length > 0 && { consent }),
  };
}

function limitsOf(entry: PassEntry): z.output<typeof LIMITS>[] {
  const { max_investment = null, min_term = null, max_term = null } = entry;
  const { sources_allowed = [], sources_excluded = [] } = entry;
  const sources = [...sources_allowed, ...sources_excluded.map((source) => -source)];
  return sources.length === 0 && (max_investment ?? min_term ?? max_term) === null
    ? []
    : [[max_investment, min_term, max_term, ...sources]];
}

function limitFields(limits: z.output<typeof LIMITS> = [null, null, null]) {
  const [max_investment, min_term, max_term, ...sources] = limits;
  const allowed = sources.filter((source) => source > 0);
  const excluded = sources.filter((source) => source < 0);
  return {
    ...(max_investment !== null && { max_investment }),
    ...(min_term !== null && { min_term }),
    ...(max_term !== null && { max_term }),
    ...(allowed.length > 0 && { sources_allowed: allowed }),
    ...(excluded.length > 0 && { sources_excluded: excluded.map((source) => -source) }),
  };
}

function pacedFields(
  pace: { schedule: z.output<typeof scheduleSchema> | null; capped: [string, CapReason] | null } | undefined,
): Pick<PassEntry, 'schedule' | 'capped_until' | 'capped_by'> {
  const { schedule = null, capped = null } = pace ?? {};
  return {
    ...(schedule !== null && { schedule }),
    ...(capped !== null && { capped_until: capped[0], capped_by: capped[1] }),
  };
}
