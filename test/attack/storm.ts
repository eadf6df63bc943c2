/**
 * The storm: product and engine are killed at random moments while leads, claims and every change that moves them go on.
 * Then the product is let to its end, and held to what it answered.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { freePort } from '#local/engine';
import { TABLE_NAME } from '#local/running';
import {
  act,
  LAST_NAME,
  MAIL_DOMAIN,
  NOTES,
  PHONE,
  PUSHOVER_KEYS,
  postLead,
  postTogether,
  setUp,
  type Templates,
  type World,
  watchLimits,
} from '#test/attack/actions';
import { gapSeconds, gapsFound, watchGaps } from '#test/attack/gaps';
import { findingsOn, type Stored, saysNothingOf } from '#test/attack/invariants';
import { Journal } from '#test/attack/journal';
import { type Outside, startOutside } from '#test/attack/outside';
import type { PartResult, Report } from '#test/attack/part';
import { retentionFindings, trailFindings } from '#test/attack/retention';
import { letEnd } from '#test/attack/settle';
import { SECRETS } from '#test/factories/secrets';
import { ADMIN } from '#test/harness/cloud';
import { CAN_LIST_PROCESSES, type ProductProcess, productProcess } from '#test/harness/product-process';
import { type Random, seeded } from '#test/harness/random';

export interface StormPlan {
  readonly seed: number;
  readonly seconds: number;
  /** It goes on until there were so many: on a busy machine a start may take as long as a short storm. */
  readonly leastKills: number;
  /** Between two kills, from the moment that the product is ready. */
  readonly calmSeconds: readonly [from: number, to: number];
  readonly leadsPerSecond: number;
  /** People who do something else than posting leads, at the same time. */
  readonly actors: number;
  /** The longest that each of them waits between two calls. */
  readonly maxThoughtMs: number;
  /** Whether everything is erased in the end, because it is old: some 6 seconds more. */
  readonly growsOld: boolean;
}

/**
 * An hour's rates are held for an hour on two cores: with more, notifications come faster than the push service takes them one by
 * one, and their end is waited for longer than the storm took.
 */
export const LONG_STORM = {
  leastKills: 10,
  calmSeconds: [2, 25],
  leadsPerSecond: 1.5,
  actors: 3,
  maxThoughtMs: 1500,
  growsOld: true,
} as const;
export const SHORT_STORM = {
  seconds: 3,
  leastKills: 3,
  calmSeconds: [0.3, 1.5],
  leadsPerSecond: 6,
  actors: 3,
  maxThoughtMs: 400,
  growsOld: false,
} as const;

const RECONCILE_EVERY_SECONDS = 5;
/** As many as one process hands over at once to a mail server: a kill then takes all their leases with it. */
const MAILS_UNDER_WAY = 4;
const MAX_HOLD_MS = 3_000;
const WATCH_EVERY_MS = 300;
const RETRY_AFTER_MS = 250;
/** @param report told how far it is */
export async function storm(plan: StormPlan, report: Report): Promise<PartResult> {
  const random = seeded(plan.seed);
  const dataDir = join(tmpdir(), `lead-storm-${randomUUID()}`);
  const journal = new Journal();
  const outside = await startOutside(seeded(plan.seed + 1));
  const product = await productProcess({
    dataDir,
    port: await freePort(),
    environment: {
      ...outside.environment,
      ADMIN_PASSWORD: ADMIN.password,
      RECONCILE_SECONDS: String(RECONCILE_EVERY_SECONDS),
    },
  });
  let kept = false;
  try {
    await start(product, journal);
    const admin = new ApiClient(product.url);
    await admin.logIn(ADMIN);
    const templates = await setUp(admin, outside);
    const until = Date.now() + plan.seconds * 1000;
    let down = false;
    const goesOn = () => !down && (Date.now() < until || journal.kills.length < plan.leastKills);
    const world: World = { admin, visitor: new ApiClient(product.url), journal, random, goesOn };
    const [gaps] = await Promise.all([
      watchGaps(product, outside, goesOn),
      strike({ product, outside }, plan, seeded(plan.seed + 2), world, report).catch((error: unknown) => {
        down = true;
        throw error;
      }),
      postLeads(plan, world, templates.source),
      watch(world),
      ...Array.from({ length: plan.actors }, () => actOn(plan, world, templates, outside)),
    ]);
    report(1, 'waits for the end of everything');
    const table = new Table({ name: TABLE_NAME, endpoint: product.endpoint });
    const stored = await letEnd([product], [admin], table, journal);
    const { broken, twice } = await findingsOn(table, stored, journal, outside, templates);
    broken.push(...gapsFound(gaps));
    for (const [path, text] of await answersOf(admin, stored))
      broken.push(...saysNothingOf(path, text, SECRETS_STORED));
    broken.push(...(await trailFindings(table, dataDir)));
    if (plan.growsOld) {
      report(1, 'lets everything grow old');
      broken.push(...(await retentionFindings(product, admin, dataDir)));
    }
    const began = Date.now();
    await product.stop();
    const stopMs = Date.now() - began;
    broken.push(...saysNothingOf('the log', product.output(), planted(stored)));
    for await (const [name, bytes] of filesIn(dataDir))
      broken.push(...saysNothingOf(name, bytes, SECRETS_STORED));
    kept = broken.length > 0;
    return {
      name: 'storm',
      figures: {
        ...figures(journal, stored, outside, twice, stopMs),
        'longest gap while deliveries waited: in mail, in calls to a partner, s': [
          gapSeconds(gaps, (host) => host === 'email'),
          gapSeconds(gaps, (host) => host !== 'email'),
        ].join(', '),
      },
      details: {
        actions: Object.fromEntries(journal.actions),
        kills: journal.kills,
        refusals: Object.fromEntries(journal.refusals),
      },
      broken: kept ? [...broken, `data and keys are kept in ${dataDir}`] : broken,
    };
  } finally {
    product.signal('SIGKILL');
    await product.ended();
    await outside.stop();
    if (!kept) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function start(product: ProductProcess, journal: Journal): Promise<void> {
  const began = Date.now();
  await product.start();
  journal.starts.push(Date.now() - began);
}

/** Kills and starts again until the time is over; leaves the product running. */
async function strike(
  { product, outside }: { readonly product: ProductProcess; readonly outside: Outside },
  { calmSeconds: [from, to], seconds }: StormPlan,
  random: Random,
  { journal, goesOn }: World,
  report: Report,
): Promise<void> {
  const began = Date.now();
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
    await start(product, journal);
    report(
      (Date.now() - began) / (seconds * 1000),
      `${journal.posted.length} leads, ${journal.kills.length} kills`,
    );
  }
}

/** A file comes for so many leads, the first of them soon. */
const LEADS_PER_FILE = 50;
const FIRST_FILE = 5;

/** Leads come at a steady rate, whether the product is there or not. */
async function postLeads(plan: StormPlan, world: World, source: number): Promise<void> {
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

async function actOn(
  { maxThoughtMs }: StormPlan,
  world: World,
  templates: Templates,
  outside: Outside,
): Promise<void> {
  while (world.goesOn()) {
    await act(world, templates, outside);
    await wait(world.random.next() * maxThoughtMs);
  }
}

/** Looks at the counters of all orders all the time. */
async function watch({ admin, journal, goesOn }: World): Promise<void> {
  while (goesOn()) {
    const made = await journal.make('watch', () => admin.ok('listOrders'));
    if ('answer' in made) watchLimits(made.answer.orders, journal);
    await wait(WATCH_EVERY_MS);
  }
}

/** What the product keeps encrypted and never shows, in every spelling in which it might leak. */
const SECRETS_STORED: readonly (readonly [string, string])[] = [
  ...Object.entries(SECRETS),
  ...Object.entries(PUSHOVER_KEYS),
  ['the admin’s password', ADMIN.password] as const,
].flatMap(([what, secret]) => [
  [what, secret] as const,
  [`${what} in base64`, Buffer.from(secret).toString('base64').replace(/=+$/, '')] as const,
  [`${what} in hexadecimal`, Buffer.from(secret).toString('hex')] as const,
]);

/** Answers that list everything, with exports. @returns by path */
async function answersOf(admin: ApiClient, { orders, leads, buyers }: Stored): Promise<[string, string][]> {
  const token = orders.at(-1)?.token ?? '';
  const paths = [
    '/api/buyers',
    '/api/buyers/active',
    ...buyers.slice(-3).map(({ buyer_id }) => `/api/buyers/${buyer_id}`),
    '/api/admin/orders',
    '/api/admin/dashboard-initial-data',
    '/api/admin/audit',
    '/api/admin/deliveries',
    ...leads.slice(-20).map(({ lead_id }) => `/api/admin/leads/${lead_id}`),
    `/api/admin/search?q=${LAST_NAME}`,
    '/api/settings/email-templates',
    '/api/pushover-credentials',
    '/api/settings/pushover-template',
    '/api/lead-claims/admin/filtered?limit=100',
    '/api/ineligible-leads/export/csv',
    `/api/leads-view/${token}`,
    `/api/leads-view/${token}/export/csv`,
    '/local/api/state',
  ];
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => {
      const { body } = await admin.raw('GET', path);
      return [path, body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : JSON.stringify(body)];
    }),
  );
}

/** Every file below a folder, one after the other: a table's may be large. */
async function* filesIn(folder: string): AsyncGenerator<[name: string, bytes: Buffer]> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) yield [entry.name, await readFile(join(entry.parentPath, entry.name))];
}

const planted = ({ orders }: Stored): (readonly [string, string])[] => [
  ...Object.entries(SECRETS),
  ...Object.entries(PUSHOVER_KEYS),
  ['the admin’s password', ADMIN.password],
  ['a last name', LAST_NAME],
  ['an e-mail address', MAIL_DOMAIN],
  ['a phone number', PHONE],
  ['an admin’s note', NOTES],
  ...orders.map(({ order_id, token }) => [`the token of order ${order_id}`, token] as const),
];

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
    'kills of the product, while it sent mails, of the engine, during a start': [
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
    'leads given on': count(leads, ({ refused_by }) => refused_by !== undefined),
    'buyers, orders': `${buyers.length}, ${orders.length}`,
    'claims, of them decided': `${claims.length}, ${count(claims, (claim) => claim.claim_status !== 'pending')}`,
    'deliveries delivered, failed': `${count(deliveries, ({ status }) => status === 'delivered')}, ${count(deliveries, ({ status }) => status === 'failed')}`,
    'mails, calls to partners, pushes, claim e-mails': `${arrivals(mails)}, ${arrivals(calls)}, ${arrivals(pushes)}, ${letters}`,
    'things that arrived twice, each after a kill': twice,
    'start after a kill, median and longest, ms': `${quantile(journal.starts, 0.5)}, ${quantile(journal.starts, 1)}`,
    'intake of a lead, p50 and p95, ms': `${quantile(journal.intake, 0.5)}, ${quantile(journal.intake, 0.95)}`,
    'stop in order, ms': stopMs,
  };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
}
