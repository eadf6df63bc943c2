/** Invariants of the product after a storm, checked against its table, its answers and external arrivals. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import { type Buyer, buyerSchema } from '#functions/data/buyers/buyer';
import { type Claim, claimSchema } from '#functions/data/claims/claim';
import { type Delivery, deliverySchema, displayId, type Lead } from '#functions/data/leads/lead';
import type { Order } from '#functions/data/orders/order';
import { readReplacementRecords } from '#functions/data/orders/replacement-store';
import type { Item, Table } from '#functions/data/table/table';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { checkpointsIn } from '#functions/domain/administration/audit-checkpoints';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import { checkReplacements } from '#functions/domain/orders/replacement-ledger';
import { rebuildStatistics } from '#functions/domain/statistics/rebuild';
import { AUDIT_CHECKPOINTS_FILE } from '#local/running';
import { CHANNELS } from '#shared/channels/channels';
import type { Journal } from '#test/attack/journal';
import { type Arrivals, isUnwanted } from '#test/attack/outside';
import { itemsOf, leadsAmong, ordersAmong, quietRuntime } from '#test/harness/distribution';

const STATISTICS_CHECK_EVERY_MS = 200;
/** How long statistics may lag behind after all work has ended. */
const MAX_STATISTICS_WAIT_MS = 20_000;

/** All violations in a product at rest, and the number of repeated arrivals. */
export async function findingsOn(
  table: Table,
  stored: Stored,
  journal: Journal,
  arrivals: Arrivals,
  templates: { readonly original: string; readonly replacement: string },
): Promise<{ readonly broken: string[]; readonly twice: number }> {
  const { found, twice } = everythingArrived(journal, stored, arrivals, templates);
  const broken = [
    ...journal.broken,
    ...unfinished(stored),
    ...leadsKept(journal, stored),
    ...reassignedLeft(stored, arrivals),
    ...ordersAddUp(stored),
    ...paceKept(stored),
    ...found,
    ...(await settledFindings(table)),
  ];
  return { broken, twice };
}

/** All stored items, by kind. */
export interface Stored {
  readonly leads: readonly Lead[];
  readonly orders: readonly Order[];
  readonly buyers: readonly Buyer[];
  readonly claims: readonly Claim[];
  readonly deliveries: readonly Delivery[];
  /** Manually assigned leads, to which neither caps nor hours apply. */
  readonly byHand: ReadonlySet<string>;
  /** Open notifications. */
  readonly openNotifications: readonly string[];
}

export async function readStored(table: Table): Promise<Stored> {
  const items = await itemsOf(table);
  const among = (where: (item: Item) => boolean) => items.filter(where);
  return {
    leads: leadsAmong(items),
    orders: ordersAmong(items),
    buyers: among(({ pk }) => pk === 'BUYERS').map((item) => buyerSchema.parse(item)),
    claims: among(({ sk }) => sk === 'CLAIM').map((item) => claimSchema.parse(item)),
    openNotifications: among(({ sk, done_at }) => sk === 'NOTIFICATION' && done_at === undefined).map(
      ({ pk }) => String(pk),
    ),
    byHand: new Set(
      among(({ sk, mode }) => sk === 'DECISION' && mode === 'manual').map(({ lead_id }) => String(lead_id)),
    ),
    deliveries: among(({ sk }) => String(sk).startsWith('DELIVERY#')).map((item) =>
      deliverySchema.parse(item),
    ),
  };
}

/** Unfinished work; empty once the product is at rest. */
export function unfinished({ leads, deliveries, openNotifications }: Stored): string[] {
  return [
    ...leads.flatMap(({ lead_id, status }) =>
      status === 'received' ? [`lead ${lead_id} is in flight`] : [],
    ),
    ...deliveries.flatMap(({ lead_id, channel, status, unreported }) => {
      const delivery = `the delivery of lead ${lead_id} over ${channel}`;
      if (status === 'failed') return unreported === true ? [`${delivery} failed and is not settled`] : [];
      return status === 'delivered' ? [] : [`${delivery} is ${status}`];
    }),
    ...openNotifications.map((notification) => `${notification} was not sent`),
  ];
}

/** Every posted lead is stored exactly once, as in its answer. */
function leadsKept(journal: Journal, { leads }: Stored): string[] {
  const found: string[] = [];
  const byId = new Map(leads.map((lead) => [lead.lead_id, lead]));
  const timesStored = new Map<string, number>();
  for (const { email } of leads) timesStored.set(email, (timesStored.get(email) ?? 0) + 1);
  for (const { email, state, leadId, displayId: answered } of journal.posted) {
    const times = timesStored.get(email) ?? 0;
    if (times > 1) found.push(`lead ${email} is stored ${times} times`);
    if (state === 'refused' && times > 0) found.push(`lead ${email} was refused and is stored`);
    if (state !== 'accepted') continue;
    const lead = leadId === undefined ? undefined : byId.get(leadId);
    if (lead === undefined) {
      found.push(`lead ${email} was accepted as ${leadId} and is not stored`);
      continue;
    }
    const { order_id, sequence, status, refused_by } = lead;
    const stands =
      order_id === undefined || sequence === undefined ? undefined : displayId({ order_id, sequence });
    if (answered !== undefined && stands !== answered && refused_by === undefined)
      found.push(`lead ${leadId} was answered as ${answered} and is ${stands ?? status}`);
    if (status === 'deleted' && !journal.deletionAsked.has(lead.lead_id))
      found.push(`lead ${leadId} is deleted without a request`);
  }
  const accepted = journal.posted.filter(({ state }) => state === 'accepted').length;
  const open = journal.posted.filter(({ state }) => state === 'open').length;
  if (leads.length < accepted || leads.length > accepted + open)
    found.push(`${accepted} leads were accepted and ${open} got no answer, ${leads.length} are stored`);
  return found;
}

/** A reassigned lead belongs to no buyer that refused it. */
function reassignedLeft({ leads }: Stored, { calls }: Arrivals): string[] {
  return leads.flatMap(({ lead_id, status, buyer, email, refused_by = [] }) => {
    const refusers = refused_by.map((one) => one.buyer);
    const found: string[] = [];
    if (new Set(refusers).size < refusers.length) found.push(`lead ${lead_id} was refused twice by a buyer`);
    if (status === 'assigned' && buyer !== undefined && refusers.includes(buyer))
      found.push(`lead ${lead_id} is with buyer ${buyer}, which has refused it`);
    if (refusers.length > 0 && calls.has(`http ${email}`))
      found.push(`lead ${lead_id} was reassigned, and the partner has it`);
    return found;
  });
}

/** Counters match the leads, no limit is exceeded, and no number is used twice. */
export function ordersAddUp({ leads, orders }: Stored): string[] {
  const found: string[] = [];
  const numbers = new Set<string>();
  for (const { lead_id, order_id, sequence, status } of leads) {
    if (order_id === undefined || sequence === undefined) {
      if (status === 'assigned') found.push(`lead ${lead_id} is assigned to no order`);
      continue;
    }
    const number = displayId({ order_id, sequence });
    if (numbers.has(number)) found.push(`${number} is the number of two leads`);
    numbers.add(number);
  }
  for (const order of orders) {
    const of = `order ${order.order_id}`;
    const ever = leads.filter(({ order_id }) => order_id === order.order_id);
    const its = ever.filter(({ status }) => status === 'assigned');
    const originals = its.filter(({ lead_type }) => lead_type === 'original').length;
    const replacements = its.length - originals;
    const compensated = ever.filter(
      ({ status, claim_status }) => status === 'deleted' && claim_status === 'approved',
    ).length;
    if (order.compensated_deletions !== compensated)
      found.push(`${of} counts ${order.compensated_deletions} compensated deletions and had ${compensated}`);
    if (order.leads_received !== originals + compensated)
      found.push(
        `${of} counts ${order.leads_received} used slots, by ${originals} leads and ${compensated} deleted`,
      );
    if (order.reimbursement_delivered !== replacements)
      found.push(`${of} counts ${order.reimbursement_delivered} replacements and has ${replacements}`);
    if (order.leads_received > order.lead_limit)
      found.push(`${of} has ${order.leads_received} leads and a limit of ${order.lead_limit}`);
    if (order.reimbursement_pending < 0) found.push(`${of} owes ${order.reimbursement_pending} replacements`);
    const last = Math.max(0, ...ever.map(({ sequence = 0 }) => sequence));
    if (last > order.last_sequence)
      found.push(`${of} has the number ${last} and counts to ${order.last_sequence}`);
    for (const reservation of Object.keys({ ...order.reservations, ...order.replacement_reservations }))
      if (ever.every(({ lead_id }) => !reservation.startsWith(`${lead_id}.`)))
        found.push(`${of} has a reservation for ${reservation}, which is not its lead`);
  }
  return found;
}

/**
 * Leads assigned by the share rule exceed no cap, the counts of the pace are correct, and no buyer gets leads outside its
 * hours.
 */
function paceKept({ leads, orders, buyers, byHand }: Stored): string[] {
  const found: string[] = [];
  for (const { order_id, pace } of orders) {
    if (pace === undefined) continue;
    const taken = leads.filter(
      (lead) =>
        lead.order_id === order_id &&
        (lead.status === 'assigned' || (lead.status === 'deleted' && lead.claim_status === 'approved')),
    );
    for (const [span, from, counted, allowed] of [
      ['day', pace.day_from, pace.day_received, pace.day_allowance],
      ['week', pace.week_from, pace.week_received, pace.week_allowance],
    ] as const) {
      const since = taken.filter(({ sequence = 0 }) => sequence > from);
      const byRule = since.filter(({ lead_id }) => !byHand.has(lead_id)).length;
      if (since.length !== counted)
        found.push(`order ${order_id} counts ${counted} leads of the ${span} and has ${since.length}`);
      if (byRule > allowed)
        found.push(`order ${order_id} got ${byRule} leads by the rule in a ${span} and may have ${allowed}`);
    }
  }
  const closed = new Set(
    buyers.filter(({ schedule }) => (schedule ?? null) !== null).map(({ buyer }) => buyer),
  );
  for (const { lead_id, status, buyer = 0 } of leads)
    if (status === 'assigned' && closed.has(buyer) && !byHand.has(lead_id))
      found.push(`lead ${lead_id} is with buyer ${buyer}, which is closed`);
  return found;
}

/** The findings of `npm run verify`: replacements, statistics and decisions. */
async function commandsFindNothing(table: Table): Promise<string[]> {
  const replacements = checkReplacements(await readReplacementRecords(table));
  const statistics = await rebuildStatistics({ table, runtime: quietRuntime }, false);
  const decisions = await verifyDecisions(table.scan());
  return [
    ...replacements.map(
      ({ of, stored, entries }) => `${of}: ${stored}, the ledger's entries add up to ${entries}`,
    ),
    ...statistics.differences.map(
      ({ of, stored, actual }) => `statistics of ${of}: ${stored}, counted ${actual}`,
    ),
    ...(statistics.leadsCorrected > 0 ? [`${statistics.leadsCorrected} leads were counted wrongly`] : []),
    ...decisions.disagreements.map(({ leadId, why }) => `the decision on lead ${leadId}: ${why}`),
  ];
}

/** Statistics lag behind the table. */
export async function settledFindings(table: Table): Promise<string[]> {
  const deadline = Date.now() + MAX_STATISTICS_WAIT_MS;
  for (;;) {
    const found = await commandsFindNothing(table);
    if (found.length === 0 || Date.now() > deadline) return found;
    await wait(STATISTICS_CHECK_EVERY_MS);
  }
}

/** A kill within this time after an arrival may have lost its answer or its record. */
const LOST_ANSWER_MS = 15_000;

/**
 * Everything due arrived, and arrived again only if a kill lost the earlier answer.
 * @returns the violations, and the number of repeated arrivals
 */
function everythingArrived(
  journal: Journal,
  { leads, buyers, claims, deliveries }: Stored,
  arrivals: Arrivals,
  templates: { readonly original: string; readonly replacement: string },
): { readonly found: string[]; readonly twice: number } {
  const found: string[] = [];
  let twice = 0;
  const leadOf = new Map(leads.map((lead) => [lead.lead_id, lead]));
  const buyerOf = new Map(buyers.map((buyer) => [buyer.buyer, buyer]));
  /**
   * @param sendings how often it was sent on purpose
   * @param record the attempts that the product recorded
   */
  const arrived = (what: string, times: readonly number[] | undefined, sendings = 1, record = '') => {
    if (times === undefined) {
      found.push(`${what} never arrived`);
      return;
    }
    const again = times.slice(0, -1).filter((at) => !journal.killed(at, at + LOST_ANSWER_MS)).length;
    if (times.length > 1) twice += 1;
    if (again > sendings - 1)
      found.push(
        `${what} arrived ${times.length} times, ${again} of them again without a kill: ${times.map(timeOf).join(', ')}; kills: ${journal.kills.map(({ at, until }) => `${timeOf(at)}-${timeOf(until)}`).join(', ')}; ${record}`,
      );
  };

  const expected = new Set<string>();
  const channelsOf = new Map<string, Set<string>>();
  for (const delivery of deliveries) {
    const { lead_id, channel, status, series: round, lead_type } = delivery;
    const channels = channelsOf.get(lead_id) ?? new Set();
    channelsOf.set(lead_id, channels.add(channel));
    const lead = leadOf.get(lead_id);
    if (lead === undefined) {
      found.push(`there is a delivery of lead ${lead_id}, which is not stored`);
      continue;
    }
    const what = `lead ${lead_id} over ${channel}`;
    if (status === 'failed' && !mayFail(lead, delivery))
      found.push(`the delivery of ${what} failed: ${delivery.error}`);
    const template = lead_type === 'original' ? templates.original : templates.replacement;
    const key = channel === 'email' ? `${lead_id}.${template}` : `${channel} ${lead.email}`;
    expected.add(key);
    const times = channel === 'email' ? arrivals.mails.get(key) : arrivals.calls.get(key);
    if (status === 'delivered' || times !== undefined) arrived(what, times, round, attemptsOf(delivery));
  }

  for (const { lead_id, buyer, status } of leads) {
    if (status !== 'assigned' && status !== 'deleted') continue;
    const settings = buyerOf.get(buyer ?? -1);
    const wanted = CHANNELS.filter((channel) => settings !== undefined && isOn(settings, channel));
    const made = channelsOf.get(lead_id) ?? new Set();
    if (wanted.some((channel) => !made.has(channel)) || made.size !== wanted.length)
      found.push(
        `lead ${lead_id} is delivered over ${[...made].join('+')}, its buyer has ${wanted.join('+')}`,
      );
  }

  for (const { claim_id, claim_status, lead_id, buyer, order_id, sequence } of claims) {
    const settings = buyerOf.get(buyer);
    const answered = journal.decided.get(claim_id);
    if (answered !== undefined && claim_status !== answered)
      found.push(`claim ${claim_id} was answered as ${answered} and is ${claim_status}`);
    const letter = `claim-${claim_id}.${lead_id}`;
    expected.add(letter);
    const times = arrivals.mails.get(letter);
    if (claim_status === 'pending') {
      if (times !== undefined) found.push(`the e-mail about claim ${claim_id} came before it was decided`);
      const title = `New claim #${claim_id} for lead ${displayId({ order_id, sequence })}`;
      if (arrivals.pushes !== undefined) arrived(`the push "${title}"`, arrivals.pushes.get(title));
    } else if (times !== undefined || (settings?.send_email === true && settings.deleted_at === null))
      arrived(`the e-mail about claim ${claim_id}`, times);
  }
  for (const { order_id, sequence, status, refused_by } of leads) {
    if (status !== 'assigned' || order_id === undefined || sequence === undefined) continue;
    // One push per lead, to its first buyer.
    if (refused_by !== undefined) continue;
    if (arrivals.pushes === undefined) break;
    const title = `Lead ${displayId({ order_id, sequence })} assigned`;
    arrived(`the push "${title}"`, arrivals.pushes.get(title));
  }
  for (const key of [...arrivals.mails.keys(), ...arrivals.calls.keys()])
    if (!expected.has(key)) found.push(`"${key}" arrived, and no stored item explains it`);
  return { found, twice };
}

const timeOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(14, 23) : 'now');

/** Attempts by the product's clock, which a test may have moved. */
const attemptsOf = ({ attempts }: Delivery) =>
  attempts.map(({ at, outcome, duration_ms }) => `${outcome} at ${at} after ${duration_ms} ms`).join(', ');

/** All destinations work at the end, so only deliveries of withdrawn leads and final refusals may have failed. */
const mayFail = (lead: Lead, { error, channel, refused }: Delivery) =>
  (lead.status === 'deleted' && error === 'The lead was deleted before it was sent') ||
  (channel === 'http' && refused === true && isUnwanted(lead.email));

function isOn(buyer: Buyer, channel: (typeof CHANNELS)[number]): boolean {
  switch (channel) {
    case 'email':
      return buyer.send_email;
    case 'heroleads':
      return buyer.use_heroleads_api;
    case 'sellanylead':
      return buyer.use_sellanylead_api;
    case 'trackbox':
      return buyer.use_trackbox_api;
    case 'http':
      return buyer.use_http_api;
  }
}

/** The findings of `npm run verify audit`, with the product's checkpoints. */
export async function trailFindings(table: Table, dataDir: string): Promise<string[]> {
  const file = join(dataDir, AUDIT_CHECKPOINTS_FILE);
  const checkpoints = existsSync(file) ? checkpointsIn(readFileSync(file, 'utf8')) : [];
  const { findings } = await verifyAudit(
    auditChainStore.links({ table }),
    table.scan(),
    auditStore.listed({ table }),
    checkpoints,
  );
  return findings.map((finding) => `audit trail: ${finding}`);
}
