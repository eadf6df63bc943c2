/** Small worlds of races that seeds find late or never. */
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeInOnce } from '#functions/domain/distribution/intake';
import { changeLimit } from '#functions/domain/orders/orders';
import { create as createStatistics } from '#functions/workers/statistics/index';
import { recordOf } from '#test/simulation/records';
import {
  type Actor,
  aPerson,
  counts,
  DAY_MS,
  earlier,
  FIRST_ORDER,
  intake,
  leadAt,
  type SmallWorld,
  WHO,
  withoutReceiving,
} from '#test/simulation/small-actors';
import { ENVIRONMENT } from '#test/simulation/world';

/** The same, whoever draws names. */
const postsOnce: Actor = (api, world) => {
  const person = { ...aPerson(world, 1), vorname: 'Erika', nachname: 'Muster', anlagebetrag: 500_000 };
  return takeInOnce(api, 'key', person, undefined);
};

/** A request that dies when it has taken its key and not stored the lead. */
const postsInVain: Actor = async (api, world) => {
  await postsOnce(withoutReceiving(api, new Error('died')), world).catch(() => undefined);
};

const onTheDayBefore =
  (actor: Actor): Actor =>
  (api, world) => {
    const then = new Date(api.runtime.now().getTime() - DAY_MS);
    return actor({ ...api, runtime: { ...api.runtime, now: () => then } }, world);
  };

const claimed =
  (sequence: number): Actor =>
  async (api, world) => {
    await intake(sequence)(api, world);
    const leadId = leadAt(world, sequence);
    const claim = { leadId, orderId: FIRST_ORDER, buyerId: 'north', reason: 'wrong_number' };
    await fileClaim(api, { admin: WHO }, claim);
  };

/** The statistics get the last change of a lead. */
const countsLead =
  (sequence: number): Actor =>
  ({ runtime }, { table }) => {
    const changes = table.shards
      .flat()
      .filter(({ sk, after }) => sk === 'LEAD' && after?.sequence === sequence);
    return createStatistics(ENVIRONMENT, runtime)({ Records: changes.slice(-1).map(recordOf) });
  };

export const RACE_WORLDS: readonly SmallWorld[] = [
  {
    name: 'two requests repeat one that died with its key',
    limit: 2,
    prepare: earlier(postsInVain),
    actors: { one: postsOnce, two: postsOnce },
    maxPreemptions: 2,
  },
  {
    name: 'a lead while caps are changed',
    limit: 3,
    prepare: (api) => changeLimit(api, WHO, 'north', 3, undefined, { weekly_cap: 2 }),
    actors: {
      one: intake(1),
      two: (api) => changeLimit(api, WHO, 'north', 3, undefined, { daily_cap: 2 }),
    },
    maxPreemptions: 2,
  },
  {
    name: 'claims of two days are counted at once',
    limit: 2,
    prepare: async (api, world) => {
      await onTheDayBefore(claimed(1))(api, world);
      await claimed(2)(api, world);
      await counts(api, world);
      await decideClaim(api, { who: WHO, claimId: 1, status: 'approved', notes: '' });
      await decideClaim(api, { who: WHO, claimId: 2, status: 'rejected', notes: '' });
    },
    actors: { one: countsLead(1), two: countsLead(2) },
    mostRuns: 200,
  },
];
