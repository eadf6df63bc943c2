import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WakeableTimer } from '#local/wakeable-timer';

const LONG_MS = 3_600_000;

describe('a wakeable timer', () => {
  it('ends after its time', async () => {
    const timer = new WakeableTimer();
    timer.polling();
    await expect(timer.take(1)).resolves.toBeUndefined();
  });

  it('ends early when woken, and does not start if woken before', async () => {
    const timer = new WakeableTimer();
    timer.polling();
    const taken = timer.take(LONG_MS);
    timer.wake();
    await expect(taken).resolves.toBeUndefined();

    timer.polling();
    timer.wake();
    await expect(timer.take(LONG_MS)).resolves.toBeUndefined();
  });

  it('ignores a wake-up that was handled already', async () => {
    const timer = new WakeableTimer();
    timer.wake();
    timer.polling();
    const taken = timer.take(LONG_MS).then(() => 'over');
    expect(await Promise.race([taken, turn('goes on')])).toBe('goes on');
    timer.wake();
    expect(await taken).toBe('over');
  });
});
