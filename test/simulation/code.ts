/**
 * The code that the processes of a world run. Bundled on its own from an earlier version, it runs beside the present one
 * (`npm run simulate -- --beside REVISION`).
 */
import type { Person } from '#functions/data/leads/lead';
import { openTable } from '#functions/data/table/open-table';
import { takeInOnce } from '#functions/domain/distribution/intake';
import { createDistribution } from '#functions/platform/distribution';
import type { Environment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { create as createDistribute } from '#functions/workers/distribute/index';
import { create as createNotify } from '#functions/workers/notify/index';
import { create as createOutbox } from '#functions/workers/outbox/index';
import { create as createReconcile } from '#functions/workers/reconcile/index';
import { create as createRedistribute } from '#functions/workers/redistribute/index';
import { create as createStatistics } from '#functions/workers/statistics/index';

/** The intake of leads over the table that the runtime reaches. */
function createIntake(environment: Environment, runtime: Runtime) {
  const table = openTable(environment, runtime);
  const deps = createDistribution(environment, runtime, table);
  return (key: string, person: Person, chosenBuyer: string | undefined) =>
    takeInOnce(deps, key, person, chosenBuyer);
}

export const CODE = {
  createIntake,
  createDeliver,
  createDistribute,
  createNotify,
  createOutbox,
  createReconcile,
  createRedistribute,
  createStatistics,
} as const;
export type Code = typeof CODE;
