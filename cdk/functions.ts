/** What each function is to the cloud: how long it may take, how large it is, and what it may do. */
import { keys, ORDER_SHARDS } from '#functions/data/table/keys';
import { type FunctionName, type QueueName, WORKERS, type Worker } from '#functions/platform/functions';

/** Of DynamoDB's actions those that the product uses at all. A transaction needs the action of each of its parts. */
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
  readonly description: string;
  /** Seconds. */
  readonly timeout: number;
  /** Megabytes. */
  readonly memory: number;
  readonly table: readonly TableAction[];
  /**
   * The partition keys to which reading or writing is limited, `*` for any text in them; all where it says nothing. Of functions
   * that everybody can call, and of those that need few.
   */
  readonly partitions?: { readonly reads?: readonly string[]; readonly writes?: readonly string[] };
  /** Queues that it puts messages on. The right to receive comes with the queue that starts a function. */
  readonly sends: readonly QueueName[];
}

const READ = ['GetItem', 'BatchGetItem', 'Query'] as const satisfies readonly TableAction[];
const ALL = TABLE_ACTIONS;

const FORMAT = keys.format().pk;
const OPEN_SESSIONS = keys.sessions('*');
/** Every function that admins call looks for the session and its admin, and notes now and then that it was used. */
const SESSION_READS = [keys.admins(), OPEN_SESSIONS];
/** Who may log in, and what changes it. */
const ADMINS = [
  keys.admins(),
  keys.adminAccess().pk,
  keys.invitations(),
  keys.passkeys(),
  keys.recoveryCodes(),
  keys.challenge('*').pk,
];

const ANY_SOURCE = keys.source(0).pk.replace(/0$/, '*');
const SOURCES = [keys.sources(), ANY_SOURCE, keys.origins('*'), keys.specification('*').pk];
/** What a source is told, where, and that a receiver is not called too often. */
const CALLBACKS = [
  keys.callbacks('*'),
  ANY_SOURCE,
  keys.endpointCircuit(0, '*').pk.replace('0', '*'),
  keys.destinationLeases('callback:*'),
  keys.dedupMarker('callback#*').pk,
];
/** Of what everybody may call by a key of a source. */
const INTAKE_WRITES = [
  OPEN_SESSIONS,
  keys.source(0).pk.replace(/0$/, '*'),
  keys.leadPartition('*'),
  keys.person('*').pk,
  keys.sourceDays(),
  keys.batch('*'),
  keys.pool(),
  keys.verificationResult('*').pk,
  ...Array.from({ length: ORDER_SHARDS }, (_, shard) => keys.orderShard(shard)),
  keys.orderVersions(),
  keys.replacements(0).replace(/0$/, '*'),
];

/** A browser waits for it: enough processor to start fast, and a shorter timeout than CloudFront's. */
const api = (
  description: string,
  table: readonly TableAction[],
  more: Partial<FunctionSpec> = {},
): FunctionSpec => ({
  description,
  timeout: 20,
  memory: 1024,
  table,
  sends: [],
  ...more,
});

export const FUNCTION_SPECS: Readonly<Record<FunctionName, FunctionSpec>> = {
  auth: api('Logs in and out; admins, their links and sessions', ALL, {
    partitions: {
      reads: [FORMAT, ...ADMINS, OPEN_SESSIONS, keys.throttle('*').pk],
      writes: [...ADMINS, OPEN_SESSIONS, keys.throttle('*').pk, keys.audited('admin', '*')],
    },
  }),
  buyers: api('Buyers, their links and balances', ALL),
  claims: api('File, list and decide claims', ALL),
  deliveries: api('The delivery log, send again, test leads', ALL),
  insights: api('Dashboard, statistics, simulation, audit and search', [...READ, 'UpdateItem'], {
    partitions: { writes: [OPEN_SESSIONS] },
  }),
  intake: api('Takes in and distributes what sources post', ALL, {
    memory: 1536,
    partitions: { writes: INTAKE_WRITES },
    sends: ['distribute'],
  }),
  leads: api('Takes leads in and distributes them; edits and deletes them', ALL, { memory: 1536 }),
  'leads-view': api('The page behind a buyer’s link and its exports', [...READ, 'PutItem'], {
    // That its holder has opened the list, or an admin.
    partitions: { writes: [`${keys.listViews(0).replace(/0$/, '')}*`, keys.looksAt('order', '*')] },
  }),
  meta: api('Health and the API’s own description', []),
  orders: api('Orders, their limits and comments', ALL),
  people: api('Persons: what is stored about them, and their erasure', ALL),
  'pending-leads': api('Leads that found no buyer: list, assign, discard, export', ALL),
  settings: api('Verification, e-mail templates, push credentials', ALL),
  sources: api('Sources of leads, their limits and keys', ALL, {
    partitions: {
      reads: [FORMAT, ...SESSION_READS, ...SOURCES],
      writes: [OPEN_SESSIONS, ...SOURCES, keys.counter('source').pk, keys.audited('source', '*')],
    },
  }),
  outbox: {
    description: 'Turns changes of the table into messages',
    timeout: 30,
    memory: 512,
    table: ['GetItem', 'Query', 'PutItem'],
    partitions: {
      reads: [FORMAT, keys.pushover(), ANY_SOURCE],
      writes: [keys.notice('*').pk, keys.callbacks('*')],
    },
    sends: ['deliver', 'notify', 'callback', 'redistribute'],
  },
  statistics: {
    description: 'Keeps the daily aggregates, once for every change',
    timeout: 60,
    memory: 512,
    table: [...READ, ...WRITING],
    sends: [],
  },
  deliver: {
    description: 'Sends a lead through one channel and records how that went',
    // A mail server may take ten minutes to confirm a message, and one to take it.
    timeout: 720,
    memory: 512,
    table: [...READ, ...WRITING],
    sends: ['deliver'],
  },
  notify: {
    description: 'Sends notifications, and reviews claims that were filed',
    timeout: 120,
    memory: 512,
    table: [...READ, ...WRITING],
    sends: [],
  },
  callback: {
    description: 'Tells a source what became of its lead',
    timeout: 60,
    memory: 512,
    table: [...READ, ...WRITING],
    partitions: {
      reads: [FORMAT, ...CALLBACKS, keys.buyers()],
      writes: CALLBACKS,
    },
    sends: ['callback'],
  },
  redistribute: {
    description: 'Distributes the backlog again when a buyer has room',
    timeout: 40,
    memory: 1024,
    table: [...READ, ...WRITING],
    sends: ['redistribute'],
  },
  distribute: {
    description: 'Distributes leads that came in together',
    timeout: 40,
    memory: 1536,
    table: [...READ, ...WRITING],
    sends: ['distribute'],
  },
  bounces: {
    description: 'Notes what SES tells of mails that came back',
    timeout: 30,
    memory: 512,
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    partitions: {
      reads: [FORMAT, keys.address('*').pk, keys.leadPartition('*')],
      writes: [keys.address('*').pk, keys.leadPartition('*')],
    },
    sends: [],
  },
  reconcile: {
    description: 'Finishes or undoes what a crash left half done',
    timeout: 40,
    memory: 1024,
    table: [...READ, ...WRITING],
    sends: ['deliver', 'notify', 'callback'],
  },
};

export function entryOf(name: FunctionName): string {
  return `functions/${isWorker(name) ? 'workers' : 'api'}/${name}/lambda.ts`;
}

export function isWorker(name: FunctionName): name is Worker {
  return WORKERS.some((worker) => worker === name);
}
