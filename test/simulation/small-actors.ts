/** The actors of small worlds, and their setup. */

import type { SQSEvent } from 'aws-lambda';
import * as circuitStore from '#functions/data/deliveries/circuits';
import { channelCircuit } from '#functions/data/deliveries/circuits';
import type { Caps } from '#functions/data/orders/pace';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { createBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { decideByDefault } from '#functions/domain/claims/default-decision';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import type { DistributionContext } from '#functions/domain/distribution/attempt';
import { ingest } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { changeLimit, createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { ingestPosted } from '#functions/domain/sources/intake';
import type { DeliverMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import { create as createCallback } from '#functions/workers/callback/index';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { create as createOutbox } from '#functions/workers/outbox/index';
import { create as createStatistics } from '#functions/workers/statistics/index';
import type { DefaultDecision } from '#shared/rules/constants';
import { changedTable } from '#test/harness/distribution';
import { personOf } from '#test/simulation/actors';
import type { Api } from '#test/simulation/api-process';
import type { Rewrite } from '#test/simulation/outside';
import { recordOf } from '#test/simulation/records';
import { addSource } from '#test/simulation/sources';
import { ENVIRONMENT, type SimulatedWorld } from '#test/simulation/world';

export type Actor = (api: Api, world: SimulatedWorld) => Promise<unknown>;

export interface SmallWorld {
  readonly actors: readonly Actor[];
  /** How many leads the only buyer's order accepts; 2 by default. */
  readonly limit?: number;
  /** The claim terms of that order. */
  readonly terms?: {
    decision_days?: number;
    default_decision?: DefaultDecision;
    claim_quota_percent?: number;
    auto_decide_claims?: true;
    buyer_type?: 'postpay';
  };
  /** The maximum number of interruptions of a process that could continue; 2 by default. */
  readonly interruptions?: number;
  /** The maximum number of interleavings, for each call before which the actor may die; all by default. */
  readonly mostRuns?: number;
  /** Whether the first actor dies, before each of its calls in turn. */
  readonly dies?: true;
  /** Whether the second actor's clock is ahead by more than every lease. */
  readonly isAhead?: true;
  /** The setup of the world. */
  readonly prepare?: Actor;
  /** Runs a day after all actors have ended. */
  readonly after?: Actor;
  /** Whether the ledger must equal the decisions, because nobody dies or is overtaken. */
  readonly isExact?: true;
  /** Mutants that some interleaving detects, by name. */
  readonly shows?: Readonly<Record<string, Rewrite>>;
}
export type SmallWorlds = Readonly<Record<string, SmallWorld>>;

/** Unbounded: every interleaving runs. */
export const EVERY = Number.POSITIVE_INFINITY;
export const WHO = 'admin';
export const BUYER = 1;
export const FIRST_ORDER = 1;
export const SECOND_MS = 1_000;
export const DAY_MS = 86_400_000;
/** An attempt that began this instant counts as stale, so the reconciliation takes over a running one. */
const EVERYTHING_IS_STALE_MS = -1;
const CHANNEL = 'sellanylead';

export const oneByOne =
  (...actors: readonly Actor[]): Actor =>
  async (api, world) => {
    for (const actor of actors) await actor(api, world);
  };

/** The same with a wrong clock. */
export const shifted =
  (ms: number, actor: Actor): Actor =>
  (api, world) => {
    const then = new Date(api.runtime.now().getTime() + ms);
    return actor({ ...api, runtime: { ...api.runtime, now: () => then } }, world);
  };
export const earlier = (actor: Actor) => shifted(-120 * SECOND_MS, actor);

export function leadsIn({ table }: SimulatedWorld, status?: string): Item[] {
  return [...table.items()].filter((item) => item.sk === 'LEAD' && (status ?? item.status) === item.status);
}
/** The assigned lead with this number in its order. */
export const leadAt = (world: SimulatedWorld, sequence: number) =>
  String(leadsIn(world, 'assigned').find((lead) => lead.sequence === sequence)?.lead_id);
export const firstLead = (world: SimulatedWorld) => String(leadsIn(world, 'assigned')[0]?.lead_id);
export const waitingLead = (world: SimulatedWorld) => String(leadsIn(world, 'pending')[0]?.lead_id);

export const aPerson = (world: SimulatedWorld, number: number) => ({
  ...personOf(world, number),
  telefon: `+49170${1_000_000 + number}`,
});
export const intake =
  (number: number): Actor =>
  (api, world) =>
    ingest(api, aPerson(world, number), undefined);

export const changesBuyer =
  (change: Parameters<typeof updateBuyer>[3]): Actor =>
  (api) =>
    updateBuyer(api, WHO, 'north', change);
export const limits =
  (limit: number, caps?: Partial<Caps>): Actor =>
  (api) =>
    changeLimit(api, WHO, 'north', limit, { caps });
export const deletesOrder: Actor = (api) => deleteOrder(api, WHO, 'north', FIRST_ORDER);
/** Takes over everything in flight. */
export const takesOver: Actor = (api) => reconcile(api, EVERYTHING_IS_STALE_MS);

/** Another buyer that could receive leads. */
export const somebodyElse =
  (terms: object): Actor =>
  async (api) => {
    await updateBuyer(api, WHO, 'north', { probability: 60 });
    const south = { buyer_id: 'south', buyer_email: 'south@example.org', probability: 40, ...terms };
    await createBuyer(api, WHO, south);
    await createOrder(api, WHO, { buyerId: 'south', leadLimit: 2, balance: 0 });
  };

/** Records a delivery's outcome at the circuit. */
export const delivery =
  (arrives: boolean): Actor =>
  async ({ table, runtime }) => {
    const circuit = channelCircuit(BUYER, CHANNEL);
    const permit = await circuitStore.permit({ table }, circuit, runtime.now());
    return arrives
      ? circuitStore.succeeded({ table }, circuit, permit)
      : circuitStore.failed({ table }, circuit, permit, runtime.now());
  };

export const event = (message: object) =>
  ({ Records: [{ messageId: 'm1', body: JSON.stringify(message) }] }) as SQSEvent;

/** The single stored item of this kind. */
function only({ table }: SimulatedWorld, kind: 'DELIVERY#' | 'CALLBACK#'): Item {
  const found = [...table.items()].find(({ sk }) => String(sk).startsWith(kind));
  if (found === undefined) throw new Error(`There is no ${kind}`);
  return found;
}

/** A worker that got the message about the first attempt. */
export const sendsLead: Actor = ({ runtime }, world) => {
  const { lead_id, channel } = only(world, 'DELIVERY#');
  return createDeliver(ENVIRONMENT, runtime)(event({ lead_id, channel, series: 1, attempt_count: 0 }));
};
export const callsBack: Actor = ({ runtime }, world) => {
  const { lead_id, callback_id } = only(world, 'CALLBACK#');
  return createCallback(ENVIRONMENT, runtime)(event({ lead_id, callback_id, series: 1, attempt_count: 0 }));
};

const changesOfLeads = ({ table }: SimulatedWorld) => table.shards.flat().filter(({ sk }) => sk === 'LEAD');
/** The stream's reader gets all changes of leads so far. */
export const readsLeads: Actor = ({ runtime }, world) =>
  createOutbox(ENVIRONMENT, runtime)({ Records: changesOfLeads(world).map(recordOf) });
/** The statistics get the same. */
export const counts: Actor = ({ runtime }, world) =>
  createStatistics(ENVIRONMENT, runtime)({ Records: changesOfLeads(world).map(recordOf) });
/** The statistics get the last change of a lead. */
export const countsLead =
  (sequence: number): Actor =>
  ({ runtime }, world) => {
    const last = changesOfLeads(world).findLast(({ after }) => after?.sequence === sequence);
    return createStatistics(ENVIRONMENT, runtime)({ Records: last ? [recordOf(last, 0)] : [] });
  };

/**
 * A source sends a lead of the one person of these worlds.
 * @param amount in cents
 */
export const posts =
  (source: number, amount: number, external_id = 'form-1'): Actor =>
  async (api, world) => {
    const from = (await sourceStore.get(api, source)) ?? (await addSource(api, source));
    const person = { ...aPerson(world, 1), anlagebetrag: amount };
    return ingestPosted(api, from, [{ external_id, person, content: '' }], 1);
  };

/** The same, but it dies when it stores a lead. */
export function withoutReceiving<Api extends DistributionContext>(api: Api, died: Error): Api {
  const table = changedTable(api.table, {
    put: (write) => (write.put.sk === keys.lead('').sk ? Promise.reject(died) : api.table.put(write)),
  });
  return { ...api, table };
}

/** A source sends a lead, and the call dies after it has taken the person's fingerprint and before it stores the lead. */
export const postsInVain =
  (source: number, amount: number): Actor =>
  async (api, world) => {
    const died = new Error('died');
    await addSource(api, source);
    await posts(source, amount)(withoutReceiving(api, died), world).catch((error: unknown) => {
      if (error !== died) throw error;
    });
  };

const claimsLead =
  (leadOf: (world: SimulatedWorld) => string, reason = 'wrong_number'): Actor =>
  (api, world) =>
    fileClaim(api, { admin: WHO }, { leadId: leadOf(world), orderId: FIRST_ORDER, buyerId: 'north', reason });
export const claims = claimsLead(firstLead);
export const claimsAt = (sequence: number, reason?: string) =>
  claimsLead((world) => leadAt(world, sequence), reason);
export const decides =
  (status: 'approved' | 'rejected', claimId = 1): Actor =>
  (api) =>
    decideClaim(api, { who: WHO, claimId, status, notes: '' });
/** The reconciliation on a day after every deadline. */
export const decidesByDefault = shifted(10 * DAY_MS, decideByDefault);
/** The first lead is claimed. */
export const aClaim = oneByOne(intake(1), claims);

/** The reconciliation requeues deliveries, and its messages arrive. */
export const reconciles: Actor = async ({ table, runtime }, world) => {
  const queues = openQueues(ENVIRONMENT, runtime);
  const queue = createQueue<DeliverMessage>(queues, ENVIRONMENT.DELIVER_QUEUE_URL, runtime.log);
  await requeueOverdueDeliveries({ table, queue, runtime });
  for (const { body } of world.messages.deliver?.splice(0) ?? [])
    await createDeliver(ENVIRONMENT, runtime)(event(JSON.parse(body)));
};
/** Everything in flight is distributed and sent. */
export const goesOn = oneByOne(reconciles, takesOver, reconciles, takesOver);
