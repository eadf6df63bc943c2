/** Jobs of the reconciliation: late, lost and repeated runs delay a job and never skip it. */
import { describe, expect, it } from 'vitest';
import { keys } from '#functions/data/table/keys';
import { runDueJobs } from '#functions/domain/common/due-jobs';
import { createLogger } from '#functions/platform/logger';
import { quietRuntime } from '#test/harness/distribution';
import { memoryTable, modelOf } from '#test/harness/memory-table';

const MINUTE_MS = 60_000;

function aSchedule() {
  const table = memoryTable();
  const done: string[] = [];
  const lines: string[] = [];
  const broken = new Set<string>();
  let meanwhile = async () => {};
  /** A run at a time of the day. */
  const runAt = async (time: string, all = false) => {
    const runtime = {
      ...quietRuntime,
      now: () => new Date(`2026-11-20T${time}Z`),
      log: createLogger((line) => lines.push(line)),
    };
    const job = (name: string, minutes: number) => ({
      name,
      everyMs: minutes * MINUTE_MS,
      run: async () => {
        await meanwhile();
        if (broken.has(name)) throw new Error('no answer');
        done.push(`${time} ${name}`);
        return 1;
      },
    });
    return runDueJobs({ table, runtime }, [job('often', 10), job('hourly', 60)], all);
  };
  return {
    table,
    runAt,
    broken,
    lines,
    during: (work: () => Promise<void>) => {
      meanwhile = work;
    },
    /** The jobs done since the last call. */
    done: () => done.splice(0),
  };
}

describe('a job', () => {
  it('runs once in each period, however runs are spaced', async () => {
    const { runAt, done } = aSchedule();
    for (const time of ['08:00', '08:01', '08:09']) await runAt(`${time}:00`);
    expect(done()).toEqual(['08:00:00 often', '08:00:00 hourly']);
    // The run of minute 10 was lost, and the run of minute 20 was seconds late.
    for (const time of ['08:11:00', '08:12:00', '08:19:59', '08:21:03']) await runAt(time);
    expect(done()).toEqual(['08:11:00 often', '08:21:03 often']);
    for (const time of ['08:59:59', '09:00:59']) await runAt(time);
    expect(done()).toEqual(['08:59:59 often', '09:00:59 often', '09:00:59 hourly']);
  });

  it('runs once after any number of missed periods', async () => {
    const { runAt, done } = aSchedule();
    await runAt('08:00:00');
    done();
    for (const time of ['13:47:00', '13:48:00', '13:49:00']) await runAt(time);
    expect(done()).toEqual(['13:47:00 often', '13:47:00 hourly']);
  });

  it('stays due and is logged after a failure, and blocks no other job', async () => {
    const { runAt, done, broken, lines } = aSchedule();
    broken.add('often');
    expect(await runAt('08:00:00')).toEqual({ did: { hourly: 1 }, failed: ['often'] });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'error', message: 'job failed', job: 'often', error: 'Error', reason: 'no answer' },
    ]);
    expect(await runAt('08:01:00')).toEqual({ did: {}, failed: ['often'] });
    broken.clear();
    expect(await runAt('08:02:00')).toEqual({ did: { often: 1 }, failed: [] });
    await runAt('08:03:00');
    expect(done()).toEqual(['08:00:00 hourly', '08:02:00 often']);
  });

  it('runs in both of two concurrent runs, and not again after them', async () => {
    const { runAt, done } = aSchedule();
    await Promise.all([runAt('08:00:00'), runAt('08:00:00')]);
    expect(done().toSorted()).toEqual([
      '08:00:00 hourly',
      '08:00:00 hourly',
      '08:00:00 often',
      '08:00:00 often',
    ]);
    await runAt('08:01:00');
    expect(done()).toEqual([]);
  });

  it('does not overwrite a later run’s progress after a slow run', async () => {
    const { runAt, done, during, table } = aSchedule();
    let isSlow = true;
    during(async () => {
      if (!isSlow) return;
      isSlow = false;
      await runAt('08:10:30');
    });
    await runAt('08:09:59');
    expect(done().at(-1)).toBe('08:09:59 hourly');
    expect(await table.get(keys.jobs())).toMatchObject({ often: '2026-11-20T08:10:00.000Z' });
    await runAt('08:11:00');
    expect(done()).toEqual([]);
  });

  it('is not delayed by a clock that was ahead', async () => {
    const { runAt, done } = aSchedule();
    await runAt('11:00:00');
    done();
    await runAt('08:00:00');
    expect(done()).toEqual(['08:00:00 often', '08:00:00 hourly']);
  });

  it('is always due at startup', async () => {
    const { runAt, done } = aSchedule();
    await runAt('08:00:00');
    done();
    await runAt('08:01:00', true);
    expect(done()).toEqual(['08:01:00 often', '08:01:00 hourly']);
  });

  it('costs a write when it runs, and none while nothing is due', async () => {
    const { runAt, table } = aSchedule();
    const writes = () => modelOf(table).shards.reduce((sum, { length }) => sum + length, 0);
    await runAt('08:00:00');
    expect(writes()).toBe(2);
    for (const time of ['08:01:00', '08:05:00', '08:09:59']) await runAt(time);
    expect(writes()).toBe(2);
    await runAt('08:10:00');
    expect(writes()).toBe(3);
  });
});
