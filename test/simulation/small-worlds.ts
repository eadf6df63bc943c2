/** Worlds so small that every interleaving of their calls is run, and not a sample. */

import type { SQSEvent } from 'aws-lambda';
import { createCircuits, FAILURES_TO_OPEN } from '#functions/data/deliveries/circuits';
import type { Item } from '#functions/data/table/table';
import { createBuyer, deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { decideBySilence } from '#functions/domain/claims/silence';
import { DomainError } from '#functions/domain/common/errors';
import { resend } from '#functions/domain/deliveries/delivery-log';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import { distributeAgain, takeIn } from '#functions/domain/distribution/distribution';
import { handOn, reconcile } from '#functions/domain/distribution/reconciliation';
import { deleteLead } from '#functions/domain/leads/leads';
import { changeLimit, createOrder, deleteOrder } from '#functions/domain/orders/orders';
import { takeInPosted } from '#functions/domain/sources/intake';
import type { DeliverMessage } from '#functions/queues/messages';
import { createQueue, openQueues } from '#functions/queues/sqs';
import { create as createCallback } from '#functions/workers/callback/index';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { create as createOutbox } from '#functions/workers/outbox/index';
import type { OnSilence } from '#shared/contract/constants';
import { personOf } from '#test/simulation/actors';
import { type Api, createApiProcess } from '#test/simulation/api-process';
import { type Process, Violation } from '#test/simulation/kernel';
import type { Rewrite } from '#test/simulation/outside';
import { recordOf } from '#test/simulation/records';
import { wrongInDistribution } from '#test/simulation/rest';
import { addEndpoints, addSource } from '#test/simulation/sources';
import { Cut, Exhaustive, scripted } from '#test/simulation/strategies';
import { Watch } from '#test/simulation/watch';
import { ENVIRONMENT, importOnce, partnerOf, SimulatedWorld } from '#test/simulation/world';

/** An attempt that began this instant counts as stale, so that the reconciliation takes over one that still runs. */
const EVERYTHING_IS_STALE_MS = -1;
const MAX_STEPS = 2_000;

type Actor = (api: Api, world: SimulatedWorld) => Promise<unknown>;

export interface SmallWorld {
  readonly name: string;
  readonly actors: Readonly<Record<string, Actor>>;
  /** Leads that the order of the only buyer takes. */
  readonly limit: number;
  /** What is agreed of the claims of that order. */
  readonly terms?: { decision_days?: number; on_silence?: OnSilence; claim_quota_percent?: number };
  /** Interruptions of a process that could go on, at most; without it every interleaving. */
  readonly maxPreemptions?: number;
  /** The actor that dies before each of its calls in turn. */
  readonly dies?: string;
  /** The actor whose clock is ahead, beyond every lease. */
  readonly ahead?: string;
  /** What happened before. */
  readonly prepare?: (api: Api, world: SimulatedWorld) => Promise<unknown>;
  /** What happens when all have ended, a day later. */
  readonly after?: Actor;
}

/** Whose data are always valid. */
const aPerson = (world: SimulatedWorld, number: number) => ({
  ...personOf(world, number),
  telefon: `+49170${1_000_000 + number}`,
});
const intake =
  (number: number): Actor =>
  (api, world) =>
    takeIn(api, aPerson(world, number), undefined);
const WHO = 'admin';
const BUYER = 1;
const CHANNEL = 'sellanylead';
const FIRST_ORDER = 1;
const inTurn = scripted(new Map());
const AHEAD_MS = 300_000;
const DAY_MS = 86_400_000;
/** One more opens the circuit. */
const FAILURES_BEFORE = FAILURES_TO_OPEN - 1;

/** The lead that came first. */
function leadAt({ table }: SimulatedWorld, sequence: number): string {
  const assigned = [...table.items()].filter(({ sk, status }) => sk === 'LEAD' && status === 'assigned');
  return String(assigned.find((lead) => lead.sequence === sequence)?.lead_id);
}

function firstLead({ table }: SimulatedWorld): string {
  return String([...table.items()].find(({ sk, status }) => sk === 'LEAD' && status === 'assigned')?.lead_id);
}

/** A delivery whose outcome is recorded at the circuit. */
const delivery =
  (arrives: boolean): Actor =>
  async ({ table, runtime }) => {
    const circuits = createCircuits(table);
    const permit = await circuits.permit(BUYER, CHANNEL, runtime.now());
    return arrives
      ? circuits.succeeded(BUYER, CHANNEL, permit)
      : circuits.failed(BUYER, CHANNEL, permit, runtime.now());
  };

const event = (message: object) =>
  ({ Records: [{ messageId: 'm1', body: JSON.stringify(message) }] }) as SQSEvent;

/** What is stored of this kind, and there once. */
function only({ table }: SimulatedWorld, kind: 'DELIVERY#' | 'CALLBACK#'): Item {
  const found = [...table.items()].find(({ sk }) => String(sk).startsWith(kind));
  if (found === undefined) throw new Error(`There is no ${kind}`);
  return found;
}

/** A worker that got the message about the first attempt. */
const sendsLead: Actor = ({ runtime }, world) => {
  const { lead_id, channel } = only(world, 'DELIVERY#');
  return createDeliver(ENVIRONMENT, runtime)(event({ lead_id, channel, round: 1, attempt_count: 0 }));
};
const callsBack: Actor = ({ runtime }, world) => {
  const { lead_id, callback_id } = only(world, 'CALLBACK#');
  return createCallback(ENVIRONMENT, runtime)(event({ lead_id, callback_id, round: 1, attempt_count: 0 }));
};

/** The reader of the stream gets what was written of leads so far. */
const readsLeads: Actor = ({ runtime }, { table }) => {
  const changes = table.shards.flat().filter(({ sk }) => sk === 'LEAD');
  return createOutbox(ENVIRONMENT, runtime)({ Records: changes.map(recordOf) });
};

/** A source sends a lead of the one person of these worlds. @param amount in cents */
const posts =
  (source: number, amount: number): Actor =>
  async (api, world) => {
    const from = (await api.sources.get(source)) ?? (await addSource(api, source));
    const person = { ...aPerson(world, 1), anlagebetrag: amount };
    return takeInPosted(api, from, [{ external_id: 'form-1', person, content: '' }], 1);
  };

/** A lead of a source that no order took, because of a minimum that is no more. */
const anEarlierLeadWaits: Actor = async (api, world) => {
  await updateBuyer(api, WHO, 'north', { min_investment: 10_000 });
  await posts(1, 500_000)(api, world);
  await addSource(api, 2);
  await updateBuyer(api, WHO, 'north', { min_investment: null });
};

function waitingLead({ table }: SimulatedWorld): string {
  return String([...table.items()].find(({ sk, source }) => sk === 'LEAD' && source === 1)?.lead_id);
}

const claimsLead =
  (leadOf: (world: SimulatedWorld) => string): Actor =>
  (api, world) =>
    fileClaim(
      api,
      { admin: WHO },
      { leadId: leadOf(world), orderId: FIRST_ORDER, buyerId: 'north', reason: 'wrong_number' },
    );
const claims = claimsLead(firstLead);
const claimsAt = (sequence: number) => claimsLead((world) => leadAt(world, sequence));

/** The reconciliation of a day on which every deadline is over. */
const silenceDecides: Actor = (api) => {
  const later = new Date(api.runtime.now().getTime() + 10 * DAY_MS);
  return decideBySilence({ ...api, runtime: { ...api.runtime, now: () => later } });
};

/** The first lead is claimed; approved, its replacement is owed. */
const aClaim =
  (isApproved: boolean): Actor =>
  async (api, world) => {
    await intake(1)(api, world);
    await claims(api, world);
    if (isApproved) await decides('approved')(api, world);
  };

const decides =
  (status: 'approved' | 'rejected', claimId = 1): Actor =>
  (api) =>
    decideClaim(api, { who: WHO, claimId, status, notes: '' });

/** The reconciliation looks for deliveries, and its messages arrive. */
const reconciles: Actor = async ({ runtime, deliveries }, world) => {
  const queue = createQueue<DeliverMessage>(openQueues(ENVIRONMENT, runtime), ENVIRONMENT.DELIVER_QUEUE_URL);
  await requeueOverdueDeliveries({ deliveries, queue, runtime });
  for (const { body } of world.messages.deliver?.splice(0) ?? [])
    await createDeliver(ENVIRONMENT, runtime)(event(JSON.parse(body)));
};

/** A lead of a buyer that gives on what its partner refuses, not sent yet; somebody else could take it. */
const anUnwantedLead: Actor = async (api, world) => {
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
const goesOn: Actor = async (api, world) => {
  for (let round = 0; round < 2; round += 1) {
    await reconciles(api, world);
    await reconcile(api, EVERYTHING_IS_STALE_MS);
  }
};

/** Caps that were set on the day before, from which no lead has come since. */
const cappedYesterday: Actor = (api) => {
  const yesterday = new Date(api.runtime.now().getTime() - DAY_MS);
  const then = { ...api, runtime: { ...api.runtime, now: () => yesterday } };
  return changeLimit(then, WHO, 'north', 3, undefined, { daily_cap: 1 });
};

export const SMALL_WORLDS: readonly SmallWorld[] = [
  { name: 'two leads, one place', limit: 1, actors: { one: intake(1), two: intake(2) } },
  {
    name: 'a lead, a reconciliation, a death at any call',
    limit: 1,
    actors: { one: intake(1), reconcile: (api) => reconcile(api, EVERYTHING_IS_STALE_MS) },
    maxPreemptions: 1,
    dies: 'one',
  },
  {
    name: 'two leads, one place, a reconciliation, a death at any call',
    limit: 1,
    actors: { one: intake(1), two: intake(2), reconcile: (api) => reconcile(api, EVERYTHING_IS_STALE_MS) },
    maxPreemptions: 1,
    dies: 'one',
  },
  {
    name: 'two admins change the limit and delete the order',
    limit: 2,
    actors: {
      one: (api) => changeLimit(api, WHO, 'north', 1),
      two: (api) => deleteOrder(api, WHO, 'north', 1),
    },
    maxPreemptions: 3,
  },
  {
    name: 'two admins change the weight and pause the buyer',
    limit: 2,
    actors: {
      one: (api) => updateBuyer(api, WHO, 'north', { probability: 40 }),
      two: (api) => updateBuyer(api, WHO, 'north', { active: false }),
    },
    maxPreemptions: 3,
  },
  {
    name: 'a lead while the buyer is deleted',
    limit: 1,
    actors: { one: intake(1), two: (api) => deleteBuyer(api, WHO, 'north') },
    maxPreemptions: 3,
  },
  {
    name: 'a fifth failure and a success over one circuit',
    limit: 1,
    prepare: async (api, world) => {
      for (let failure = 0; failure < FAILURES_BEFORE; failure += 1) await delivery(false)(api, world);
    },
    actors: { one: delivery(false), two: delivery(true) },
  },
  {
    name: 'a lead while the limit is lowered',
    limit: 3,
    prepare: intake(1),
    actors: { one: intake(2), two: (api) => changeLimit(api, WHO, 'north', 1) },
    maxPreemptions: 2,
  },
  {
    name: 'two admins delete a lead',
    limit: 1,
    prepare: async (api, world) => {
      await intake(1)(api, world);
      await deleteOrder(api, WHO, 'north', FIRST_ORDER);
    },
    actors: {
      one: (api, world) => deleteLead(api, WHO, firstLead(world)),
      two: (api, world) => deleteLead(api, WHO, firstLead(world)),
    },
    maxPreemptions: 2,
  },
  {
    name: 'a replacement is delivered while its order is deleted',
    limit: 3,
    prepare: aClaim(true),
    actors: {
      // The second one removes the note of the first.
      one: async (api, world) => {
        await intake(2)(api, world);
        await intake(3)(api, world);
      },
      two: (api) => deleteOrder(api, WHO, 'north', FIRST_ORDER),
    },
    maxPreemptions: 2,
  },
  {
    name: 'two admins decide a claim',
    limit: 2,
    prepare: aClaim(false),
    actors: { one: decides('approved'), two: decides('rejected') },
    maxPreemptions: 2,
  },
  {
    name: 'an admin decides a claim, and so does silence',
    limit: 2,
    terms: { decision_days: 1, on_silence: 'approve' },
    prepare: aClaim(false),
    actors: { one: decides('rejected'), two: silenceDecides },
    maxPreemptions: 2,
  },
  {
    name: 'two claims, one place in the quota',
    limit: 2,
    terms: { claim_quota_percent: 50 },
    prepare: async (api, world) => {
      await intake(1)(api, world);
      await intake(2)(api, world);
    },
    actors: { one: claimsAt(1), two: claimsAt(2) },
    maxPreemptions: 2,
  },
  {
    name: 'a claim at the quota while another one is rejected',
    limit: 2,
    terms: { claim_quota_percent: 50 },
    prepare: async (api, world) => {
      await aClaim(false)(api, world);
      await intake(2)(api, world);
    },
    actors: { one: claimsAt(2), two: decides('rejected') },
    maxPreemptions: 2,
  },
  {
    name: 'a worker sends a lead for longer than its lease',
    limit: 1,
    prepare: intake(1),
    actors: { one: sendsLead, two: sendsLead },
    ahead: 'two',
    maxPreemptions: 2,
  },
  {
    name: 'a delivery fails for good, its message is lost, a death at any call',
    limit: 1,
    prepare: async (api, world) => {
      world.partners.take = () => ({ status: 400, headers: {}, body: '{}' });
      await intake(1)(api, world);
    },
    actors: { one: sendsLead },
    maxPreemptions: 0,
    dies: 'one',
    after: reconciles,
  },
  {
    name: 'two workers with one callback',
    limit: 1,
    prepare: async (api, world) => {
      await addSource(api, 1);
      await addEndpoints(api, 1, false);
      await posts(1, 500_000)(api, world);
      await readsLeads(api, world);
    },
    actors: { one: callsBack, two: callsBack },
    maxPreemptions: 2,
  },
  {
    name: 'a change of a lead is read again while its source is told of it',
    limit: 1,
    prepare: async (api, world) => {
      await addSource(api, 1);
      await addEndpoints(api, 1, false);
      await posts(1, 500_000)(api, world);
      await readsLeads(api, world);
    },
    actors: { one: callsBack, two: readsLeads },
    maxPreemptions: 2,
  },
  {
    name: 'a person comes again while the earlier lead is distributed again',
    limit: 2,
    prepare: anEarlierLeadWaits,
    actors: {
      one: posts(2, 900_000),
      two: (api, world) => distributeAgain(api, WHO, waitingLead(world)),
    },
    maxPreemptions: 2,
  },
  {
    name: 'two leads, one place in the week',
    limit: 3,
    prepare: (api) => changeLimit(api, WHO, 'north', 3, undefined, { weekly_cap: 1 }),
    actors: { one: intake(1), two: intake(2) },
    maxPreemptions: 1,
  },
  {
    name: 'two leads begin the day of an order',
    limit: 3,
    prepare: cappedYesterday,
    actors: { one: intake(1), two: intake(2) },
    maxPreemptions: 1,
  },
  {
    name: 'a lead is refused and given on, a death at any call',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead },
    maxPreemptions: 0,
    dies: 'one',
    after: goesOn,
  },
  {
    name: 'a refused lead is given on while it is deleted',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead, two: (api, world) => deleteLead(api, WHO, firstLead(world)) },
    maxPreemptions: 2,
    after: goesOn,
  },
  {
    name: 'a refused lead is given on while it is claimed',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead, two: claims },
    maxPreemptions: 2,
    after: goesOn,
  },
  {
    name: 'a refused lead is given on while it is sent again',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead, two: (api, world) => resend(api, WHO, firstLead(world), 'http') },
    maxPreemptions: 2,
    after: goesOn,
  },
  {
    name: 'two workers get a no to the same lead',
    limit: 2,
    prepare: anUnwantedLead,
    actors: {
      one: sendsLead,
      two: async (api, world) => {
        const lead = firstLead(world);
        await sendsLead(api, world);
        await handOn(api, lead, 2);
      },
    },
    maxPreemptions: 1,
    after: goesOn,
  },
];

export interface Enumerated {
  readonly name: string;
  /** Interleavings that were run to their end. */
  readonly runs: number;
  /** Interleavings that were left out halfway, because others show the same. */
  readonly cut: number;
  readonly steps: number;
  readonly violation: string | undefined;
  /** Whether `maxRuns` ended the enumeration. */
  readonly complete: boolean;
}

/** Runs every interleaving of a small world, for every call before which its actor may die. */
export async function enumerate(
  small: SmallWorld,
  maxRuns = Number.POSITIVE_INFINITY,
  rewrite?: Rewrite,
): Promise<Enumerated> {
  await importOnce();
  let [runs, cut, steps] = [0, 0, 0];
  const result = (violation: string | undefined, complete: boolean): Enumerated => ({
    name: small.name,
    runs,
    cut,
    steps,
    violation,
    complete,
  });
  for (let death = small.dies === undefined ? Number.POSITIVE_INFINITY : 1; ; death += 1) {
    const exhaustive = new Exhaustive(small.maxPreemptions);
    let died = false;
    for (let more = true; more; ) {
      if (runs + cut >= maxRuns) return result(undefined, false);
      const one = await runOnce(small, exhaustive, death, rewrite);
      died ||= one.died;
      steps += one.steps;
      if (one.cut) cut += 1;
      else runs += 1;
      if (one.violation !== undefined) return result(one.violation, false);
      more = exhaustive.next(one.cut);
    }
    // No history is so long that the actor would come to this call.
    if (!died) return result(undefined, true);
  }
}

async function runOnce(
  small: SmallWorld,
  { strategy }: Exhaustive,
  death: number,
  rewrite: Rewrite | undefined,
): Promise<{ steps: number; cut: boolean; died: boolean; violation: string | undefined }> {
  const watch = new Watch();
  let isLater = false;
  const world = new SimulatedWorld({
    seed: 1,
    // Afterwards one way is enough.
    strategy: (ready, last, step) => (isLater ? inTurn : strategy)(ready, last, step),
    faults: { kinds: [] },
    watch: watch.follow,
    timeStandsStill: true,
    rewrite,
  });
  const { scheduler } = world;
  watch.told = world.told;
  watch.kept = world.kept;
  let open = 0;
  let dying: Process | undefined;
  const state = () => ({ steps: scheduler.steps, died: dying?.alive === false });
  try {
    const setUp = createApiProcess(ENVIRONMENT, world.setUpRuntime());
    await createBuyer(setUp, WHO, {
      buyer_id: 'north',
      buyer_email: 'north@example.org',
      probability: 100,
      use_sellanylead_api: true,
      ...small.terms,
    });
    await createOrder(setUp, WHO, { buyerId: 'north', leadLimit: small.limit, balance: 0 });
    await small.prepare?.(setUp, world);
    const start = (name: string, actor: Actor, skew = 0) => {
      const process = world.process(name);
      process.skew = skew;
      open += 1;
      const end = () => {
        open -= 1;
      };
      void process.ended.then(end);
      actor(createApiProcess(ENVIRONMENT, world.runtimeOf(process)), world).then(end, (error: unknown) => {
        end();
        if (!(error instanceof DomainError))
          scheduler.violation ??= error instanceof Error ? error : new Error(String(error));
      });
      return process;
    };
    const isOver = () => scheduler.run(() => open === 0, Number.POSITIVE_INFINITY, MAX_STEPS);
    for (const [name, actor] of Object.entries(small.actors)) {
      const process = start(name, actor, name === small.ahead ? AHEAD_MS : 0);
      if (name !== small.dies) continue;
      dying = process;
      process.diesAtCall = death;
    }
    await isOver();
    if (open > 0) return { ...state(), cut: false, violation: 'somebody waits for ever' };
    if (small.after !== undefined) {
      isLater = true;
      start('later', small.after, DAY_MS);
      await isOver();
    }
    // What a crash left half done is finished by the next runs.
    for (let round = 0; round < 2; round += 1) await reconcile(setUp, EVERYTHING_IS_STALE_MS);
    const wrong = await wrongInDistribution(world);
    return { ...state(), cut: false, violation: wrong.length === 0 ? undefined : wrong.join('; ') };
  } catch (error) {
    if (error instanceof Cut) return { ...state(), cut: true, violation: undefined };
    const text =
      error instanceof Violation
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    return { ...state(), cut: false, violation: text };
  }
}
