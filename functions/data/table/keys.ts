/**
 * The table: its definition, every key and every index.
 *
 * | item | pk | sk | gsi1pk | gsi1sk | gsi2pk | gsi2sk |
 * |---|---|---|---|---|---|---|
 * | format of the table | FORMAT | FORMAT |  |  |  |  |
 * | copy of the application's keys, for the backup | KEYS | KEYS |  |  |  |  |
 * | admin | ADMINS | {username} |  |  |  |  |
 * | guard of who may log in | ADMINACCESS | ADMINACCESS |  |  |  |  |
 * | link for a new or reset admin | INVITATIONS | {hash} |  |  |  |  |
 * | passkey | PASSKEYS | {credential id} |  |  |  |  |
 * | recovery code | RECOVERYCODES | {username}#{hash} |  |  |  |  |
 * | challenge for a passkey | CHALLENGE#{hash} | CHALLENGE |  |  |  |  |
 * | session | SESSION#{username} | {id} |  |  |  |  |
 * | wrong passwords | THROTTLE#{of} | THROTTLE |  |  |  |  |
 * | number counters | COUNTERS | {name} |  |  |  |  |
 * | buyer | BUYERS | {internal id, padded} |  |  |  |  |
 * | buyer_id guard | BUYERID#{buyer_id} | BUYERID |  |  |  |  |
 * | pool entry | POOL | ENTRY#{internal id} |  |  |  |  |
 * | ledger | POOL | LEDGER |  |  |  |  |
 * | whether the status page is public | SETTINGS | STATUSPAGE |  |  |  |  |
 * | version of the weights, and who is being set to 0 % | POOL | WEIGHTS |  |  |  |  |
 * | verification switch | POOL | VERIFICATION |  |  |  |  |
 * | order | ORDERS#{id mod 16} | {id, padded} |  |  |  |  |
 * | order comments | ORDERS#{id mod 16} | {id, padded}#COMMENTS |  |  |  |  |
 * | version of a shard | ORDERVERSIONS | {shard, padded} |  |  |  |  |
 * | order of a buyer | BUYER#{internal id} | ORDER#{number, padded} |  |  |  |  |
 * | token | TOKEN#{token} | TOKEN |  |  |  |  |
 * | request for a code that opens a link | LINKCODE#{order} | LINKCODE |  |  |  |  |
 * | list view | LISTVIEW#{order} | {newest lead delivered} |  |  |  |  |
 * | lead, in flight | LEAD#{id} | LEAD | INFLIGHT, or INFLIGHT#{shard} | {since}#{id}#{any} |  |  |
 * | lead, pending | LEAD#{id} | LEAD | PENDING | {received}#{id} |  |  |
 * | lead, assigned | LEAD#{id} | LEAD | ORDER#{id} | {sequence, padded} |  |  |
 * | lead, in flight in a batch | LEAD#{id} | LEAD |  |  |  |  |
 * | decision | LEAD#{id} | DECISION |  |  |  |  |
 * | batch with leads in flight | BATCH#{id} | HEAD | BATCHES | {since}#{id} |  |  |
 * | leads of a batch | BATCH#{id} | BODY |  |  |  |  |
 * | choices for a batch | BATCH#{id} | ROUND#{number, padded} |  |  |  |  |
 * | delivery, new | LEAD#{id} | DELIVERY#{channel} | DELIVERY#new, or DELIVERY#new#{shard} | {created}#{lead}#{channel} |  |  |
 * | delivery | LEAD#{id} | DELIVERY#{channel} | DELIVERIES#{buyer} | {created}#{lead} | DELIVERY#{failed, retrying} | {updated or due}#{lead}#{channel} |
 * | delivery, failed, operator not told | LEAD#{id} | DELIVERY#{channel} | DELIVERIES#{buyer} | {created}#{lead} | DELIVERY#failed | unreported#{look at it}#{lead}#{channel} |
 * | refusal of a lead that was given on | LEAD#{id} | REFUSAL#{attempt, padded} |  |  |  |  |
 * | delivery of it | LEAD#{id} | REFUSED#{attempt, padded}#{channel} | DELIVERIES#{buyer} | {created}#{lead} |  |  |
 * | e-mail template | TEMPLATES | {id} |  |  |  |  |
 * | push credential | PUSHOVER | CREDENTIAL#{id} |  |  |  |  |
 * | push text | PUSHOVER | TEMPLATE |  |  |  |  |
 * | claim | CLAIM#{id} | CLAIM |  |  |  |  |
 * | claim, pending, that silence decides | CLAIM#{id} | CLAIM | CLAIM#due | {last day}#{id, padded} |  |  |
 * | what was known of a claim | CLAIM#{id} | EVIDENCE#{filed, decided} |  |  |  |  |
 * | rows of claims | CLAIMS#{scope}#{status} | {block, padded} |  |  |  |  |
 * | counts of claims | CLAIMCOUNTS#{scope} | {100 blocks, padded} |  |  |  |  |
 * | claims with a word | CLAIMWORDS#{tier}#{letter} | {word}#{block, padded} |  |  |  |  |
 * | replacement entry | REPLACEMENTS#{buyer} | {at}#{kind}#{of} |  |  |  |  |
 * | circuit | CIRCUIT#{buyer}#{channel} | CIRCUIT |  |  |  |  |
 * | lease of a destination | DESTINATION#{name} | LEASE#{n} |  |  |  |  |
 * | dedup marker | DEDUP#{what} | DEDUP |  |  |  |  |
 * | notice | NOTICE#{what} | NOTICE |  |  | NOTICE#open | {look at it}#{what} |
 * | source | SOURCE#{id} | SOURCE |  |  |  |  |
 * | name of a source, for the list | SOURCES | {id, padded} |  |  |  |  |
 * | token of a source's specification | SPECIFICATION#{token} | SPECIFICATION |  |  |  |  |
 * | where a source is called back | SOURCE#{id} | ENDPOINTS |  |  |  |  |
 * | for how many days leads are kept | RETENTION | SETTINGS |  |  |  |  |
 * | how far retention is | RETENTION | PROGRESS |  |  |  |  |
 * | when jobs of the reconciliation were last done | JOBS | JOBS |  |  |  |  |
 * | who is alerted of what | ALERTS | SETTINGS |  |  |  |  |
 * | what was alerted of and is still so | ALERTS | OCCASION#{kind}#{subject} |  |  |  |  |
 * | day of the last summary | ALERTS | SUMMARY |  |  |  |  |
 * | callback, open | CALLBACK#{lead} | CALLBACK#{endpoint}_{event}_{attempt} | CALLBACK#open, or CALLBACK#open#{shard} | {look at it}#{lead}#{callback} | CALLBACKS#{source} | {created}#{lead}#{callback} |
 * | callback, over | CALLBACK#{lead} | CALLBACK#{endpoint}_{event}_{attempt} |  |  | CALLBACKS#{source} | {created}#{lead}#{callback} |
 * | circuit of an endpoint | CIRCUIT#source{id}#{endpoint} | CIRCUIT |  |  |  |  |
 * | origin of a web page that may post | ORIGIN#{origin} | {source, padded} |  |  |  |  |
 * | mark of a person | PERSON#{hash of phone or e-mail} | PERSON |  |  |  |  |
 * | idempotency key | INTAKE#{hash} | INTAKE |  |  |  |  |
 * | erasure of a person | ERASURE#{id} | ERASURE | ERASURES | {begun}#{id} | ERASURE#open | {look at it}#{id} |
 * | buyer that received its leads | ERASURE#{id} | RECIPIENT#{internal id, padded} |  |  | ERASURE#letters | {next letter}#{id}#{buyer} |
 * | token by which it confirms | ERASURETOKEN#{hash} | ERASURETOKEN |  |  |  |  |
 * | verification result | VERIFICATION#{hash} | VERIFICATION |  |  |  |  |
 * | what was counted of a lead | LEAD#{id} | COUNTED | DECIDED#{day} | {decided}#{id} |  |  |
 * | lead with a word | WORD#{two letters} | {word}#{lead} |  |  |  |  |
 * | figures of a day | STATISTICS | {day}#{shard} |  |  |  |  |
 * | totals | STATISTICS | totals#{shard} |  |  |  |  |
 * | what a source sent on a day | SOURCE-STATISTICS | {day}#{source}#{shard} |  |  |  |  |
 * | what could not be read of it | SOURCE-STATISTICS | {day}#{source}#INVALID |  |  |  |  |
 * | latencies of a day | LATENCIES | {day}#{series}#{shard} |  |  |  |  |
 * | what was delivered to a buyer and claimed in a month | ACCOUNTS | {internal id}#{month}#{shard} |  |  |  |  |
 * | audit entry of a change | AUDIT#{entity}#{id} | {at}#{entry id} | AUDIT | {at}#{entry id} | AUDIT#{entity} | as gsi1sk |
 * | audit entry of a look | LOOKS#{entity}#{id} | {day}#{admin}#{action} | LOOKS | {at}#{entry id} | LOOKS#{entity} | as gsi1sk |
 * | link of the audit trail's chain | AUDITCHAIN | {number, padded} |  |  |  |  |
 * | what was sent outside of the chain | AUDITHEADS | AUDITHEADS |  |  |  |  |
 *
 * Access patterns:
 *
 * - The pool (pool entries, ledger, switches) is one query on POOL; all buyers are one query on BUYERS.
 * - All orders are sixteen parallel queries, or one query for the versions of the shards and a read of what may have
 *   changed (`order-cache.ts`). A buyer's orders are a query for the pointers and a batch get.
 * - An order's leads and the pending leads are one query on gsi1 each. A lead with its decision and its deliveries is one
 *   query on its partition.
 * - Leads in flight and new deliveries are four parallel queries each. Every lead enters and leaves both lists in order of
 *   time, and a partition takes 1,000 writes a second, so in one partition they would end at 500 leads a second.
 * - Leads that came in together are in no index until they are assigned or pending: their batch is, which costs four write
 *   units for all of them instead of two for each. What was chosen for them is one query on the batch's partition.
 * - Every delivery that is neither delivered nor failed is in one of these lists, whatever became of its buyer. Until
 *   its first delivery attempt has ended it is in gsi1 under DELIVERY#new, instead of in the list of its buyer, so that
 *   this costs the distribution of a lead no write. Later, and when it was found overdue, it is in gsi2 under
 *   DELIVERY#retrying, sorted by when it is due or when the reconciliation is to check it.
 * - Failures that the operator was not told of are a range of DELIVERY#failed, so that they cost no write of their own; they
 *   sort after every instant, hence first in the list of failed deliveries.
 * - The sort key of a list view is the delivery instant of the newest lead in the list. So a lead was first seen in the
 *   first list view at or after its own delivery: one query for one item.
 * - The scope of a list of claims is all claims (ALL), a buyer's (BUYER#{internal id}) or an order's (ORDER#{id}); see
 *   `claim-lists.ts` and `claim-words.ts`. A page of claims by date is one query for the counts, one to three queries for
 *   the rows of its blocks and batch gets of the claims shown. A search is one query for each lookup of a word.
 * - Claims that silence decides are in gsi1 by the last day for their decision until they are decided: those that are over are one
 *   query, and other claims write to no index.
 * - A source is one item, apart from the list of all, so that its counts change without a write to any index; the list is
 *   one query and a batch get.
 * - Callbacks stand beside their lead, so that whoever writes them may write no leads. Those of a lead are one query. Open
 *   ones are four parallel queries, by when the reconciliation is to look at each; those of a source are one query.
 * - Statistics: a range of days is one query, and so are the totals; the figures of a day are the sum of its shards, of
 *   which there is one unless several functions counted at once; the leads decided on a day are one query on gsi1.
 *   Leads with a word that begins with a prefix are one query; a part of a phone number is eleven or twelve.
 * - The audit trail has its changes and its looks in lists of their own, each of everything and of each kind of thing, so that
 *   many looks do not hide few changes. The chain over both is one partition.
 *
 * A change to a counter of an order writes to no index, which keeps the distribution of a lead within its write budget.
 */

/** The definition from which CDK, the local runtime and the tests create the table. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. */
  timeToLive: 'expires_at',
  stream: 'NEW_AND_OLD_IMAGES',
  indexes: [
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
  ],
} as const;

/** The attributes by which items are found, the table's own first. */
export const KEY_ATTRIBUTES: readonly string[] = [
  TABLE.partitionKey,
  TABLE.sortKey,
  ...TABLE.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
];

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Which claims a list contains: all, or those of a buyer or an order. */
export type ClaimScope = { readonly all: true } | { readonly buyer: number } | { readonly order: number };

const pad = (value: number, digits = 12) => String(value).padStart(digits, '0');

export const ORDER_SHARDS = 16;
/** Of the lists that every lead enters and leaves. */
export const FLOW_SHARDS = 4;

/** Of sums that are counted at the same moment. */
export const STATISTICS_SHARDS = 8;

/** Ids end at random. */
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
  /** @param attempt the distribution attempt that had assigned the lead */
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
  /** One partition for each first two characters (code points, so that no surrogate pair is cut). */
  leadWords: (word: string) => `WORD#${Array.from(word).slice(0, 2).join('')}`,
  leadWord: (word: string, lead: string): Key => ({ pk: keys.leadWords(word), sk: `${word}#${lead}` }),
  /** Lists of sums, each in a partition of its own, so that a function may be given one of them. */
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

/** Partition keys and sort keys of the indexes. */
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
  /** Begins the sort keys of those among them that the operator was not told of. */
  unreported: () => 'unreported#',
  retryingDeliveries: () => 'DELIVERY#retrying',
  /** By the last day for their decision. */
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

/** The kind of an item, told from its keys; undefined for kinds that no command looks for in a whole table. */
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
