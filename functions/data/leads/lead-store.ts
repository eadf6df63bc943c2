/** Leads, their decisions and the transitions between their states, each with the condition that guards it. */

import {
  type Assignment,
  anotherOf,
  type Decision,
  type Delivery,
  decisionSchema,
  deliverySchema,
  isOfAssignment,
  type Lead,
  type LeadInFlight,
  leadSchema,
  type Person,
  personSchema,
} from '#functions/data/leads/lead';
import {
  deliveryMoved,
  type RefusedAssignment,
  refusalPut,
  refusalsIn,
} from '#functions/data/leads/refusals';
import { type Callback, callbackSchema } from '#functions/data/sources/callback';
import { blanking } from '#functions/data/table/blanking';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { indexed, keys } from '#functions/data/table/keys';
import { firstOfShards } from '#functions/data/table/shards';
import {
  equations,
  type Item,
  type Put,
  type Table,
  type TransactionItem,
  type Update,
  type Written,
} from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';
import type { Channel } from '#shared/channels/channels';
import type { ClaimStatus, PendingReason } from '#shared/contract/constants';
import type { SameBy } from '#shared/rules/claim-rules';

/** What a lead carries of its claim. */
interface ClaimOfLead {
  readonly lead_id: string;
  readonly order_id: number;
  readonly claim_id: number;
  readonly claim_status: ClaimStatus;
  readonly claim_reason: string;
  readonly decide_by?: string | undefined;
}

/** What a lead keeps of its verification; where nothing was checked, the checks that are there stay. */
interface Verification {
  readonly notes: readonly string[];
  readonly checks?: string | undefined;
}

/** Of the leads of an order, newest first, which are read until they are too old. */
const LEADS_PER_PAGE = 100;

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly next: Item | undefined;
}

export interface LeadDetails {
  readonly lead: Lead;
  readonly decision: Decision | undefined;
  readonly deliveries: Delivery[];
  /** In the order of time. */
  readonly refusals: readonly RefusedAssignment[];
  readonly callbacks: Callback[];
}

export interface LeadStore {
  get(leadId: string): Promise<Lead | undefined>;
  getMany(leadIds: readonly string[]): Promise<(Lead | undefined)[]>;
  /** The lead, its decision, its deliveries, the refusals after which it went on, and what its source was told. */
  details(leadId: string): Promise<LeadDetails | undefined>;
  /**
   * Stores a new lead, in flight. Repeating it changes nothing.
   * @returns undefined, or the lead that another request has stored under this id, and distributes
   */
  receive(lead: Lead): Promise<Lead | undefined>;
  /** The same for a lead of a batch, which has no entry in the index of leads in flight. */
  receiveInBatch(lead: Lead & { readonly batch_id: string }): Promise<Lead | undefined>;
  /** Refuses a received lead as a duplicate of an earlier one and removes its personal data. @param until it is kept */
  refuse(lead: Lead, earlier: string, until: Date): Promise<void>;
  /**
   * Notes the earlier leads of its person on a received lead, which by that leaves its batch and begins another distribution
   * attempt. @returns the lead after it; undefined when another attempt has taken over
   */
  noteEarlier(lead: Lead, earlier: readonly string[], at: string): Promise<Lead | undefined>;
  /** That a lead is still in the state in which it was read; it writes what is there. */
  unchanged(seen: Lead): Update;
  /** Notes on an earlier lead that this one came later; needed while the earlier one may still be distributed, or given on. */
  noteLater(earlier: string, later: string): Promise<void>;
  /**
   * Removes a received lead: only for one that is refused while it is created.
   * @returns false when another distribution attempt has taken it over, and keeps it
   */
  removeReceived(lead: Pick<Lead, 'lead_id' | 'distribution_attempt'>): Promise<boolean>;
  /** Starts another distribution attempt. @returns the lead in flight, or undefined when it is no longer pending */
  restart(lead: Lead, at: string): Promise<Lead | undefined>;
  /** The same for the buyer that an admin chose, with edited data or not: the lead in flight, and the write for it. */
  restartedByHand(
    lead: Lead,
    change: { person: Partial<Person>; chosenBuyer: number; chosenBy: string; at: string },
  ): Restart;
  /** The same by the share rule, at the word of an admin. @param verified false to verify it again */
  restartedByRule(lead: Lead, change: { verified: boolean; at: string }): Restart;
  /** Takes over an abandoned distribution attempt. @returns undefined when it has ended or was taken over already */
  takeOver(lead: Lead, at: string): Promise<Lead | undefined>;
  /** Stores the decision record of a distribution attempt; an earlier attempt cannot overwrite a later one. */
  record(decision: Decision): Promise<void>;
  /** The transaction by which a lead is assigned: the lead and one delivery for each channel. */
  assigned(
    lead: LeadInFlight,
    assignment: Assignment,
    channels: readonly Channel[],
    at: string,
    verified: Verification,
  ): TransactionItem[];
  /** Ends a distribution attempt without an order. @returns false when the distribution attempt is over already */
  markPending(
    lead: LeadInFlight,
    outcome: { reason: PendingReason; intendedBuyer?: number } & Verification,
  ): Promise<boolean>;
  /** Changed personal data of an assigned or pending lead. */
  edited(lead: Lead, person: Partial<Person>): Update;
  /** Discards a pending lead: removes its personal data and its entry in the list; the rest is kept for statistics. */
  discarded(lead: Lead, at: string): Update;
  /**
   * Takes a lead out of its order because its buyer refused it, and starts the next distribution attempt: the lead, its decision
   * and its deliveries, which stay beside it as they were. On the condition that it is in that order, has no claim and no erased
   * person, and that nothing of the deliveries has changed.
   */
  givenOn(
    seen: LeadDetails,
    assignment: Assignment & { readonly assigned_at: string },
    at: string,
  ): TransactionItem[];
  /** Deletes an assigned lead from the order seen, on the condition that its claim is as it was seen and not pending. */
  deleted(lead: Lead, at: string): Update;
  /**
   * On the condition that it is an assigned original lead without a claim and with the personal data seen, of which the
   * claim's words are made.
   */
  claimFiled(seen: Lead, claim: ClaimOfLead): Update;
  /** @param dead what is proven to be dead: on the condition that the buyer has no other one by a later lead that was made good */
  claimDecided(
    claim: Pick<ClaimOfLead, 'lead_id' | 'claim_id' | 'claim_status'>,
    dead?: { readonly field: SameBy; readonly buyer: number },
  ): Update;
  /**
   * A later lead of the person is made good because of this one: on the condition that the buyer has it and no claim of it was
   * approved. @param others of which the later lead has another one
   */
  stillPaid(leadId: string, buyer: number, others: readonly SameBy[]): Update;
  /** On the condition that the lead is still in its order: a deleted one has been settled by the decision before. */
  claimReversed(claim: Pick<ClaimOfLead, 'lead_id' | 'claim_id' | 'claim_status'>, from: ClaimStatus): Update;
  /** On the condition that it is in the order, not erased, and that what was said before is as it was seen. */
  feedbackChanged(seen: Lead & { readonly order_id: number }, feedback: Lead['feedback']): Update;
  inFlight(before: string, limit: number): Promise<Lead[]>;
  pending(options: { limit: number; after?: Item; descending?: boolean }): Promise<PageOf<Lead>>;
  countPending(): Promise<number>;
  /**
   * An order's leads by their sequence.
   * @param lastSequence of the order, if known: then a long list is read in parts in parallel
   */
  ofOrder(orderId: number, lastSequence?: number): Promise<Lead[]>;
  /** The newest leads of an order, the newest first. */
  newestOfOrder(orderId: number, count: number): Promise<readonly Lead[]>;
  /** The leads of an order that were assigned since an instant, and the one before them if there is one; the newest first. */
  ofOrderSince(orderId: number, since: Date): Promise<readonly Lead[]>;
  countOfOrder(orderId: number): Promise<number>;
  /** The lead with this number in an order. */
  ofOrderBySequence(orderId: number, sequence: number): Promise<Lead | undefined>;
}

/** The lead in flight, and the write that puts it there on the condition that it is pending. */
interface Restart {
  readonly restarted: Lead;
  readonly update: Update;
}

const LEADS_PER_PART = 500;
const MAX_SEQUENCE = 999_999_999_999;

/** Ranges that together contain every sequence, also those given since `lastSequence` was read. */
function sequenceRanges(lastSequence: number): { readonly from: string; readonly to: string }[] {
  const parts = Math.max(1, Math.ceil(lastSequence / LEADS_PER_PART));
  return Array.from({ length: parts }, (_, at) => ({
    from: indexed.sequence(at * LEADS_PER_PART + 1),
    to: indexed.sequence(at === parts - 1 ? MAX_SEQUENCE : (at + 1) * LEADS_PER_PART),
  }));
}

export function createLeadStore(table: Table): LeadStore {
  const page = async (query: Parameters<Table['query']>[0]): Promise<PageOf<Lead>> => {
    const { items, next } = await table.query(query);
    return { items: items.map((item) => leadSchema.parse(item)), next };
  };

  return {
    async get(leadId) {
      const item = await table.get(keys.lead(leadId));
      return item && leadSchema.parse(item);
    },

    async getMany(leadIds) {
      const items = await table.getMany(leadIds.map((id) => keys.lead(id)));
      return items.map((item) => item && leadSchema.parse(item));
    },

    async details(leadId) {
      const items = await table.queryAll({ partition: keys.leadPartition(leadId), consistent: true });
      const item = items.find(({ sk }) => sk === keys.lead(leadId).sk);
      if (item === undefined) return undefined;
      const lead = leadSchema.parse(item);
      const callbacks =
        lead.source === undefined
          ? []
          : await table.queryAll({ partition: keys.callbacks(leadId), consistent: true });
      const decision = items.find((item) => item.sk === keys.decision(leadId).sk);
      return {
        lead,
        decision: decision && decisionFromItem(decision),
        deliveries: items
          .filter((item) => String(item.sk).startsWith('DELIVERY#'))
          .map((item) => deliverySchema.parse(item)),
        refusals: refusalsIn(items),
        callbacks: callbacks.map((callback) => callbackSchema.parse(callback)),
      };
    },

    async receive(lead) {
      const sortKey = inFlightSortKey(table, lead, lead.in_flight_since ?? lead.received_at);
      const written = await table.put({
        put: {
          ...keys.lead(lead.lead_id),
          ...lead,
          gsi1pk: indexed.inFlight(lead.lead_id),
          gsi1sk: sortKey,
        },
        condition: 'attribute_not_exists(pk)',
      });
      // The SDK repeats this write after a lost answer; then the item found is the one that it wrote.
      if (written.ok || written.item?.gsi1sk === sortKey) return undefined;
      return leadSchema.parse(written.item);
    },

    async receiveInBatch(lead) {
      const written = await table.put({
        put: { ...keys.lead(lead.lead_id), ...lead },
        condition: 'attribute_not_exists(pk)',
      });
      // The id of the batch is new with every call, so it tells whose write this is.
      if (written.ok || written.item?.batch_id === lead.batch_id) return undefined;
      return leadSchema.parse(written.item);
    },

    async refuse(lead, earlier, until) {
      const blanks = blanking(leadSchema);
      await table.update({
        key: keys.lead(lead.lead_id),
        update: `SET #status = :duplicate, duplicate_of = :earlier, expires_at = :until, ${blanks.sets.join(', ')}
          REMOVE ${[...blanks.removes, 'gsi1pk', 'gsi1sk', 'in_flight_since'].join(', ')}`,
        condition: '#status = :received AND distribution_attempt = :attempt',
        names: { ...blanks.names, '#status': 'status' },
        values: {
          ...blanks.values,
          ':duplicate': 'duplicate',
          ':received': 'received',
          ':attempt': lead.distribution_attempt,
          ':earlier': earlier,
          ':until': epochSeconds(until),
        },
      });
    },

    async noteEarlier(lead, earlier, at) {
      const sortKey = inFlightSortKey(table, lead, at);
      const written = await table.update({
        key: keys.lead(lead.lead_id),
        update: `SET earlier_leads = :earlier, distribution_attempt = :next, in_flight_since = :at, gsi1pk = :list,
          gsi1sk = :sort_key REMOVE batch_id`,
        condition: '#status = :received AND distribution_attempt = :seen',
        names: { '#status': 'status' },
        values: {
          ':earlier': [...earlier],
          ':next': lead.distribution_attempt + 1,
          ':seen': lead.distribution_attempt,
          ':at': at,
          ':list': indexed.inFlight(lead.lead_id),
          ':sort_key': sortKey,
          ':received': 'received',
        },
      });
      return inFlightAt(sortKey, written);
    },

    unchanged: ({ lead_id, status, distribution_attempt }) => ({
      key: keys.lead(lead_id),
      update: 'SET distribution_attempt = :attempt',
      condition: '#status = :status AND distribution_attempt = :attempt',
      names: { '#status': 'status' },
      values: { ':status': status, ':attempt': distribution_attempt },
    }),

    async noteLater(earlier, later) {
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
    },

    async removeReceived(lead) {
      const removed = await table.delete({
        delete: keys.lead(lead.lead_id),
        condition: '#status = :received AND distribution_attempt = :attempt',
        names: { '#status': 'status' },
        values: { ':received': 'received', ':attempt': lead.distribution_attempt },
      });
      // There is none any more when the SDK repeated a call whose answer was lost.
      return removed.ok || removed.item === undefined;
    },

    async restart(lead, at) {
      const sortKey = inFlightSortKey(table, lead, at);
      return inFlightAt(sortKey, await table.update(restartUpdate(lead, at, sortKey, { verified: true })));
    },

    restartedByHand(lead, { person, chosenBuyer, chosenBy, at }) {
      const given = Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined));
      return restartWith(table, lead, at, {
        ...given,
        chosen_buyer: chosenBuyer,
        chosen_by: chosenBy,
        verified: true,
      });
    },

    restartedByRule(lead, { verified, at }) {
      return restartWith(table, lead, at, { verified });
    },

    async takeOver(lead, at) {
      const sortKey = inFlightSortKey(table, lead, at);
      const written = await table.update({
        key: keys.lead(lead.lead_id),
        update: 'SET distribution_attempt = :next, in_flight_since = :at, gsi1sk = :sort_key',
        condition: '#status = :received AND distribution_attempt = :seen',
        names: { '#status': 'status' },
        values: {
          ':received': 'received',
          ':seen': lead.distribution_attempt,
          ':next': lead.distribution_attempt + 1,
          ':at': at,
          ':sort_key': sortKey,
        },
      });
      return inFlightAt(sortKey, written);
    },

    async record(decision) {
      await table.put(decisionPut(decision));
    },

    assigned(lead, assignment, channels, at, verified) {
      return [
        assignedUpdate(lead, assignment, at, verified),
        ...channels.map((channel) => newDelivery(lead, assignment, channel, at)),
      ];
    },

    async markPending(lead, { reason, intendedBuyer, notes, checks }) {
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
        (written.item?.status === 'pending' &&
          written.item.distribution_attempt === lead.distribution_attempt)
      );
    },

    edited(lead, person) {
      const { texts, names, values } = equations(person);
      const seen = equations(personSchema.parse(lead), 'seen');
      return {
        key: keys.lead(lead.lead_id),
        update: `SET ${texts.join(', ')}`,
        // A claim filed at the same time would keep words of the old data, and so would another edit.
        condition: `#status = :status AND distribution_attempt = :attempt AND ${
          lead.claim_id === undefined ? 'attribute_not_exists(claim_id)' : 'attribute_exists(claim_id)'
        } AND ${seen.texts.join(' AND ')}`,
        names: { ...names, ...seen.names, '#status': 'status' },
        values: { ...values, ...seen.values, ':status': lead.status, ':attempt': lead.distribution_attempt },
      };
    },

    discarded(lead, at) {
      // An edit since then would have left its old and new data in the audit trail.
      const seen = equations(personSchema.parse(lead));
      const blanks = blanking(leadSchema);
      return {
        key: keys.lead(lead.lead_id),
        update: `SET #status = :discarded, deleted_at = :at, ${blanks.sets.join(', ')}
          REMOVE ${[...blanks.removes, 'gsi1pk', 'gsi1sk'].join(', ')}`,
        condition: `#status = :pending AND distribution_attempt = :attempt AND ${seen.texts.join(' AND ')}`,
        names: { ...seen.names, ...blanks.names, '#status': 'status' },
        values: {
          ...seen.values,
          ...blanks.values,
          ':discarded': 'discarded',
          ':pending': 'pending',
          ':attempt': lead.distribution_attempt,
          ':at': at,
        },
      };
    },

    givenOn({ lead, decision, deliveries }, assignment, at) {
      const { lead_id, distribution_attempt } = lead;
      const of = deliveries.filter((delivery) => isOfAssignment(delivery, lead));
      return [
        givenOnUpdate(lead, assignment, at, inFlightSortKey(table, lead, at)),
        refusalPut({ ...assignment, lead_id, distribution_attempt, refused_at: at, decision }),
        ...(decision === undefined ? [] : [{ delete: keys.decision(lead_id) }]),
        ...of.flatMap((delivery) => deliveryMoved(delivery, distribution_attempt, at)),
      ];
    },

    deleted(lead, at) {
      return {
        key: keys.lead(lead.lead_id),
        update: 'SET #status = :deleted, deleted_at = :at REMOVE gsi1pk, gsi1sk',
        // It may have been given on to another order since it was read.
        condition: `#status = :assigned AND distribution_attempt = :attempt AND ${
          lead.claim_status === undefined
            ? 'attribute_not_exists(claim_status)'
            : 'claim_status = :seen AND claim_status <> :pending'
        }`,
        names: { '#status': 'status' },
        values: {
          ':deleted': 'deleted',
          ':assigned': 'assigned',
          ':attempt': lead.distribution_attempt,
          ':at': at,
          ...(lead.claim_status !== undefined && { ':seen': lead.claim_status, ':pending': 'pending' }),
        },
      };
    },

    claimFiled(seen, claim) {
      const person = equations(personSchema.parse(seen), 'seen');
      return {
        key: keys.lead(seen.lead_id),
        update: `SET claim_id = :claim, claim_status = :pending, claim_reason = :reason${
          claim.decide_by === undefined ? '' : ', claim_decide_by = :day'
        }`,
        condition: `#status = :assigned AND order_id = :order AND lead_type = :original AND attribute_not_exists(claim_id) AND ${person.texts.join(' AND ')}`,
        names: { ...person.names, '#status': 'status' },
        values: {
          ...person.values,
          ':claim': claim.claim_id,
          ':pending': claim.claim_status,
          ':reason': claim.claim_reason,
          ...(claim.decide_by !== undefined && { ':day': claim.decide_by }),
          ':assigned': 'assigned',
          ':order': claim.order_id,
          ':original': 'original',
        },
      };
    },

    claimDecided({ lead_id, claim_id, claim_status }, dead) {
      const another = dead && anotherOf(dead.field);
      return {
        key: keys.lead(lead_id),
        update: 'SET claim_status = :status',
        condition: `claim_id = :claim AND claim_status = :pending${
          another === undefined ? '' : ` AND (attribute_not_exists(${another}) OR ${another} <> :buyer)`
        }`,
        values: {
          ':status': claim_status,
          ':claim': claim_id,
          ':pending': 'pending',
          ...(dead && { ':buyer': dead.buyer }),
        },
      };
    },

    stillPaid(leadId, buyer, others) {
      const noted = others.map((field) => `${anotherOf(field)} = :buyer`);
      return {
        key: keys.lead(leadId),
        update: `SET ${['#status = :assigned', ...noted].join(', ')}`,
        condition:
          '#status = :assigned AND buyer = :buyer AND (attribute_not_exists(claim_status) OR claim_status <> :approved)',
        names: { '#status': 'status' },
        values: { ':assigned': 'assigned', ':buyer': buyer, ':approved': 'approved' },
      };
    },

    claimReversed({ lead_id, claim_id, claim_status }, from) {
      return {
        key: keys.lead(lead_id),
        update: 'SET claim_status = :status',
        condition: 'claim_id = :claim AND claim_status = :from AND #status = :assigned',
        names: { '#status': 'status' },
        values: { ':status': claim_status, ':claim': claim_id, ':from': from, ':assigned': 'assigned' },
      };
    },

    feedbackChanged(seen, feedback) {
      return {
        key: keys.lead(seen.lead_id),
        update: feedback === undefined ? 'REMOVE feedback' : 'SET feedback = :feedback',
        condition: `#status = :assigned AND order_id = :order AND attribute_not_exists(erased_at) AND ${
          seen.feedback === undefined ? 'attribute_not_exists(feedback)' : 'feedback = :seen'
        }`,
        names: { '#status': 'status' },
        values: {
          ':assigned': 'assigned',
          ':order': seen.order_id,
          ...(feedback !== undefined && { ':feedback': feedback }),
          ...(seen.feedback !== undefined && { ':seen': seen.feedback }),
        },
      };
    },

    async inFlight(before, limit) {
      const items = await firstOfShards(table, indexed.everyInFlight(), { before, limit });
      return items.map((item) => leadSchema.parse(item));
    },

    pending({ limit, after, descending }) {
      return page({
        index: 'gsi1',
        partition: indexed.pending(),
        limit,
        ...(after !== undefined && { after }),
        ...(descending !== undefined && { descending }),
      });
    },

    countPending() {
      return table.count({ index: 'gsi1', partition: indexed.pending() });
    },

    async ofOrder(orderId, lastSequence = 1) {
      const parts = await Promise.all(
        sequenceRanges(lastSequence).map((sort) =>
          table.queryAll({ index: 'gsi1', partition: indexed.orderLeads(orderId), sort }),
        ),
      );
      return parts.flat().map((item) => leadSchema.parse(item));
    },

    async newestOfOrder(orderId, count) {
      const partition = indexed.orderLeads(orderId);
      const { items } = await page({ index: 'gsi1', partition, limit: count, descending: true });
      return items;
    },

    async ofOrderSince(orderId, since) {
      const [found, from]: [Lead[], string] = [[], since.toISOString()];
      let after: Item | undefined;
      do {
        const { items, next } = await page({
          index: 'gsi1',
          partition: indexed.orderLeads(orderId),
          limit: LEADS_PER_PAGE,
          descending: true,
          ...(after && { after }),
        });
        for (const lead of items) {
          found.push(lead);
          if ((lead.assigned_at ?? '') < from) return found;
        }
        after = next;
      } while (after !== undefined);
      return found;
    },

    countOfOrder(orderId) {
      return table.count({ index: 'gsi1', partition: indexed.orderLeads(orderId) });
    },

    async ofOrderBySequence(orderId, sequence) {
      const at = indexed.sequence(sequence);
      const { items } = await page({
        index: 'gsi1',
        partition: indexed.orderLeads(orderId),
        sort: { from: at, to: at },
      });
      return items[0];
    },
  };
}

/** The position after which a listing of pending leads continues, whether the lead is still pending or not. */
export function pendingCursor({ lead_id, received_at }: Pick<Lead, 'lead_id' | 'received_at'>): Item {
  return { ...keys.lead(lead_id), gsi1pk: indexed.pending(), gsi1sk: indexed.at(received_at, lead_id) };
}

/** Unique for each write, so that of two writes in the same millisecond only one recognises itself in the item. */
function inFlightSortKey(table: Pick<Table, 'runtime'>, lead: Lead, at: string): string {
  return `${indexed.at(at, lead.lead_id)}#${newWriteId(table.runtime)}`;
}

/** The lead if this write put it in flight, also when its answer was lost and the SDK repeated it. */
function inFlightAt(sortKey: string, written: Written): Lead | undefined {
  return written.item?.gsi1sk === sortKey ? leadSchema.parse(written.item) : undefined;
}

/**
 * On the condition that the person is as read: an edit since then would be undone unseen, or not be distributed by.
 * @param fields attributes that change with it
 */
function restartWith(
  table: Pick<Table, 'runtime'>,
  lead: Lead,
  at: string,
  fields: Partial<Lead> & { verified: boolean },
): Restart {
  const update = restartUpdate(lead, at, inFlightSortKey(table, lead, at), fields);
  const seen = equations({ ...personSchema.parse(lead), later_leads: lead.later_leads }, 'was');
  // A lead of the same person may have been noted since; this attempt has to know its buyer.
  const none = lead.later_leads === undefined ? ['attribute_not_exists(later_leads)'] : [];
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
      condition: [update.condition, ...seen.texts, ...none].join(' AND '),
      names: { ...update.names, ...seen.names },
      values: { ...update.values, ...seen.values },
    },
  };
}

/** Starts the next distribution attempt. @param fields attributes that change with it */
function restartUpdate(
  lead: Lead,
  at: string,
  sortKey: string,
  fields: Partial<Lead> & { verified: boolean },
): Update {
  const { texts, names, values } = equations(fields);
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
    update: `SET ${sets.join(', ')}`,
    condition: '#status = :pending AND distribution_attempt = :seen',
    names: { ...names, '#status': 'status' },
    values: {
      ...values,
      ':pending': 'pending',
      ':received': 'received',
      ':seen': lead.distribution_attempt,
      ':attempt': lead.distribution_attempt + 1,
      ':at': at,
      ':list': indexed.inFlight(lead.lead_id),
      ':sort_key': sortKey,
    },
  };
}

function assignedUpdate(
  lead: LeadInFlight,
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

function givenOnUpdate(
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
    condition: `#status = :assigned AND distribution_attempt = :seen AND order_id = :order AND #sequence = :sequence
      AND attribute_not_exists(claim_id) AND attribute_not_exists(erased_at)`,
    names: { '#status': 'status', '#sequence': 'sequence' },
    values: {
      ':received': 'received',
      ':assigned': 'assigned',
      ':seen': lead.distribution_attempt,
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

function newDelivery(lead: LeadInFlight, assignment: Assignment, channel: Channel, at: string): Put {
  const delivery: Delivery = {
    lead_id: lead.lead_id,
    channel,
    buyer: assignment.buyer,
    order_id: assignment.order_id,
    sequence: assignment.sequence,
    lead_type: assignment.lead_type,
    status: 'pending',
    created_at: at,
    updated_at: at,
    round: 1,
    attempt_count: 0,
    next_attempt_at: null,
    external_id: null,
    error: null,
    attempts: [],
  };
  return {
    put: {
      ...keys.delivery(lead.lead_id, channel),
      ...delivery,
      gsi1pk: indexed.newDeliveries(lead.lead_id),
      gsi1sk: indexed.at(at, `${lead.lead_id}#${channel}`),
    },
    condition: 'attribute_not_exists(pk)',
  };
}

/**
 * The lists are stored as JSON text; nested attributes would take several times the size and the time. The earlier choice
 * is stored as `turn`.
 */
function decisionPut({ earlier_choice, ...decision }: Decision): Put {
  return {
    put: {
      ...keys.decision(decision.lead_id),
      ...decision,
      eligible: JSON.stringify(decision.eligible),
      not_eligible: JSON.stringify(decision.not_eligible),
      turn: earlier_choice && JSON.stringify(earlier_choice),
    },
    // Of a batch two processes may be at work on the same attempt, one of them rounds behind.
    condition:
      decision.round === undefined
        ? 'attribute_not_exists(pk) OR distribution_attempt <= :attempt'
        : 'attribute_not_exists(pk) OR distribution_attempt < :attempt OR (distribution_attempt = :attempt AND #round <= :round)',
    ...(decision.round !== undefined && { names: { '#round': 'round' } }),
    values: {
      ':attempt': decision.distribution_attempt,
      ...(decision.round !== undefined && { ':round': decision.round }),
    },
  };
}

/** @throws $ZodError for an item that is no decision */
export function decisionFromItem(item: Item): Decision {
  return decisionSchema.parse({
    ...item,
    eligible: JSON.parse(String(item.eligible)),
    not_eligible: JSON.parse(String(item.not_eligible)),
    earlier_choice: typeof item.turn === 'string' ? JSON.parse(item.turn) : undefined,
  });
}
