/** A destination that hangs holds the calls that it has, and no others: neither those to it nor those to others. */
import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';

const HANGS = { destination: 'trackbox:hangs.example', longestMs: 30_000 };
const OTHER = { destination: 'email:mail.example', longestMs: 30_000 };

/** A limiter with the test's clock: `pass` moves it and ends the waits that are over. */
function limiter(leases: { taken: number; freeAfterMs?: number; writes?: number } = { taken: 0 }) {
  let now = 0;
  let sleeps: { readonly until: number; readonly wake: () => void }[] = [];
  const limit = createConcurrencyLimiter(
    {
      count: 8,
      take: async (destination, number) => {
        leases.writes = (leases.writes ?? 0) + 1;
        if (leases.taken >= 8) return undefined;
        leases.taken += 1;
        return { destination, number, leasedSince: '', leasedUntil: '' };
      },
      freeFrom: async () => Array.from({ length: 8 }, () => new Date(now + (leases.freeAfterMs ?? 60_000))),
      release: async () => {
        leases.taken -= 1;
      },
    },
    {
      now: () => new Date(now),
      random: () => 0,
      sleep: (milliseconds) =>
        new Promise((wake) => sleeps.push({ until: now + milliseconds, wake: () => wake() })),
    },
  );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    limit,
    settled,
    waits: () => sleeps.length,
    pass: async (milliseconds: number) => {
      now += milliseconds;
      const over = sleeps.filter(({ until }) => until <= now);
      sleeps = sleeps.filter(({ until }) => until > now);
      for (const { wake } of over) wake();
      await settled();
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
    // It is known to hang now: nobody waits for it any more.
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

  it('is looked at without a write while it is known to be taken, and no longer once it is free', async () => {
    const leases = { taken: 8, freeAfterMs: 60_000, writes: 0 };
    const { limit } = limiter(leases);
    for (let tries = 0; tries < 100; tries += 1) expect(await limit(HANGS, nothing)).toBe(false);
    // The table charges a refused write like any other: by the first one it became known.
    expect(leases.writes).toBe(1);
    leases.taken = 0;
    leases.freeAfterMs = 0;
    expect(await limit(HANGS, nothing)).toBe(true);
    // Looking costs a call to the table, so it ends with the crowd.
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
