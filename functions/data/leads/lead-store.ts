/** Leads, their decisions and their distribution attempts, each step with the condition that guards it. */
import type { DataContext } from '#functions/data/context';
import { newSending } from '#functions/data/deliveries/sending';
import { type ConsentItem, consentItemSchema } from '#functions/data/leads/consent';
import { decisionFromItem, decisionPut } from '#functions/data/leads/decisions';
import { diaryIn, type LeadDiary } from '#functions/data/leads/feedback';
import {
  type Assignment,
  type Decision,
  type Delivery,
  deliverySchema,
  isOfAssignment,
  type Lead,
  leadSchema,
  type ReceivedLead,
  wholePerson,
} from '#functions/data/leads/lead';
import {
  deliveryMoved,
  type RefusedAssignment,
  refusalPut,
  refusalsIn,
} from '#functions/data/leads/refusals';
import type { AnyCallback } from '#functions/data/sources/callback-store';
import * as callbackStore from '#functions/data/sources/callback-store';
import { blanking } from '#functions/data/table/blanking';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { newItem, read, readMany } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import {
  asRead,
  equationsAndGaps,
  type Put,
  type Table,
  type TransactionItem,
  type Update,
  type Written,
} from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';
import type { Channel } from '#shared/channels/channels';
import { type PendingReason, SAME_ANSWER_DAYS } from '#shared/rules/constants';

const DAY_MS = 86_400_000;

/** Absent checks leave the stored ones. */
interface Verification {
  readonly notes: readonly string[];
  readonly checks?: string | undefined;
}

export interface LeadDetails {
  readonly lead: Lead;
  readonly decision: Decision | undefined;
  readonly deliveries: Delivery[];
  readonly refusals: readonly RefusedAssignment[];
  readonly callbacks: AnyCallback[];
  readonly consent: ConsentItem | undefined;
  readonly diary: LeadDiary;
}

/** The lead in flight, and the conditional write that puts it there. */
interface Restart {
  readonly restarted: Lead;
  readonly update: Update;
}

export const get = (context: DataContext, leadId: string): Promise<Lead | undefined> =>
  read(context, keys.lead(leadId), leadSchema);

export const getMany = (context: DataContext, leadIds: readonly string[]): Promise<(Lead | undefined)[]> =>
  readMany(context, leadIds.map(keys.lead), leadSchema);

/** The lead of each of these entities. */
export const ofEach = (context: DataContext, named: readonly Pick<Lead, 'lead_id'>[]) =>
  getMany(
    context,
    named.map(({ lead_id }) => lead_id),
  );

export async function details({ table }: DataContext, leadId: string): Promise<LeadDetails | undefined> {
  const items = await table.queryAll({ partition: keys.leadPartition(leadId), consistent: true });
  const item = items.find(({ sk }) => sk === keys.lead(leadId).sk);
  if (item === undefined) return undefined;
  const lead = leadSchema.parse(item);
  const callbacks = await callbackStore.about({ table }, leadId);
  const decision = items.find((item) => item.sk === keys.decision(leadId).sk);
  const consent = items.find((item) => item.sk === keys.consent(leadId).sk);
  return {
    lead,
    decision: decision && decisionFromItem(decision),
    deliveries: items
      .filter((item) => String(item.sk).startsWith('DELIVERY#'))
      .map((item) => deliverySchema.parse(item)),
    refusals: refusalsIn(items),
    callbacks,
    consent: consent && consentItemSchema.parse(consent),
    diary: diaryIn(lead, items),
  };
}

/** Repeatable. @returns undefined, or the lead that another request stored under this ID, and distributes */
export async function receive({ table }: DataContext, lead: Lead): Promise<Lead | undefined> {
  const sortKey = inFlightSortKey(table, lead, lead.in_flight_since ?? lead.received_at);
  const written = await table.put(
    newItem(keys.lead(lead.lead_id), { ...lead, gsi1pk: indexed.inFlight(lead.lead_id), gsi1sk: sortKey }),
  );
  // The SDK repeats this write after a lost answer; then the item found is the one that it wrote.
  if (written.ok || written.item?.gsi1sk === sortKey) return undefined;
  return leadSchema.parse(written.item);
}

/** A lead of a batch has no entry in the index of leads in flight. */
export async function receiveInBatch(
  { table }: DataContext,
  lead: Lead & { readonly batch_id: string },
): Promise<Lead | undefined> {
  const written = await table.put(newItem(keys.lead(lead.lead_id), lead));
  // Each call has a new batch ID, so it identifies whose write this is.
  if (written.ok || written.item?.batch_id === lead.batch_id) return undefined;
  return leadSchema.parse(written.item);
}

/** @returns whether it is refused, by this call or another; false if another distribution attempt took over */
export async function refuse(
  { table }: DataContext,
  lead: Lead,
  status: 'duplicate' | 'withdrawn',
  earlier?: { readonly lead_id: string; readonly isSamePerson: boolean },
): Promise<boolean> {
  const blanks = blanking(leadSchema);
  const until = new Date(Date.parse(lead.received_at) + SAME_ANSWER_DAYS * DAY_MS);
  const written = await table.update({
    key: keys.lead(lead.lead_id),
    update: `SET #status = :refused, expires_at = :until${earlier === undefined ? '' : ', duplicate_of = :earlier'}${earlier?.isSamePerson === true ? ', same_person = :true' : ''}, ${blanks.sets.join(', ')}
          REMOVE ${[...blanks.removes, 'gsi1pk', 'gsi1sk', 'in_flight_since'].join(', ')}`,
    condition: '#status = :received AND distribution_attempt = :attempt',
    names: { ...blanks.names, '#status': 'status' },
    values: {
      ...blanks.values,
      ':refused': status,
      ':received': 'received',
      ':attempt': lead.distribution_attempt,
      ...(earlier !== undefined && { ':earlier': earlier.lead_id }),
      ...(earlier?.isSamePerson === true && { ':true': true }),
      ':until': epochSeconds(until),
    },
  });
  return written.ok || written.item?.status === status;
}

/** The lead leaves its batch for another distribution attempt. @returns undefined if another attempt took over */
export async function noteEarlier(
  { table }: DataContext,
  lead: Lead,
  earlier: readonly string[],
  at: string,
): Promise<Lead | undefined> {
  return noted(table, lead, { earlier_leads: [...earlier] }, at);
}

/** Takes the lead out of its batch. */
export const noteKnown = async ({ table }: DataContext, lead: Lead, known: readonly number[], at: string) =>
  noted(table, lead, { known_to: [...known] }, at);

async function noted(
  table: Table,
  lead: Lead,
  fields: Pick<Lead, 'earlier_leads' | 'known_to'>,
  at: string,
): Promise<Lead | undefined> {
  const sortKey = inFlightSortKey(table, lead, at);
  const { texts, names, values } = equationsAndGaps(fields);
  const written = await table.update({
    key: keys.lead(lead.lead_id),
    update: `SET ${texts.join(', ')}, distribution_attempt = :next, in_flight_since = :at, gsi1pk = :list,
          gsi1sk = :sort_key REMOVE batch_id`,
    condition: '#status = :received AND distribution_attempt = :expected',
    names: { ...names, '#status': 'status' },
    values: {
      ...values,
      ':next': lead.distribution_attempt + 1,
      ':expected': lead.distribution_attempt,
      ':at': at,
      ':list': indexed.inFlight(lead.lead_id),
      ':sort_key': sortKey,
      ':received': 'received',
    },
  });
  return inFlightAt(sortKey, written);
}

/** Needed while the earlier lead may still be distributed or reassigned. */
export async function noteLater({ table }: DataContext, earlier: string, later: string): Promise<void> {
  await table.update({
    key: keys.lead(earlier),
    update: 'ADD later_leads :later',
    condition: '#status IN (:received, :pending, :assigned)',
    names: { '#status': 'status' },
    values: {
      ':later': new Set([later]),
      ':received': 'received',
      ':pending': 'pending',
      ':assigned': 'assigned',
    },
  });
}

/** @returns false if another distribution attempt took the lead over, and keeps it */
export async function removeReceived(
  { table }: DataContext,
  lead: Pick<Lead, 'lead_id' | 'distribution_attempt'>,
): Promise<boolean> {
  const removed = await table.delete({
    delete: keys.lead(lead.lead_id),
    condition: '#status = :received AND distribution_attempt = :attempt',
    names: { '#status': 'status' },
    values: { ':received': 'received', ':attempt': lead.distribution_attempt },
  });
  // The item is already deleted if the SDK repeated a call after a lost answer.
  return removed.ok || removed.item === undefined;
}

/** @returns the lead in flight, or undefined if it is no longer pending */
export async function restart(
  { table }: DataContext,
  lead: Lead,
  at: string,
  fields: Pick<Lead, 'known_to'> = {},
): Promise<Lead | undefined> {
  const sortKey = inFlightSortKey(table, lead, at);
  return inFlightAt(
    sortKey,
    await table.update(restartUpdate(lead, at, sortKey, { ...fields, verified: true })),
  );
}

/** Repeatable. @returns `further` if a later pass began, `left` if the lead is no longer in flight in this batch */
export async function beginPass(
  { table }: DataContext,
  leadId: string,
  batchId: string,
  pass: number,
): Promise<'begun' | 'further' | 'left'> {
  const written = await table.update({
    key: keys.lead(leadId),
    update: 'SET distribution_attempt = :pass',
    condition: '#status = :received AND batch_id = :batch AND distribution_attempt <= :pass',
    names: { '#status': 'status' },
    values: { ':pass': pass, ':received': 'received', ':batch': batchId },
  });
  if (written.ok) return 'begun';
  return written.item?.status === 'received' && written.item.batch_id === batchId ? 'further' : 'left';
}

/** @returns undefined if the attempt ended or was taken over already */
export async function takeOver({ table }: DataContext, lead: Lead, at: string): Promise<Lead | undefined> {
  const sortKey = inFlightSortKey(table, lead, at);
  const written = await table.update({
    key: keys.lead(lead.lead_id),
    update: 'SET distribution_attempt = :next, in_flight_since = :at, gsi1sk = :sort_key',
    condition: '#status = :received AND distribution_attempt = :expected',
    names: { '#status': 'status' },
    values: {
      ':received': 'received',
      ':expected': lead.distribution_attempt,
      ':next': lead.distribution_attempt + 1,
      ':at': at,
      ':sort_key': sortKey,
    },
  });
  return inFlightAt(sortKey, written);
}

export async function record({ table }: DataContext, decision: Decision): Promise<void> {
  await table.put(decisionPut(decision));
}

export function assigned(
  lead: ReceivedLead,
  assignment: Assignment,
  channels: readonly Channel[],
  at: string,
  verified: Verification,
): TransactionItem[] {
  return [
    assignedUpdate(lead, assignment, at, verified),
    ...channels.map((channel) => newDelivery(lead, assignment, channel, at)),
  ];
}

/** @returns false if the distribution attempt is over already */
export async function markPending(
  { table }: DataContext,
  lead: ReceivedLead,
  { reason, intendedBuyer, notes, checks }: { reason: PendingReason; intendedBuyer?: number } & Verification,
): Promise<boolean> {
  const written = await table.update({
    key: keys.lead(lead.lead_id),
    update: `SET #status = :pending, reason = :reason, verification_notes = :notes, gsi1pk = :list, gsi1sk = :sort_key${
      intendedBuyer === undefined ? '' : ', intended_buyer = :buyer'
    }${checks === undefined ? '' : ', checks = :checks'} REMOVE in_flight_since, batch_id, chosen_buyer, chosen_by${intendedBuyer === undefined ? ', intended_buyer' : ''}`,
    condition: '#status = :received AND distribution_attempt = :attempt',
    names: { '#status': 'status' },
    values: {
      ':pending': 'pending',
      ':received': 'received',
      ':attempt': lead.distribution_attempt,
      ':reason': reason,
      ':notes': [...notes],
      ':list': indexed.pending(),
      ':sort_key': indexed.at(lead.received_at, lead.lead_id),
      ...(intendedBuyer !== undefined && { ':buyer': intendedBuyer }),
      ...(checks !== undefined && { ':checks': checks }),
    },
  });
  return (
    written.ok ||
    (written.item?.status === 'pending' && written.item.distribution_attempt === lead.distribution_attempt)
  );
}

/**
 * Takes a lead out of its order because its buyer refused it, and starts the next distribution attempt. Deliveries and
 * decision are stored with the lead. Fails if the lead is not in that order, has a claim, was erased, or a delivery
 * changed.
 */
export function reassigned(
  { table }: DataContext,
  { lead, decision, deliveries }: LeadDetails,
  assignment: Assignment & { readonly assigned_at: string },
  at: string,
): TransactionItem[] {
  const { lead_id, distribution_attempt } = lead;
  const of = deliveries.filter((delivery) => isOfAssignment(delivery, lead));
  return [
    reassignedUpdate(lead, assignment, at, inFlightSortKey(table, lead, at)),
    refusalPut({ ...assignment, lead_id, distribution_attempt, refused_at: at, decision }),
    ...(decision === undefined ? [] : [{ delete: keys.decision(lead_id) }]),
    ...of.flatMap((delivery) => deliveryMoved(delivery, distribution_attempt, at)),
  ];
}

/** Unique for each write, so that of two writes in the same millisecond only one recognises itself. */
function inFlightSortKey(table: Pick<Table, 'runtime'>, lead: Lead, at: string): string {
  return `${indexed.at(at, lead.lead_id)}#${newWriteId(table.runtime)}`;
}

/** The lead if this write put it in flight, also if its answer was lost and the SDK repeated it. */
function inFlightAt(sortKey: string, written: Written): Lead | undefined {
  return written.item?.gsi1sk === sortKey ? leadSchema.parse(written.item) : undefined;
}

/** `verified` is false to verify the lead again. */
type RestartFields = Partial<Lead> & { readonly verified: boolean };

/** For a pending lead that an admin distributes. Fails if the person was edited: the edit would be lost, or not be used. */
export function restartWith({ table }: DataContext, lead: Lead, at: string, fields: RestartFields): Restart {
  const update = restartUpdate(lead, at, inFlightSortKey(table, lead, at), fields);
  // A lead of the same person may have been noted since; this attempt has to know its buyer.
  const expected = asRead({ ...wholePerson(lead), later_leads: lead.later_leads });
  return {
    restarted: {
      ...lead,
      ...fields,
      status: 'received',
      distribution_attempt: lead.distribution_attempt + 1,
      in_flight_since: at,
    },
    update: {
      ...update,
      condition: `${update.condition} AND ${expected.condition}`,
      names: { ...update.names, ...expected.names },
      values: { ...update.values, ...expected.values },
    },
  };
}

function restartUpdate(lead: Lead, at: string, sortKey: string, fields: RestartFields): Update {
  const { texts, gaps, names, values } = equationsAndGaps(fields);
  const sets = [
    '#status = :received',
    'distribution_attempt = :attempt',
    'in_flight_since = :at',
    'gsi1pk = :list',
    'gsi1sk = :sort_key',
    ...texts,
  ];
  return {
    key: keys.lead(lead.lead_id),
    update: `SET ${sets.join(', ')}${gaps.length > 0 ? ` REMOVE ${gaps.join(', ')}` : ''}`,
    condition: '#status = :pending AND distribution_attempt = :expected',
    names: { ...names, '#status': 'status' },
    values: {
      ...values,
      ':pending': 'pending',
      ':received': 'received',
      ':expected': lead.distribution_attempt,
      ':attempt': lead.distribution_attempt + 1,
      ':at': at,
      ':list': indexed.inFlight(lead.lead_id),
      ':sort_key': sortKey,
    },
  };
}

function assignedUpdate(
  lead: ReceivedLead,
  assignment: Assignment,
  at: string,
  { notes, checks }: Verification,
): Update {
  return {
    key: keys.lead(lead.lead_id),
    update: `SET #status = :assigned, buyer = :buyer, order_id = :order, #sequence = :sequence, lead_type = :type,
      assigned_at = :at, gsi1pk = :list, gsi1sk = :sort_key${notes.length > 0 ? ', verification_notes = :notes' : ''}${checks === undefined ? '' : ', checks = :checks'}
      REMOVE in_flight_since, batch_id, chosen_buyer, chosen_by, reason, intended_buyer`,
    condition: '#status = :received AND distribution_attempt = :attempt',
    names: { '#status': 'status', '#sequence': 'sequence' },
    values: {
      ':assigned': 'assigned',
      ':received': 'received',
      ':attempt': lead.distribution_attempt,
      ':buyer': assignment.buyer,
      ':order': assignment.order_id,
      ':sequence': assignment.sequence,
      ':type': assignment.lead_type,
      ':at': at,
      ':list': indexed.orderLeads(assignment.order_id),
      ':sort_key': indexed.sequence(assignment.sequence),
      ...(notes.length > 0 && { ':notes': [...notes] }),
      ...(checks !== undefined && { ':checks': checks }),
    },
  };
}

function reassignedUpdate(
  lead: Lead,
  { buyer, order_id, sequence }: Assignment,
  at: string,
  sortKey: string,
): Update {
  return {
    key: keys.lead(lead.lead_id),
    update: `SET #status = :received, distribution_attempt = :next, in_flight_since = :at, gsi1pk = :list,
      gsi1sk = :sort_key, verified = :true, refused_by = :refused
      REMOVE buyer, order_id, #sequence, lead_type, assigned_at`,
    condition: `#status = :assigned AND distribution_attempt = :expected AND order_id = :order AND #sequence = :sequence
      AND attribute_not_exists(claim_id) AND attribute_not_exists(erased_at) AND attribute_not_exists(withdrawn_at)`,
    names: { '#status': 'status', '#sequence': 'sequence' },
    values: {
      ':received': 'received',
      ':assigned': 'assigned',
      ':expected': lead.distribution_attempt,
      ':next': lead.distribution_attempt + 1,
      ':at': at,
      ':list': indexed.inFlight(lead.lead_id),
      ':sort_key': sortKey,
      ':true': true,
      ':refused': [...(lead.refused_by ?? []), { buyer, at }],
      ':order': order_id,
      ':sequence': sequence,
    },
  };
}

function newDelivery(lead: ReceivedLead, assignment: Assignment, channel: Channel, at: string): Put {
  const delivery: Delivery = {
    lead_id: lead.lead_id,
    channel,
    buyer: assignment.buyer,
    order_id: assignment.order_id,
    sequence: assignment.sequence,
    lead_type: assignment.lead_type,
    external_id: null,
    ...newSending(at),
  };
  return newItem(keys.delivery(lead.lead_id, channel), {
    ...delivery,
    gsi1pk: indexed.newDeliveries(lead.lead_id),
    gsi1sk: indexed.at(at, `${lead.lead_id}#${channel}`),
  });
}
