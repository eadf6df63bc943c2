/**
 * Ingests several leads at once, each under an ID from its caller, by which a stored lead is recognised. A few leads are
 * distributed like single ones. Many are stored as batches that a worker distributes, so the caller waits only for the writes.
 */

import * as batchStore from '#functions/data/distribution/batch-store';
import { MAX_BATCH_LEADS } from '#functions/data/distribution/batch-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { distribute } from '#functions/domain/distribution/distribution';
import { STALE_AFTER_MS } from '#functions/domain/distribution/reconciliation';
import { errorFields } from '#functions/platform/logger';
import type { DistributeMessage } from '#functions/queues/messages';
import { type Queue, sendAll } from '#functions/queues/queue';

export interface IngestManyContext extends DistributionContext {
  readonly distributeQueue: Queue<DistributeMessage>;
}

export type StoredLead =
  | { readonly stored: true; readonly lead: Lead }
  | { readonly stored: false; readonly earlier: Lead };

export interface IngestedMany {
  readonly outcomes: readonly StoredLead[];
  /** Failures leave leads in flight for the reconciliation. @throws Error if it would not find them: then repeat the call */
  distribute(admitted?: readonly Lead[]): Promise<void>;
}

/** From this size on a batch is cheaper and faster than single distribution attempts. */
const MIN_BATCH_LEADS = 10;
/** The SDK's number of connections to the table. */
const MAX_WRITES_AT_ONCE = 50;

/** @param leads with IDs from the caller, all received at the same time @throws Error for an unknown outcome: then repeat the call */
export async function ingestMany(context: IngestManyContext, leads: readonly Lead[]): Promise<IngestedMany> {
  const first = new Map(leads.toReversed().map((lead) => [lead.lead_id, lead]));
  const distinct = leads.filter((lead) => first.get(lead.lead_id) === lead);
  const batches: OpenBatch[] = [];
  for (
    let start = 0;
    distinct.length >= MIN_BATCH_LEADS && start < distinct.length;
    start += MAX_BATCH_LEADS
  ) {
    const batch_id = context.runtime.newId();
    const leads = distinct.slice(start, start + MAX_BATCH_LEADS).map((lead) => ({ ...lead, batch_id }));
    batches.push({ id: batch_id, openedAt: context.runtime.now(), leads });
  }
  const before =
    batches.length === 0
      ? await Promise.all(distinct.map((lead) => leadStore.receive(context, lead)))
      : await storeBatches(context, batches);
  const earlierById = new Map(distinct.map(({ lead_id }, at) => [lead_id, before[at]]));
  const storedById = new Map(batches.flatMap((batch) => batch.leads.map((lead) => [lead.lead_id, lead])));
  const outcomes = leads.map((lead): StoredLead => {
    const earlier = earlierById.get(lead.lead_id);
    if (earlier !== undefined) return { stored: false, earlier };
    const own = storedById.get(lead.lead_id) ?? first.get(lead.lead_id) ?? lead;
    return first.get(lead.lead_id) === lead ? { stored: true, lead: own } : { stored: false, earlier: own };
  });
  return {
    outcomes,
    distribute: async (admitted = outcomes.flatMap((one) => (one.stored ? [one.lead] : []))) => {
      // A lead whose person came before may have to wait for another lead, which must not delay a batch. A lead of a known person
      // has left its batch, whose leads are the same for every buyer.
      const together =
        batches.length === 0
          ? []
          : admitted.filter(
              ({ earlier_leads, known_to }) => earlier_leads === undefined && known_to === undefined,
            );
      const ids = new Set(together.map(({ lead_id }) => lead_id));
      const alone = admitted.filter(({ lead_id }) => !ids.has(lead_id));
      const [stuck] = await Promise.all([reopenStuck(context, outcomes), reopenLate(context, batches)]);
      await Promise.all([distributeConcurrently(context, alone), sendBatches(context, batches, ids, stuck)]);
    },
  };
}

/** Well before the reconciliation takes the batch over, because clocks differ. */
const LATE_AFTER_MS = STALE_AFTER_MS / 2;

interface OpenBatch {
  readonly id: string;
  readonly openedAt: Date;
  readonly leads: readonly (Lead & { readonly batch_id: string })[];
}

async function storeBatches(context: IngestManyContext, batches: readonly OpenBatch[]) {
  const wanted = batches.map(({ id, leads }) => {
    const received_at = leads[0]?.received_at ?? context.runtime.now().toISOString();
    return { batch_id: id, received_at, leads };
  });
  await Promise.all(wanted.map((batch) => batchStore.open(context, batch)));
  return mapConcurrently(
    wanted.flatMap(({ received_at, leads }) => leads.map((lead) => ({ ...lead, received_at }))),
    (lead) => leadStore.receiveInBatch(context, lead),
    MAX_WRITES_AT_ONCE,
  );
}

/** Closes batches without a lead to distribute. @param stuck batches of earlier calls to distribute again */
async function sendBatches(
  context: IngestManyContext,
  batches: readonly OpenBatch[],
  admitted: ReadonlySet<string>,
  stuck: readonly string[],
): Promise<void> {
  const isAdmitted = ({ lead_id }: Lead) => admitted.has(lead_id);
  const over = batches.filter(({ leads }) => !leads.some(isAdmitted));
  const open = batches.filter(({ leads }) => leads.some(isAdmitted));
  const messages: DistributeMessage[] = [
    ...open.map(({ id, leads }) => ({
      batch_id: id,
      absent: leads.flatMap((lead, position) => (isAdmitted(lead) ? [] : [position])),
    })),
    ...stuck.map((batch_id) => ({ batch_id })),
  ];
  const outgoing = messages.map((message) => ({ message }));
  await untilReconciled(context, async () => {
    await Promise.all([
      ...over.map(({ id }) => batchStore.close(context, id)),
      sendAll(context.distributeQueue, outgoing),
    ]);
  });
}

/** The reconciliation may have closed a batch before these late leads were stored. */
async function reopenLate(context: IngestManyContext, batches: readonly OpenBatch[]): Promise<void> {
  const now = context.runtime.now();
  const late = batches.filter(({ openedAt }) => now.getTime() - openedAt.getTime() > LATE_AFTER_MS);
  await Promise.all(late.map(({ id }) => batchStore.reopen(context, id, now.toISOString())));
}

/** The reconciliation may have closed a batch before it saw a slowly stored lead. When the lead is sent again, it is reopened. */
async function reopenStuck(context: IngestManyContext, outcomes: readonly StoredLead[]): Promise<string[]> {
  const now = context.runtime.now();
  const before = new Date(now.getTime() - LATE_AFTER_MS).toISOString();
  const stuck = outcomes.flatMap((one) =>
    !one.stored && one.earlier.status === 'received' && one.earlier.received_at < before
      ? (one.earlier.batch_id ?? [])
      : [],
  );
  const batches = [...new Set(stuck)];
  await Promise.all(batches.map((batch) => batchStore.reopen(context, batch, now.toISOString())));
  return batches;
}

/** An alarm counts it. */
export const LEFT_IN_FLIGHT = 'batch_left_in_flight';

async function untilReconciled(context: DistributionContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.runtime.log.error(LEFT_IN_FLIGHT, errorFields(error));
  }
}

async function distributeConcurrently(context: DistributionContext, leads: readonly Lead[]): Promise<void> {
  if (leads.length === 0) return;
  const pool = poolStore.read(context);
  await Promise.all(
    leads.map(async (lead) => {
      try {
        await distribute(context, lead, await pool);
      } catch (error) {
        context.runtime.log.error('distribution_left_in_flight', {
          lead: lead.lead_id,
          ...errorFields(error),
        });
      }
    }),
  );
}
