/**
 * The one table: its definition, every key and every index.
 *
 * | item                | pk                  | sk                     | gsi1pk            | gsi1sk             | gsi2pk          | gsi2sk    |
 * |---------------------|---------------------|------------------------|-------------------|--------------------|-----------------|-----------|
 * | admin               | ADMINS              | {username}             |                   |                    |                 |           |
 * | session             | SESSION#{id}        | SESSION                |                   |                    |                 |           |
 * | wrong passwords     | THROTTLE#{of}       | THROTTLE               |                   |                    |                 |           |
 * | number counters     | COUNTERS            | {name}                 |                   |                    |                 |           |
 * | buyer               | BUYERS              | {internal id, padded}  |                   |                    |                 |           |
 * | buyer_id guard      | BUYERID#{buyer_id}  | BUYERID                |                   |                    |                 |           |
 * | slot of a buyer     | POOL                | SLOT#{internal id}     |                   |                    |                 |           |
 * | ledger              | POOL                | LEDGER                 |                   |                    |                 |           |
 * | sum of weights      | POOL                | WEIGHTS                |                   |                    |                 |           |
 * | verification switch | POOL                | VERIFICATION           |                   |                    |                 |           |
 * | order               | ORDERS#{id mod 16}  | {id, padded}           |                   |                    |                 |           |
 * | order comments      | ORDERS#{id mod 16}  | {id, padded}#COMMENTS  |                   |                    |                 |           |
 * | order of a buyer    | BUYER#{internal id} | ORDER#{number, padded} |                   |                    |                 |           |
 * | token               | TOKEN#{token}       | TOKEN                  |                   |                    |                 |           |
 * | lead, in flight     | LEAD#{id}           | LEAD                   | INFLIGHT          | {since}#{id}       |                 |           |
 * | lead, pending       | LEAD#{id}           | LEAD                   | PENDING           | {received}#{id}    |                 |           |
 * | lead, assigned      | LEAD#{id}           | LEAD                   | ORDER#{id}        | {sequence, padded} |                 |           |
 * | decision            | LEAD#{id}           | DECISION               |                   |                    |                 |           |
 * | delivery            | LEAD#{id}           | DELIVERY#{channel}     | DELIVERIES#{buyer}| {created}#{lead}   | DELIVERY#failed | {updated} |
 * | e-mail template     | TEMPLATES           | {id}                   |                   |                    |                 |           |
 * | push credential     | PUSHOVER            | CREDENTIAL#{id}        |                   |                    |                 |           |
 * | push text           | PUSHOVER            | TEMPLATE               |                   |                    |                 |           |
 * | replacement entry   | REPLACEMENTS#{buyer} | {at}#{kind}#{of}      |                   |                    |                 |           |
 * | circuit             | CIRCUIT#{buyer}#{channel} | CIRCUIT          |                   |                    |                 |           |
 * | notice, given once  | NOTICE#{what}       | NOTICE                 |                   |                    |                 |           |
 * | verdict, for a day  | VERDICT#{hash}      | VERDICT                |                   |                    |                 |           |
 * | audit entry         | AUDIT#{entity}#{id} | {at}#{entry id}        | AUDIT             | {at}#{entry id}    | AUDIT#{entity}  | as gsi1sk |
 *
 * Access patterns: the pool (slots, ledger, switches) is one query on POOL; all buyers one query on BUYERS; all orders
 * sixteen parallel queries; a buyer's orders its pointers, then one batch get; an order's leads, the pending leads and
 * the leads in flight one query on gsi1 each; a lead with its decision and deliveries one query on its partition. A
 * delivery that waits for its next try stands on gsi2 under DELIVERY#retrying, sorted by when that is due.
 *
 * A change to a counter of an order touches no index, which is what keeps a lead within its write budget.
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

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const pad = (value: number, digits = 12) => String(value).padStart(digits, '0');

export const ORDER_SHARDS = 16;

export const keys = {
  admins: () => 'ADMINS',
  admin: (username: string): Key => ({ pk: 'ADMINS', sk: username }),
  session: (id: string): Key => ({ pk: `SESSION#${id}`, sk: 'SESSION' }),
  throttle: (of: string): Key => ({ pk: `THROTTLE#${of}`, sk: 'THROTTLE' }),
  counter: (name: 'buyer' | 'order' | 'claim'): Key => ({ pk: 'COUNTERS', sk: name }),

  buyers: () => 'BUYERS',
  buyer: (buyer: number): Key => ({ pk: 'BUYERS', sk: pad(buyer) }),
  buyerId: (buyerId: string): Key => ({ pk: `BUYERID#${buyerId}`, sk: 'BUYERID' }),

  pool: () => 'POOL',
  slot: (buyer: number): Key => ({ pk: 'POOL', sk: `SLOT#${pad(buyer)}` }),
  ledger: (): Key => ({ pk: 'POOL', sk: 'LEDGER' }),
  weights: (): Key => ({ pk: 'POOL', sk: 'WEIGHTS' }),
  verificationSwitches: (): Key => ({ pk: 'POOL', sk: 'VERIFICATION' }),

  orderShard: (shard: number) => `ORDERS#${shard}`,
  order: (order: number): Key => ({ pk: `ORDERS#${order % ORDER_SHARDS}`, sk: pad(order) }),
  orderComments: (order: number): Key => ({
    pk: `ORDERS#${order % ORDER_SHARDS}`,
    sk: `${pad(order)}#COMMENTS`,
  }),
  buyerOrders: (buyer: number) => `BUYER#${buyer}`,
  buyerOrder: (buyer: number, number: number): Key => ({ pk: `BUYER#${buyer}`, sk: `ORDER#${pad(number)}` }),
  token: (token: string): Key => ({ pk: `TOKEN#${token}`, sk: 'TOKEN' }),

  leadPartition: (lead: string) => `LEAD#${lead}`,
  lead: (lead: string): Key => ({ pk: `LEAD#${lead}`, sk: 'LEAD' }),
  decision: (lead: string): Key => ({ pk: `LEAD#${lead}`, sk: 'DECISION' }),
  delivery: (lead: string, channel: string): Key => ({ pk: `LEAD#${lead}`, sk: `DELIVERY#${channel}` }),

  templates: () => 'TEMPLATES',
  template: (id: string): Key => ({ pk: 'TEMPLATES', sk: id }),
  pushover: () => 'PUSHOVER',
  pushoverCredential: (id: string): Key => ({ pk: 'PUSHOVER', sk: `CREDENTIAL#${id}` }),
  pushoverTemplate: (): Key => ({ pk: 'PUSHOVER', sk: 'TEMPLATE' }),

  circuit: (buyer: number, channel: string): Key => ({ pk: `CIRCUIT#${buyer}#${channel}`, sk: 'CIRCUIT' }),
  notice: (what: string): Key => ({ pk: `NOTICE#${what}`, sk: 'NOTICE' }),
  verdict: (hash: string): Key => ({ pk: `VERDICT#${hash}`, sk: 'VERDICT' }),

  replacements: (buyer: number) => `REPLACEMENTS#${buyer}`,
  replacement: (buyer: number, at: string, kind: string, thing: string): Key => ({
    pk: `REPLACEMENTS#${buyer}`,
    sk: `${at}#${kind}#${thing}`,
  }),

  audited: (entity: string, id: string) => `AUDIT#${entity}#${id}`,
  auditEntry: (entity: string, id: string, at: string, entryId: string): Key => ({
    pk: `AUDIT#${entity}#${id}`,
    sk: `${at}#${entryId}`,
  }),
} as const;

/** The places in the indexes. */
export const indexed = {
  inFlight: () => 'INFLIGHT',
  pending: () => 'PENDING',
  orderLeads: (order: number) => `ORDER#${order}`,
  sequence: (sequence: number) => pad(sequence),
  at: (instant: string, id: string) => `${instant}#${id}`,
  buyerDeliveries: (buyer: number) => `DELIVERIES#${buyer}`,
  failedDeliveries: () => 'DELIVERY#failed',
  retryingDeliveries: () => 'DELIVERY#retrying',
  audit: () => 'AUDIT',
  auditOf: (entity: string) => `AUDIT#${entity}`,
} as const;
