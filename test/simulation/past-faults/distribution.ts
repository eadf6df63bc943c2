/** Faults of the distribution of leads. */
import { type Faults, swap } from '#test/simulation/bundle';

export const DISTRIBUTION_FAULTS: Faults = {
  'buyers are read once for a change of weights': swap(
    'functions/data/distribution/pool-store.ts',
    'if (Number(before?.version ?? 0) === pool.weightsVersion) return',
    'return',
  ),
  'the reconciliation ignores the backlog': swap(
    'functions/workers/reconcile/index.ts',
    `(await redistribute(distribution, new Date(runtime.now().getTime() + MAX_REDISTRIBUTION_MS)))
          .assigned,`,
    '0,',
  ),
  'a lead whose person every buyer has is retried forever': swap(
    'functions/domain/distribution/backlog.ts',
    ' && pendingReason(notEligible) !== lead.reason',
    '',
  ),
  'a lead is redistributed from a stale copy': swap(
    'functions/data/leads/lead-store.ts',
    'asRead({ ...wholePerson(lead), later_leads: lead.later_leads })',
    'asRead(wholePerson(lead))',
  ),
  'a batch is closed regardless of its version': swap(
    'functions/domain/distribution/batches.ts',
    ', batch.listed);',
    ');',
  ),
  'a batch pass is not a distribution attempt': swap(
    'functions/domain/distribution/batches.ts',
    'const found = await leadStore.beginPass(run.context, lead_id, run.batch.batch_id, pass);',
    `const [found] = await leadStore.getMany(run.context, [lead_id]);
    return found !== undefined && isInFlightIn(run.batch, found) ? [entry] : [];`,
  ),
  'choices of a batch pass take effect after the next one has begun': swap(
    'functions/domain/distribution/batches.ts',
    `const planned = open.filter((entry) => hasCurrentChoice(entry));
    const waiting = open.filter((entry) => !hasCurrentChoice(entry));`,
    `const isPlanned = (entry: InFlightLead) =>
      passes.length > batch.passes.length ? entry.chosen?.pass === passes.length : hasCurrentChoice(entry);
    const planned = open.filter(isPlanned);
    const waiting = open.filter((entry) => !isPlanned(entry));`,
  ),
};
