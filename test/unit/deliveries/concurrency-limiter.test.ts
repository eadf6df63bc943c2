/** A hanging destination holds only its own calls, neither new ones to it nor those to others. */
import { describe, expect, it } from 'vitest';
import { createDestinationLeases, RENEW_EVERY_MS } from '#functions/data/deliveries/destination-leases';
import { createLogger } from '#functions/platform/logger';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';
import { memoryTable } from '#test/harness/memory-table';

const HANGS = 'trackbox:hangs.example';
const OTHER = 'email:mail.example';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that `pass` advances, which ends the waits that are due. */
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
    /** Calls that wait for a turn or a lease. */
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

/** A limiter on leases of which this many are taken. */
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

/** Two workers on the leases of one table, with a count of its writes. */
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

describe('destination that hangs', () => {
  it('is called four times at once, lets four wait for two seconds, and refuses all others at once', async () => {
    const { limit, settled, waits, pass } = limiter();
    for (let call = 0; call < 4; call += 1) void limit(HANGS, forever);
    const answers: boolean[] = [];
    for (let call = 0; call < 20; call += 1) void limit(HANGS, nothing).then((begun) => answers.push(begun));
    await settled();
    expect(answers).toEqual(Array(16).fill(false));
    expect(waits()).toBe(4);

    await pass(2_000);
    expect(answers).toEqual(Array(20).fill(false));
    // It is known to hang, so nobody waits for it.
    expect(await limit(HANGS, nothing)).toBe(false);
    expect(waits()).toBe(0);
    expect(await limit(OTHER, nothing)).toBe(true);
  });

  it('is called again when a call has ended', async () => {
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

  it('is checked without a write while it is known to be taken, and no longer once it is free', async () => {
    const leases = { taken: 8, freeAfterMs: 60_000, writes: 0 };
    const { limit } = limiter(leases);
    for (let tries = 0; tries < 100; tries += 1) expect(await limit(HANGS, nothing)).toBe(false);
    // The table charges a refused write like any other: only the first one was needed to learn that the leases are taken.
    expect(leases.writes).toBe(1);
    leases.taken = 0;
    leases.freeAfterMs = 0;
    expect(await limit(HANGS, nothing)).toBe(true);
    // Reading costs a call to the table, so it ends when no calls wait any longer.
    leases.freeAfterMs = 60_000;
    expect(await limit(HANGS, nothing)).toBe(true);
    expect(leases.writes).toBe(3);
  });

  it('is not waited for when other workers have all its leases', async () => {
    const { limit, waits } = limiter({ taken: 8 });
    expect(await limit(HANGS, nothing)).toBe(false);
    expect(waits()).toBe(0);
  });
});

describe('lease of a call', () => {
  it('is renewed as long as the call runs, and released when it ends', async () => {
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
  ])('taken by a clock that is %i ms ahead is free: %s', async (aheadMs, free) => {
    const { one, leases, runtime } = twoWorkers(1);
    await leases.take(OTHER, 0, new Date(runtime.now().getTime() + aheadMs));
    // A worker that found it taken reads before it tries again.
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

  it('outlasts renewals that fail twice', async () => {
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

  it('that was lost is neither taken back nor released, and its call goes on', async () => {
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

describe('destination that answers', () => {
  it('is waited for when a lease is about to be free', async () => {
    const leases = { taken: 8, freeAfterMs: 150 };
    const { limit, settled, waits, pass } = limiter(leases);
    const begun = limit(OTHER, nothing);
    await settled();
    expect(waits()).toBe(1);
    leases.taken = 7;
    await pass(150);
    expect(await begun).toBe(true);
  });

  it('gets the next call as soon as one has ended, in the order in which they came', async () => {
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
