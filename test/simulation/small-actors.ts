/** Who takes part in small worlds, and what happened before. */

import type { SQSEvent } from 'aws-lambda';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { channelCircuit, FAILURES_TO_OPEN } from '#functions/data/deliveries/circuits';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { createBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { decideBySilence } from '#functions/domain/claims/silence';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import { type DistributionContext, takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { changeLimit, createOrder } from '#functions/domain/orders/orders';
import { takeInPosted } from '#functions/domain/sources/intake';
import type { DeliverMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import { create as createCallback } from '#functions/workers/callback/index';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { create as createOutbox } from '#functions/workers/outbox/index';
import { create as createStatistics } from '#functions/workers/statistics/index';
import type { OnSilence } from '#shared/rules/constants';
import { changedTable } from '#test/harness/distribution';
import { personOf } from '#test/simulation/actors';
import { type Api } from '#test/simulation/api-process';
import { recordOf } from '#test/simulation/records';
import { addSource } from '#test/simulation/sources';
import { scripted } from '#test/simulation/strategies';
import { ENVIRONMENT, partnerOf, type SimulatedWorld } from '#test/simulation/world';

/** An attempt that began this instant counts as stale, so that the reconciliation takes over one that still runs. */
export const EVERYTHING_IS_STALE_MS = -1;
export const MAX_STEPS = 2_000;

export type Actor = (api: Api, world: SimulatedWorld) => Promise<unknown>;

export interface SmallWorld {
  readonly name: string;
  readonly actors: Readonly<Record<string, Actor>>;
  /** Leads that the order of the only buyer takes. */
  readonly limit: number;
  /** What is agreed of the claims of that order, and who decides them. */
  readonly terms?: {
    decision_days?: number;
    on_silence?: OnSilence;
    claim_quota_percent?: number;
    auto_decide_claims?: true;
    buyer_type?: 'postpay';
  };
  /** Interruptions of a process that could go on, at most; without it every interleaving. */
  readonly maxPreemptions?: number;
  /** Interleavings that are run, at most; without it all. */
  readonly mostRuns?: number;
  /** The actor that dies before each of its calls in turn. */
  readonly dies?: string;
  /** The actor whose clock is ahead, beyond every lease. */
  readonly ahead?: string;
  /** What happened before. */
  readonly prepare?: (api: Api, world: SimulatedWorld) => Promise<unknown>;
  /** What happens when all have ended, a day later. */
  readonly after?: Actor;
  /** Whether the ledger of shares equals the decisions: nobody dies or is overtaken. */
  readonly isExact?: true;
}

/** Whose data are always valid. */
export const aPerson = (world: SimulatedWorld, number: number) => ({
  ...personOf(world, number),
  telefon: `+49170${1_000_000 + number}`,
});
export const intake =
  (number: number): Actor =>
  (api, world) =>
    takeIn(api, aPerson(world, number), undefined);
export const WHO = 'admin';
export const BUYER = 1;
export const CHANNEL = 'sellanylead';
export const FIRST_ORDER = 1;
export const inTurn = scripted(new Map());
export const AHEAD_MS = 300_000;
export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** One more opens the circuit. */
export const FAILURES_BEFORE = FAILURES_TO_OPEN - 1;

/** The lead that came first. */
export function leadAt({ table }: SimulatedWorld, sequence: number): string {
  const assigned = [...table.items()].filter(({ sk, status }) => sk === 'LEAD' && status === 'assigned');
  return String(assigned.find((lead) => lead.sequence === sequence)?.lead_id);
}

export function firstLead({ table }: SimulatedWorld): string {
  return String([...table.items()].find(({ sk, status }) => sk === 'LEAD' && status === 'assigned')?.lead_id);
}

/** A delivery whose outcome is recorded at the circuit. */
export const delivery =
  (arrives: boolean): Actor =>
  async ({ table, runtime }) => {
    const permit = await circuitStore.permit({ table }, channelCircuit(BUYER, CHANNEL), runtime.now());
    return arrives
      ? circuitStore.succeeded({ table }, channelCircuit(BUYER, CHANNEL), permit)
      : circuitStore.failed({ table }, channelCircuit(BUYER, CHANNEL), permit, runtime.now());
  };

export const event = (message: object) =>
  ({ Records: [{ messageId: 'm1', body: JSON.stringify(message) }] }) as SQSEvent;

/** What is stored of this kind, and there once. */
export function only({ table }: SimulatedWorld, kind: 'DELIVERY#' | 'CALLBACK#'): Item {
  const found = [...table.items()].find(({ sk }) => String(sk).startsWith(kind));
  if (found === undefined) throw new Error(`There is no ${kind}`);
  return found;
}

/** A worker that got the message about the first attempt. */
export const sendsLead: Actor = ({ runtime }, world) => {
  const { lead_id, channel } = only(world, 'DELIVERY#');
  return createDeliver(ENVIRONMENT, runtime)(event({ lead_id, channel, round: 1, attempt_count: 0 }));
};
export const callsBack: Actor = ({ runtime }, world) => {
  const { lead_id, callback_id } = only(world, 'CALLBACK#');
  return createCallback(ENVIRONMENT, runtime)(event({ lead_id, callback_id, round: 1, attempt_count: 0 }));
};

/** The reader of the stream gets what was written of leads so far. */
export const readsLeads: Actor = ({ runtime }, { table }) => {
  const changes = table.shards.flat().filter(({ sk }) => sk === 'LEAD');
  return createOutbox(ENVIRONMENT, runtime)({ Records: changes.map(recordOf) });
};

/** A source sends a lead of the one person of these worlds. @param amount in cents */
export const posts =
  (source: number, amount: number, external_id = 'form-1'): Actor =>
  async (api, world) => {
    const from = (await sourceStore.get(api, source)) ?? (await addSource(api, source));
    const person = { ...aPerson(world, 1), anlagebetrag: amount };
    return takeInPosted(api, from, [{ external_id, person, content: '' }], 1);
  };

/** What was done two minutes ago. */
export const earlier =
  (actor: Actor): Actor =>
  (api, world) => {
    const then = new Date(api.runtime.now().getTime() - 2 * MINUTE_MS);
    return actor({ ...api, runtime: { ...api.runtime, now: () => then } }, world);
  };

/** The same, which dies when it stores a lead. */
export function withoutReceiving<Api extends DistributionContext>(api: Api, died: Error): Api {
  const table = changedTable(api.table, {
    put: (write) => (write.put.sk === keys.lead('').sk ? Promise.reject(died) : api.table.put(write)),
  });
  return { ...api, table };
}

/** A source sends a lead with a call that dies when it has taken the mark of the person and not stored the lead. */
export const postsInVain =
  (source: number, amount: number): Actor =>
  async (api, world) => {
    const died = new Error('died');
    await addSource(api, source);
    await posts(source, amount)(withoutReceiving(api, died), world).catch((error: unknown) => {
      if (error !== died) throw error;
    });
  };

/** The statistics get what was written of leads so far. */
export const counts: Actor = ({ runtime }, { table }) => {
  const changes = table.shards.flat().filter(({ sk }) => sk === 'LEAD');
  return createStatistics(ENVIRONMENT, runtime)({ Records: changes.map(recordOf) });
};

/** A lead of a source that no order took, because of a minimum that is no more. */
export const anEarlierLeadWaits: Actor = async (api, world) => {
  await updateBuyer(api, WHO, 'north', { min_investment: 10_000 });
  await posts(1, 500_000)(api, world);
  await addSource(api, 2);
  await updateBuyer(api, WHO, 'north', { min_investment: null });
};

export function waitingLead({ table }: SimulatedWorld): string {
  return String([...table.items()].find(({ sk, status }) => sk === 'LEAD' && status === 'pending')?.lead_id);
}

export const claimsLead =
  (leadOf: (world: SimulatedWorld) => string): Actor =>
  (api, world) =>
    fileClaim(
      api,
      { admin: WHO },
      { leadId: leadOf(world), orderId: FIRST_ORDER, buyerId: 'north', reason: 'wrong_number' },
    );
export const claims = claimsLead(firstLead);
export const claimsAt = (sequence: number) => claimsLead((world) => leadAt(world, sequence));

/** The reconciliation of a day on which every deadline is over. */
export const silenceDecides: Actor = (api) => {
  const later = new Date(api.runtime.now().getTime() + 10 * DAY_MS);
  return decideBySilence({ ...api, runtime: { ...api.runtime, now: () => later } });
};

/** The first lead is claimed; approved, its replacement is owed. */
export const aClaim =
  (isApproved: boolean): Actor =>
  async (api, world) => {
    await intake(1)(api, world);
    await claims(api, world);
    if (isApproved) await decides('approved')(api, world);
  };

export const decides =
  (status: 'approved' | 'rejected', claimId = 1): Actor =>
  (api) =>
    decideClaim(api, { who: WHO, claimId, status, notes: '' });

/** The reconciliation looks for deliveries, and its messages arrive. */
export const reconciles: Actor = async (context, world) => {
  const queue = createQueue<DeliverMessage>(
    openQueues(ENVIRONMENT, context.runtime),
    ENVIRONMENT.DELIVER_QUEUE_URL,
    context.runtime.log,
  );
  await requeueOverdueDeliveries({ table: context.table, queue, runtime: context.runtime });
  for (const { body } of world.messages.deliver?.splice(0) ?? [])
    await createDeliver(ENVIRONMENT, context.runtime)(event(JSON.parse(body)));
};

/** A lead of a buyer that gives on what its partner refuses, not sent yet; somebody else could take it. */
export const anUnwantedLead: Actor = async (api, world) => {
  world.refuser = BUYER;
  await updateBuyer(api, WHO, 'north', {
    probability: 60,
    on_refusal: 'give_on',
    use_sellanylead_api: false,
    ...partnerOf(1),
  });
  const south = { buyer_id: 'south', buyer_email: 'south@example.org', probability: 40, ...partnerOf(2) };
  await createBuyer(api, WHO, south);
  await createOrder(api, WHO, { buyerId: 'south', leadLimit: 2, balance: 0 });
  await intake(1)(api, world);
};

/** Whatever is in flight is distributed, and sent. */
export const goesOn: Actor = async (api, world) => {
  for (let round = 0; round < 2; round += 1) {
    await reconciles(api, world);
    await reconcile(api, EVERYTHING_IS_STALE_MS);
  }
};

/** Caps that were set on the day before, from which no lead has come since. */
export const cappedYesterday: Actor = (api) => {
  const yesterday = new Date(api.runtime.now().getTime() - DAY_MS);
  const then = { ...api, runtime: { ...api.runtime, now: () => yesterday } };
  return changeLimit(then, WHO, 'north', 3, undefined, { daily_cap: 1 });
};
