/** Every function, from which the cloud, the local runtime and the costs derive; the names are those of the folders. */
import { environment as auth } from '#functions/api/auth/environment';
import { environment as buyers } from '#functions/api/buyers/environment';
import { environment as claims } from '#functions/api/claims/environment';
import { environment as deliveries } from '#functions/api/deliveries/environment';
import { environment as insights } from '#functions/api/insights/environment';
import { environment as intake } from '#functions/api/intake/environment';
import { environment as leads } from '#functions/api/leads/environment';
import { environment as leadsView } from '#functions/api/leads-view/environment';
import { environment as meta } from '#functions/api/meta/environment';
import { environment as orders } from '#functions/api/orders/environment';
import { environment as pendingLeads } from '#functions/api/pending-leads/environment';
import { environment as people } from '#functions/api/people/environment';
import { environment as settings } from '#functions/api/settings/environment';
import { environment as sources } from '#functions/api/sources/environment';
import { keys, ORDER_SHARDS } from '#functions/data/table/keys';
import { environment as bounces } from '#functions/workers/bounces/environment';
import { environment as callback } from '#functions/workers/callback/environment';
import { environment as deliver } from '#functions/workers/deliver/environment';
import { environment as distribute } from '#functions/workers/distribute/environment';
import { environment as notify } from '#functions/workers/notify/environment';
import { environment as outbox } from '#functions/workers/outbox/environment';
import { environment as reconcile } from '#functions/workers/reconcile/environment';
import { environment as redistribute } from '#functions/workers/redistribute/environment';
import { environment as statistics } from '#functions/workers/statistics/environment';

/** A transaction needs the action of each of its parts. */
export const TABLE_ACTIONS = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] as const;
export type TableAction = (typeof TABLE_ACTIONS)[number];
export const WRITING = ['PutItem', 'UpdateItem', 'DeleteItem'] as const satisfies readonly TableAction[];

export interface FunctionSpec {
  /** API call, table stream, queue of the same name, or every minute. */
  readonly by: 'call' | 'stream' | 'queue' | 'schedule';
  readonly environment: { readonly shape: object };
  /** Loaded only by the process that runs the function. */
  readonly load: () => Promise<{ readonly create: unknown }>;
  readonly description: string;
  /** Seconds. */
  readonly timeout: number;
  /** Megabytes. */
  readonly memory: number;
  readonly table: readonly TableAction[];
  /** Allowed partition keys, `*` for any text; absent: all. For public functions, and those that need few. */
  readonly partitions?: { readonly reads?: readonly string[]; readonly writes?: readonly string[] };
}

const READ = ['GetItem', 'BatchGetItem', 'Query'] as const satisfies readonly TableAction[];
const ALL = TABLE_ACTIONS;

const FORMAT = keys.format().pk;
const OPEN_SESSIONS = keys.sessions('*');
/** Every admin call reads the session and its admin, or the API key, and notes the use. Wrong keys are counted. */
const ACCESS_READS = [keys.admins(), OPEN_SESSIONS, keys.apiKeys()];
const ACCESS_WRITES = [OPEN_SESSIONS, keys.apiKeys(), keys.throttle('key:*').pk];
const ADMINS = [
  keys.admins(),
  keys.adminAccess().pk,
  keys.invitations(),
  keys.passkeys(),
  keys.recoveryCodes(),
  keys.challenge('*').pk,
  keys.apiKeys(),
];

const ANY_SOURCE = keys.source(0).pk.replace(/0$/, '*');
const SOURCES = [
  keys.sources(),
  keys.sourceCosts(),
  ANY_SOURCE,
  keys.origins('*'),
  keys.specification('*').pk,
  keys.consentText('*').pk,
];
const ANY_ORDER = keys.orderShard(0).replace('0', '*');
const CALLBACKS = [
  keys.callbacks('*'),
  ANY_SOURCE,
  keys.endpointCircuit(0, '*').pk.replace('0', '*'),
  keys.webhookCircuit(0).pk.replace('0', '*'),
  keys.webhooks().pk,
  keys.destinationLeases('callback:*'),
  keys.dedupMarker('callback#*').pk,
];
const INTAKE_WRITES = [
  OPEN_SESSIONS,
  keys.apiKeys(),
  keys.source(0).pk.replace(/0$/, '*'),
  keys.leadPartition('*'),
  keys.person('*').pk,
  keys.consentText('*').pk,
  keys.sourceDays(),
  keys.batch('*'),
  keys.pool(),
  keys.verificationResult('*').pk,
  // Of visitors' browsers.
  keys.throttle('*').pk,
  ...Array.from({ length: ORDER_SHARDS }, (_, shard) => keys.orderShard(shard)),
  keys.orderVersions(),
  keys.replacements(0).replace(/0$/, '*'),
  // By a withdrawal of consent.
  keys.doNotContact('*').pk,
  keys.erasurePartition('*'),
  keys.notification('*').pk,
  keys.callbacks('*'),
  keys.intakeKey('*').pk,
  keys.address('*').pk,
  keys.audited('lead', '*'),
  keys.keptConsent('*').pk,
];

type Defaults<By> = Pick<FunctionSpec, 'memory' | 'table'> & { readonly by: By };
/** A browser waits for it: enough CPU for a fast start, and a shorter timeout than CloudFront's. */
const API: Defaults<'call'> & { readonly timeout: number } = {
  by: 'call',
  timeout: 20,
  memory: 1024,
  table: ALL,
};
const ON_QUEUE: Defaults<'queue'> = { by: 'queue', memory: 512, table: ALL };
const ON_STREAM: Defaults<'stream'> = { ...ON_QUEUE, by: 'stream' };
const ON_SCHEDULE: Defaults<'schedule'> = { ...ON_QUEUE, by: 'schedule' };

const one = <Given, Environment, Loaded, const Own>(
  defaults: Given,
  environment: Environment,
  load: () => Promise<Loaded>,
  own: Own,
) => ({ ...defaults, environment, load, ...own });

export const FUNCTION_TABLE = {
  auth: one(API, auth, () => import('#functions/api/auth/index'), {
    description: 'Log-in and log-out; admins, their links and sessions',
    partitions: {
      reads: [FORMAT, ...ADMINS, OPEN_SESSIONS, keys.throttle('*').pk],
      writes: [
        ...ADMINS,
        OPEN_SESSIONS,
        keys.throttle('*').pk,
        keys.audited('admin', '*'),
        keys.audited('key', '*'),
      ],
    },
  }),
  buyers: one(API, buyers, () => import('#functions/api/buyers/index'), {
    description: 'Buyers, their links and balances',
  }),
  claims: one(API, claims, () => import('#functions/api/claims/index'), {
    description: 'File, list and decide claims',
  }),
  deliveries: one(API, deliveries, () => import('#functions/api/deliveries/index'), {
    description: 'Delivery log, resend, test leads',
  }),
  insights: one(API, insights, () => import('#functions/api/insights/index'), {
    description: 'Dashboard, statistics, simulator, audit trail, search, list of leads',
    table: [...READ, 'PutItem', 'UpdateItem'],
    partitions: { writes: [...ACCESS_WRITES, keys.accessesTo('lead', '*')] },
  }),
  intake: one(API, intake, () => import('#functions/api/intake/index'), {
    description: 'Accepts and distributes leads from sources',
    memory: 1536,
    partitions: { writes: INTAKE_WRITES },
  }),
  leads: one(API, leads, () => import('#functions/api/leads/index'), {
    description: 'Creates, distributes, edits and deletes leads',
    memory: 1536,
  }),
  'leads-view': one(API, leadsView, () => import('#functions/api/leads-view/index'), {
    description: "The page behind a buyer's link and its exports",
    table: [...READ, 'PutItem'],
    // Records that the list was opened.
    partitions: { writes: [`${keys.listViews(0).replace(/0$/, '')}*`, keys.accessesTo('order', '*')] },
  }),
  meta: one(API, meta, () => import('#functions/api/meta/index'), {
    description: "Health and the API's own description",
    table: [],
  }),
  orders: one(API, orders, () => import('#functions/api/orders/index'), {
    description: 'Orders, their limits and comments',
  }),
  people: one(API, people, () => import('#functions/api/people/index'), {
    description: 'People: stored data and erasure',
  }),
  'pending-leads': one(API, pendingLeads, () => import('#functions/api/pending-leads/index'), {
    description: 'Pending leads: list, assign, discard, export',
  }),
  settings: one(API, settings, () => import('#functions/api/settings/index'), {
    description: 'Verification, e-mail templates, push credentials',
  }),
  sources: one(API, sources, () => import('#functions/api/sources/index'), {
    description: 'Sources, their limits and keys',
    partitions: {
      reads: [FORMAT, ...ACCESS_READS, ...SOURCES, keys.templates(), keys.company().pk],
      writes: [...ACCESS_WRITES, ...SOURCES, keys.counter('source').pk, keys.audited('source', '*')],
    },
  }),
  outbox: one(ON_STREAM, outbox, () => import('#functions/workers/outbox/index'), {
    description: 'Turns table changes into messages',
    timeout: 30,
    table: ['GetItem', 'Query', 'PutItem'],
    partitions: {
      reads: [FORMAT, keys.pushover(), ANY_SOURCE, keys.webhooks().pk, ANY_ORDER],
      writes: [keys.notification('*').pk, keys.callbacks('*')],
    },
  }),
  statistics: one(ON_STREAM, statistics, () => import('#functions/workers/statistics/index'), {
    description: 'Updates the daily aggregates, once per change',
    timeout: 60,
  }),
  deliver: one(ON_QUEUE, deliver, () => import('#functions/workers/deliver/index'), {
    description: 'Sends a lead through one channel and records the result',
    // A mail server may take one minute to receive a message and ten to confirm it.
    timeout: 720,
  }),
  notify: one(ON_QUEUE, notify, () => import('#functions/workers/notify/index'), {
    description: 'Sends notifications, and reviews claims that were filed',
    timeout: 120,
  }),
  callback: one(ON_QUEUE, callback, () => import('#functions/workers/callback/index'), {
    description: 'Sends callbacks to sources and webhooks',
    timeout: 60,
    partitions: {
      reads: [FORMAT, ...CALLBACKS, keys.buyers(), ANY_ORDER],
      writes: CALLBACKS,
    },
  }),
  redistribute: one(ON_QUEUE, redistribute, () => import('#functions/workers/redistribute/index'), {
    description: 'Distributes the backlog when a buyer has capacity',
    timeout: 40,
    memory: 1024,
  }),
  distribute: one(ON_QUEUE, distribute, () => import('#functions/workers/distribute/index'), {
    description: 'Distributes leads that arrived together',
    timeout: 40,
    memory: 1536,
  }),
  bounces: one(ON_QUEUE, bounces, () => import('#functions/workers/bounces/index'), {
    description: 'Records bounces reported by SES',
    timeout: 30,
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    partitions: {
      reads: [FORMAT, keys.address('*').pk, keys.leadPartition('*')],
      writes: [keys.address('*').pk, keys.leadPartition('*')],
    },
  }),
  reconcile: one(ON_SCHEDULE, reconcile, () => import('#functions/workers/reconcile/index'), {
    description: 'Finishes or undoes work interrupted by a crash',
    timeout: 40,
    memory: 1024,
  }),
} as const satisfies Readonly<Record<string, FunctionSpec>>;

export type FunctionName = keyof typeof FUNCTION_TABLE;
type StartedBy<By extends FunctionSpec['by']> = {
  [Name in FunctionName]: (typeof FUNCTION_TABLE)[Name]['by'] extends By ? Name : never;
}[FunctionName];
export type StreamConsumer = StartedBy<'stream'>;
export type QueueName = StartedBy<'queue'>;
export type Worker = StartedBy<'stream' | 'queue' | 'schedule'>;

/**
 * Sealed consents of erased leads: denied to all other functions, also to those that may use the whole table. A discard, or a
 * source's withdrawal, only adds one, if a buyer had refused the lead.
 */
export const KEPT_CONSENTS: {
  readonly partition: string;
  readonly readers: readonly FunctionName[];
  readonly writers: readonly FunctionName[];
} = {
  partition: keys.keptConsent('*').pk,
  readers: ['people', 'reconcile'],
  writers: ['intake', 'people', 'pending-leads', 'reconcile'],
};

export const FUNCTIONS: readonly FunctionName[] = Object.keys(FUNCTION_TABLE).filter(
  (name): name is FunctionName => Object.hasOwn(FUNCTION_TABLE, name),
);
const startedBy = <By extends FunctionSpec['by']>(by: By): readonly StartedBy<By>[] =>
  FUNCTIONS.filter((name): name is StartedBy<By> => FUNCTION_TABLE[name].by === by);
export const API_FUNCTIONS = startedBy('call');
export const STREAM_CONSUMERS = startedBy('stream');
export const QUEUES = startedBy('queue');
export const SCHEDULED = startedBy('schedule');

export const FUNCTION_SPECS: Readonly<Record<FunctionName, FunctionSpec>> = { ...FUNCTION_TABLE };

export const entryOf = (name: FunctionName): string =>
  `functions/${FUNCTION_TABLE[name].by === 'call' ? 'api' : 'workers'}/${name}/lambda.ts`;
