import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Nap } from '#local/wakeable-timer';

const LONG_MS = 3_600_000;

describe('a nap between two looks for work', () => {
  it('ends with its time', async () => {
    const nap = new Nap();
    nap.lookingNow();
    await expect(nap.take(1)).resolves.toBeUndefined();
  });

  it('is cut short by news, and not taken at all when they came during the look', async () => {
    const nap = new Nap();
    nap.lookingNow();
    const taken = nap.take(LONG_MS);
    nap.wake();
    await expect(taken).resolves.toBeUndefined();

    nap.lookingNow();
    nap.wake();
    await expect(nap.take(LONG_MS)).resolves.toBeUndefined();
  });

  it('is not cut short by news that the look has seen', async () => {
    const nap = new Nap();
    nap.wake();
    nap.lookingNow();
    const taken = nap.take(LONG_MS).then(() => 'over');
    expect(await Promise.race([taken, turn('goes on')])).toBe('goes on');
    nap.wake();
    expect(await taken).toBe('over');
  });
});
