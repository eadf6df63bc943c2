/** The verbs of people, clients and workers in stored histories, with their arguments. */

import type { SQSEvent } from 'aws-lambda';
import type { Person } from '#functions/data/leads/lead';
import type { Source } from '#functions/data/sources/source';
import type { Item } from '#functions/data/table/table';
import { createBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { DomainError } from '#functions/domain/common/errors';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { distributeAgain, ingest } from '#functions/domain/distribution/distribution';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { ingestOnce } from '#functions/domain/distribution/intake';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { eraseLead } from '#functions/domain/leads/erasure';
import { discardLead } from '#functions/domain/leads/leads';
import { changeLimit, createOrder } from '#functions/domain/orders/orders';
import { changeRenewal, decideReorder, renewOrder, requestReorder } from '#functions/domain/orders/renewal';
import { answerPosted } from '#functions/domain/sources/intake';
import { useSource } from '#functions/domain/sources/source-access';
import { createClaimReview } from '#functions/platform/claim-review';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { create as createOutbox } from '#functions/workers/outbox/index';
import { create as createReconcile } from '#functions/workers/reconcile/index';
import { create as createRedistribute } from '#functions/workers/redistribute/index';
import { create as createStatistics } from '#functions/workers/statistics/index';
import { aVisitor } from '#test/factories/links';
import { receivedNow, storeBatch } from '#test/simulation/actors';
import { noteDead } from '#test/simulation/claimants';
import { erasePerson, erasuresOf } from '#test/simulation/people-actions';
import { orders } from '#test/simulation/picks';
import { recordOf } from '#test/simulation/records';
import { ACCESS } from '#test/simulation/script-access';
import { addSource, keyOf, SOURCES_DOMAIN } from '#test/simulation/sources';
import type { Given, Verbs } from '#test/simulation/verbs';
import { ENVIRONMENT, type SimulatedWorld } from '#test/simulation/world';

type Field<Name extends keyof Person> = Partial<Pick<Person, Name>>;
/** Amounts in cents. */
type Details = Field<'telefon'> & Field<'email'> & Field<'anlagebetrag'>;

const personOf = (number: number, domain: string, details: Details = {}): Person => ({
  anrede: 'Frau',
  vorname: 'Erika',
  nachname: 'Muster',
  email: `person${number}@${domain}`,
  telefon: `+49170${1_000_000 + number}`,
  anlagebetrag: 500_000,
  laufzeit: 24,
  ...details,
});
const aPerson = (number: number, details?: Details) => personOf(number, 'example.org', details);

const personsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => aPerson(first + at));

function itemsOf({ table }: SimulatedWorld, isMeant: (item: Item) => boolean): Item[] {
  return [...table.items()].filter(isMeant);
}
/** The ID of the n-th lead that arrived. */
function leadId(world: SimulatedWorld, number: number): string {
  const lead = itemsOf(world, ({ sk }) => sk === 'LEAD')[number - 1];
  if (lead === undefined) throw new Error(`There is no lead ${number}`);
  return String(lead.lead_id);
}
const batchId = (world: SimulatedWorld) => {
  const [head] = itemsOf(world, ({ pk, sk }) => String(pk).startsWith('BATCH#') && sk === 'HEAD');
  return String(head?.batch_id);
};

const LEADS: Verbs = {
  /** A lead without an idempotency key. */
  ingest: ({ api }, person: number, details?: Details) => ingest(api, aPerson(person, details), undefined),
  /**
   * A lead with its person's idempotency key, by a client that gets the outcome.
   * @param chosen the buyer
   */
  post: async ({ api, answered, refused }, number: number, chosen?: string) => {
    const person = aPerson(number);
    try {
      const { lead_id, status } = await ingestOnce(api, `key-${number}`, person, chosen);
      if (status !== 'overtaken') answered.push({ lead: lead_id, status });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code !== 'request_under_way' && error.code !== 'lead_removed') refused.add(person.email);
      throw error;
    }
  },
  'distribute again': ({ api, who, world }, lead: number) => distributeAgain(api, who, leadId(world, lead)),
  discard: ({ api, who, world }, lead: number) => discardLead(api, who, leadId(world, lead)),
  erase: ({ api, who, world }, lead: number) => erasePerson(api, who, leadId(world, lead)),
  /** The erasure is not continued later. */
  'erase at once': ({ api, who, world }, lead: number) =>
    eraseLead(erasuresOf(api), who, leadId(world, lead), 'request'),
  /** Enough leads for a batch, of consecutive persons, each with its own ID. */
  'post many': async ({ api, answered }, first: number, count: number) => {
    const people = personsFrom(first, count).map((person, at) => ({
      ...person,
      lead_id: `MANY${String(first + at).padStart(22, '0')}`,
    }));
    const taken = await ingestMany(api, people.map(receivedNow(api)));
    await taken.distribute();
    for (const outcome of taken.outcomes)
      answered.push({
        lead: outcome.stored ? outcome.lead.lead_id : outcome.earlier.lead_id,
        status: 'overtaken',
      });
  },
  /** Stores a batch, which waits for a worker. */
  'store batch': ({ api }, first: number, count: number) => storeBatch(api, personsFrom(first, count)),
};

const PEOPLE: Verbs = {
  buyer: ({ api, who }, id: string, terms: object = {}) =>
    createBuyer(api, who, {
      buyer_id: id,
      buyer_email: `${id}@example.org`,
      probability: 100,
      use_sellanylead_api: true,
      ...terms,
    }),
  'change buyer': ({ api, who }, id: string, change: object) => updateBuyer(api, who, id, change),
  order: ({ api, who }, buyerId: string, leadLimit: number, more: object = {}) =>
    createOrder(api, who, { buyerId, leadLimit, balance: 0, ...more }),
  'change limit': ({ api, who }, buyer: string, limit: number) => changeLimit(api, who, buyer, limit),
  'change renewal': ({ api, who }, order: number, renewal: 'none' | 'auto') =>
    changeRenewal(api, who, order, renewal, undefined),
  /** The buyer requests the next order with this size, and an admin confirms it. */
  'ask for the next order': async ({ api, who, world }, order: number) => {
    const stored = orders(world).find(({ order_id }) => order_id === order);
    const visitor = aVisitor({ knows: async () => true });
    await requestReorder(api, visitor, String(stored?.token), undefined, async () => []);
    await decideReorder(api, who, order, 'confirmed');
  },
  renew: ({ api }, buyer: number) => renewOrder(api, buyer),
  claim: ({ api, who, world }, lead: number, reason: string) => {
    const id = leadId(world, lead);
    const stored = itemsOf(world, ({ sk, lead_id }) => sk === 'LEAD' && lead_id === id)[0];
    const [owner] = itemsOf(world, ({ pk, buyer }) => pk === 'BUYERS' && buyer === stored?.buyer);
    const orderId = Number(stored?.order_id);
    return fileClaim(api, { admin: who }, { leadId: id, orderId, buyerId: String(owner?.buyer_id), reason });
  },
  decide: ({ api, who }, claimId: number, status: 'approved' | 'rejected') =>
    decideClaim(api, { who, claimId, status, notes: '' }),
  'address is dead': ({ api }, person: number) => noteDead(api, aPerson(person).email),
};

const SOURCES: Verbs = {
  source: ({ api }, number: number, more: Partial<Source> = {}) =>
    addSource(api, number, { ...more, ...(more.in_total !== undefined && { total_left: more.in_total }) }),
  /** A lead under the source's own ID, counted against its limits. */
  'post by source': async (
    { api, answered },
    source: number,
    external_id: string,
    person: number,
    details?: Details,
  ) => {
    const caller = { authorization: `Bearer ${keyOf(source)}`, origin: undefined, address: '192.0.2.1' };
    const recognised = await useSource(api, caller, 1);
    const posted = { external_id, person: personOf(person, SOURCES_DOMAIN, details), content: external_id };
    for (const { status, lead_id } of await answerPosted(api, recognised, [posted], 1))
      if (status === 'accepted') answered.push({ lead: lead_id, status: 'overtaken' });
  },
};

const WORKERS: Verbs = {
  /** Permanently. */
  'partner fails': async ({ world }) => {
    world.partners.take = () => ({ status: 400, headers: {}, body: '{}' });
  },
  'reconcile all': ({ api }) => createReconcile(ENVIRONMENT, api.runtime)({}),
  /** Takes over everything in flight, even new leads. */
  'take over': ({ api }) => reconcile(api, -1),
  /** The outbox gets all unread changes. */
  'read stream': async ({ api, world: { table, consumed } }) => {
    const unread = table.shards.flatMap((records, shard) => records.slice(consumed.outbox[shard]));
    await createOutbox(ENVIRONMENT, api.runtime)({ Records: unread.map(recordOf) });
    table.shards.forEach(({ length }, shard) => {
      consumed.outbox[shard] = length;
    });
  },
  /** The worker of a queue gets its messages, which then leave the queue. */
  receive: ({ api, world }, queue: 'redistribute' | 'deliver') => {
    const event = {
      Records: world.messages[queue]?.splice(0).map(({ id, body }) => ({ messageId: id, body })),
    } as SQSEvent;
    switch (queue) {
      case 'redistribute':
        return createRedistribute(ENVIRONMENT, api.runtime)(event);
      case 'deliver':
        return createDeliver(ENVIRONMENT, api.runtime)(event);
    }
  },
  'distribute batch': ({ api, world }) => distributeBatch(api, batchId(world)),
  /** The first message about a lead's delivery. */
  deliver: ({ api, world }, lead: number) => {
    const id = leadId(world, lead);
    const [{ lead_id, channel } = {}] = itemsOf(
      world,
      ({ sk, ...item }) => String(sk).startsWith('DELIVERY#') && item.lead_id === id,
    );
    const body = JSON.stringify({ lead_id, channel, series: 1, attempt_count: 0 });
    return createDeliver(ENVIRONMENT, api.runtime)({ Records: [{ messageId: 'm', body }] } as SQSEvent);
  },
  /** Counts the leads written since the last count. */
  count: async ({ api, world: { table, consumed } }) => {
    const unread = table.shards.flatMap((records, shard) => records.slice(consumed.statistics[shard]));
    const lengths = table.shards.map(({ length }) => length);
    await createStatistics(ENVIRONMENT, api.runtime)({ Records: unread.map(recordOf) });
    for (const [shard, length] of lengths.entries())
      consumed.statistics[shard] = Math.max(consumed.statistics[shard] ?? 0, length);
  },
  'count lead': ({ api, world }, lead: number) => {
    const id = leadId(world, lead);
    const its = world.table.shards.flat().filter(({ pk }) => pk === `LEAD#${id}`);
    return createStatistics(ENVIRONMENT, api.runtime)({ Records: its.map(recordOf) });
  },
  /** The automatic review of a lead's claim. */
  review: ({ api, world }, lead: number) => {
    const review = createClaimReview(ENVIRONMENT, api.runtime, api.table, api.personKey);
    return review(leadId(world, lead));
  },
};

const VERBS: Verbs = { ...LEADS, ...PEOPLE, ...SOURCES, ...WORKERS, ...ACCESS };

/** @param act a verb, alone or with its arguments */
export function does(given: Given, act: string | readonly unknown[]): Promise<unknown> {
  const [verb, ...words] = typeof act === 'string' ? [act] : act;
  const run = VERBS[String(verb)];
  if (run === undefined) throw new Error(`There is no verb "${String(verb)}"`);
  return run(given, ...(words as never[]));
}
