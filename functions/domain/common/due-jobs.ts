/**
 * Jobs that are due less often than the reconciliation runs. A job is due until it was done in the present period, so a run that
 * is late or lost delays it and never skips it, and several missed periods are made up for by one run.
 */
import type { Context } from '#functions/data/context';
import * as jobStore from '#functions/data/distribution/job-store';
import { errorFields } from '#functions/platform/logger';

export interface Job {
  /** The name that it is stored and logged by. */
  readonly name: string;
  /** The length of a period; the first one began in 1970. */
  readonly everyMs: number;
  /** Repeatable, also at the same time. @returns how many things it did */
  readonly run: () => Promise<number>;
}

export interface JobsRun {
  /** By name how many things each job did. */
  readonly did: Readonly<Record<string, number>>;
  readonly failed: readonly string[];
}

/**
 * Runs the jobs that are due, in their order, and notes each when it is done. One that fails stays due and holds up no other.
 * Two runs at once may both do a job.
 * @param all whether all of them are due
 */
export async function runDueJobs(context: Context, jobs: readonly Job[], all: boolean): Promise<JobsRun> {
  const now = context.runtime.now().getTime();
  const done = await jobStore.done(context);
  const did: Record<string, number> = {};
  const failed: string[] = [];
  for (const { name, everyMs, run } of jobs) {
    const period = new Date(now - (now % everyMs)).toISOString();
    const seen = done.get(name);
    // Unequal, not earlier: a clock that was ahead for a while must not put the job off.
    if (!all && seen === period) continue;
    try {
      did[name] = await run();
      if (seen !== period) await jobStore.jobDone(context, name, period, seen);
    } catch (error) {
      failed.push(name);
      context.runtime.log.error('job failed', { job: name, ...errorFields(error) });
    }
  }
  return { did, failed };
}
