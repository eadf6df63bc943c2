/** How long leads are kept, the progress of their erasure, and lists of leads by age. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { read } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import { type Item, type Page, type Query, type Update } from '#functions/data/table/table';
import { CLAIM_STATUSES, DEFAULT_CONSENT_YEARS, RETENTION_KINDS } from '#shared/rules/constants';

const days = z._default(z.nullable(z.int()), null);
const retentionSchema = z.object({
  delivered: days,
  pending: days,
  rejected: days,
  /** How long the proof of a consent is kept after an erasure; null: it is removed with the person. */
  consent_years: z._default(z.nullable(z.int()), DEFAULT_CONSENT_YEARS),
});
/** Days, of which null means forever. */
export type Retention = z.output<typeof retentionSchema>;

const progressSchema = z.object({
  /** UTC; the pass starts again every day. */
  day: z.string(),
  /** Absent when the pass is over. */
  kind: z.optional(z.enum(RETENTION_KINDS)),
  /** The position after which it continues. */
  after: z.string(),
  erased: z.int(),
  /** Erased leads that may have left traces outside the table. */
  in_sidecar: z.array(z.string()),
});
export type RetentionProgress = z.output<typeof progressSchema>;

export interface RetainedLead {
  readonly lead_id: string;
  /** When it was delivered, received (pending) or rejected; ISO 8601 in UTC. */
  readonly since: string;
  readonly position: string;
  readonly order_id?: number | undefined;
  readonly claim_status?: (typeof CLAIM_STATUSES)[number] | undefined;
}

export interface RetainedLeads {
  readonly leads: readonly RetainedLead[];
  readonly next: string | undefined;
}

const leadSchema = z.object({
  lead_id: z.string(),
  assigned_at: z.optional(z.string()),
  received_at: z.optional(z.string()),
  claim_status: z.optional(z.enum(CLAIM_STATUSES)),
});

const PAGE_ITEMS = 500;
/** Audit actions by which a lead is rejected: removed from its order, or discarded while pending. */
const REJECTING = ['deleted', 'discarded'] as const;
const REJECTED: ReadonlySet<unknown> = new Set(REJECTING);

const NOT_ERASED = { filter: 'attribute_not_exists(erased_at)' };

async function page(
  { table }: DataContext,
  list: Required<Pick<Query, 'index' | 'partition'>>,
  after: string,
  until: string,
  more: Pick<Query, 'filter' | 'names' | 'values' | 'only'>,
): Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }> {
  const sortKey = `${list.index}sk`;
  const found: Page = await table.query({
    ...list,
    sort: { from: `${after}\u0000`, to: until },
    limit: PAGE_ITEMS,
    ...more,
  });
  return { items: found.items, next: found.next && String(found.next[sortKey]) };
}

export async function settings({ table }: DataContext): Promise<Retention> {
  return retentionSchema.parse((await table.get(keys.retentionSettings())) ?? {});
}
/** Fails if the settings are not as they were read. */
export function settingsChanged(before: Retention, after: Retention): Update {
  return {
    key: keys.retentionSettings(),
    update: 'SET delivered = :delivered, pending = :pending, rejected = :rejected, consent_years = :years',
    condition: `attribute_not_exists(pk) OR (delivered = :was_delivered AND pending = :was_pending AND rejected = :was_rejected
      AND (attribute_not_exists(consent_years) OR consent_years = :was_years))`,
    values: {
      ':years': after.consent_years,
      ':was_years': before.consent_years,
      ':delivered': after.delivered,
      ':pending': after.pending,
      ':rejected': after.rejected,
      ':was_delivered': before.delivered,
      ':was_pending': before.pending,
      ':was_rejected': before.rejected,
    },
  };
}

export const progress = (context: DataContext): Promise<RetentionProgress | undefined> =>
  read(context, keys.retentionProgress(), progressSchema);
export async function moved({ table }: DataContext, progress: RetentionProgress): Promise<void> {
  await table.put({ put: { ...keys.retentionProgress(), ...progress } });
}

export async function lastOrder({ table }: DataContext): Promise<number> {
  return Number((await table.get(keys.counter('order')))?.value ?? 0);
}

export async function delivered(
  context: DataContext,
  order: number,
  after: string,
  before: string,
): Promise<RetainedLeads> {
  const { items, next } = await page(
    context,
    { index: 'gsi1', partition: indexed.orderLeads(order) },
    after,
    '~',
    { ...NOT_ERASED, only: ['lead_id', 'assigned_at', 'claim_status', 'gsi1sk'] },
  );
  const leads = items.flatMap((item) => {
    const { lead_id, assigned_at = '', claim_status } = leadSchema.parse(item);
    return assigned_at < before
      ? [{ lead_id, since: assigned_at, position: String(item.gsi1sk), order_id: order, claim_status }]
      : [];
  });
  // They are numbered in the order of assignment, except for a few concurrent ones.
  const isYoung = items.length > 0 && leads.length === 0;
  return { leads, next: isYoung ? undefined : next };
}

const OF = {
  all: {},
  unconfirmed: { filter: 'reason = :unconfirmed', values: { ':unconfirmed': 'consent_unconfirmed' } },
  others: { filter: 'reason <> :unconfirmed', values: { ':unconfirmed': 'consent_unconfirmed' } },
} as const;

/** @param of by whether they wait for the person to confirm the consent; a page may be empty then */
export async function pending(
  context: DataContext,
  after: string,
  before: string,
  of: keyof typeof OF = 'all',
): Promise<RetainedLeads> {
  const { items, next } = await page(
    context,
    { index: 'gsi1', partition: indexed.pending() },
    after,
    before,
    { ...OF[of], only: ['lead_id', 'received_at', 'gsi1sk'] },
  );
  const leads = items.map((item) => {
    const { lead_id, received_at = '' } = leadSchema.parse(item);
    return { lead_id, since: received_at, position: String(item.gsi1sk) };
  });
  return { leads, next };
}

export async function rejected(context: DataContext, after: string, before: string): Promise<RetainedLeads> {
  const { items, next } = await page(
    context,
    { index: 'gsi2', partition: indexed.auditOf('lead') },
    after,
    before,
    {
      filter: '#action IN (:deleted, :discarded)',
      names: { '#action': 'action' },
      values: { ':deleted': REJECTING[0], ':discarded': REJECTING[1] },
    },
  );
  const found = await context.table.getMany(items.map(({ entity_id }) => keys.lead(String(entity_id))));
  const leads = items.flatMap((item, at) => {
    const lead = found[at];
    return REJECTED.has(lead?.status) && lead?.erased_at === undefined
      ? [{ lead_id: String(item.entity_id), since: String(item.at), position: String(item.gsi2sk) }]
      : [];
  });
  return { leads, next };
}

/** Leads with a delivery that is open or failed permanently. */
export async function undelivered(context: DataContext): Promise<ReadonlySet<string>> {
  const leads = new Set<string>();
  for await (const page of deliveryStore.unfinished(context))
    for (const { leadId } of page) leads.add(leadId);
  return leads;
}
