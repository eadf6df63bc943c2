/**
 * The withdrawal of a consent. Marks keep out the person's new leads, its leads without a buyer leave distribution, open
 * deliveries fail, and each buyer that received one is notified once and reminded until it has confirmed. Its state is stored as that
 * of an erasure, so the reconciliation continues it after a crash. See `docs/adr/0053-withdrawal-of-consent.md`.
 */
import * as consentStore from '#functions/data/leads/consent';
import * as doNotContactStore from '#functions/data/leads/do-not-contact-store';
import { deliveryEnded } from '#functions/data/leads/erasure';
import type { Erasure } from '#functions/data/leads/erasure-store';
import * as erasureStore from '#functions/data/leads/erasure-store';
import type { Lead } from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import * as personFingerprintStore from '#functions/data/leads/person-fingerprint-store';
import * as orderStore from '#functions/data/orders/order-store';
import { aboutLead, auditEntry } from '#functions/domain/common/audit';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { type ErasureContext, eraseLead, isOpen } from '#functions/domain/leads/erasure';
import { isCheckDue, recipientsOf, tellRecipients } from '#functions/domain/leads/erasure-recipients';
import { leadsLike } from '#functions/domain/leads/people';
import { errorFields } from '#functions/platform/logger';
import { CONFLICT } from '#functions/platform/retry';
import type { WithdrawalWay } from '#shared/rules/constants';

/** The others follow with the check, so that all fits into a transaction. */
const MAX_LEADS = 25;

interface Asked {
  readonly who: string;
  readonly way: WithdrawalWay;
}

/**
 * Withdraws the consent of the person of these leads. Repeatable: then it returns the withdrawal that it finds.
 * @returns undefined if no person is known: all are erased or unknown
 */
export async function withdrawConsent(
  context: ErasureContext,
  asked: Asked,
  leadIds: readonly string[],
): Promise<Erasure | undefined> {
  const begun = await retryOnConflict(context.runtime, () => begin(context, asked, leadIds));
  if (begun === undefined) return undefined;
  try {
    return await continueWithdrawal(context, begun);
  } catch (error) {
    // It is stored, so the reconciliation continues it within a minute.
    context.runtime.log.warn('withdrawal interrupted', {
      withdrawal: begun.erasure_id,
      ...errorFields(error),
    });
    return begun;
  }
}

async function begin(context: ErasureContext, { who, way }: Asked, leadIds: readonly string[]) {
  const named = (await leadStore.getMany(context, leadIds)).filter((lead) => lead !== undefined);
  const seeds = named.filter(({ erased_at }) => erased_at === undefined);
  const groups = (await Promise.all(seeds.map((lead) => fingerprintsOf(context, lead)))).flat();
  if (groups.length === 0) return undefined;
  const hashes = [...new Set(groups.flat())];
  const marking = [...new Set(identities(way, groups))];
  const fingerprints = [...new Set([...hashes, ...marking])];
  const persons = seeds.filter(holdsPerson).map(({ email, telefon }) => ({ email, telefon }));
  const [marks, all] = await Promise.all([
    doNotContactStore.ofEach(context, fingerprints),
    leadsOf(context, { way, fingerprints, persons }),
  ]);
  const known = [...new Set(marks.flatMap((mark) => mark?.withdrawal_id ?? []))];
  const earlier = (await Promise.all(known.map((id) => erasureStore.get(context, id)))).flatMap(
    (one) => one ?? [],
  );
  const leads = new Map([...seeds, ...all].map((lead) => [lead.lead_id, lead]));
  const affected = [...leads.values()].filter(
    ({ lead_id, withdrawn_at }) =>
      withdrawn_at === undefined && !earlier.some(({ lead_ids }) => lead_ids.includes(lead_id)),
  );
  const latest = earlier.toSorted((one, other) => (one.begun_at < other.begun_at ? 1 : -1))[0];
  const markOf = new Map(fingerprints.map((hash, at) => [hash, marks[at]]));
  const areMarked = (all: readonly string[]) =>
    all.every((hash) => markOf.get(hash)?.withdrawal_id !== undefined);
  if (latest !== undefined && affected.length === 0 && (areMarked(marking) || areMarked(hashes)))
    return latest;
  const begun_at = context.runtime.now().toISOString();
  const withdrawal: Erasure = {
    erasure_id: context.runtime.newId(),
    purpose: 'withdrawal',
    way,
    lead_ids: affected.slice(0, MAX_LEADS).map(({ lead_id }) => lead_id),
    stage: 'erasing',
    begun_by: who,
    begun_at,
    fingerprints,
    persons,
  };
  const mark = { withdrawn_at: begun_at, withdrawal_id: withdrawal.erasure_id };
  const { ok } = await context.table.transact([
    ...marking.map((hash) => doNotContactStore.marked(hash, mark, markOf.get(hash))),
    ...erasureStore.begun(withdrawal, []),
  ]);
  return ok ? withdrawal : CONFLICT;
}

const holdsPerson = ({ email }: Lead) => email !== '';

/** Of the person as it came, and as it was edited since. */
async function fingerprintsOf(context: ErasureContext, lead: Lead): Promise<(readonly string[])[]> {
  const groups = [lead.fingerprints ?? [], holdsPerson(lead) ? await context.fingerprintsOf(lead) : []];
  return groups.filter(({ length }) => length > 0);
}

/**
 * By what a withdrawal recognises the person. Only an admin has checked who asks. Anybody can post a lead with somebody else's
 * phone number and gets a link for it, so links and sources reach only leads with the same e-mail address as well.
 */
const identities = (way: WithdrawalWay | undefined, groups: readonly (readonly string[])[]) =>
  way === 'admin' ? groups.flat() : groups.map(doNotContactStore.pairOf);

/** All leads of the person: of the search index, which is behind by a moment, and those of sources, which are not. */
async function leadsOf(
  context: ErasureContext,
  { way, fingerprints = [], persons = [] }: Pick<Erasure, 'way' | 'fingerprints' | 'persons'>,
): Promise<Lead[]> {
  const wanted = new Set(fingerprints);
  const [like, listed] = await Promise.all([
    Promise.all(persons.map((person) => leadsLike(context, person))),
    Promise.all(fingerprints.map((hash) => personFingerprintStore.get(context, hash))),
  ]);
  const posted = await leadStore.ofEach(
    context,
    listed.flatMap((found) => found?.leads ?? []),
  );
  const all = [...like.flat(), ...posted].filter((lead) => lead !== undefined && isConcerned(lead));
  const found = new Map(all.flatMap((lead) => (lead === undefined ? [] : [[lead.lead_id, lead] as const])));
  const own = await Promise.all(
    Array.from(found.values(), async (lead) => ({
      lead,
      hashes: identities(way, await fingerprintsOf(context, lead)),
    })),
  );
  return own.flatMap(({ lead, hashes }) => (hashes.some((hash) => wanted.has(hash)) ? [lead] : []));
}

const isConcerned = ({ status, erased_at }: Lead) =>
  erased_at === undefined && status !== 'duplicate' && status !== 'withdrawn';

/** Performs the steps that are due. Repeatable, also in parallel. @throws DomainError 409 after repeated conflicts */
export async function continueWithdrawal(context: ErasureContext, withdrawal: Erasure): Promise<Erasure> {
  switch (withdrawal.stage) {
    case 'erasing':
      return withdraw(context, withdrawal);
    case 'checking':
      return check(context, withdrawal);
    case 'done':
      return withdrawal;
  }
}

async function withdraw(context: ErasureContext, withdrawal: Erasure): Promise<Erasure> {
  for (const leadId of withdrawal.lead_ids) await withdrawLead(context, withdrawal, leadId);
  // Now no further buyer can receive one. A lead of two withdrawals belongs to the one that reached it first.
  const all = await Promise.all(withdrawal.lead_ids.map((leadId) => leadStore.details(context, leadId)));
  const own = all.filter(
    (details): details is LeadDetails => details?.lead.withdrawal_id === withdrawal.erasure_id,
  );
  for (const recipient of await recipientsOf(context, withdrawal, own))
    await context.table.put(erasureStore.concerned(recipient));
  return tellRecipients(context, withdrawal);
}

/** A lead without a buyer is discarded, and its personal data are removed. Repeatable. */
async function withdrawLead(context: ErasureContext, { begun_by, ...of }: Erasure, leadId: string) {
  const after = await retryOnConflict(context.runtime, async () => {
    const details = await leadStore.details(context, leadId);
    const lead = details?.lead;
    if (details === undefined || lead === undefined || lead.erased_at !== undefined) return undefined;
    if (lead.withdrawn_at !== undefined) return lead.status;
    const leaves = lead.status === 'received' || lead.status === 'pending';
    const status = leaves ? 'discarded' : lead.status;
    const now = context.runtime.now();
    const { ok } = await context.table.transact([
      leadWrites.withdrawn(lead, of.begun_at, of.erasure_id),
      ...details.deliveries.filter(isOpen).map((delivery) => deliveryEnded(delivery, now)),
      ...(lead.status === 'assigned' && lead.order_id !== undefined
        ? orderStore.leadEdited(lead.order_id)
        : []),
      auditEntry(context, {
        who: begun_by,
        action: 'consent_withdrawn',
        ...aboutLead(leadId),
        before: { status: lead.status },
        after: { status, way: of.way },
      }),
    ]);
    return ok ? status : CONFLICT;
  });
  if (after === 'discarded') await eraseLead(context, begun_by, leadId, 'withdrawal');
}

/** Leads that were stored while the person withdrew follow in a withdrawal of their own, whose buyers are notified as well. */
async function check(context: ErasureContext, withdrawal: Erasure): Promise<Erasure> {
  const now = context.runtime.now();
  if (!isCheckDue(withdrawal, now)) return withdrawal;
  for (const leadId of withdrawal.lead_ids) {
    await withdrawLead(context, withdrawal, leadId);
    // Its callback may have been written after it was erased.
    const lead = await leadStore.get(context, leadId);
    if (lead?.status === 'discarded' && lead.withdrawn_at !== undefined)
      await eraseLead(context, withdrawal.begun_by, leadId, 'withdrawal', withdrawal.fingerprints);
  }
  const late = await lateLeads(context, withdrawal);
  const next: Erasure | undefined =
    late.length === 0
      ? undefined
      : {
          ...withdrawal,
          erasure_id: context.runtime.newId(),
          stage: 'erasing',
          lead_ids: late.slice(0, MAX_LEADS),
          erased_at: undefined,
        };
  const { ok } = await context.table.transact([
    erasureStore.moved(withdrawal, 'done', now, now),
    ...(next === undefined ? [] : erasureStore.begun(next, [])),
  ]);
  if (!ok) return (await erasureStore.get(context, withdrawal.erasure_id)) ?? withdrawal;
  if (next !== undefined) await continueWithdrawal(context, next);
  return { ...withdrawal, stage: 'done', done_at: now.toISOString() };
}

async function lateLeads(context: ErasureContext, withdrawal: Erasure): Promise<string[]> {
  const left = (await leadsOf(context, withdrawal)).filter(({ withdrawn_at }) => withdrawn_at === undefined);
  const given = await Promise.all(left.map(({ lead_id }) => consentStore.givenAt(context, lead_id)));
  return left.flatMap(({ lead_id }, at) => ((given[at] ?? '') > withdrawal.begun_at ? [] : [lead_id]));
}
