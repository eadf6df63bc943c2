/**
 * The table: its definition, every key and every index. What the keys below do not show are the indexes:
 *
 * | item | gsi1pk | gsi1sk | gsi2pk | gsi2sk |
 * |---|---|---|---|---|
 * | lead, in flight | INFLIGHT, or INFLIGHT#{shard} | {since}#{id}#{write id} |  |  |
 * | lead, pending | PENDING | {received}#{id} |  |  |
 * | lead, assigned | ORDER#{id} | {sequence, padded} |  |  |
 * | head of a batch with leads in flight | BATCHES | {since}#{id} |  |  |
 * | counts of a lead | DECIDED#{day} | {decided}#{id} |  |  |
 * | delivery, new | DELIVERY#new, or DELIVERY#new#{shard} | {created}#{lead}#{channel} |  |  |
 * | delivery | DELIVERIES#{buyer} | {created}#{lead} | DELIVERY#{failed, retrying} | {updated or due}#{lead}#{channel} |
 * | delivery, failed, unreported | DELIVERIES#{buyer} | {created}#{lead} | DELIVERY#failed | unreported#{next check}#{lead}#{channel} |
 * | delivery of a refused assignment | DELIVERIES#{buyer} | {created}#{lead} |  |  |
 * | claim, pending, with a default decision | CLAIM#due | {deadline}#{id, padded} |  |  |
 * | notification, open |  |  | NOTICE#open | {next check}#{name} |
 * | callback, open | CALLBACK#open, or CALLBACK#open#{shard} | {next check}#{lead}#{callback} | CALLBACKS#{source} | {created}#{lead}#{callback} |
 * | callback, finished |  |  | CALLBACKS#{source} | {created}#{lead}#{callback} |
 * | erasure | ERASURES | {begun}#{id} | ERASURE#open | {next check}#{id} |
 * | recipient of an erased lead |  |  | ERASURE#letters | {next letter}#{id}#{buyer} |
 * | audit entry | AUDIT or LOOKS | {at}#{entry id} | AUDIT#{entity} or LOOKS#{entity} | as gsi1sk |
 *
 * - A partition takes 1,000 writes a second and every lead enters and leaves the lists of leads in flight and of new deliveries,
 *   so these have four shards. Leads that arrived together are in no index until they are assigned or pending: their batch is,
 *   which costs four write units for all of them instead of two for each.
 * - A new delivery is not yet in the list of its buyer, which saves the distribution of a lead a write.
 * - Unreported failures sort after every instant, hence first in the list of failed deliveries.
 * - The sort key of a list view is the delivery instant of the newest lead in it, so the first view at or after a lead's delivery
 *   is one query.
 * - A source is apart from the list of all sources, so that its counts change without a write to any index. Callbacks are beside
 *   their lead, so that whoever may write them may write no leads.
 * - A change to a counter of an order writes to no index, which keeps a lead within its write budget.
 */

export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'expires_at',
  stream: 'NEW_AND_OLD_IMAGES',
  indexes: [
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
  ],
} as const;

export const KEY_ATTRIBUTES: readonly string[] = [
  TABLE.partitionKey,
  TABLE.sortKey,
  ...TABLE.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
];

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export type ClaimScope = { readonly all: true } | { readonly buyer: number } | { readonly order: number };

const pad = (value: number, digits = 12) => String(value).padStart(digits, '0');

export const ORDER_SHARDS = 16;
/** Of the lists that every lead enters and leaves. */
export const FLOW_SHARDS = 4;

/** Of sums that are counted at the same moment. */
export const STATISTICS_SHARDS = 8;

/** IDs end at random. */
function flowShard(name: string, lead: string): string {
  const sum = Array.from(lead.slice(-4)).reduce((all, character) => all + (character.codePointAt(0) ?? 0), 0);
  return flowShards(name)[sum % FLOW_SHARDS] ?? name;
}

function flowShards(name: string): readonly string[] {
  return Array.from({ length: FLOW_SHARDS }, (_, shard) => `${name}${shard === 0 ? '' : `#${shard}`}`);
}

export const keys = {
  format: (): Key => ({ pk: 'FORMAT', sk: 'FORMAT' }),
  keysCopy: (): Key => ({ pk: 'KEYS', sk: 'KEYS' }),
  admins: () => 'ADMINS',
  admin: (username: string): Key => ({ pk: 'ADMINS', sk: username }),
  adminAccess: (): Key => ({ pk: 'ADMINACCESS', sk: 'ADMINACCESS' }),
  invitations: () => 'INVITATIONS',
  invitation: (hash: string): Key => ({ pk: 'INVITATIONS', sk: hash }),
  passkeys: () => 'PASSKEYS',
  passkey: (id: string): Key => ({ pk: 'PASSKEYS', sk: id }),
  recoveryCodes: () => 'RECOVERYCODES',
  recoveryCode: (username: string, hash: string): Key => ({
    pk: 'RECOVERYCODES',
    sk: `${username}#${hash}`,
  }),
  challenge: (hash: string): Key => ({ pk: `CHALLENGE#${hash}`, sk: 'CHALLENGE' }),
  sessions: (username: string) => `SESSION#${username}`,
  session: (username: string, id: string): Key => ({ pk: `SESSION#${username}`, sk: id }),
  throttle: (of: string): Key => ({ pk: `THROTTLE#${of}`, sk: 'THROTTLE' }),
  counter: (name: 'buyer' | 'order' | 'claim' | 'source'): Key => ({ pk: 'COUNTERS', sk: name }),

  buyers: () => 'BUYERS',
  buyer: (buyer: number): Key => ({ pk: 'BUYERS', sk: pad(buyer) }),
  buyerId: (buyerId: string): Key => ({ pk: `BUYERID#${buyerId}`, sk: 'BUYERID' }),

  pool: () => 'POOL',
  poolEntry: (buyer: number): Key => ({ pk: 'POOL', sk: `ENTRY#${pad(buyer)}` }),
  ledger: (): Key => ({ pk: 'POOL', sk: 'LEDGER' }),
  weights: (): Key => ({ pk: 'POOL', sk: 'WEIGHTS' }),
  statusPage: (): Key => ({ pk: 'SETTINGS', sk: 'STATUSPAGE' }),
  verificationSwitches: (): Key => ({ pk: 'POOL', sk: 'VERIFICATION' }),

  orderShard: (shard: number) => `ORDERS#${shard}`,
  order: (order: number): Key => ({ pk: `ORDERS#${order % ORDER_SHARDS}`, sk: pad(order) }),
  orderComments: (order: number): Key => ({
    pk: `ORDERS#${order % ORDER_SHARDS}`,
    sk: `${pad(order)}#COMMENTS`,
  }),
  orderVersions: () => 'ORDERVERSIONS',
  orderVersion: (order: number): Key => ({ pk: 'ORDERVERSIONS', sk: pad(order % ORDER_SHARDS, 2) }),
  buyerOrders: (buyer: number) => `BUYER#${buyer}`,
  buyerOrder: (buyer: number, number: number): Key => ({ pk: `BUYER#${buyer}`, sk: `ORDER#${pad(number)}` }),
  token: (token: string): Key => ({ pk: `TOKEN#${token}`, sk: 'TOKEN' }),
  linkCode: (order: number): Key => ({ pk: `LINKCODE#${order}`, sk: 'LINKCODE' }),
  listViews: (order: number) => `LISTVIEW#${order}`,
  /** @param upTo the instant (UTC) at which the newest lead of the list was delivered */
  listView: (order: number, upTo: string): Key => ({ pk: keys.listViews(order), sk: upTo }),

  leadPartition: (lead: string) => `LEAD#${lead}`,
  lead: (lead: string): Key => ({ pk: `LEAD#${lead}`, sk: 'LEAD' }),
  decision: (lead: string): Key => ({ pk: `LEAD#${lead}`, sk: 'DECISION' }),
  delivery: (lead: string, channel: string): Key => ({ pk: `LEAD#${lead}`, sk: `DELIVERY#${channel}` }),
  /** @param attempt the one that had assigned the lead */
  refusal: (lead: string, attempt: number): Key => ({
    pk: `LEAD#${lead}`,
    sk: `${keys.refusals()}${pad(attempt, 6)}`,
  }),
  refusals: () => 'REFUSAL#',
  refusedDelivery: (lead: string, attempt: number, channel: string): Key => ({
    pk: `LEAD#${lead}`,
    sk: `${keys.refusedDeliveries()}${pad(attempt, 6)}#${channel}`,
  }),
  refusedDeliveries: () => 'REFUSED#',

  batch: (batch: string) => `BATCH#${batch}`,
  batchHead: (batch: string): Key => ({ pk: `BATCH#${batch}`, sk: 'HEAD' }),
  batchBody: (batch: string): Key => ({ pk: `BATCH#${batch}`, sk: 'BODY' }),
  batchRound: (batch: string, round: number): Key => ({ pk: `BATCH#${batch}`, sk: `ROUND#${pad(round, 4)}` }),

  templates: () => 'TEMPLATES',
  template: (id: string): Key => ({ pk: 'TEMPLATES', sk: id }),
  pushover: () => 'PUSHOVER',
  pushoverCredential: (id: string): Key => ({ pk: 'PUSHOVER', sk: `CREDENTIAL#${id}` }),
  pushoverTemplate: (): Key => ({ pk: 'PUSHOVER', sk: 'TEMPLATE' }),

  retention: () => 'RETENTION',
  retentionSettings: (): Key => ({ pk: 'RETENTION', sk: 'SETTINGS' }),
  retentionProgress: (): Key => ({ pk: 'RETENTION', sk: 'PROGRESS' }),
  newsOfOrder: (order: number): Key => ({ pk: `NEWS#order${order}`, sk: 'NEWS' }),
  newsOfWeek: (buyer: number): Key => ({ pk: `NEWS#week${buyer}`, sk: 'NEWS' }),
  jobs: (): Key => ({ pk: 'JOBS', sk: 'JOBS' }),
  alerts: () => 'ALERTS',
  alertSettings: (): Key => ({ pk: 'ALERTS', sk: 'SETTINGS' }),
  alertOccasion: (kind: string, subject: string): Key => ({
    pk: 'ALERTS',
    sk: `OCCASION#${kind}#${subject}`,
  }),
  alertSummary: (): Key => ({ pk: 'ALERTS', sk: 'SUMMARY' }),
  circuit: (buyer: number, channel: string): Key => ({ pk: `CIRCUIT#${buyer}#${channel}`, sk: 'CIRCUIT' }),
  endpointCircuit: (source: number, endpoint: string): Key => ({
    pk: `CIRCUIT#source${source}#${endpoint}`,
    sk: 'CIRCUIT',
  }),
  destinationLeases: (destination: string) => `DESTINATION#${destination}`,
  destinationLease: (destination: string, number: number): Key => ({
    pk: `DESTINATION#${destination}`,
    sk: `LEASE#${number}`,
  }),
  notice: (what: string): Key => ({ pk: `NOTICE#${what}`, sk: 'NOTICE' }),
  dedupMarker: (what: string): Key => ({ pk: `DEDUP#${what}`, sk: 'DEDUP' }),
  sources: () => 'SOURCES',
  sourceListed: (source: number): Key => ({ pk: 'SOURCES', sk: pad(source) }),
  source: (source: number): Key => ({ pk: `SOURCE#${source}`, sk: 'SOURCE' }),
  specification: (token: string): Key => ({ pk: `SPECIFICATION#${token}`, sk: 'SPECIFICATION' }),
  endpoints: (source: number): Key => ({ pk: `SOURCE#${source}`, sk: 'ENDPOINTS' }),
  callbacks: (lead: string) => `CALLBACK#${lead}`,
  callback: (lead: string, callback: string): Key => ({ pk: `CALLBACK#${lead}`, sk: `CALLBACK#${callback}` }),
  origins: (origin: string) => `ORIGIN#${origin}`,
  origin: (origin: string, source: number): Key => ({ pk: `ORIGIN#${origin}`, sk: pad(source) }),
  person: (hash: string): Key => ({ pk: `PERSON#${hash}`, sk: 'PERSON' }),
  address: (hash: string): Key => ({ pk: `ADDRESS#${hash}`, sk: 'ADDRESS' }),
  erasurePartition: (erasure: string) => `ERASURE#${erasure}`,
  erasure: (erasure: string): Key => ({ pk: `ERASURE#${erasure}`, sk: 'ERASURE' }),
  erasureRecipient: (erasure: string, buyer: number): Key => ({
    pk: `ERASURE#${erasure}`,
    sk: `RECIPIENT#${pad(buyer)}`,
  }),
  erasureToken: (hash: string): Key => ({ pk: `ERASURETOKEN#${hash}`, sk: 'ERASURETOKEN' }),
  intakeKey: (hash: string): Key => ({ pk: `INTAKE#${hash}`, sk: 'INTAKE' }),
  verificationResult: (hash: string): Key => ({ pk: `VERIFICATION#${hash}`, sk: 'VERIFICATION' }),

  claim: (claim: number): Key => ({ pk: `CLAIM#${claim}`, sk: 'CLAIM' }),
  claimEvidence: (claim: number, stage: 'filed' | 'decided'): Key => ({
    pk: `CLAIM#${claim}`,
    sk: `EVIDENCE#${stage}`,
  }),
  claimScope: (scope: ClaimScope) => {
    if ('all' in scope) return 'ALL';
    return 'buyer' in scope ? `BUYER#${scope.buyer}` : `ORDER#${scope.order}`;
  },
  claimRows: (scope: ClaimScope, status: string) => `CLAIMS#${keys.claimScope(scope)}#${status}`,
  claimBlock: (block: number) => pad(block),
  claimRowBlock: (scope: ClaimScope, status: string, block: number): Key => ({
    pk: keys.claimRows(scope, status),
    sk: keys.claimBlock(block),
  }),
  claimCounts: (scope: ClaimScope) => `CLAIMCOUNTS#${keys.claimScope(scope)}`,
  claimCount: (scope: ClaimScope, part: number): Key => ({ pk: keys.claimCounts(scope), sk: pad(part) }),
  /** One partition for each tier and first character. */
  claimWords: (tier: number, word: string) => `CLAIMWORDS#${tier}#${word.slice(0, 1)}`,
  claimWordBlocks: (word: string) => `${word}#`,
  claimWord: (tier: number, word: string, block: number): Key => ({
    pk: keys.claimWords(tier, word),
    sk: `${keys.claimWordBlocks(word)}${pad(block)}`,
  }),

  replacements: (buyer: number) => `REPLACEMENTS#${buyer}`,
  replacement: (buyer: number, at: string, kind: string, thing: string): Key => ({
    pk: `REPLACEMENTS#${buyer}`,
    sk: `${at}#${kind}#${thing}`,
  }),

  counted: (lead: string): Key => ({ pk: `LEAD#${lead}`, sk: 'COUNTED' }),
  /** By the first two code points. */
  leadWords: (word: string) => `WORD#${Array.from(word).slice(0, 2).join('')}`,
  leadWord: (word: string, lead: string): Key => ({ pk: keys.leadWords(word), sk: `${word}#${lead}` }),
  /** In partitions of their own, so that a function may be given one list only. */
  statistics: () => 'STATISTICS',
  sourceDays: () => 'SOURCE-STATISTICS',
  latencies: () => 'LATENCIES',
  accounts: () => 'ACCOUNTS',
  /** @param name of the sums, `{list}/{what}` */
  sums: (name: string, shard: number): Key => {
    const [pk = '', what = ''] = name.split('/');
    return { pk, sk: `${what}#${shard}` };
  },
  sourceInvalid: (day: string, source: number): Key => ({
    pk: keys.sourceDays(),
    sk: `${day}#${source}#INVALID`,
  }),

  audited: (entity: string, id: string) => `AUDIT#${entity}#${id}`,
  looksAt: (entity: string, id: string) => `LOOKS#${entity}#${id}`,
  look: (entity: string, id: string, day: string, who: string, action: string): Key => ({
    pk: `LOOKS#${entity}#${id}`,
    sk: `${day}#${who}#${action}`,
  }),
  auditChain: () => 'AUDITCHAIN',
  auditLink: (link: number): Key => ({ pk: 'AUDITCHAIN', sk: pad(link) }),
  auditHeads: (): Key => ({ pk: 'AUDITHEADS', sk: 'AUDITHEADS' }),
  auditEntry: (entity: string, id: string, at: string, entryId: string): Key => ({
    pk: `AUDIT#${entity}#${id}`,
    sk: `${at}#${entryId}`,
  }),
} as const;

export const indexed = {
  inFlight: (lead: string) => flowShard('INFLIGHT', lead),
  everyInFlight: () => flowShards('INFLIGHT'),
  batches: () => 'BATCHES',
  pending: () => 'PENDING',
  orderLeads: (order: number) => `ORDER#${order}`,
  sequence: (sequence: number) => pad(sequence),
  at: (instant: string, id: string) => `${instant}#${id}`,
  buyerDeliveries: (buyer: number) => `DELIVERIES#${buyer}`,
  openNotices: () => 'NOTICE#open',
  openCallbacks: (lead: string) => flowShard('CALLBACK#open', lead),
  everyOpenCallback: () => flowShards('CALLBACK#open'),
  callbacksOf: (source: number) => `CALLBACKS#${source}`,
  newDeliveries: (lead: string) => flowShard('DELIVERY#new', lead),
  everyNewDelivery: () => flowShards('DELIVERY#new'),
  failedDeliveries: () => 'DELIVERY#failed',
  /** Sort key prefix of failures that were not reported to the operator. */
  unreported: () => 'unreported#',
  retryingDeliveries: () => 'DELIVERY#retrying',
  dueClaims: () => 'CLAIM#due',
  decided: (day: string) => `DECIDED#${day}`,
  erasures: () => 'ERASURES',
  openErasures: () => 'ERASURE#open',
  erasureLetters: () => 'ERASURE#letters',
  audit: () => 'AUDIT',
  auditOf: (entity: string) => `AUDIT#${entity}`,
  looks: () => 'LOOKS',
  looksOf: (entity: string) => `LOOKS#${entity}`,
} as const;

/** Undefined for kinds that no command looks for in a whole table. */
export function kindOf(item: {
  readonly pk?: unknown;
  readonly sk?: unknown;
}): 'buyer' | 'order' | 'lead' | 'replacement' | undefined {
  switch (String(item.pk).replace(/#.*/s, '')) {
    case keys.buyers():
      return 'buyer';
    case 'ORDERS':
      return String(item.sk).includes('#') ? undefined : 'order';
    case 'LEAD':
      return item.sk === 'LEAD' ? 'lead' : undefined;
    case 'REPLACEMENTS':
      return 'replacement';
    default:
      return undefined;
  }
}
