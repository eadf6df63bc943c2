/**
 * The table: its definition, every key and every index. What the keys below do not show are the indexes:
 *
 * | item | gsi1pk | gsi1sk | gsi2pk | gsi2sk |
 * |---|---|---|---|---|
 * | lead, in flight | INFLIGHT, or INFLIGHT#{shard} | {since}#{id}#{write id} |  |  |
 * | lead, pending | PENDING | {received}#{id} |  |  |
 * | kept proof of consent | CONSENTPROOF#{hash of phone} | {lead} | CONSENTPROOF#{hash of e-mail} | {lead} |
 * | consent of a lead | CONSENTS, or CONSENTS#{shard} | {recorded}#{lead} |  |  |
 * | lead, assigned | ORDER#{id} | {sequence, padded} |  |  |
 * | head of a batch with leads in flight | BATCHES | {since}#{id} |  |  |
 * | counts of a lead | DECIDED#{day} | {decided} | RECOUNTED, or RECOUNTED#{shard} | {counted} |
 * | delivery, new | DELIVERY#new, or DELIVERY#new#{shard} | {created}#{lead}#{channel} |  |  |
 * | delivery | DELIVERIES#{buyer} | {created}#{lead} | DELIVERY#{failed, retrying} | {updated or due}#{lead}#{channel} |
 * | delivery, failed, unreported | DELIVERIES#{buyer} | {created}#{lead} | DELIVERY#failed | unreported#{next check}#{lead}#{channel} |
 * | delivery of a refused assignment | DELIVERIES#{buyer} | {created}#{lead} |  |  |
 * | claim, pending, with a default decision | CLAIM#due | {deadline}#{id, padded} |  |  |
 * | notification, open |  |  | NOTIFICATION#open | {next check}#{name} |
 * | callback, open | CALLBACK#open, or CALLBACK#open#{shard} | {next check}#{subject}#{callback} | CALLBACKS#{source}, CALLBACKS#webhook{webhook} | {created}#{subject}#{callback} |
 * | callback, finished |  |  | CALLBACKS#{source}, CALLBACKS#webhook{webhook} | {created}#{subject}#{callback} |
 * | erasure | ERASURES | {begun}#{id} | ERASURE#open | {next check}#{id} |
 * | recipient of an erased lead |  |  | ERASURE#emails | {next e-mail}#{id}#{buyer} |
 * | audit entry | AUDIT or ACCESS | {at}#{entry id} | AUDIT#{entity} or ACCESS#{entity} | as gsi1sk |
 *
 * - A partition takes 1,000 writes a second and every lead enters and leaves the lists of leads in flight and of new deliveries,
 *   so these have four shards. Leads that arrived together are in no index until they are assigned or pending: their batch is,
 *   which costs four write units for all of them instead of two for each.
 * - A new delivery is not yet in the list of its buyer, which saves the distribution of a lead a write.
 * - Unreported failures sort after every instant, hence first in the list of failed deliveries.
 * - The sort key of a list view is the delivery instant of the newest lead in it, so the first view at or after a lead's delivery
 *   is one query.
 * - A source has its own partition, apart from the list of sources, so counting writes to no index. Callbacks have
 *   their own partition, so a role that may write callbacks cannot write leads.
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
export const FLOW_SHARDS = 4;

export const STATISTICS_SHARDS = 8;

/** The end of an ID is random. */
function flowShard(name: string, lead: string): string {
  const sum = Array.from(lead.slice(-4)).reduce((all, character) => all + (character.codePointAt(0) ?? 0), 0);
  return flowShards(name)[sum % FLOW_SHARDS] ?? name;
}

function flowShards(name: string): readonly string[] {
  return Array.from({ length: FLOW_SHARDS }, (_, shard) => `${name}${shard === 0 ? '' : `#${shard}`}`);
}

const key = (pk: string, sk: string): Key => ({ pk, sk });

export const keys = {
  format: (): Key => key('FORMAT', 'FORMAT'),
  keysCopy: (): Key => key('KEYS', 'KEYS'),
  admins: () => 'ADMINS',
  admin: (username: string): Key => key('ADMINS', username),
  adminAccess: (): Key => key('ADMINACCESS', 'ADMINACCESS'),
  invitations: () => 'INVITATIONS',
  invitation: (hash: string): Key => key('INVITATIONS', hash),
  passkeys: () => 'PASSKEYS',
  passkey: (id: string): Key => key('PASSKEYS', id),
  recoveryCodes: () => 'RECOVERYCODES',
  recoveryCode: (username: string, hash: string): Key => key('RECOVERYCODES', `${username}#${hash}`),
  apiKeys: () => 'APIKEYS',
  apiKey: (hash: string): Key => key('APIKEYS', hash),
  challenge: (hash: string): Key => key(`CHALLENGE#${hash}`, 'CHALLENGE'),
  sessions: (username: string) => `SESSION#${username}`,
  session: (username: string, id: string): Key => key(`SESSION#${username}`, id),
  throttle: (of: string): Key => key(`THROTTLE#${of}`, 'THROTTLE'),
  counter: (name: 'buyer' | 'order' | 'claim' | 'source'): Key => key('COUNTERS', name),

  buyers: () => 'BUYERS',
  buyer: (buyer: number): Key => key('BUYERS', pad(buyer)),
  buyerId: (buyerId: string): Key => key(`BUYERID#${buyerId}`, 'BUYERID'),

  pool: () => 'POOL',
  poolEntry: (buyer: number): Key => key('POOL', `ENTRY#${pad(buyer)}`),
  ledger: (): Key => key('POOL', 'LEDGER'),
  weights: (): Key => key('POOL', 'WEIGHTS'),
  statusPage: (): Key => key('SETTINGS', 'STATUSPAGE'),
  company: (): Key => key('COMPANY', 'COMPANY'),
  verificationSwitches: (): Key => key('POOL', 'VERIFICATION'),

  orderShard: (shard: number) => `ORDERS#${shard}`,
  order: (order: number): Key => key(`ORDERS#${order % ORDER_SHARDS}`, pad(order)),
  orderComments: (order: number): Key => key(`ORDERS#${order % ORDER_SHARDS}`, `${pad(order)}#COMMENTS`),
  orderVersions: () => 'ORDERVERSIONS',
  orderVersion: (order: number): Key => key('ORDERVERSIONS', pad(order % ORDER_SHARDS, 2)),
  buyerOrders: (buyer: number) => `BUYER#${buyer}`,
  buyerOrder: (buyer: number, number: number): Key => key(`BUYER#${buyer}`, `ORDER#${pad(number)}`),
  token: (token: string): Key => key(`TOKEN#${token}`, 'TOKEN'),
  linkCode: (order: number): Key => key(`LINKCODE#${order}`, 'LINKCODE'),
  listViews: (order: number) => `LISTVIEW#${order}`,
  listView: (order: number, upTo: string): Key => key(keys.listViews(order), upTo),

  leadPartition: (lead: string) => `LEAD#${lead}`,
  lead: (lead: string): Key => key(`LEAD#${lead}`, 'LEAD'),
  decision: (lead: string): Key => key(`LEAD#${lead}`, 'DECISION'),
  consent: (lead: string): Key => key(`LEAD#${lead}`, 'CONSENT'),
  /** Apart from the lead, so that few functions can read it. */
  keptConsent: (lead: string): Key => key(`CONSENTPROOF#${lead}`, 'CONSENTPROOF'),
  /** @param hash SHA-256 of the wording, base64url */
  consentText: (hash: string): Key => key(`CONSENTTEXT#${hash}`, 'CONSENTTEXT'),
  diary: (lead: string, order: number): Key => key(`LEAD#${lead}`, `${keys.diaries()}${pad(order)}`),
  diaries: () => 'FEEDBACK#',
  delivery: (lead: string, channel: string): Key => key(`LEAD#${lead}`, `DELIVERY#${channel}`),
  refusal: (lead: string, attempt: number): Key =>
    key(`LEAD#${lead}`, `${keys.refusals()}${pad(attempt, 6)}`),
  refusals: () => 'REFUSAL#',
  refusedDelivery: (lead: string, attempt: number, channel: string): Key =>
    key(`LEAD#${lead}`, `${keys.refusedDeliveries()}${pad(attempt, 6)}#${channel}`),
  refusedDeliveries: () => 'REFUSED#',

  batch: (batch: string) => `BATCH#${batch}`,
  batchHead: (batch: string): Key => key(`BATCH#${batch}`, 'HEAD'),
  batchBody: (batch: string): Key => key(`BATCH#${batch}`, 'BODY'),
  batchPass: (batch: string, pass: number): Key => key(`BATCH#${batch}`, `PASS#${pad(pass, 4)}`),

  templates: () => 'TEMPLATES',
  template: (id: string): Key => key('TEMPLATES', id),
  pushover: () => 'PUSHOVER',
  pushoverCredential: (id: string): Key => key('PUSHOVER', `CREDENTIAL#${id}`),
  pushoverTemplate: (): Key => key('PUSHOVER', 'TEMPLATE'),

  retention: () => 'RETENTION',
  retentionSettings: (): Key => key('RETENTION', 'SETTINGS'),
  retentionProgress: (): Key => key('RETENTION', 'PROGRESS'),
  orderNotified: (order: number): Key => key(`NOTIFIED#order${order}`, 'NOTIFIED'),
  weekNotified: (buyer: number): Key => key(`NOTIFIED#week${buyer}`, 'NOTIFIED'),
  jobs: (): Key => key('JOBS', 'JOBS'),
  alerts: () => 'ALERTS',
  alertSettings: (): Key => key('ALERTS', 'SETTINGS'),
  alertIncident: (kind: string, subject: string): Key => key('ALERTS', `INCIDENT#${kind}#${subject}`),
  alertSummary: (): Key => key('ALERTS', 'SUMMARY'),
  circuit: (buyer: number, channel: string): Key => key(`CIRCUIT#${buyer}#${channel}`, 'CIRCUIT'),
  endpointCircuit: (source: number, endpoint: string): Key =>
    key(`CIRCUIT#source${source}#${endpoint}`, 'CIRCUIT'),
  webhookCircuit: (webhook: number): Key => key(`CIRCUIT#webhook${webhook}`, 'CIRCUIT'),
  destinationLeases: (destination: string) => `DESTINATION#${destination}`,
  destinationLease: (destination: string, number: number): Key =>
    key(`DESTINATION#${destination}`, `LEASE#${number}`),
  notification: (what: string): Key => key(`NOTIFICATION#${what}`, 'NOTIFICATION'),
  dedupMarker: (what: string): Key => key(`DEDUP#${what}`, 'DEDUP'),
  sources: () => 'SOURCES',
  sourceListed: (source: number): Key => key('SOURCES', pad(source)),
  source: (source: number): Key => key(`SOURCE#${source}`, 'SOURCE'),
  sourceCosts: () => 'SOURCE-COSTS',
  sourceCost: (source: number, from: string): Key => key('SOURCE-COSTS', `${pad(source)}#${from}`),
  specification: (token: string): Key => key(`SPECIFICATION#${token}`, 'SPECIFICATION'),
  endpoints: (source: number): Key => key(`SOURCE#${source}`, 'ENDPOINTS'),
  webhooks: (): Key => key('WEBHOOKS', 'WEBHOOKS'),
  /** @param subject a lead, or an order (`order-7`) */
  callbacks: (subject: string) => `CALLBACK#${subject}`,
  callback: (subject: string, callback: string): Key => key(`CALLBACK#${subject}`, `CALLBACK#${callback}`),
  origins: (origin: string) => `ORIGIN#${origin}`,
  origin: (origin: string, source: number): Key => key(`ORIGIN#${origin}`, pad(source)),
  person: (hash: string): Key => key(`PERSON#${hash}`, 'PERSON'),
  address: (hash: string): Key => key(`ADDRESS#${hash}`, 'ADDRESS'),
  doNotContact: (hash: string): Key => key(`DONOTCONTACT#${hash}`, 'DONOTCONTACT'),
  knownLists: () => 'KNOWN',
  knownList: (list: string): Key => key('KNOWN', list),
  knownParts: (list: string) => `KNOWN#${list}`,
  knownPart: (list: string, part: number): Key => key(`KNOWN#${list}`, pad(part)),
  erasurePartition: (erasure: string) => `ERASURE#${erasure}`,
  erasure: (erasure: string): Key => key(`ERASURE#${erasure}`, 'ERASURE'),
  erasureRecipient: (erasure: string, buyer: number): Key =>
    key(`ERASURE#${erasure}`, `RECIPIENT#${pad(buyer)}`),
  erasureToken: (hash: string): Key => key(`ERASURETOKEN#${hash}`, 'ERASURETOKEN'),
  intakeKey: (hash: string): Key => key(`INTAKE#${hash}`, 'INTAKE'),
  verificationResult: (hash: string): Key => key(`VERIFICATION#${hash}`, 'VERIFICATION'),

  claim: (claim: number): Key => key(`CLAIM#${claim}`, 'CLAIM'),
  claimEvidence: (claim: number, stage: 'filed' | 'decided'): Key =>
    key(`CLAIM#${claim}`, `EVIDENCE#${stage}`),
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
  claimCount: (scope: ClaimScope, part: number): Key => key(keys.claimCounts(scope), pad(part)),
  claimWords: (tier: number, word: string) => `CLAIMWORDS#${tier}#${word.slice(0, 1)}`,
  claimWordBlocks: (word: string) => `${word}#`,
  claimWord: (tier: number, word: string, block: number): Key => ({
    pk: keys.claimWords(tier, word),
    sk: `${keys.claimWordBlocks(word)}${pad(block)}`,
  }),

  replacements: (buyer: number) => `REPLACEMENTS#${buyer}`,
  replacement: (buyer: number, at: string, kind: string, thing: string): Key =>
    key(`REPLACEMENTS#${buyer}`, `${at}#${kind}#${thing}`),

  counted: (lead: string): Key => key(`LEAD#${lead}`, 'COUNTED'),
  /** By the days on which something happened to a lead; see `lead-rows.ts`. */
  leadRows: (month: string) => `LEADROWS#${month}`,
  leadRowsOf: (day: string) => `${day}#`,
  leadRowBlock: (day: string, block: number): Key =>
    key(keys.leadRows(day.slice(0, 7)), `${keys.leadRowsOf(day)}${pad(block, 6)}`),
  leadRowsPacked: (): Key => key('LEADROWS', 'PACKED'),
  leadWords: (word: string) => `WORD#${Array.from(word).slice(0, 2).join('')}`,
  leadWord: (word: string, lead: string): Key => key(keys.leadWords(word), `${word}#${lead}`),
  /** In separate partitions, so that a function can get access to one list only. */
  statistics: () => 'STATISTICS',
  sourceDays: () => 'SOURCE-STATISTICS',
  latencies: () => 'LATENCIES',
  accounts: () => 'ACCOUNTS',
  sums: (name: string, shard: number): Key => {
    const [pk = '', what = ''] = name.split('/');
    return { pk, sk: `${what}#${shard}` };
  },
  sourceInvalid: (day: string, source: number): Key => key(keys.sourceDays(), `${day}#${source}#INVALID`),

  audited: (entity: string, id: string) => `AUDIT#${entity}#${id}`,
  accessesTo: (entity: string, id: string) => `ACCESS#${entity}#${id}`,
  access: (entity: string, id: string, day: string, who: string, action: string): Key =>
    key(`ACCESS#${entity}#${id}`, `${day}#${who}#${action}`),
  auditChain: () => 'AUDITCHAIN',
  auditLink: (link: number): Key => key('AUDITCHAIN', pad(link)),
  auditCheckpoints: (): Key => key('AUDITCHECKPOINTS', 'AUDITCHECKPOINTS'),
  auditCheckpoint: (link: number): Key => key('AUDITCHECKPOINTS', pad(link)),
  auditEntry: (entity: string, id: string, at: string, entryId: string): Key =>
    key(`AUDIT#${entity}#${id}`, `${at}#${entryId}`),
} as const;

export const indexed = {
  inFlight: (lead: string) => flowShard('INFLIGHT', lead),
  everyInFlight: () => flowShards('INFLIGHT'),
  batches: () => 'BATCHES',
  consents: (lead: string) => flowShard('CONSENTS', lead),
  everyConsent: () => flowShards('CONSENTS'),
  /** @param hash keyed, of a phone number or an e-mail address */
  keptConsents: (hash: string) => keys.keptConsent(hash).pk,
  pending: () => 'PENDING',
  orderLeads: (order: number) => `ORDER#${order}`,
  sequence: (sequence: number) => pad(sequence),
  at: (instant: string, id: string) => `${instant}#${id}`,
  buyerDeliveries: (buyer: number) => `DELIVERIES#${buyer}`,
  openNotifications: () => 'NOTIFICATION#open',
  openCallbacks: (subject: string) => flowShard('CALLBACK#open', subject),
  everyOpenCallback: () => flowShards('CALLBACK#open'),
  callbacksOf: (source: number) => `CALLBACKS#${source}`,
  webhookCalls: (webhook: number) => `CALLBACKS#webhook${webhook}`,
  newDeliveries: (lead: string) => flowShard('DELIVERY#new', lead),
  everyNewDelivery: () => flowShards('DELIVERY#new'),
  failedDeliveries: () => 'DELIVERY#failed',
  /** Sort key prefix of failures that were not reported to the operator. */
  unreported: () => 'unreported#',
  retryingDeliveries: () => 'DELIVERY#retrying',
  dueClaims: () => 'CLAIM#due',
  decided: (day: string) => `DECIDED#${day}`,
  recounted: (lead: string) => flowShard('RECOUNTED', lead),
  everyRecounted: () => flowShards('RECOUNTED'),
  erasures: () => 'ERASURES',
  openErasures: () => 'ERASURE#open',
  erasureEmails: () => 'ERASURE#emails',
  audit: () => 'AUDIT',
  auditOf: (entity: string) => `AUDIT#${entity}`,
  accesses: () => 'ACCESS',
  accessesOf: (entity: string) => `ACCESS#${entity}`,
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
