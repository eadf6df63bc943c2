/**
 * `npm run bench-claims`: how the claims list behaves at size.
 *
 * The claims are made by the product's own code, folded to the items they end as and imported into the embedded table.
 * Every filter, search and sort is asked for on the first, a middle and the last page; printed are the times, the read
 * units and the round trips.
 */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Buyer } from '#functions/data/buyers/buyer';
import * as claimStore from '#functions/data/claims/claim-store';
import type { Order } from '#functions/data/orders/order';
import { tableInput } from '#functions/data/table/create-table';
import { indexed, keys } from '#functions/data/table/keys';
import { type Item, Table, type TransactionItem } from '#functions/data/table/table';
import { newBuyer } from '#functions/domain/buyers/new-buyer';
import { type ClaimQuery, listClaims, pendingClaims } from '#functions/domain/claims/claim-list';
import { engineBinary, startEngine } from '#local/engine';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { type Advance, withProgress } from '#scripts/progress';
import { reasonLabel } from '#shared/rules/claim-windows';
import { CLAIM_REASONS, CLAIM_SORTS } from '#shared/rules/constants';
import { median } from '#test/bench/stage';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';
import { seeded } from '#test/harness/random';

const BUDGET_MS = 300;
const BUYERS = 50;
const ORDERS = 1000;
const REPEATS = 5;

/** Half of the claims are of one buyer, and a twelfth of one order, so that long lists are long. */
const FIRST_NAMES =
  'Andreas, Sabine, Thomas, Petra, Jürgen, Monika, Karl-Heinz, Ursula, Stefan, Renate, Zoë'.split(', ');
const LAST_NAMES = (
  'Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch, Bauer, ' +
  'Richter, Klein, Wolf, Schröder, Neumann, Schwarz, Zimmermann, von der Leyen, Xaver'
).split(', ');
const DOMAINS = ['gmx.de', 'web.de', 't-online.de', 'gmail.com', 'example.org'];

/** Applies writes to items in memory: puts, and updates that only add to and take from sets and numbers. */
class Fold {
  readonly #items = new Map<string, Item>();

  apply(writes: readonly TransactionItem[]): void {
    for (const write of writes) {
      if ('put' in write) this.#items.set(`${write.put.pk}\n${write.put.sk}`, write.put);
      else if ('update' in write) this.#update(write.key, write.update, write.values ?? {});
      else throw new TypeError('Only puts and updates can be folded');
    }
  }

  /** All items but those that keep changing, which stay. */
  *take(stays: (item: Item) => boolean): Generator<Item> {
    for (const [id, item] of this.#items) {
      if (stays(item)) continue;
      this.#items.delete(id);
      yield item;
    }
  }

  #update(key: { pk: string; sk: string }, update: string, values: Readonly<Record<string, unknown>>): void {
    const id = `${key.pk}\n${key.sk}`;
    const item = this.#items.get(id) ?? { ...key };
    this.#items.set(id, item);
    const verb = update.slice(0, update.indexOf(' '));
    for (const part of update.slice(verb.length + 1).split(', ')) {
      const [name = '', value = ''] = part.split(verb === 'SET' ? ' = ' : ' ');
      const change = values[value];
      const before = item[name];
      if (verb === 'SET') item[name] = change;
      else if (typeof change === 'number') item[name] = Number(before ?? 0) + change;
      else if (change instanceof Set) item[name] = changedSet(before, change, verb);
      else throw new TypeError(`Cannot fold ${update}`);
      // As in DynamoDB, an empty set is removed.
      if (item[name] instanceof Set && item[name].size === 0) delete item[name];
    }
  }
}

/** The fold owns its sets, so they are changed and not copied: some have a thousand members. */
function changedSet(before: unknown, change: ReadonlySet<unknown>, verb: string): Set<unknown> {
  if (!(before instanceof Set)) return new Set(change);
  for (const member of change) {
    if (verb === 'ADD') before.add(member);
    else before.delete(member);
  }
  return before;
}

function* seed(count: number): Generator<Item> {
  const random = seeded(42);
  const fold = new Fold();
  const orders: Order[] = [];
  for (let id = 1; id <= ORDERS; id += 1) {
    const buyer = id % 2 === 0 ? 1 : 1 + (id % BUYERS);
    orders.push(
      anOrder({
        order_id: id,
        buyer,
        buyer_order_number: id,
        lead_limit: 500,
        leads_received: 250,
        last_sequence: 500,
        token: `token-${id}`,
        price_per_lead: 4500,
        created_at: new Date(Date.UTC(2024, 0, 1) + id * 3_600_000).toISOString(),
        total_claims: 100,
        pending_claims: 2,
        approved_claims: 60,
        rejected_claims: 38,
      }),
    );
  }
  for (let id = 1; id <= BUYERS; id += 1) {
    const buyer = buyerNumber(id);
    yield { ...keys.buyer(id), ...buyer };
    yield { ...keys.buyerId(buyer.buyer_id), buyer: id };
  }
  for (const order of orders) yield { ...keys.order(order.order_id), ...order };

  const [, second] = orders;
  if (second === undefined) throw new RangeError('There are fewer than two orders');
  for (let id = 1; id <= count; id += 1) {
    const order = random.below(12) === 0 ? second : random.pick(orders);
    const at = new Date(Date.UTC(2024, 0, 1) + id * 300_000).toISOString();
    const vorname = random.pick(FIRST_NAMES);
    const nachname = random.pick(LAST_NAMES);
    const lead = aLead({
      lead_id: `01J${String(id).padStart(23, '0')}`,
      vorname,
      nachname,
      email: `${vorname}.${nachname}${random.below(10_000)}@${random.pick(DOMAINS)}`
        .toLowerCase()
        .replaceAll(/[^a-z0-9.@-]/g, ''),
      telefon: `+491${5 + random.below(3)}${String(random.below(1_000_000_000)).padStart(9, '0')}`,
      anlagebetrag: (1 + random.below(50)) * 500_000,
      received_at: at,
      buyer: order.buyer,
      order_id: order.order_id,
      sequence: id,
      assigned_at: at,
      claim_id: id,
    });
    const code = random.pick(CLAIM_REASONS);
    const filed = claimStore.filed(
      {
        claim_id: id,
        created_at: at,
        claim_reason: code === 'other' ? `Kein Interesse, Nummer ${random.below(50)}` : reasonLabel(code),
        claim_reason_code: code,
        lead_id: lead.lead_id,
        buyer: order.buyer,
        order_id: order.order_id,
        sequence: id,
      },
      lead,
    );
    const dice = random.below(100);
    // The newest are pending, and a few old ones were forgotten.
    const pending = id > count - 300 || (dice === 99 && id % 7 === 0);
    const status = pending ? ('pending' as const) : dice < 60 ? ('approved' as const) : ('rejected' as const);
    fold.apply(filed.items);
    if (status !== 'pending') fold.apply(claimStore.decided(filed.claim, { status, notes: null, at }).items);
    yield {
      ...keys.lead(lead.lead_id),
      ...lead,
      claim_status: status,
      gsi1pk: indexed.orderLeads(order.order_id),
      gsi1sk: indexed.sequence(id),
    };
    if (id % 1000 === 999) yield* fold.take((item) => String(item.pk).startsWith('CLAIMCOUNTS'));
  }
  yield* fold.take(() => false);
}

function buyerNumber(id: number): Buyer {
  return {
    ...newBuyer(id, `buyer-${id}`, '2024-01-01T00:00:00.000Z'),
    buyer_email: `${String.fromCharCode(97 + ((id * 7) % 26))}${id}@example.org`,
    probability: 200,
    price_per_lead: 4500,
    trackbox_ci: null,
    active: true,
    order_count: 20,
  };
}

/** Writes the seed as a DynamoDB export and imports it: writing item by item would take an hour. */
async function importSeed(folder: string, count: number, advance: Advance): Promise<string> {
  const name = 'bench';
  const data = join(folder, 'export', name, 'data');
  mkdirSync(data, { recursive: true });
  const schema = join(folder, 'schema.json');
  const { BillingMode: _, ...input } = tableInput(name);
  writeFileSync(schema, JSON.stringify({ Table: { ...input, TableStatus: 'ACTIVE' } }));
  const gzip = createGzip({ level: 1 });
  const written = new Promise<void>((resolve) =>
    gzip.pipe(createWriteStream(join(data, 'items.json.gz'))).on('close', () => resolve()),
  );
  let items = 0;
  for (const item of seed(count)) {
    items += 1;
    // Every claim is of a lead of its own.
    if (item.sk === keys.lead('').sk) advance();
    if (!gzip.write(`${JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) })}\n`))
      await new Promise<void>((resolve) => gzip.once('drain', () => resolve()));
  }
  gzip.end();
  await written;
  const file = join(folder, 'table.db');
  const done = spawnSync(
    engineBinary(),
    ['import', '--source', join(folder, 'export'), '--schema', schema, '--output', file],
    { encoding: 'utf8' },
  );
  if (done.status !== 0) throw new Error(`The import failed: ${done.stdout}${done.stderr}`);
  console.log(`${count} claims, ${items} items imported`);
  return file;
}

interface Measured {
  readonly name: string;
  readonly ms: number;
  readonly worst: number;
  /** Milliseconds of this process's own work, which other work on the machine does not prolong. */
  readonly cpu: number;
  readonly read: number;
  readonly trips: number;
  readonly total: number;
  readonly rows: number;
}

async function bench(count: number, kept: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-claims-'));
  try {
    const made = kept === undefined || !existsSync(kept);
    const file = made
      ? await withProgress('claims', count, (advance) => importSeed(folder, count, advance))
      : kept;
    if (made && kept !== undefined) copyFileSync(file, kept);
    const measured = await withProgress('lists', undefined, (advance) => measureLists(file, count, advance));
    console.log('median ms  worst  own cpu  read units  trips    total  rows  list');
    for (const { name, ms, worst, cpu, read, trips, total, rows } of measured)
      console.log(
        `${ms.toFixed(0).padStart(9)}  ${worst.toFixed(0).padStart(5)}  ${cpu.toFixed(0).padStart(7)}  ${read.toFixed(1).padStart(10)}  ${String(trips).padStart(5)}  ${String(total).padStart(7)}  ${String(rows).padStart(4)}  ${name}`,
      );
    const slow = measured.filter(({ ms }) => ms > BUDGET_MS);
    console.log(
      slow.length === 0 ? `All within ${BUDGET_MS} ms.` : `${slow.length} took longer than ${BUDGET_MS} ms.`,
    );
    if (slow.length > 0) fail();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param count of the claims in the table */
async function measureLists(file: string, count: number, advance: Advance): Promise<Measured[]> {
  const engine = await startEngine({ file });
  try {
    let read = 0;
    let trips = 0;
    const table = new Table({
      name: 'bench',
      endpoint: engine.endpoint,
      meter: (request) => {
        read += request.read;
        trips += 1;
      },
    });
    const deps = { table };
    const measured: Measured[] = [];
    const measure = async (name: string, query: () => Promise<{ total: number; rows: number }>) => {
      const times: number[] = [];
      let cpu = 0;
      let answer = { total: 0, rows: 0 };
      for (let at = 0; at < REPEATS; at += 1) {
        read = 0;
        trips = 0;
        const start = performance.now();
        const used = process.cpuUsage();
        answer = await query();
        times.push(performance.now() - start);
        const { user, system } = process.cpuUsage(used);
        cpu = (user + system) / 1000;
      }
      measured.push({
        name,
        ms: median(times),
        worst: Math.max(...times),
        cpu,
        read,
        trips,
        ...answer,
      });
      advance();
    };
    const list = (name: string, query: Partial<ClaimQuery>) =>
      measure(name, async () => {
        const page = await listClaims(deps, {
          page: 1,
          limit: 20,
          sortBy: 'created_at',
          descending: true,
          ...query,
        });
        return { total: page.total, rows: page.claims.length };
      });
    await list('(warming up)', {});
    measured.length = 0;

    for (const limit of [20, 100])
      for (const page of [1, Math.floor(count / limit / 2), Math.ceil(count / limit)])
        await list(`all, ${limit} per page, page ${page}`, { limit, page });
    await list('all, oldest first', { descending: false });
    for (const sortBy of CLAIM_SORTS) await list(`all, by ${sortBy}`, { sortBy });
    for (const statuses of [['pending'], ['approved'], ['rejected'], ['pending', 'approved']] as const) {
      await list(statuses.join(','), { statuses });
      await list(`${statuses.join(',')}, page 100`, { statuses, page: 100 });
    }
    await list('of the largest buyer', { buyerId: 'buyer-1' });
    await list('of the largest buyer, page 1000', { buyerId: 'buyer-1', page: 1000 });
    await list('of a small buyer, 100 per page', { buyerId: 'buyer-4', limit: 100 });
    await list('of the largest order', { orderId: 2 });
    for (const sortBy of CLAIM_SORTS)
      await list(`of the largest order, by ${sortBy}`, { orderId: 2, sortBy });
    await list('of a small order and its buyer, rejected', {
      orderId: 7,
      buyerId: 'buyer-8',
      statuses: ['rejected'],
    });
    const searches =
      'm, mü, müller, schmidt sabine, gmx.de, andreas., 0151, 4567, 0049 151 23, 0151 2345678, 15, 1, 99, 99999, 2-';
    for (const search of [...searches.split(', '), `01J${String(77).padStart(23, '0')}`, 'gibtesnicht'])
      await list(`search ${search}`, { search });
    await list('search m, approved, by nachname', {
      search: 'm',
      statuses: ['approved'],
      sortBy: 'nachname',
    });
    await list('search müller, by buyer_email', { search: 'müller', sortBy: 'buyer_email' });
    await list('search m, of the largest buyer, last name', {
      search: 'm',
      buyerId: 'buyer-1',
      sortBy: 'nachname',
    });
    await measure('pending without pages', async () => {
      const rows = (await pendingClaims(deps)).length;
      return { total: rows, rows };
    });

    return measured;
  } finally {
    await engine.stop();
  }
}

await run(
  command(
    'bench-claims',
    `Measures the claims list by every filter, search and sort. Ends with 1 when one takes longer than ${BUDGET_MS} ms.`,
  )
    .argument('[count]', 'claims', atLeastOne, 100_000)
    .argument('[file]', 'keeps the table; used again where it is there')
    .action(bench),
);
