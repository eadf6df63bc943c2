/**
 * Distributes a batch: leads that arrived together.
 *
 *     read pool ∥ read batch → verify → choose for all, settle → for each order: reserve ∥ record decisions → assign each
 *
 * One transaction settles all choices of a pass with the ledger, and one write reserves the capacity of an order for all its
 * leads. Leads that their order refused are in the next pass. Every step can be repeated: a stored pass never changes, and all
 * later writes follow from it. So a repeated message or the reconciliation can continue a batch after a crash, even while
 * a slow process still works on it. See `docs/adr/0006-hot-path.md`.
 */

import type { Batch, BatchLead, BatchPass } from '#functions/data/distribution/batch-store';
import * as batchStore from '#functions/data/distribution/batch-store';
import { type Ledger, ledgerAfter } from '#functions/data/distribution/ledger';
import { MAX_CHANGES_PER_WRITE } from '#functions/data/distribution/ledger-writer';
import type { Pool } from '#functions/data/distribution/pool-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import type { Decision, Lead, ReceivedLead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { capacityStateOf } from '#functions/data/orders/order';
import type { Refusal } from '#functions/data/orders/reservation-store';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { completeAssignment, mustNoteCapacity } from '#functions/domain/distribution/assignment';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import {
  type Chosen,
  chooseForPass,
  passLeads,
  repeatPasses,
  type Wanting,
} from '#functions/domain/distribution/batch-passes';
import type { LeftByOrder } from '#functions/domain/distribution/capacity-ahead';
import { byLargestDeficit, byNeed, type Rule } from '#functions/domain/distribution/choices';
import { lacksRecord } from '#functions/domain/distribution/consent';
import { decisionOf, markPending, termsOf } from '#functions/domain/distribution/distribution';
import { pendingReason } from '#functions/domain/distribution/eligibility';
import { withPersonResolved } from '#functions/domain/distribution/same-person';
import { type Deficits, LEAD } from '#functions/domain/distribution/share-rule';
import { type VerificationOutcome, verify } from '#functions/domain/distribution/verification';

/** After this many conflicts over the ledger, winners are drawn. */
const MAX_EXACT_ATTEMPTS = 4;
/** A pass that changes too many buyers for one write cannot be drawn and is attempted this often. */
const MAX_ATTEMPTS = 16;
const MAX_JITTER_MS = 12;

interface InFlightLead {
  readonly position: number;
  readonly lead: ReceivedLead & BatchLead;
  readonly verification: VerificationOutcome;
  chosen: Chosen | undefined;
}

interface Run {
  readonly context: DistributionContext;
  readonly batch: Batch;
  pool: Pool;
  readonly refused: Map<number, Refusal>;
  isReadAgain: boolean;
  assigned: number;
  pending: number;
  left: number;
}

/** @param absent positions not to be distributed @returns undefined if it is closed @throws Error if a write failed; it stays open */
export async function distributeBatch(context: DistributionContext, id: string, absent?: readonly number[]) {
  const [pool, batch] = await Promise.all([poolStore.read(context), batchStore.read(context, id)]);
  if (batch === undefined) return undefined;
  const run: Run = {
    context,
    batch,
    pool,
    refused: new Map(),
    isReadAgain: false,
    assigned: 0,
    pending: 0,
    left: 0,
  };
  const passes = [...batch.passes];
  let open = await inFlightLeadsOf(run, absent);
  for (;;) {
    // Another process may have made a pass without some of these leads, or have begun the next one for them.
    const planned = open.filter((entry) => hasCurrentChoice(entry));
    const waiting = open.filter((entry) => !hasCurrentChoice(entry));
    open = [...waiting, ...(await carryOut(run, planned))];
    if (passes.length > 0) open = await begun(run, passes.length + 1, open);
    if (open.length === 0) break;
    if (passes.length > 0) run.pool = await poolStore.read(context);
    passes.push(await settledPass(run, passes.length + 1, open));
    const last = repeatPasses(batch.leads, passes);
    for (const entry of open) entry.chosen = last.get(entry.position);
  }
  if (run.left === 0) await batchStore.close(context, id, batch.listed);
  return { assigned: run.assigned, pending: run.pending, left: run.left };
}

const hasCurrentChoice = ({ lead, chosen }: InFlightLead): boolean =>
  chosen !== undefined && lead.distribution_attempt <= chosen.pass;

const VERIFIED: VerificationOutcome = { reason: undefined, notes: [] };
/** Its consent is part of the batch, whose passes must be reproducible, so it becomes pending instead of losing the consent. */
const UNRECORDED: VerificationOutcome = { reason: 'consent_missing', notes: [] };

async function inFlightLeadsOf(run: Run, absent: readonly number[] | undefined): Promise<InFlightLead[]> {
  const { context, batch, pool } = run;
  const last = repeatPasses(batch.leads, batch.passes);
  const isNew = absent !== undefined && batch.passes.length === 0;
  const left = new Set(absent);
  const all = batch.leads.flatMap((lead, position) =>
    left.has(position) ? [] : [{ lead, position, chosen: last.get(position) }],
  );
  const mustVerify = Object.values(pool.switches).some((isOn) => isOn);
  if (isNew && !mustVerify)
    return all.map((one) => ({ ...one, lead: inFlight(batch, one.lead, 1), verification: VERIFIED }));
  const stored = await leadStore.ofEach(context, all.map(leadOf));
  const verified = await mapConcurrently([...all.entries()], async ([at, one]): Promise<InFlightLead[]> => {
    const found = stored[at];
    if (found === undefined || !isInFlightIn(batch, found)) return [];
    // The process that stored the lead may have ended before it resolved the person. A lead with a choice is resolved.
    const isSettled = isNew || one.chosen !== undefined;
    const lead = isSettled ? found : await withPersonResolved(context, found);
    if (lead === undefined || !isInFlightIn(batch, lead)) return [];
    const verification =
      !isSettled && (await lacksRecord(context, lead))
        ? UNRECORDED
        : await verify(context.checks, pool.switches, lead, context.mustBeCertain, context.runtime.now());
    return [{ ...one, lead: inFlight(batch, one.lead, lead.distribution_attempt), verification }];
  });
  return verified.flat();
}

const inFlight = ({ received_at }: Batch, lead: BatchLead, attempt: number): InFlightLead['lead'] => ({
  ...lead,
  received_at,
  distribution_attempt: attempt,
});

const leadOf = <Of>({ lead }: { readonly lead: Of }) => lead;
const isInFlightIn = ({ batch_id }: Batch, lead: Lead): boolean =>
  lead.status === 'received' && lead.batch_id === batch_id;

/** From then on no process can carry out earlier choices. @returns leads that no other process has assigned or moved to a later pass */
async function begun(run: Run, pass: number, entries: readonly InFlightLead[]): Promise<InFlightLead[]> {
  const moved = await mapConcurrently(entries, async (entry): Promise<InFlightLead[]> => {
    const { lead_id } = entry.lead;
    const found = await leadStore.beginPass(run.context, lead_id, run.batch.batch_id, pass);
    if (found === 'further') run.left += 1;
    return found === 'begun' ? [{ ...entry, lead: { ...entry.lead, distribution_attempt: pass } }] : [];
  });
  return moved.flat();
}

async function settledPass(run: Run, number: number, entries: readonly InFlightLead[]): Promise<BatchPass> {
  return run.context.ledger.inTurn(run.pool.ledger, (known) => settledOn(known, run, number, entries));
}

async function settledOn(known: Ledger, run: Run, number: number, entries: readonly InFlightLead[]) {
  const { context, batch } = run;
  const wanting = entries.map(
    ({
      position,
      lead: { lead_id, anlagebetrag, laufzeit, source, consent },
      verification,
      chosen,
    }): Wanting => ({
      position,
      lead_id,
      anlagebetrag,
      laufzeit,
      source,
      consent,
      failed: verification.reason,
      instead: chosen?.choice,
    }),
  );
  let ledger = known;
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) await context.runtime.sleep(context.runtime.random() * MAX_JITTER_MS);
    const isLate = attempt > MAX_EXACT_ATTEMPTS && ledger.version > 0;
    let { plan, chosen, changes } = await chosenBy(byLargestDeficit, run, number, ledger, wanting);
    if (
      !run.isReadAgain &&
      chosen.some(({ choice, failed }) => choice === undefined && failed === undefined)
    ) {
      // A buyer may have gained capacity since the read, and its backlog run did not see these leads yet.
      run.isReadAgain = true;
      run.pool = await poolStore.read(context);
      run.refused.clear();
      attempt -= 1;
      continue;
    }
    const isDrawn = isLate && changes.size <= MAX_CHANGES_PER_WRITE;
    if (isDrawn)
      ({ plan, chosen, changes } = await chosenBy(byNeed(context.runtime), run, number, ledger, wanting));
    const pass = { ...plan, leads: passLeads(chosen) };
    const settled = await batchStore.settle(
      context,
      batch,
      pass,
      changes.size === 0 ? undefined : poolStore.ledgerChanged(ledger, changes, isDrawn),
    );
    if (settled.settled) {
      noteChosen(run, entries, chosen);
      context.runtime.metrics.record('ShareDistance', distanceAfter(ledger, changes), {});
      return { result: pass, ledger: changes.size === 0 ? ledger : ledgerAfter(ledger, changes) };
    }
    if (settled.pass !== undefined) return { result: settled.pass, ledger };
    if (attempt === MAX_ATTEMPTS) throw new Error('The ledger changed before every write');
    ({ ledger } = settled);
  }
}

function noteChosen({ context }: Run, entries: readonly InFlightLead[], chosen: readonly Chosen[]): void {
  for (const [at, { lead }] of entries.entries()) {
    const winner = chosen[at]?.winner;
    if (winner !== undefined && winner.order_id !== null && !winner.manual_review)
      context.ledger.ahead.chosen(winner.order_id, lead);
  }
}

const chosenBy = (rule: Rule, run: Run, number: number, ledger: Ledger, wanting: readonly Wanting[]) =>
  run.context.ledger.ahead.within((left) => {
    const plan = planOf(run, number, ledger, left);
    return { plan, ...chooseForPass(plan, wanting, rule) };
  });

function planOf(
  { context, pool, refused }: Run,
  pass: number,
  { deficits }: Ledger,
  left: LeftByOrder,
): Omit<BatchPass, 'leads'> {
  return {
    pass,
    decided_at: context.runtime.now().toISOString(),
    entries: pool.entries,
    full: [...refused].flatMap(([buyer, by]) => (by === 'limit_reached' ? [buyer] : [])),
    capped: [...refused].flatMap(([buyer, by]) => (by === 'limit_reached' ? [] : [[buyer, by] as const])),
    left: [...left].map(([order, { leads, refusal }]) => [order, leads, refusal] as const),
    deficits: Object.fromEntries(pool.entries.map(({ buyer }) => [buyer, deficits[buyer] ?? 0])),
  };
}

function distanceAfter({ deficits }: Ledger, changes: Deficits): number {
  const after = Object.entries(deficits).map(
    ([buyer, deficit]) => deficit + (changes.get(Number(buyer)) ?? 0),
  );
  return after.reduce((most, deficit) => Math.max(most, Math.abs(deficit)), 0) / LEAD;
}

async function carryOut(run: Run, entries: readonly InFlightLead[]): Promise<InFlightLead[]> {
  const byOrder = new Map<number, InFlightLead[]>();
  const ending: [InFlightLead, Chosen][] = [];
  for (const entry of entries) {
    const { chosen } = entry;
    if (chosen === undefined) continue;
    const { winner } = chosen;
    if (winner === undefined || winner.manual_review || winner.order_id === null) {
      ending.push([entry, chosen]);
      continue;
    }
    byOrder.set(winner.order_id, [...(byOrder.get(winner.order_id) ?? []), entry]);
  }
  const [refused] = await Promise.all([
    Promise.all([...byOrder].map(([orderId, its]) => fill(run, orderId, its))),
    ...ending.map(([entry, chosen]) => leavePending(run, entry, chosen)),
  ]);
  return refused.flat();
}

async function leavePending(
  run: Run,
  { lead, verification: { notes, checks } }: InFlightLead,
  chosen: Chosen,
): Promise<void> {
  const { context } = run;
  // A lead that failed verification has a record only to replace that of an earlier pass.
  if (chosen.failed === undefined || chosen.pass > 1)
    await leadStore.record(context, recordOf(context, lead, chosen));
  const { status } = await markPending(context, lead, {
    reason:
      chosen.failed ?? (chosen.winner === undefined ? pendingReason(chosen.notEligible) : 'manual_review'),
    ...(chosen.winner !== undefined && { intendedBuyer: chosen.winner.buyer }),
    notes,
    checks,
  });
  if (status === 'pending') run.pending += 1;
}

/** Reserves capacity of an order for leads of one buyer and assigns them. @returns the leads it had no capacity for */
async function fill(run: Run, orderId: number, entries: readonly InFlightLead[]): Promise<InFlightLead[]> {
  const { context, pool } = run;
  const buyer = entries[0]?.chosen?.winner?.buyer;
  const poolEntry = [...pool.entries, ...pool.retired].find((one) => one.buyer === buyer);
  if (poolEntry === undefined) return [...entries];
  const at = context.runtime.now();
  const [{ order, refusal, reserved }] = await Promise.all([
    context.reservations
      .reserveMany(
        orderId,
        entries.map(({ lead }) => lead),
        termsOf(poolEntry, at),
      )
      .finally(() => {
        for (const { lead } of entries) context.ledger.ahead.answered(orderId, lead);
      }),
    ...entries.map(
      ({ lead, chosen }) => chosen && leadStore.record(context, recordOf(context, lead, chosen)),
    ),
  ]);
  const refused = entries.filter((_, index) => reserved[index] === undefined);
  if (refused.length > 0) run.refused.set(poolEntry.buyer, refusal);
  if (order === undefined) return refused;
  // What the order still owes after each replacement; replacements are served first.
  const replacements = reserved.filter((slot) => slot?.lead_type === 'reimbursement');
  let owed = order.reimbursement_pending + replacements.length;
  const owedAfter = reserved.map((slot) => (slot?.lead_type === 'reimbursement' ? (owed -= 1) : owed));
  const capacityState = capacityStateOf(order, poolEntry, at);
  const [lost] = await Promise.all([
    Promise.all(
      entries.map(async (entry, index): Promise<InFlightLead[]> => {
        const slot = reserved[index];
        if (slot === undefined) return [];
        const completed = await completeAssignment(context, entry.lead, {
          poolEntry,
          reserved: {
            reserved: true,
            order: { ...order, reimbursement_pending: owedAfter[index] ?? 0 },
            ...slot,
          },
          verified: entry.verification,
        });
        if (completed) run.assigned += 1;
        return completed ? [] : [entry];
      }),
    ),
    mustNoteCapacity(poolEntry, capacityState, at)
      ? poolStore.noteCapacity(context, { ...poolEntry, order_id: orderId }, capacityState)
      : undefined,
  ]);
  run.left += await countInFlight(run, lost.flat());
  return refused;
}

async function countInFlight({ context, batch }: Run, entries: readonly InFlightLead[]): Promise<number> {
  if (entries.length === 0) return 0;
  const stored = await leadStore.ofEach(context, entries.map(leadOf));
  return stored.filter((lead) => lead !== undefined && isInFlightIn(batch, lead)).length;
}

function recordOf(context: DistributionContext, lead: ReceivedLead, chosen: Chosen): Decision {
  const { choice, decided_at, eligible, notEligible } = chosen;
  return {
    ...decisionOf(context, lead, {
      mode: choice?.mode ?? 'weights',
      winner: choice?.winner ?? null,
      draw: choice?.draw,
      eligible: eligible.map(({ buyer, weight }) => [buyer, weight, choice?.before.get(buyer) ?? 0]),
      not_eligible: notEligible,
    }),
    decided_at,
  };
}
