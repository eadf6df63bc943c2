/** Small worlds in which attempts and batches overtake each other. */
import * as batchStore from '#functions/data/distribution/batch-store';
import * as leadStore from '#functions/data/leads/lead-store';
import { createBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { distributeBatch } from '#functions/domain/distribution/batches';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { changeLimit, createOrder } from '#functions/domain/orders/orders';
import {
  type Actor,
  aPerson,
  EVERYTHING_IS_STALE_MS,
  intake,
  type SmallWorld,
  WHO,
} from '#test/simulation/small-actors';

/** So few would be distributed one by one; of more the calls side by side have too many interleavings. */
const BATCH = 2;

/** A batch is stored, and not distributed yet. */
const aBatch =
  (size: number): Actor =>
  async (api, world) => {
    const received_at = api.runtime.now().toISOString();
    const batch_id = api.runtime.newId();
    const leads = Array.from({ length: size }, (_, at) => ({
      lead_id: api.runtime.newId(),
      status: 'received' as const,
      ...aPerson(world, 2 + at),
      src: 'batch',
      received_at,
      distribution_attempt: 1,
      batch_id,
    }));
    await batchStore.open(api, { batch_id, received_at, leads });
    for (const lead of leads) await leadStore.receiveInBatch(api, lead);
  };

/** With a single buyer nothing would show in the ledger of shares. */
const somebodyElse: Actor = async (api) => {
  await updateBuyer(api, WHO, 'north', { probability: 60 });
  await createBuyer(api, WHO, {
    buyer_id: 'south',
    buyer_email: 'south@example.org',
    probability: 40,
    use_sellanylead_api: true,
  });
  await createOrder(api, WHO, { buyerId: 'south', leadLimit: BATCH, balance: 0 });
};

const distributes: Actor = (api, { table }) => {
  const batch = [...table.items()].find(({ sk, batch_id }) => sk === 'LEAD' && batch_id !== undefined);
  return distributeBatch(api, String(batch?.batch_id));
};

const takesOver: Actor = (api) => reconcile(api, EVERYTHING_IS_STALE_MS);

export const ATTEMPT_WORLDS: readonly SmallWorld[] = [
  {
    name: 'a lead while the reconciliation takes it over',
    limit: 1,
    actors: { one: intake(1), two: takesOver },
    maxPreemptions: 2,
  },
  {
    name: 'a lead without a place while the limit is raised and the reconciliation takes it over',
    limit: 1,
    prepare: intake(1),
    actors: {
      one: intake(2),
      two: async (api, world) => {
        await changeLimit(api, WHO, 'north', 2);
        await takesOver(api, world);
      },
    },
    maxPreemptions: 2,
  },
  {
    name: 'a batch and a lead, places for the batch',
    limit: BATCH,
    prepare: aBatch(BATCH),
    actors: { one: distributes, two: intake(1) },
    maxPreemptions: 1,
    mostRuns: 100,
  },
  {
    name: 'a batch and a lead, a day for the batch',
    limit: 2 * BATCH,
    prepare: async (api, world) => {
      await changeLimit(api, WHO, 'north', 2 * BATCH, undefined, { daily_cap: BATCH });
      await aBatch(BATCH)(api, world);
    },
    actors: { one: distributes, two: intake(1) },
    maxPreemptions: 1,
    mostRuns: 100,
  },
  {
    name: 'two workers with one batch',
    limit: BATCH,
    prepare: async (api, world) => {
      await somebodyElse(api, world);
      await aBatch(1)(api, world);
    },
    actors: { one: distributes, two: distributes },
    maxPreemptions: 1,
    isExact: true,
  },
];
