/**
 * Jobs that run less often than the reconciliation. A job is due until it was done in the current period, so a late or lost run delays it
 * and never skips it, and one run makes up for several periods.
 */
import type { Context } from '#functions/data/context';
import * as jobStore from '#functions/data/distribution/job-store';
import { errorFields } from '#functions/platform/logger';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<number>;
}

/** A failed job stays due and does not block the others. Parallel runs may both do a job. @param all all jobs are due */
export async function runDueJobs(context: Context, jobs: readonly Job[], all: boolean) {
  const now = context.runtime.now().getTime();
  const done = await jobStore.done(context);
  const did: Record<string, number> = {};
  const failed: string[] = [];
  for (const { name, everyMs, run } of jobs) {
    const period = new Date(now - (now % everyMs)).toISOString();
    const expected = done.get(name);
    // Compared by equality, so that a period written by a fast clock does not delay the job.
    if (!all && expected === period) continue;
    try {
      did[name] = await run();
      if (expected !== period) await jobStore.jobDone(context, name, period, expected);
    } catch (error) {
      failed.push(name);
      context.runtime.log.error('job failed', { job: name, ...errorFields(error) });
    }
  }
  return { did, failed };
}
