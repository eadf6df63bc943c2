/** Faults of how leads get to buyers. */
import type { PastFault } from '#test/simulation/past-faults/past-fault';

export const DISTRIBUTION_FAULTS: readonly PastFault[] = [
  {
    name: 'buyers are read once for a change of weights',
    replacements: [
      {
        file: 'functions/data/distribution/pool-store.ts',
        from: 'if (Number(before?.version ?? 0) === pool.weightsVersion) return pool;',
        to: 'return pool;',
      },
    ],
  },
  {
    name: 'the reconciliation leaves the backlog alone',
    replacements: [
      {
        file: 'functions/workers/reconcile/index.ts',
        from: `(await redistribute(distribution, new Date(runtime.now().getTime() + MAX_REDISTRIBUTION_MS)))
          .assigned,`,
        to: '0,',
      },
    ],
  },
  {
    name: 'a lead whose person everybody has is tried again and again',
    replacements: [
      {
        file: 'functions/domain/distribution/backlog.ts',
        from: 'return notEligible.already_received !== undefined && pendingReason(notEligible) !== lead.reason;',
        to: 'return notEligible.already_received !== undefined;',
      },
    ],
  },
  {
    name: 'a lead is distributed again by an old copy',
    replacements: [
      {
        file: 'functions/data/leads/lead-store.ts',
        from: 'const seen = asRead({ ...wholePerson(lead), later_leads: lead.later_leads });',
        to: 'const seen = asRead(wholePerson(lead));',
      },
    ],
  },
  {
    name: 'a batch is closed however it was read',
    replacements: [
      {
        file: 'functions/domain/distribution/batches.ts',
        from: 'await batchStore.close(context, batchId, batch.listed);',
        to: 'await batchStore.close(context, batchId);',
      },
    ],
  },
  {
    name: 'a round of a batch is no attempt of its own',
    replacements: [
      {
        file: 'functions/domain/distribution/batches.ts',
        from: `const found = await leadStore.beginRound(run.context, lead_id, run.batch.batch_id, round);
    if (found === 'further') run.left += 1;
    return found === 'begun' ? [{ ...flight, lead: { ...flight.lead, distribution_attempt: round } }] : [];`,
        to: `const [found] = await leadStore.getMany(run.context, [lead_id]);
    return found !== undefined && isInFlightIn(run.batch, found) ? [flight] : [];`,
      },
    ],
  },
  {
    name: 'choices of a round are carried out though the next has begun',
    replacements: [
      {
        file: 'functions/domain/distribution/batches.ts',
        from: `const planned = open.filter((flight) => isToBeCarriedOut(flight));
    const waiting = open.filter((flight) => !isToBeCarriedOut(flight));`,
        to: `const isPlanned = (flight: Flight) =>
      rounds.length > batch.rounds.length ? flight.chosen?.round === rounds.length : isToBeCarriedOut(flight);
    const planned = open.filter(isPlanned);
    const waiting = open.filter((flight) => !isPlanned(flight));`,
      },
    ],
  },
];
