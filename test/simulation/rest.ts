/** Rules of a world at rest, without faults and work in progress: redundant data are equal in all places. */

import { buyerSchema, type PoolEntry } from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { claimSchema } from '#functions/data/claims/claim';
import { packRow } from '#functions/data/claims/claim-lists';
import * as claimStore from '#functions/data/claims/claim-store';
import { postingId, postingsOf } from '#functions/data/claims/claim-words';
import * as poolStore from '#functions/data/distribution/pool-store';
import { deliverySchema, type Lead, leadSchema } from '#functions/data/leads/lead';
import { type Order, orderSchema } from '#functions/data/orders/order';
import * as statisticsStore from '#functions/data/statistics/statistics-store';
import { indexed } from '#functions/data/table/keys';
import type { Item, Table } from '#functions/data/table/table';
import { statementOf } from '#functions/domain/orders/statement';
import { listLeads } from '#functions/domain/statistics/lead-list';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { systemRuntime } from '#functions/platform/runtime';
import type { Channel } from '#shared/channels/channels';
import { CLAIM_STATUSES } from '#shared/rules/constants';
import { wrongWithAccounts } from '#test/simulation/account-actions';
import { auditEntriesOf } from '#test/simulation/audit';
import { ofWithdrawals } from '#test/simulation/consents';
import type { Answered } from '#test/simulation/known';
import { ofMails } from '#test/simulation/mails';
import { isOrder, leftOf } from '#test/simulation/referee/facts';
import { wrongWithSettings } from '#test/simulation/setting-actions';
import { openCallbacks, SOURCES_DOMAIN, wrongWithSources } from '#test/simulation/sources';
import { ownBox, ownPartner, type SimulatedWorld } from '#test/simulation/world';

/** Work in progress, as sentences; empty if the world is at rest. */
export function underWay(world: SimulatedWorld): string[] {
  const found: string[] = [];
  for (const item of world.table.items()) {
    if (item.sk === 'LEAD' && item.status === 'received')
      found.push(`lead ${String(item.lead_id)} is in flight`);
    if (
      String(item.sk).startsWith('DELIVERY#') &&
      (item.status === 'pending' || item.status === 'retrying' || item.unreported === true)
    )
      found.push(
        `delivery ${String(item.lead_id)} ${String(item.channel)} is ${item.unreported === true ? 'unreported' : String(item.status)}`,
      );
    if (item.gsi1pk === indexed.batches()) found.push(`batch ${String(item.batch_id)} is open`);
    if (item.gsi2pk === indexed.openErasures()) found.push(`erasure ${String(item.erasure_id)} is open`);
    // This world has no platform mail server: an e-mail about an order is retried for a day, and every day has a new one.
    const isTried = item.order_id !== undefined && Number(item.attempt_count) > 0;
    if (item.sk === 'NOTIFICATION' && item.gsi2pk !== undefined && !isTried)
      found.push(`the notice ${String(item.about)} about lead ${String(item.lead_id)} is open`);
  }
  if (world.hasSources) found.push(...openCallbacks(world.table.items()));
  for (const [queue, messages] of Object.entries(world.messages))
    if (messages.length > 0) found.push(`${messages.length} messages wait in ${queue}`);
  for (const [consumer, positions] of Object.entries(world.consumed))
    positions.forEach((position, shard) => {
      const all = world.table.shards[shard]?.length ?? 0;
      if (position < all) found.push(`${consumer} has ${all - position} records to read`);
    });
  if (world.running > 0) found.push(`${world.running} functions run`);
  return found;
}

async function storedIn(world: SimulatedWorld) {
  const table = world.directTable();
  const items = [...world.table.items()];
  const leads = items.filter(({ sk }) => sk === 'LEAD').map((item) => leadSchema.parse(item));
  const orders = items.filter(isOrder).map((item) => orderSchema.parse(item));
  const pool = await poolStore.read({ table });
  return { table, items, leads, orders, pool };
}

/** Violations in a world at rest, as sentences. */
export async function wrongAtRest(
  world: SimulatedWorld,
  answered: readonly Answered[],
  refused: ReadonlySet<string>,
): Promise<string[]> {
  const { table, items, leads, orders, pool } = await storedIn(world);
  return [
    ...ofOrders(orders, leads, pool.entries),
    ...ofRenewals(items, orders, pool.entries),
    ...ofDeliveries(world, items, leads),
    ...ofRefusals(world, items, leads),
    ...ofMails(world, items),
    ...ofWithdrawals(items),
    ...ofAnswers(leads, answered),
    ...ofClients(world, leads, refused),
    ...(await ofClaims(table, items, leads, orders)),
    ...(await ofStatistics(table, items)),
    ...auditEntriesOf(world, items),
    ...world.referee.atRest({
      items,
      restedAt: world.restedAtMs,
      ledgerMayBeOff: interrupted(world),
      mayForget: world.sourcesGaveUp,
      statements: await statements(table, orders),
    }),
    ...(world.hasSources ? wrongWithSources(world, items, leads) : []),
    ...wrongWithAccounts(world, items),
    ...wrongWithSettings(world),
  ];
}

/** The same for a world without workers, for distribution only. */
export async function wrongInDistribution(world: SimulatedWorld, isExact = false): Promise<string[]> {
  const { table, items, leads, orders, pool } = await storedIn(world);
  return [
    ...world.referee.ofDistribution(items),
    ...(isExact && world.referee.ledgerOff(items) > interrupted(world)
      ? ['the ledger of shares is not the sum of the decisions']
      : []),
    ...leads
      .filter(({ status }) => status === 'received')
      .map(({ lead_id }) => `lead ${lead_id} is in flight`),
    ...ofOrders(orders, leads, pool.entries),
    ...(await ofClaims(table, items, leads, orders)),
    ...wrongWithSources(world, items, leads),
    ...items.flatMap(({ unreported, lead_id }) =>
      unreported === true
        ? [`the operator was not notified of the failed delivery of lead ${String(lead_id)}`]
        : [],
    ),
  ];
}

/** Full orders without a required successor. */
function ofRenewals(
  items: readonly Item[],
  orders: readonly Order[],
  entries: readonly PoolEntry[],
): string[] {
  const byId = new Map(orders.map((order) => [order.order_id, order]));
  const buyers = new Map(
    items.filter(({ pk }) => pk === 'BUYERS').map((item) => [Number(item.buyer), buyerSchema.parse(item)]),
  );
  return entries
    .filter(({ active }) => active)
    .flatMap(({ buyer, order_id }) => {
      const current = byId.get(order_id ?? 0);
      if (current === undefined || leftOf(current) > 0) return [];
      // An order with a successor can be the current one again after it was credited a replacement and delivered it.
      const last = current.renewed_as === undefined ? order_id : buyers.get(buyer)?.last_order_id;
      const order = byId.get(last ?? 0);
      return order === undefined || leftOf(order) > 0 || order.deleted_at !== null ? [] : [order];
    })
    .filter(({ renewed_as }) => renewed_as === undefined)
    .filter(
      ({ buyer, renewal, reorder }) =>
        reorder?.state === 'confirmed' || (renewal === 'auto' && buyers.get(buyer)?.buyer_type === 'postpay'),
    )
    .map(({ order_id }) => `order ${order_id} is full, and nobody opened the next one`);
}

function ofOrders(orders: readonly Order[], leads: readonly Lead[], entries: readonly PoolEntry[]): string[] {
  const found: string[] = [];
  for (const order of orders) {
    const its = leads.filter(({ order_id, status }) => order_id === order.order_id && status === 'assigned');
    const originals = its.filter(({ lead_type }) => lead_type === 'original').length;
    if (order.leads_received - order.compensated_deletions !== originals)
      found.push(
        `order ${order.order_id} counts ${order.leads_received - order.compensated_deletions} original leads and has ${originals}`,
      );
    if (order.reimbursement_delivered !== its.length - originals)
      found.push(
        `order ${order.order_id} counts ${order.reimbursement_delivered} replacements and has ${its.length - originals}`,
      );
    const open = Object.keys({ ...order.reservations, ...order.replacement_reservations });
    const entry = entries.find(({ buyer }) => buyer === order.buyer);
    if (open.length > 0 && entry?.order_id === order.order_id)
      found.push(`order ${order.order_id} keeps the reservations ${open.join(', ')}`);
  }
  return found;
}

const HOSTS: Readonly<Partial<Record<Channel, string>>> = {
  heroleads: 'hero.example',
  sellanylead: 'any.example',
  email: 'mail',
};

function ofDeliveries(world: SimulatedWorld, items: readonly Item[], leads: readonly Lead[]): string[] {
  const found: string[] = [];
  const deliveries = items
    .filter(({ sk }) => String(sk).startsWith('DELIVERY#'))
    .map((item) => deliverySchema.parse(item));
  for (const delivery of deliveries) {
    const lead = leads.find(({ lead_id }) => lead_id === delivery.lead_id);
    if (lead?.order_id !== delivery.order_id || lead.sequence !== delivery.sequence)
      found.push(`delivery ${delivery.lead_id} ${delivery.channel} is about another assignment`);
    const own = delivery.channel === 'trackbox' ? ownBox : ownPartner;
    const host = HOSTS[delivery.channel] ?? own(delivery.buyer);
    const times = world.kept.get(`${delivery.lead_id} ${host}`) ?? 0;
    if (!world.mayRepeat && times > delivery.series)
      found.push(
        `delivery ${delivery.lead_id} ${delivery.channel} went to the partner ${times} times in ${delivery.series} series, and no answer was lost`,
      );
    if (delivery.status === 'delivered' && (world.kept.get(`${delivery.lead_id} ${host}`) ?? 0) === 0)
      found.push(
        `delivery ${delivery.lead_id} ${delivery.channel} is delivered, but the partner has nothing`,
      );
  }
  for (const [name, times] of world.letters)
    if (times > 1 && !world.mayRepeat) found.push(`the e-mail about ${name} was sent ${times} times`);
  for (const name of world.kept.keys()) {
    const lead = leads.find(({ lead_id }) => name.startsWith(lead_id));
    if (lead?.status !== 'assigned' && lead?.status !== 'deleted')
      found.push(`a partner has the lead ${name} that was not assigned`);
  }
  return found;
}

/** A lead lists the buyers that refused it; a refused lead was reassigned, or has a blocker. */
function ofRefusals(world: SimulatedWorld, items: readonly Item[], leads: readonly Lead[]): string[] {
  const found: string[] = [];
  for (const { lead_id, refused_by = [] } of leads) {
    const refusers = items.filter(({ pk, sk }) => pk === `LEAD#${lead_id}` && isRefusal(String(sk)));
    const [noted, stored] = [refused_by, refusers].map((those) => those.map(({ buyer }) => buyer).join());
    if (noted !== stored) found.push(`lead ${lead_id} was refused by ${stored}, and says by ${noted}`);
  }
  // The setting at that time decided the outcome.
  if (world.asked.some(({ name }) => name === 'change what becomes of refused leads')) return found;
  const giving = new Set(
    items.flatMap(({ pk, buyer, on_refusal }) =>
      pk === 'BUYERS' && on_refusal === 'reassign' ? [buyer] : [],
    ),
  );
  const erased = new Set(
    leads.flatMap(({ lead_id, erased_at, withdrawn_at }) =>
      (erased_at ?? withdrawn_at) === undefined ? [] : [lead_id],
    ),
  );
  for (const { sk, lead_id, channel, refused, reassignment_blocker, buyer } of items)
    if (
      String(sk).startsWith('DELIVERY#') &&
      refused === true &&
      reassignment_blocker === undefined &&
      giving.has(buyer) &&
      !erased.has(String(lead_id))
    )
      found.push(
        `delivery ${String(lead_id)} ${String(channel)} was refused, and its lead was not reassigned`,
      );
  return found;
}

const isRefusal = (sk: string) => sk.startsWith('REFUSAL#');

function ofAnswers(leads: readonly Lead[], answered: readonly Answered[]): string[] {
  return answered.flatMap(({ lead: id, status }) => {
    const lead = leads.find(({ lead_id }) => lead_id === id);
    if (lead === undefined) return [`the accepted lead ${id} is lost`];
    const stays = lead.status === 'assigned' || lead.status === 'deleted' || lead.refused_by !== undefined;
    if (status === 'assigned' && !stays) return [`lead ${id} was said to be assigned and is ${lead.status}`];
    return [];
  });
}

/** Each client has one key and its own e-mail address, so it has one lead, or none after a rejection. */
function ofClients(world: SimulatedWorld, leads: readonly Lead[], refused: ReadonlySet<string>): string[] {
  const times = new Map<string, number>();
  for (const { email } of leads)
    if (email !== '' && !email.endsWith(SOURCES_DOMAIN)) times.set(email, (times.get(email) ?? 0) + 1);
  const found: string[] = [];
  for (const [email, count] of times) if (count > 1) found.push(`${email} was ingested ${count} times`);
  // A write that arrives a minute later, after the request was repeated and rejected, cannot be distinguished from a new
  // one.
  if (world.faults.happened.some((name) => /^(frozen|late): \S+ put LEAD#/.test(name))) return found;
  for (const email of refused)
    if (times.has(email)) found.push(`${email} was refused, and the lead is stored`);
  return found;
}

/** The stored search words of a claim. */
const wordsOf = (items: readonly Item[], claim: number) =>
  items
    .filter(
      ({ pk, claims }) => String(pk).startsWith('CLAIMWORDS#') && claims instanceof Set && claims.has(claim),
    )
    .map(({ pk, sk }) => `${String(pk).split('#')[1]} ${String(sk).replace(/#[^#]*$/, '')}`)
    .toSorted()
    .join();

async function ofClaims(
  table: Table,
  items: readonly Item[],
  leads: readonly Lead[],
  orders: readonly Order[],
): Promise<string[]> {
  const found: string[] = [];
  const claims = items.filter(({ sk }) => sk === 'CLAIM').map((item) => claimSchema.parse(item));
  if (claims.length === 0) return found;
  const rows = await claimStore.rows({ table }, { all: true }, CLAIM_STATUSES);
  if (rows.length !== claims.length)
    found.push(`${claims.length} claims are stored and ${rows.length} listed`);
  for (const claim of claims) {
    const row = rows.find(({ claim_id }) => claim_id === claim.claim_id);
    if (JSON.stringify(row) !== JSON.stringify(claimStore.rowOf(claim)))
      found.push(`claim ${claim.claim_id} is listed otherwise than stored`);
    const lead = leads.find(({ lead_id }) => lead_id === claim.lead_id);
    if (lead?.claim_id !== claim.claim_id || lead.claim_status !== claim.claim_status)
      found.push(
        `claim ${claim.claim_id} is ${claim.claim_status}, its lead says ${lead?.claim_status ?? 'nothing'} of claim ${lead?.claim_id ?? 0}`,
      );
    if (lead === undefined) continue;
    const words = postingsOf(claim, lead).map(postingId).toSorted().join();
    if (claim.row !== packRow(claim, lead) || wordsOf(items, claim.claim_id) !== words)
      found.push(`claim ${claim.claim_id} is listed or found by what its lead was before`);
  }
  for (const [block, counts] of await claimStore.counts({ table }, { all: true }))
    for (const status of CLAIM_STATUSES) {
      const listed = rows.filter((row) => row.claim_status === status).length;
      if (block === 0 && counts[status] !== listed)
        found.push(`${counts[status]} claims are counted as ${status} and ${listed} listed`);
    }
  for (const order of orders) {
    const its = claims.filter(({ order_id }) => order_id === order.order_id);
    const expected = [
      its.length,
      ...CLAIM_STATUSES.map((status) => its.filter(({ claim_status }) => claim_status === status).length),
    ];
    const stored = [order.total_claims, ...CLAIM_STATUSES.map((status) => order[`${status}_claims`])];
    if (String(stored) !== String(expected))
      found.push(`order ${order.order_id} counts the claims ${String(stored)} and has ${String(expected)}`);
  }
  return found;
}

/**
 * Processes that died, slept too long or got no answer between a choice and its record: each shifts the ledger by at most
 * one lead.
 */
function interrupted({ ended, faults: { happened, unanswered } }: SimulatedWorld): number {
  return ended + unanswered.length + happened.filter((name) => /^(killed|frozen|late)/.test(name)).length;
}

/** The owed and billed amounts in each buyer's statement. */
async function statements(table: Table, known: readonly Order[]) {
  const deps = {
    table,
  };
  const buyers = new Set(known.map(({ buyer }) => buyer));
  const all = (await buyerStore.all({ table })).filter(({ buyer }) => buyers.has(buyer));
  return Promise.all(
    all.map(async (buyer) => {
      const { sum, balance, owed, orders: its } = await statementOf(deps, buyer);
      return {
        buyer: buyer.buyer,
        sum,
        balance,
        owed: owed.length,
        orders: its.map(({ order, total, owed: owes }) => ({
          order: order.order_id,
          sum: total.sum,
          owed: owes,
        })),
      };
    }),
  );
}

/** Statuses in the list of all leads; it omits the others. */
const LISTED_AS: Readonly<Record<string, string>> = {
  assigned: 'assigned',
  pending: 'pending',
  discarded: 'discarded',
  duplicate: 'refused',
  withdrawn: 'refused',
};

export async function ofStatistics(table: Table, items: readonly Item[]): Promise<string[]> {
  const leads = items.filter(({ sk }) => sk === 'LEAD');
  const latest =
    leads
      .map(({ received_at }) => String(received_at))
      .toSorted()
      .at(-1) ?? '2026-01-01';
  const now = () => new Date(latest);
  const runtime = { ...systemRuntime, now, sleep: async () => undefined, random: () => 0 };
  const { leadsCorrected, differences } = await rebuildStatistics({ table, runtime }, false);
  const found = differences.map(
    ({ of, stored, actual }) => `statistics of ${of}: ${stored} stored, ${actual} counted`,
  );
  if (leadsCorrected > 0) found.push(`${leadsCorrected} leads are not counted as they are`);
  const { rows } = await listLeads(
    { table, runtime },
    { filter: { by: 'received' }, sort: 'amount', descending: false, limit: 100_000, counts: true },
  );
  const listed = new Map(rows.map(({ lead_id, state }) => [lead_id, state]));
  for (const { lead_id, status } of leads) {
    const shown = listed.get(String(lead_id));
    const expected = LISTED_AS[String(status)];
    if (shown !== expected) found.push(`lead ${String(lead_id)} is ${String(status)} and listed as ${shown}`);
  }
  const words = new Set(items.filter(({ pk }) => String(pk).startsWith('WORD#')).map(({ sk }) => String(sk)));
  for await (const page of statisticsStore.everyCounted({ table }))
    for (const { leadId, counted } of page)
      for (const word of counted.words)
        if (!words.delete(`${word}#${leadId}`))
          found.push(`the word ${word} of lead ${leadId} is not in the search`);
  return words.size === 0
    ? found
    : [...found, `the search finds words that no lead has: ${[...words].join(', ')}`];
}
