/** A hanging destination delays neither new calls to it nor calls to other destinations. */
import { describe, expect, it } from 'vitest';
import { createDestinationLeases, RENEW_EVERY_MS } from '#functions/data/deliveries/destination-leases';
import { createLogger } from '#functions/platform/logger';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';
import { memoryTable } from '#test/harness/memory-table';

const HANGS = 'trackbox:hangs.example';
const OTHER = 'email:mail.example';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that `pass` advances; waits that are due then end. */
function testClock() {
  let now = 0;
  let sleeps: { readonly lasts: number; readonly until: number; readonly wake: () => void }[] = [];
  return {
    runtime: {
      now: () => new Date(now),
      random: () => 0,
      sleep: (lasts: number) =>
        new Promise<void>((wake) => sleeps.push({ lasts, until: now + lasts, wake: () => wake() })),
      log: createLogger(() => undefined),
    },
    /** How many calls wait for their turn or for a lease. */
    waits: () => sleeps.filter(({ lasts }) => lasts !== RENEW_EVERY_MS).length,
    pass: async (milliseconds: number) => {
      now += milliseconds;
      const over = sleeps.filter(({ until }) => until <= now);
      sleeps = sleeps.filter(({ until }) => until > now);
      for (const { wake } of over) wake();
      await settled();
    },
  };
}

/** A limiter with this many leases already taken. */
function limiter(leases: { taken: number; freeAfterMs?: number; writes?: number } = { taken: 0 }) {
  const clock = testClock();
  const limit = createConcurrencyLimiter(
    {
      count: 8,
      take: async (destination, number) => {
        leases.writes = (leases.writes ?? 0) + 1;
        if (leases.taken >= 8) return undefined;
        leases.taken += 1;
        return { destination, number, leasedSince: '', leasedUntil: '' };
      },
      freeFrom: async (_, now) =>
        Array.from({ length: 8 }, () => new Date(now.getTime() + (leases.freeAfterMs ?? 60_000))),
      renew: async (lease) => lease,
      release: async () => {
        leases.taken -= 1;
      },
    },
    clock.runtime,
  );
  return { limit, settled, waits: clock.waits, pass: clock.pass };
}

/** Two workers that share leases in one table, with a count of the writes. */
function twoWorkers(count: number) {
  const clock = testClock();
  const counted = memoryTable();
  const update = counted.update.bind(counted);
  let writes = 0;
  let broken = false;
  counted.update = async (...args) => {
    writes += 1;
    if (broken) throw new Error('The table does not answer');
    return update(...args);
  };
  const leases = createDestinationLeases(counted, count);
  const worker = () => createConcurrencyLimiter(leases, clock.runtime);
  return {
    ...clock,
    leases,
    one: worker(),
    other: worker(),
    writes: () => writes,
    breakTable: (is: boolean) => {
      broken = is;
    },
  };
}

const forever = () => new Promise<void>(() => undefined);
const nothing = async () => undefined;

describe('a hanging destination', () => {
  it('gets four concurrent calls, lets four wait for two seconds, and rejects all others immediately', async () => {
    const { limit, settled, waits, pass } = limiter();
    for (let call = 0; call < 4; call += 1) void limit(HANGS, forever);
    const answers: boolean[] = [];
    for (let call = 0; call < 20; call += 1) void limit(HANGS, nothing).then((begun) => answers.push(begun));
    await settled();
    expect(answers).toEqual(Array(16).fill(false));
    expect(waits()).toBe(4);

    await pass(2_000);
    expect(answers).toEqual(Array(20).fill(false));
    // The destination is known to hang, so no call waits for it.
    expect(await limit(HANGS, nothing)).toBe(false);
    expect(waits()).toBe(0);
    expect(await limit(OTHER, nothing)).toBe(true);
  });

  it('is called again after a call has ended', async () => {
    const { limit, settled, pass } = limiter();
    let end: () => void = () => undefined;
    void limit(HANGS, () => new Promise((resolve) => (end = resolve)));
    for (let call = 0; call < 3; call += 1) void limit(HANGS, forever);
    await settled();
    await pass(20_000);
    expect(await limit(HANGS, nothing)).toBe(false);
    end();
    await settled();
    expect(await limit(HANGS, nothing)).toBe(true);
  });

  it('is checked without a write while all leases are taken, and with one once a lease is free', async () => {
    const leases = { taken: 8, freeAfterMs: 60_000, writes: 0 };
    const { limit } = limiter(leases);
    for (let tries = 0; tries < 100; tries += 1) expect(await limit(HANGS, nothing)).toBe(false);
    // DynamoDB charges failed writes too. One write is enough to learn that all leases are taken.
    expect(leases.writes).toBe(1);
    leases.taken = 0;
    leases.freeAfterMs = 0;
    expect(await limit(HANGS, nothing)).toBe(true);
    // Reads cost money too, so they end when no call waits.
    leases.freeAfterMs = 60_000;
    expect(await limit(HANGS, nothing)).toBe(true);
    expect(leases.writes).toBe(3);
  });

  it('gets no waiting calls while other workers hold all leases', async () => {
    const { limit, waits } = limiter({ taken: 8 });
    expect(await limit(HANGS, nothing)).toBe(false);
    expect(waits()).toBe(0);
  });
});

describe('the lease of a call', () => {
  it('is renewed while the call runs and released when it ends', async () => {
    const { one, other, pass } = twoWorkers(1);
    let end: () => void = () => undefined;
    const begun = one(OTHER, () => new Promise((resolve) => (end = resolve)));
    for (let seconds = 0; seconds < 600; seconds += 1) {
      await pass(1_000);
      if (seconds % 10 === 0) expect(await other(OTHER, nothing)).toBe(false);
    }
    end();
    expect(await begun).toBe(true);
    expect(await other(OTHER, nothing)).toBe(true);
  });

  it.each([
    [10_000, false],
    [10_001, true],
    [3_600_000, true],
  ])('taken by a clock %i ms ahead is available: %s', async (aheadMs, free) => {
    const { one, leases, runtime } = twoWorkers(1);
    await leases.take(OTHER, 0, new Date(runtime.now().getTime() + aheadMs));
    // A worker that found the lease taken reads before the next try.
    const [freeFrom] = await leases.freeFrom(OTHER, runtime.now());
    expect(freeFrom!.getTime() <= runtime.now().getTime()).toBe(free);
    expect(await one(OTHER, nothing)).toBe(free);
  });

  it('costs two writes when the call ends before the first renewal', async () => {
    const { one, pass, writes } = twoWorkers(1);
    let end: () => void = () => undefined;
    const begun = one(OTHER, () => new Promise((resolve) => (end = resolve)));
    await settled();
    await pass(2_900);
    end();
    await begun;
    await pass(60_000);
    expect(writes()).toBe(2);
  });

  it('survives two failed renewals', async () => {
    const { one, other, pass, breakTable } = twoWorkers(1);
    void one(OTHER, forever);
    await settled();
    breakTable(true);
    for (let times = 0; times < 2; times += 1) await pass(3_000);
    breakTable(false);
    await pass(3_000);
    await pass(9_000);
    expect(await other(OTHER, nothing)).toBe(false);
  });

  it('is neither retaken nor released after it was lost, and the call continues', async () => {
    const { one, other, leases, pass, breakTable, runtime } = twoWorkers(1);
    let end: () => void = () => undefined;
    const begun = one(OTHER, () => new Promise((resolve) => (end = resolve)));
    await settled();
    breakTable(true);
    for (let times = 0; times < 4; times += 1) await pass(3_000);
    breakTable(false);
    void other(OTHER, forever);
    await settled();
    await pass(3_000);
    end();
    expect(await begun).toBe(true);
    expect(await leases.take(OTHER, 0, runtime.now())).toBeUndefined();
  });

  it('is released when the call fails', async () => {
    const { one, other, pass } = twoWorkers(1);
    await expect(one(OTHER, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await pass(200);
    expect(await other(OTHER, nothing)).toBe(true);
  });
});

describe('a destination that answers', () => {
  it('gets waiting calls while a lease is about to expire', async () => {
    const leases = { taken: 8, freeAfterMs: 150 };
    const { limit, settled, waits, pass } = limiter(leases);
    const begun = limit(OTHER, nothing);
    await settled();
    expect(waits()).toBe(1);
    leases.taken = 7;
    await pass(150);
    expect(await begun).toBe(true);
  });

  it('gets the next call as soon as one has ended, in order of arrival', async () => {
    const { limit, settled } = limiter();
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const calls = Array.from({ length: 8 }, (_, number) =>
      limit(OTHER, () => {
        begun.push(number);
        return new Promise((resolve) => ends.push(resolve));
      }),
    );
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
    for (let ended = 0; ended < 8; ended += 1) {
      ends[ended]?.();
      await settled();
    }
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await Promise.all(calls)).toEqual(Array(8).fill(true));
  });
});
