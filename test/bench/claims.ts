/**
 * `npm run bench-claims`: how the claims list performs with many claims.
 *
 * The product's own code creates the claims; only their final items are written into the embedded table.
 * Requests the first, a middle and the last page of every filter, search and sort, and prints times, read
 * units and round trips.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as claimStore from '#functions/data/claims/claim-store';
import { leadSchema } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import { type Item, Table, type TransactionItem } from '#functions/data/table/table';
import { type ClaimQuery, listClaims, pendingClaims } from '#functions/domain/claims/claim-list';
import { startEngine } from '#local/engine';
import { TABLE_NAME } from '#local/running';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { type Advance, withProgress } from '#scripts/progress';
import { seedItems } from '#scripts/seed-data';
import { seedTable } from '#scripts/seed-table';
import { reasonLabel } from '#shared/rules/claim-windows';
import { CLAIM_REASONS, CLAIM_SORTS } from '#shared/rules/constants';
import { median } from '#test/bench/stage';
import { seeded } from '#test/harness/random';

const BUDGET_MS = 300;
/** Few buyers, so that their lists are long. */
const SIZE = { buyers: 4, orders: 40 };
const REPEATS = 5;

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

  /** All items except frequently changed ones, which stay in memory. */
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

/** The fold owns its sets, so it changes them instead of copying: some have a thousand members. */
function changedSet(before: unknown, change: ReadonlySet<unknown>, verb: string): Set<unknown> {
  if (!(before instanceof Set)) return new Set(change);
  for (const member of change) {
    if (verb === 'ADD') before.add(member);
    else before.delete(member);
  }
  return before;
}

/** A seeded table in which every lead is claimed. */
function* seed(count: number): Generator<Item> {
  const random = seeded(42);
  const fold = new Fold();
  let id = 0;
  for (const item of seedItems({ ...SIZE, leads: count }, new Date())) {
    if (item.sk !== keys.lead('').sk) {
      yield item;
      continue;
    }
    id += 1;
    const lead = leadSchema.parse(item);
    const { lead_id, buyer = 0, order_id = 0, sequence = 0, assigned_at: at = '' } = lead;
    const code = random.pick(CLAIM_REASONS);
    const filed = claimStore.filed(
      {
        claim_id: id,
        created_at: at,
        claim_reason: code === 'other' ? `Kein Interesse, Nummer ${random.below(50)}` : reasonLabel(code),
        claim_reason_code: code,
        lead_id,
        buyer,
        order_id,
        sequence,
      },
      lead,
    );
    const dice = random.below(100);
    // The newest claims and a few old ones are pending.
    const pending = id > count - 300 || (dice === 99 && id % 7 === 0);
    const status = pending ? ('pending' as const) : dice < 60 ? ('approved' as const) : ('rejected' as const);
    fold.apply(filed.items);
    if (status !== 'pending') fold.apply(claimStore.decided(filed.claim, { status, notes: null, at }).items);
    yield { ...item, claim_id: id, claim_status: status };
    if (id % 1000 === 999) yield* fold.take((folded) => String(folded.pk).startsWith('CLAIMCOUNTS'));
  }
  yield* fold.take(() => false);
}

interface Measured {
  readonly name: string;
  readonly ms: number;
  readonly worst: number;
  /** Milliseconds of this process's own CPU time, which other work on the machine does not extend. */
  readonly cpu: number;
  readonly read: number;
  readonly trips: number;
  readonly total: number;
  readonly rows: number;
}

async function bench(count: number, kept: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-claims-'));
  try {
    const file = kept ?? join(folder, 'table.db');
    if (!existsSync(file))
      await withProgress('claims', count, (advance) => seedTable(file, seed(count), advance));
    const measured = await withProgress('lists', undefined, (advance) => measureLists(file, count, advance));
    console.table(measured);
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
      name: TABLE_NAME,
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
        ms: Math.round(median(times)),
        worst: Math.round(Math.max(...times)),
        cpu: Math.round(cpu),
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
    await list('of a buyer', { buyerId: 'buyer-0001' });
    await list('of a buyer, page 1000', { buyerId: 'buyer-0001', page: 1000 });
    await list('of a buyer, 100 per page', { buyerId: 'buyer-0001', limit: 100 });
    for (const sortBy of CLAIM_SORTS) await list(`of an order, by ${sortBy}`, { orderId: 2, sortBy });
    await list('of an order and its buyer, rejected', {
      orderId: 2,
      buyerId: 'buyer-0002',
      statuses: ['rejected'],
    });
    const searches =
      'm, mü, müller, schmidt anna, example.org, person7, 0170, 4567, 0049 170 10, 0170 1012345, 17, 1, 99, 99999, 2-, gibtesnicht';
    for (const search of searches.split(', ')) await list(`search ${search}`, { search });
    await list('search m, approved, by nachname', {
      search: 'm',
      statuses: ['approved'],
      sortBy: 'nachname',
    });
    await list('search müller, by buyer_email', { search: 'müller', sortBy: 'buyer_email' });
    await list('search m, of a buyer, last name', {
      search: 'm',
      buyerId: 'buyer-0001',
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
    .argument('[file]', 'file of the table, reused if it exists')
    .action(bench),
);
