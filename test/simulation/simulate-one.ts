/** Runs the history of one seed: a world is set up, lives under faults, comes to rest, and is compared with itself. */
import { createAuditStore } from '#functions/data/administration/audit-store';
import { claimQuotaOf } from '#functions/data/orders/order';
import { createCredential, createTemplate } from '#functions/domain/administration/settings';
import { createBuyer } from '#functions/domain/buyers/buyers';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeIn } from '#functions/domain/distribution/distribution';
import { createOrder } from '#functions/domain/orders/orders';
import {
  type Answered,
  act,
  capsIn,
  lotteryOf,
  personOf,
  postLead,
  postMany,
  scheduleIn,
} from '#test/simulation/actors';
import { type Api, createApiProcess } from '#test/simulation/api-process';
import type { Code } from '#test/simulation/code';
import type { FaultOptions } from '#test/simulation/faults';
import { watched } from '#test/simulation/guard';
import { nextLoop, type Step, type Strategy, Violation } from '#test/simulation/kernel';
import type { Rewrite } from '#test/simulation/outside';
import { underWay, wrongAtRest } from '#test/simulation/rest';
import { postFromSource, setUpSources } from '#test/simulation/sources';
import { strategyOf } from '#test/simulation/strategies';
import { Watch } from '#test/simulation/watch';
import { ENVIRONMENT, importOnce, partnerOf, SimulatedWorld } from '#test/simulation/world';

const ACTIVE_MS = 15 * 60_000;
const MAX_STEPS = 60_000;
/** How long partners stay out of order while everything else works again. */
const MAX_PARTNERS_LATER_MS = 4 * 3600_000;
/** Within this time everything must have ended: deliveries give up after a day. */
const REST_MS = 30 * 3600_000;

export interface Options {
  readonly seed: number;
  readonly strategy?: Strategy;
  readonly faults?: FaultOptions;
  /** Leads and actions that do not take place, by number. */
  readonly without?: { readonly leads?: ReadonlySet<number>; readonly actions?: ReadonlySet<number> };
  readonly record?: boolean;
  readonly rewrite?: Rewrite | undefined;
  /** An earlier version of the code, which runs until a deployment in the middle. */
  readonly earlier?: Code | undefined;
  /** Whether to look for awaits that leave the scheduler. */
  readonly guarded?: boolean;
}

export interface Outcome {
  readonly seed: number;
  readonly strategy: string;
  readonly steps: number;
  readonly hash: number;
  readonly leads: number;
  readonly actions: number;
  /** The faults that happened, by name. */
  readonly faults: readonly string[];
  readonly violation: string | undefined;
  readonly history: readonly Step[];
}

export async function simulate(options: Options): Promise<Outcome> {
  await importOnce();
  // A history itself never gives way to the event loop, in which signals and the test runner wait.
  await nextLoop();
  if (options.guarded !== true) return history(options);
  const { value, leaks } = await watched(() => history(options));
  const [leak] = leaks;
  return leak === undefined ? value : { ...value, violation: `leaves the scheduler: ${leak}` };
}

async function history(options: Options): Promise<Outcome> {
  const chosen = strategyOf(options.seed);
  const watch = new Watch();
  const world = new SimulatedWorld({
    seed: options.seed,
    strategy: options.strategy ?? chosen.strategy,
    watch: watch.follow,
    ...(options.faults && { faults: options.faults }),
    ...(options.record !== undefined && { record: options.record }),
    rewrite: options.rewrite,
    earlier: options.earlier,
  });
  watch.told = world.told;
  watch.kept = world.kept;
  const leads = world.isCrowded ? 8 + world.draws.below('leads', 7) : 2 + world.draws.below('leads', 7);
  const posts = world.hasSources ? 1 + world.draws.below('posts', 6) : 0;
  const actions = world.draws.below('actions', 14);
  let violation: string | undefined;
  try {
    await setUp(world);
    violation = await live(world, { leads, posts, actions }, options);
  } catch (error) {
    if (error instanceof Violation) violation = error.message;
    else violation = `error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  const { scheduler, faults } = world;
  return {
    seed: options.seed,
    strategy: chosen.name,
    steps: scheduler.steps,
    hash: scheduler.hash >>> 0,
    leads: leads + posts,
    actions,
    faults: faults.happened,
    violation,
    history: scheduler.history,
  };
}

async function live(
  world: SimulatedWorld,
  { leads, posts, actions }: { leads: number; posts: number; actions: number },
  options: Options,
): Promise<string | undefined> {
  const answered: Answered[] = [];
  const refused = new Set<string>();
  let open = 0;
  const start = (work: Promise<void>) => {
    open += 1;
    const watch = async () => {
      try {
        await work;
        open -= 1;
      } catch (error) {
        world.scheduler.violation ??= error instanceof Error ? error : new Error(String(error));
      }
    };
    void watch();
  };
  const lottery = lotteryOf(world);
  world.startWorkers();
  for (let number = 0; number < leads + posts; number += 1)
    if (options.without?.leads?.has(number) !== true)
      start(
        number < leads ? postLead(world, number, answered, refused) : postFromSource(world, number, answered),
      );
  // Earlier versions do not know batches.
  if (!world.isDeployed && world.draws.chance('many', 0.3)) start(postMany(world, answered));
  for (let number = 0; number < actions; number += 1)
    if (options.without?.actions?.has(number) !== true) start(act(world, number, lottery));

  const { scheduler } = world;
  const lively = await scheduler.run(() => open === 0, scheduler.now + ACTIVE_MS, MAX_STEPS);
  const partnersLaterMs = world.draws.chance('partners later', 0.4)
    ? world.draws.below('partners later', MAX_PARTNERS_LATER_MS)
    : 0;
  world.faults.stop(scheduler.now + partnersLaterMs);
  if (lively === 'long') return 'the history does not come to an end';
  world.calm = () => open === 0 && underWay(world).length === 0;
  let seen = -1;
  const quiet = () => {
    if (!world.atRest || world.reconciled === seen) return false;
    seen = world.reconciled;
    return world.calm();
  };
  const ended = await scheduler.run(quiet, scheduler.now + REST_MS, 2 * MAX_STEPS);
  if (ended === 'done') await pass(world, quiet);
  else
    return `nothing may wait for ever (${ended}): ${[...underWay(world), ...(open > 0 ? [`${open} clients or admins wait`] : [])].join('; ')}`;
  const wrong = [...world.surprises, ...(await wrongAtRest(world, answered, refused))];
  return wrong.length === 0 ? undefined : wrong.join('; ');
}

/** How often time goes on to the next opening, with everything at rest in between. */
const OPENINGS = 2;
const DAY_MS = 24 * 3600_000;

/** Lets the days pass on which hours begin and caps end, so that leads which wait for that go out. */
async function pass(world: SimulatedWorld, quiet: () => boolean): Promise<void> {
  const { scheduler } = world;
  const waits = () =>
    [...world.table.items()].some(
      ({ status, reason }) => status === 'pending' && reason === 'waits_for_opening',
    );
  for (let opening = 0; world.isPaced && waits() && opening < OPENINGS; opening += 1) {
    const until = scheduler.now + DAY_MS / 2;
    await scheduler.run(() => scheduler.now >= until, until + DAY_MS, 2 * MAX_STEPS);
    await scheduler.run(quiet, scheduler.now + REST_MS, 2 * MAX_STEPS);
  }
}

/** Buyers, orders and a push credential, written by the product's own use cases before anything else happens. */
async function setUp(world: SimulatedWorld): Promise<void> {
  const { draws } = world;
  const quiet = world.setUpRuntime();
  const api = { ...createApiProcess(ENVIRONMENT, quiet), audit: createAuditStore(world.directTable()) };
  // A lead that one refuses is for another one.
  const more = world.isRefusing && draws.chance('more buyers', 0.8) ? 2 : 1;
  const buyers = world.isCrowded ? 1 : Math.min(3, more + draws.below('buyers', 3));
  const template = await createTemplate(api, 'setup', {
    name: 'Leads',
    smtp_host: 'mail.example',
    smtp_port: 587,
    smtp_user: 'u@mail.example',
    smtp_pass: 'p',
  });
  const weights = [[100], [50, 50], [60, 30, 10]][buyers - 1] ?? [100];
  for (let at = 0; at < buyers; at += 1) {
    const id = ['north', 'south', 'east'][at] ?? 'west';
    const channel = world.isCrowded ? 0 : draws.below('channel', 5);
    // Earlier versions may not know the simulated mail servers.
    const sendsMail = draws.chance('mail', world.isRefusing ? 0.15 : 0.3) && !world.isDeployed;
    const isPostpay = draws.chance('postpay', 0.25);
    const hasOwnPartner = world.isRefusing && draws.chance('own partner', 0.6);
    await createBuyer(api, 'setup', {
      buyer_id: id,
      buyer_email: `${id}@example.org`,
      probability: weights[at] ?? 0,
      price_per_lead: 19.99,
      buyer_type: isPostpay ? 'postpay' : 'prepay',
      min_investment: draws.pick('minimum', [null, null, 10_000, 50_000]),
      manual_review: draws.chance('review', 0.1),
      use_sellanylead_api: channel !== 1 && !hasOwnPartner,
      ...(hasOwnPartner && partnerOf(at + 1)),
      ...(world.isRefusing && draws.chance('gives on', 0.85) && { on_refusal: 'give_on' as const }),
      ...(world.isPaced && draws.chance('has hours', 0.4) && { schedule: scheduleIn(world) }),
      // An earlier version keeps no quota.
      ...(!world.isDeployed &&
        draws.chance('quota', 0.3) && { claim_quota_percent: draws.pick('percent', [20, 34, 50]) }),
      // Nor does it decide by itself.
      ...(!world.isDeployed && draws.chance('decides', 0.7) && { claim_decisions: 'decide' as const }),
      ...(sendsMail && { send_email: true, email_template_id: template.id }),
      ...(channel > (hasOwnPartner ? 3 : 0) && {
        use_heroleads_api: true,
        heroleads_api_key: 'key',
        heroleads_lead_type_id: '12',
      }),
    });
    if (draws.chance('order', 0.85))
      await createOrder(api, 'setup', {
        buyerId: id,
        // So that caps are reached before limits.
        leadLimit:
          (world.isCrowded ? 8 : 1) +
          (world.isPaced ? 4 : 0) +
          (world.isRefusing ? 2 : 0) +
          draws.below('limit', 4),
        balance: 0,
        caps: capsIn(world),
        renewal: draws.pick(
          'renewal',
          isPostpay ? (['none', 'auto', 'auto'] as const) : (['none', 'ask'] as const),
        ),
      });
  }
  if (world.hasSources) await setUpSources(world, api);
  if (draws.chance('earlier leads', 0.4)) await earlierLeads(world, api, 1 + draws.below('earlier leads', 4));
  if (draws.chance('push', 0.4))
    await createCredential(api, 'setup', {
      user_key: 'u',
      app_key: 'a',
      notify_lead_assignment: true,
      notify_lead_claims: true,
    });
}

const FIRST_EARLIER_PERSON = 100;

/** Leads from before, some claimed: so replacements are owed, and claims wait, when everybody begins. */
async function earlierLeads(world: SimulatedWorld, api: Api, count: number): Promise<void> {
  const { draws } = world;
  for (let number = 0; number < count; number += 1) {
    const taken = await takeIn(api, personOf(world, FIRST_EARLIER_PERSON + number), undefined);
    if (taken.status !== 'assigned' || taken.lead_type !== 'original' || !draws.chance('earlier claim', 0.7))
      continue;
    const order = await api.orders.get(taken.order.order_id);
    const quota = order && claimQuotaOf(order);
    if (quota !== undefined && quota.used >= quota.allowed) continue;
    const { claim_id } = await fileClaim(
      api,
      { admin: 'setup' },
      {
        leadId: taken.lead_id,
        orderId: taken.order.order_id,
        buyerId: taken.buyer_id,
        reason: 'wrong_number',
      },
    );
    if (draws.chance('earlier decision', 0.6))
      await decideClaim(api, { who: 'setup', claimId: claim_id, status: 'approved', notes: '' });
  }
}
