/** The ledger, the pool entries and the batcher that settles choices, on the in-memory table. */

import { describe, expect, it } from 'vitest';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import { EMPTY_LEDGER, type Ledger } from '#functions/data/distribution/ledger';
import { createLedgerWriter, MAX_CHANGES_PER_WRITE } from '#functions/data/distribution/ledger-writer';
import * as poolStore from '#functions/data/distribution/pool-store';
import { NO_CAPACITY } from '#functions/data/orders/order';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { LedgerBatcher } from '#functions/domain/distribution/ledger-batcher';
import { LEAD } from '#functions/domain/distribution/share-rule';
import { systemRuntime } from '#functions/platform/runtime';
import { addBuyers } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const changes = (...pairs: readonly (readonly [number, number])[]) => new Map(pairs);
const TEN = changes([1, 10], [2, -10]);

/** The same table, but the SDK sends every update twice because the first answer is lost. */
function repeating(table: Table): Table {
  const update: Table['update'] = async (one) => {
    await table.update(one);
    return table.update(one);
  };
  return Object.assign(Object.create(table), { update });
}

function aLedger() {
  const table = memoryTable();
  return { table, writer: createLedgerWriter(table) };
}

describe('the ledger', () => {
  it('accepts changes to the version that was read, and rejects them after a concurrent change', async () => {
    const { table, writer } = aLedger();
    const first = await writer.settle(EMPTY_LEDGER, TEN);
    expect(first).toMatchObject({ settled: true, ledger: { version: 1, deficits: { 1: 10, 2: -10 } } });
    const second = await writer.settle(first.ledger, changes([2, 4], [3, -4]));
    expect(second.ledger).toMatchObject({ version: 2, deficits: { 1: 10, 2: -6, 3: -4 } });
    const stale = await createLedgerWriter(table).settle(first.ledger, TEN);
    expect(stale).toEqual({ settled: false, ledger: second.ledger });
    expect((await poolStore.read({ table })).ledger).toEqual(second.ledger);
  });

  it('counts a write once if the SDK repeats it', async () => {
    const table = memoryTable();
    const writer = createLedgerWriter(repeating(table));
    const first = await writer.settle(EMPTY_LEDGER, TEN);
    expect(first).toMatchObject({ settled: true, ledger: { version: 1 } });
    expect(await writer.settle(first.ledger, TEN)).toMatchObject({ settled: true, ledger: { version: 2 } });
    expect(await writer.settleBlindly(TEN)).toMatchObject({ version: 3, deficits: { 1: 30, 2: -30 } });
    expect(await writer.settle(first.ledger, TEN)).toMatchObject({ settled: false, ledger: { version: 3 } });
  });

  it('does not claim a write with an unknown outcome as its own', async () => {
    const { table, writer } = aLedger();
    const update = table.update.bind(table);
    Object.assign(table, {
      update: async (one: Parameters<typeof update>[0]) => {
        await update(one);
        throw new Error('no answer');
      },
    });
    await expect(writer.settle(EMPTY_LEDGER, TEN)).rejects.toThrow('no answer');
    Object.assign(table, { update });
    expect(await writer.settle(EMPTY_LEDGER, TEN)).toMatchObject({ settled: false, ledger: { version: 1 } });
  });

  it('keeps its last forty-eight writers', async () => {
    const table = memoryTable();
    let ledger: Ledger = EMPTY_LEDGER;
    for (let writer = 0; writer < 50; writer += 1)
      ({ ledger } = await createLedgerWriter(table).settle(ledger, TEN));
    expect(Object.values(ledger.writers).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 48 }, (_, at) => at + 3),
    );
    // When one of them writes again, no other is dropped.
    const writer = createLedgerWriter(table);
    for (let time = 0; time < 3; time += 1) ({ ledger } = await writer.settle(ledger, TEN));
    expect(Object.values(ledger.writers).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 47 }, (_, at) => at + 4),
      53,
    ]);
    expect(new Set(Object.keys(ledger.writers).map((name) => name.length))).toEqual(new Set([5]));
  });

  it('accepts blind changes to any version, split into several writes, but never creates a ledger', async () => {
    const { table, writer } = aLedger();
    expect(await writer.settleBlindly(TEN)).toEqual(EMPTY_LEDGER);
    expect((await poolStore.read({ table })).ledger).toEqual(EMPTY_LEDGER);
    await writer.settle(EMPTY_LEDGER, TEN);
    const many = Array.from({ length: MAX_CHANGES_PER_WRITE + 1 }, (_, at) => [at + 1, 1] as const);
    const ledger = await createLedgerWriter(table).settleBlindly(changes(...many));
    expect(ledger.version).toBe(3);
    expect(ledger.deficits).toEqual({
      ...Object.fromEntries(many),
      1: 11,
      2: -9,
    });
  });

  it.each<[string, Record<string, unknown>, Partial<Ledger>]>([
    ['no readable attribute', { version: 'x', deficits: 7, writers: null }, {}],
    ['no version', { deficits: { 1: 5 } }, { deficits: { 1: 5 } }],
    ['a version of another kind', { version: 'seven', deficits: {}, writers: {} }, {}],
    ['tags of writes instead of writers', { version: 7, deficits: {}, recent: ['x.1.1'] }, { version: 7 }],
    ['fractions', { version: 7, deficits: { 1: 0.5, 2: -0.5 }, writers: {} }, { version: 7 }],
    ['a list of deficits', { version: 7, deficits: [1, 2], writers: {} }, { version: 7 }],
  ])('with %s ignores the invalid part, and the next write repairs it', async (_, item, read) => {
    const table = memoryTable();
    await table.put({ put: { ...keys.ledger(), ...item } });
    const { ledger } = await poolStore.read({ table });
    expect(ledger).toEqual({ ...EMPTY_LEDGER, ...read });
    const written = await createLedgerWriter(table).settle(ledger, TEN);
    expect(written).toMatchObject({ settled: true, ledger: { version: ledger.version + 1 } });
    expect((await poolStore.read({ table })).ledger).toEqual(written.ledger);
    expect(written.ledger.deficits[2]).toBe(-10);
  });

  it('can be changed within a transaction, exactly or blindly', async () => {
    const { table, writer } = aLedger();
    const { ledger } = await writer.settle(EMPTY_LEDGER, TEN);
    expect((await table.transact([poolStore.ledgerChanged(EMPTY_LEDGER, TEN, false)])).ok).toBe(false);
    expect((await table.transact([poolStore.ledgerChanged(ledger, TEN, false)])).ok).toBe(true);
    expect((await table.transact([poolStore.ledgerChanged(EMPTY_LEDGER, TEN, true)])).ok).toBe(true);
    const now = (await poolStore.read({ table })).ledger;
    expect(now).toMatchObject({ version: 3, deficits: { 1: 30, 2: -30 } });
    expect(now.writers).toEqual(ledger.writers);
  });

  it('removes a deleted buyer with a new version', async () => {
    const { table, writer } = aLedger();
    await writer.settle(EMPTY_LEDGER, TEN);
    await poolStore.forgetDeficit({ table }, 2);
    await poolStore.forgetDeficit({ table }, 3);
    expect((await poolStore.read({ table })).ledger).toMatchObject({ version: 2, deficits: { 1: 10 } });
    expect(Object.keys((await poolStore.read({ table })).ledger.deficits)).toEqual(['1']);
  });
});

describe('a pool entry', () => {
  async function aPool() {
    const table = memoryTable();
    await addBuyers(table, [
      { id: 'anna', probability: 60, limit: 5 },
      { id: 'ben', probability: 30 },
    ]);
    return { table, entry: async (buyer = 1) => (await poolStore.entry({ table }, buyer))! };
  }

  it('is not updated for another order or from an outdated version', async () => {
    const { table, entry } = await aPool();
    const seen = await entry();
    await poolStore.noteCapacity({ table }, { ...seen, order_id: 9 }, NO_CAPACITY);
    await poolStore.noteCapacity({ table }, { ...seen, version: seen.version + 1 }, NO_CAPACITY);
    expect(await entry()).toEqual(seen);
  });

  it('of a deleted buyer stays in the pool until it is removed unchanged', async () => {
    const { table, entry } = await aPool();
    const seen = await entry();
    await table.transact([poolStore.entryRetired(seen, '2026-05-04T12:00:00.000Z')]);
    expect(await poolStore.entry({ table }, 1)).toBeUndefined();
    expect((await poolStore.listed({ table })).map(({ buyer }) => buyer)).toEqual([2]);
    const { entries, retired } = await poolStore.read({ table });
    expect(entries.map(({ buyer }) => buyer)).toEqual([2]);
    expect(retired).toMatchObject([{ buyer: 1, active: false, has_capacity: false }]);
    await poolStore.remove({ table }, seen);
    expect((await poolStore.read({ table })).retired).toHaveLength(1);
    await poolStore.remove({ table }, retired[0]!);
    expect((await poolStore.read({ table })).retired).toEqual([]);
    expect((await table.transact([poolStore.entryChanged(seen, seen)])).ok).toBe(false);
  });

  it('has the weight in effect in every read until the items are updated', async () => {
    const { table, entry } = await aPool();
    const { weightsVersion, unwritten } = await poolStore.read({ table });
    expect(unwritten).toBeUndefined();
    const set = async (version: number, weights?: ReadonlyMap<number, number>) =>
      (await table.transact([poolStore.weightsChanged(version, weights && { weights, by: 'ada' })])).ok;
    expect(await set(weightsVersion, changes([1, 2000]))).toBe(true);
    expect(await set(weightsVersion, changes([1, 7000]))).toBe(false);
    const weights = (all: readonly Pick<PoolEntry, 'probability'>[]) =>
      all.map(({ probability }) => probability);
    const everywhere = (...both: number[]) => [both, both, both];
    const inEffect = async () => [
      weights((await poolStore.read({ table })).entries),
      weights(await poolStore.listed({ table })),
      weights([await entry(1), await entry(2)]),
    ];
    expect(await inEffect()).toEqual(everywhere(2000, 3000));
    expect((await poolStore.read({ table })).unwritten).toEqual({ weights: changes([1, 2000]), by: 'ada' });
    // A concurrent check of the sum keeps them.
    expect(await set(weightsVersion + 1)).toBe(true);
    expect(await inEffect()).toEqual(everywhere(2000, 3000));
    expect(await set(weightsVersion + 2, new Map())).toBe(true);
    expect(await inEffect()).toEqual(everywhere(6000, 3000));
    expect(await poolStore.readForWeights({ table })).toMatchObject({
      weightsVersion: weightsVersion + 3,
      unwritten: undefined,
    });
  });
});

describe('the choices of one process', () => {
  type Settled = { settled: boolean; ledger: Ledger };
  const candidates = [
    { buyer: 1, weight: 6000 },
    { buyer: 2, weight: 4000 },
  ];
  /** A batcher whose writes end singly, controlled by the test. */
  function aBatcher() {
    const writes: {
      expected: Ledger;
      changes: ReadonlyMap<number, number>;
      end: (how: Settled | Error) => void;
    }[] = [];
    const blind: ReadonlyMap<number, number>[] = [];
    const slept: number[] = [];
    const writer = {
      settle: (seen: Ledger, all: ReadonlyMap<number, number>) =>
        new Promise<Settled>((resolve, reject) => {
          const end = (how: Settled | Error) => (how instanceof Error ? reject(how) : resolve(how));
          writes.push({ expected: seen, changes: all, end });
        }),
      settleBlindly: async (all: ReadonlyMap<number, number>) => {
        blind.push(all);
        return { ...EMPTY_LEDGER, version: 99, deficits: { 1: -3 * LEAD } };
      },
    };
    const runtime = {
      now: () => new Date('2026-11-20T10:00:00.000Z'),
      random: () => 0.5,
      sleep: async (milliseconds: number) => void slept.push(milliseconds),
    };
    const batcher = new LedgerBatcher(
      { table: memoryTable(), runtime: { ...systemRuntime, ...runtime } },
      writer,
    );
    const attempt = (lead_id: string) => ({ lead_id, distribution_attempt: 1 });
    const choose = (lead: string, ledger = EMPTY_LEDGER) =>
      batcher.choose({ entries: [], ledger }, attempt(lead), candidates, undefined);
    const applied = ({ expected: seen, changes: all }: (typeof writes)[number]): Settled => {
      const deficits: Record<string, number> = { ...seen.deficits };
      for (const [buyer, by] of all) deficits[buyer] = (deficits[buyer] ?? 0) + by;
      return { settled: true, ledger: { ...seen, version: seen.version + 1, deficits } };
    };
    const quiet = async () => new Promise((resolve) => setImmediate(resolve));
    return { batcher, writes, blind, slept, attempt, choose, applied, quiet };
  }

  it('are settled together by the next write if they come during a write', async () => {
    const { writes, choose, applied, quiet } = aBatcher();
    const first = choose('a');
    const rest = [choose('b'), choose('c')];
    await quiet();
    expect(writes).toHaveLength(1);
    writes[0]!.end(applied(writes[0]!));
    expect(await first).toMatchObject({
      winner: 1,
      mode: 'weights',
      before: new Map([
        [1, 0],
        [2, 0],
      ]),
    });
    await quiet();
    expect(writes).toHaveLength(2);
    expect(writes[1]!.expected).toEqual(applied(writes[0]!).ledger);
    writes[1]!.end(applied(writes[1]!));
    expect((await Promise.all(rest)).map(({ winner }) => winner)).toEqual([2, 1]);
    // Three leads at 60:40 are two and one; credits and debits cancel out.
    expect([...writes[1]!.changes.values()].reduce((sum, by) => sum + by, 0)).toBe(0);
  });

  it('are repeated on the newer ledger after a conflict, together with newer ones, then drawn', async () => {
    const { batcher, writes, blind, slept, choose, quiet } = aBatcher();
    const first = choose('a');
    const second = choose('b');
    await quiet();
    const newer = { ...EMPTY_LEDGER, version: 7, deficits: { 1: -LEAD, 2: LEAD } };
    writes[0]!.end({ settled: false, ledger: newer });
    await quiet();
    expect(slept).toEqual([6]);
    expect(writes[1]).toMatchObject({ expected: newer });
    expect(writes).toHaveLength(2);
    writes[1]!.end({ settled: false, ledger: { ...newer, version: 8 } });
    expect(await Promise.all([first, second])).toMatchObject([
      { mode: 'drawn', draw: 0.5 },
      { mode: 'drawn', draw: 0.5 },
    ]);
    expect(blind).toHaveLength(1);
    expect(batcher.distance()).toBe(3);
  });

  it('fail with their write, and later choices continue', async () => {
    const { writes, choose, applied, quiet } = aBatcher();
    const first = choose('a');
    const second = choose('b');
    await quiet();
    writes[0]!.end(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
    await quiet();
    writes[1]!.end(applied(writes[1]!));
    expect(await second).toMatchObject({ winner: 1 });
  });

  it('use the newest ledger that the process has read or written', async () => {
    const { batcher, writes, choose, applied, quiet } = aBatcher();
    expect(batcher.distance()).toBe(0);
    const read = { ...EMPTY_LEDGER, version: 5, deficits: { 1: -LEAD / 2, 2: LEAD / 4 } };
    const first = choose('a', read);
    expect(batcher.distance()).toBe(0.5);
    await quiet();
    expect(writes[0]).toMatchObject({ expected: read });
    writes[0]!.end(applied(writes[0]!));
    expect(await first).toMatchObject({ winner: 2 });
    await quiet();
    void choose('b', { ...read, version: 6, deficits: {} });
    await quiet();
    expect(writes[1]!.expected).toEqual(applied(writes[0]!).ledger);
  });

  it('are withdrawn by reversing their changes, alone or with the next choice', async () => {
    const { batcher, writes, attempt, choose, applied, quiet } = aBatcher();
    const made = choose('a');
    await quiet();
    writes[0]!.end(applied(writes[0]!));
    const choice = await made;
    await quiet();
    const withdrawn = batcher.withdraw(attempt('a'), choice);
    await quiet();
    expect(writes[1]!.changes).toEqual(new Map([...choice.changes].map(([buyer, by]) => [buyer, -by])));
    writes[1]!.end(applied(writes[1]!));
    await withdrawn;
    await quiet();
    const nobody = batcher.choose({ entries: [], ledger: EMPTY_LEDGER }, attempt('a'), [], undefined);
    await quiet();
    writes[2]!.end(applied(writes[2]!));
    await expect(nobody).rejects.toThrow(RangeError);
  });
});
