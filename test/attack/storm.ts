/**
 * The storm: product and engine are killed at random moments while leads, claims and changes continue. Then the product
 * finishes its work and is compared with what it answered.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { TABLE_NAME } from '#local/running';
import type { Advance } from '#scripts/progress';
import {
  act,
  postLead,
  postTogether,
  setUp,
  type Templates,
  type World,
  watchLimits,
} from '#test/attack/actions';
import { attacked } from '#test/attack/attacked';
import { gapSeconds, gapsFound, watchGaps } from '#test/attack/gaps';
import { findingsOn, type Stored, trailFindings } from '#test/attack/invariants';
import type { Journal } from '#test/attack/journal';
import type { Outside } from '#test/attack/outside';
import type { PartResult } from '#test/attack/part';
import { letEnd } from '#test/attack/settle';
import { CAN_LIST_PROCESSES, type ProductProcess } from '#test/harness/product-process';
import { seeded } from '#test/harness/random';

export interface StormPlan {
  readonly seed: number;
  readonly seconds: number;
  /** The minimum number of kills, because on a busy machine a start may take as long as a short storm. */
  readonly leastKills: number;
  /** The time between two kills, from when the product is ready. */
  readonly calmSeconds: readonly [from: number, to: number];
  readonly leadsPerSecond: number;
  /** People who do something other than posting leads, concurrently. */
  readonly actors: number;
  /** The longest pause of each person between two calls. */
  readonly maxThoughtMs: number;
}

/**
 * Lower rates for long storms on two cores. Otherwise notifications arrive faster than the push service accepts them, and
 * waiting for their end takes longer than the storm.
 */
export const LONG_STORM = {
  leastKills: 10,
  calmSeconds: [2, 25],
  leadsPerSecond: 1.5,
  actors: 3,
  maxThoughtMs: 1500,
} as const;
export const SHORT_STORM = {
  seconds: 2,
  leastKills: 2,
  calmSeconds: [0.3, 1.5],
  leadsPerSecond: 6,
  actors: 3,
  maxThoughtMs: 400,
} as const;

const RECONCILE_EVERY_SECONDS = 5;
/** The concurrent e-mails of one process to a mail server, so that a kill leaves all leases taken. */
const MAILS_UNDER_WAY = 4;
const MAX_HOLD_MS = 3_000;
const WATCH_EVERY_MS = 300;
const RETRY_AFTER_MS = 250;

export function storm(plan: StormPlan, advance: Advance = () => undefined): Promise<PartResult> {
  const { seed } = plan;
  return attacked(seed, RECONCILE_EVERY_SECONDS, async ({ dataDir, outside, product, journal, admin }) => {
    const templates = await setUp(admin, outside);
    const until = Date.now() + plan.seconds * 1000;
    let down = false;
    const goesOn = () => !down && (Date.now() < until || journal.kills.length < plan.leastKills);
    const visitor = new ApiClient(product.url);
    const world: World = { admin, visitor, journal, random: seeded(seed), goesOn };
    const [gaps] = await Promise.all([
      watchGaps(product, outside, goesOn),
      strike({ product, outside }, plan, world, advance).catch((error: unknown) => {
        down = true;
        throw error;
      }),
      postLeads(plan, world, templates.source),
      watch(world),
      ...Array.from({ length: plan.actors }, () => actOn(plan, world, templates, outside)),
    ]);
    const table = new Table({ name: TABLE_NAME, endpoint: product.endpoint });
    const stored = await letEnd([product], [admin], table, journal);
    const { broken, twice } = await findingsOn(table, stored, journal, outside, templates);
    broken.push(...gapsFound(gaps));
    broken.push(...(await trailFindings(table, dataDir)));
    const began = Date.now();
    await product.stop();
    const stopMs = Date.now() - began;
    return {
      name: 'storm',
      figures: {
        ...figures(journal, stored, outside, twice, stopMs),
        'longest gap while deliveries waited: in e-mails, in calls to a partner, s': [
          gapSeconds(gaps, (host) => host === 'email'),
          gapSeconds(gaps, (host) => host !== 'email'),
        ].join(', '),
      },
      details: {
        actions: Object.fromEntries(journal.actions),
        kills: journal.kills,
        refusals: Object.fromEntries(journal.refusals),
      },
      broken,
    };
  });
}

/** Kills and restarts until the time is over; leaves the product running. */
async function strike(
  { product, outside }: { readonly product: ProductProcess; readonly outside: Outside },
  { calmSeconds: [from, to], seed }: StormPlan,
  { journal, goesOn }: World,
  advance: Advance,
): Promise<void> {
  const random = seeded(seed + 2);
  const kill = async (what: 'product' | 'engine' | 'product while it started' | 'product while it sent') => {
    const kill = journal.strike(what);
    if (what !== 'engine' || !CAN_LIST_PROCESSES || !product.killEngine()) product.signal('SIGKILL');
    await product.ended();
    kill.over();
  };
  while (goesOn()) {
    await wait((from + random.next() * (to - from)) * 1000);
    if (!goesOn()) return;
    const what = random.weighted({
      product: 30,
      engine: 25,
      'product while it started': 15,
      'product while it sent': 30,
    });
    if (what === 'product while it sent') await outside.holdMails(MAILS_UNDER_WAY, MAX_HOLD_MS);
    if (what === 'product while it started') {
      await kill('product');
      product.launch();
      await wait(random.next() * Math.max(...journal.starts));
    }
    await kill(what);
    outside.releaseMails();
    await journal.start(product);
    advance();
  }
}

/** One file per this many leads, the first one early. */
const LEADS_PER_FILE = 50;
const FIRST_FILE = 5;

/** Leads arrive at a steady rate, even while the product is down. */
export async function postLeads(
  plan: Pick<StormPlan, 'leadsPerSecond'>,
  world: World,
  source: number,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let count = 0;
  const postUntilAnswered = async () => {
    count += 1;
    const posted = await (count % LEADS_PER_FILE === FIRST_FILE
      ? postTogether(world, source)
      : postLead(world));
    while (posted.state === 'open' && posted.again !== undefined && world.goesOn()) {
      await wait(RETRY_AFTER_MS * posted.tries);
      await posted.again();
    }
  };
  while (world.goesOn()) {
    const one = postUntilAnswered().finally(() => underWay.delete(one));
    underWay.add(one);
    await wait((world.random.next() * 2 * 1000) / plan.leadsPerSecond);
  }
  await Promise.all(underWay);
}

export async function actOn(
  { maxThoughtMs }: Pick<StormPlan, 'maxThoughtMs'>,
  world: World,
  templates: Templates,
  outside: Outside,
): Promise<void> {
  while (world.goesOn()) {
    await act(world, templates, outside);
    await wait(world.random.next() * maxThoughtMs);
  }
}

/** Checks the counters of all orders continuously. */
export async function watch({ admin, journal, goesOn }: World): Promise<void> {
  while (goesOn()) {
    const made = await journal.make('watch', () => admin.ok('listOrders'));
    if ('answer' in made) watchLimits(made.answer.orders, journal);
    await wait(WATCH_EVERY_MS);
  }
}

function figures(
  journal: Journal,
  { leads, orders, buyers, claims, deliveries }: Stored,
  { mails, calls, pushes }: Outside,
  twice: number,
  stopMs: number,
) {
  const arrivals = (of: ReadonlyMap<string, readonly number[]>) =>
    [...of.values()].reduce((sum, times) => sum + times.length, 0);
  const count = <T>(list: readonly T[], where: (one: T) => boolean) => list.filter(where).length;
  const ofLeads = (status: string) => count(leads, (lead) => lead.status === status);
  const letters = [...mails.keys()].filter((id) => id.startsWith('claim-')).length;
  const { answered, refused, unreached, open } = journal.counts;
  return {
    'kills of the product, while it sent e-mails, of the engine, during a start': [
      count(journal.kills, ({ what }) => what === 'product'),
      count(journal.kills, ({ what }) => what === 'product while it sent'),
      count(journal.kills, ({ what }) => what === 'engine'),
      count(journal.kills, ({ what }) => what === 'product while it started'),
    ].join(', '),
    'calls answered, refused, cut off by a kill': `${answered}, ${refused}, ${open}`,
    'calls while nothing listened': unreached,
    'leads accepted': count(journal.posted, ({ state }) => state === 'accepted'),
    'leads assigned, pending, discarded, deleted': ['assigned', 'pending', 'discarded', 'deleted']
      .map(ofLeads)
      .join(', '),
    'leads reassigned': count(leads, ({ refused_by }) => refused_by !== undefined),
    'buyers, orders': `${buyers.length}, ${orders.length}`,
    'claims, decided ones': `${claims.length}, ${count(claims, (claim) => claim.claim_status !== 'pending')}`,
    'deliveries delivered, failed': `${count(deliveries, ({ status }) => status === 'delivered')}, ${count(deliveries, ({ status }) => status === 'failed')}`,
    'e-mails, calls to partners, pushes, claim e-mails': `${arrivals(mails)}, ${arrivals(calls)}, ${arrivals(pushes)}, ${letters}`,
    'duplicate arrivals, each after a kill': twice,
    'restart after a kill, median and longest, ms': `${quantile(journal.starts, 0.5)}, ${quantile(journal.starts, 1)}`,
    'intake of a lead, p50 and p95, ms': `${quantile(journal.intake, 0.5)}, ${quantile(journal.intake, 0.95)}`,
    'orderly shutdown, ms': stopMs,
  };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
}
