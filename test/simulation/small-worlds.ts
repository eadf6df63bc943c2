/** Worlds so small that every interleaving of their calls is run, and not a sample. */

import { deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { resend } from '#functions/domain/deliveries/delivery-log';
import { distributeAgain } from '#functions/domain/distribution/distribution';
import { handOn, reconcile } from '#functions/domain/distribution/reconciliation';
import { deleteLead } from '#functions/domain/leads/leads';
import { changeLimit, deleteOrder } from '#functions/domain/orders/orders';
import { Violation } from '#test/simulation/kernel';
import { ofStatistics } from '#test/simulation/rest';
import { ACCOUNT_WORLDS } from '#test/simulation/small-account-worlds';
import {
  type Actor,
  aClaim,
  anEarlierLeadWaits,
  anUnwantedLead,
  callsBack,
  cappedYesterday,
  claims,
  claimsAt,
  counts,
  decides,
  delivery,
  EVERYTHING_IS_STALE_MS,
  earlier,
  FAILURES_BEFORE,
  FIRST_ORDER,
  firstLead,
  goesOn,
  intake,
  posts,
  postsInVain,
  readsLeads,
  reconciles,
  type SmallWorld,
  sendsLead,
  silenceDecides,
  WHO,
  waitingLead,
} from '#test/simulation/small-actors';
import { ATTEMPT_WORLDS } from '#test/simulation/small-attempt-worlds';
import { CLAIM_WORLDS } from '#test/simulation/small-claim-worlds';
import { PEOPLE_WORLDS } from '#test/simulation/small-people-worlds';
import { RACE_WORLDS } from '#test/simulation/small-race-worlds';
import { addEndpoints, addSource } from '#test/simulation/sources';

const oneIsTakenIn: Actor = async (_, { table }) => {
  const leads = [...table.items()].filter(({ sk }) => sk === 'LEAD');
  const states = leads.map(({ status }) => (status === 'duplicate' ? 'refused' : 'taken in')).sort();
  if (states.join() !== 'refused,taken in') throw new Violation(`of a person's two leads: ${states.join()}`);
};

const everyLeadIsCounted: Actor = async (api, { table }) => {
  const wrong = await ofStatistics(api.table, [...table.items()]);
  if (wrong.length > 0) throw new Violation(wrong.join('; '));
};

export const SMALL_WORLDS: readonly SmallWorld[] = [
  ...ACCOUNT_WORLDS,
  ...ATTEMPT_WORLDS,
  ...CLAIM_WORLDS,
  ...PEOPLE_WORLDS,
  ...RACE_WORLDS,
  { name: 'two leads, one place', limit: 1, actors: { one: intake(1), two: intake(2) } },
  {
    name: 'a lead, a reconciliation, a death at any call',
    limit: 1,
    actors: { one: intake(1), reconcile: (api) => reconcile(api, EVERYTHING_IS_STALE_MS) },
    maxPreemptions: 1,
    dies: 'one',
  },
  {
    name: 'two leads, one place, a reconciliation, a death at any call',
    limit: 1,
    actors: { one: intake(1), two: intake(2), reconcile: (api) => reconcile(api, EVERYTHING_IS_STALE_MS) },
    maxPreemptions: 1,
    dies: 'one',
  },
  {
    name: 'two admins change the limit and delete the order',
    limit: 2,
    actors: {
      one: (api) => changeLimit(api, WHO, 'north', 1),
      two: (api) => deleteOrder(api, WHO, 'north', 1),
    },
    maxPreemptions: 3,
  },
  {
    name: 'two admins change the weight and pause the buyer',
    limit: 2,
    actors: {
      one: (api) => updateBuyer(api, WHO, 'north', { probability: 40 }),
      two: (api) => updateBuyer(api, WHO, 'north', { active: false }),
    },
    maxPreemptions: 3,
  },
  {
    name: 'a lead while the buyer is deleted',
    limit: 1,
    actors: { one: intake(1), two: (api) => deleteBuyer(api, WHO, 'north') },
    maxPreemptions: 3,
  },
  {
    name: 'a fifth failure and a success over one circuit',
    limit: 1,
    prepare: async (api, world) => {
      for (let failure = 0; failure < FAILURES_BEFORE; failure += 1) await delivery(false)(api, world);
    },
    actors: { one: delivery(false), two: delivery(true) },
  },
  {
    name: 'a lead while the limit is lowered',
    limit: 3,
    prepare: intake(1),
    actors: { one: intake(2), two: (api) => changeLimit(api, WHO, 'north', 1) },
    maxPreemptions: 2,
  },
  {
    name: 'two admins delete a lead',
    limit: 1,
    prepare: async (api, world) => {
      await intake(1)(api, world);
      await deleteOrder(api, WHO, 'north', FIRST_ORDER);
    },
    actors: {
      one: (api, world) => deleteLead(api, WHO, firstLead(world)),
      two: (api, world) => deleteLead(api, WHO, firstLead(world)),
    },
    maxPreemptions: 2,
  },
  {
    name: 'a replacement is delivered while its order is deleted',
    limit: 3,
    prepare: aClaim(true),
    actors: {
      // The second one removes the note of the first.
      one: async (api, world) => {
        await intake(2)(api, world);
        await intake(3)(api, world);
      },
      two: (api) => deleteOrder(api, WHO, 'north', FIRST_ORDER),
    },
    maxPreemptions: 2,
  },
  {
    name: 'two admins decide a claim',
    limit: 2,
    prepare: aClaim(false),
    actors: { one: decides('approved'), two: decides('rejected') },
    maxPreemptions: 2,
  },
  {
    name: 'an admin decides a claim, and so does silence',
    limit: 2,
    terms: { decision_days: 1, on_silence: 'approve' },
    prepare: aClaim(false),
    actors: { one: decides('rejected'), two: silenceDecides },
    maxPreemptions: 2,
  },
  {
    name: 'two claims, one place in the quota',
    limit: 2,
    terms: { claim_quota_percent: 50 },
    prepare: async (api, world) => {
      await intake(1)(api, world);
      await intake(2)(api, world);
    },
    actors: { one: claimsAt(1), two: claimsAt(2) },
    maxPreemptions: 2,
  },
  {
    name: 'a claim at the quota while another one is rejected',
    limit: 2,
    terms: { claim_quota_percent: 50 },
    prepare: async (api, world) => {
      await aClaim(false)(api, world);
      await intake(2)(api, world);
    },
    actors: { one: claimsAt(2), two: decides('rejected') },
    maxPreemptions: 2,
  },
  {
    name: 'a worker sends a lead for longer than its lease',
    limit: 1,
    prepare: intake(1),
    actors: { one: sendsLead, two: sendsLead },
    ahead: 'two',
    maxPreemptions: 2,
  },
  {
    name: 'a delivery fails for good, its message is lost, a death at any call',
    limit: 1,
    prepare: async (api, world) => {
      world.partners.take = () => ({ status: 400, headers: {}, body: '{}' });
      await intake(1)(api, world);
    },
    actors: { one: sendsLead },
    maxPreemptions: 0,
    dies: 'one',
    after: reconciles,
  },
  {
    name: 'two workers with one callback',
    limit: 1,
    prepare: async (api, world) => {
      await addSource(api, 1);
      await addEndpoints(api, 1, false);
      await posts(1, 500_000)(api, world);
      await readsLeads(api, world);
    },
    actors: { one: callsBack, two: callsBack },
    maxPreemptions: 2,
  },
  {
    name: 'a change of a lead is read again while its source is told of it',
    limit: 1,
    prepare: async (api, world) => {
      await addSource(api, 1);
      await addEndpoints(api, 1, false);
      await posts(1, 500_000)(api, world);
      await readsLeads(api, world);
    },
    actors: { one: callsBack, two: readsLeads },
    maxPreemptions: 2,
  },
  {
    name: 'a person comes again while the earlier lead is distributed again',
    limit: 2,
    prepare: anEarlierLeadWaits,
    actors: {
      one: posts(2, 900_000),
      two: (api, world) => distributeAgain(api, WHO, waitingLead(world)),
    },
    maxPreemptions: 2,
  },
  {
    name: 'a call that died is repeated while the person comes again',
    limit: 2,
    prepare: earlier(postsInVain(1, 500_000)),
    actors: { one: posts(1, 500_000), two: posts(1, 900_000, 'form-2') },
    maxPreemptions: 2,
    after: oneIsTakenIn,
  },
  {
    name: 'a call that died is repeated while another source sends the person',
    limit: 2,
    prepare: async (api, world) => {
      await earlier(postsInVain(1, 500_000))(api, world);
      await addSource(api, 2);
    },
    actors: { one: posts(1, 500_000), two: posts(2, 900_000) },
    maxPreemptions: 1,
  },
  {
    name: 'a call that died is repeated while a lead that has waited for it is distributed',
    limit: 2,
    prepare: earlier(async (api, world) => {
      await postsInVain(1, 500_000)(api, world);
      await posts(2, 900_000)(api, world);
    }),
    actors: { one: (api) => reconcile(api, EVERYTHING_IS_STALE_MS), two: posts(1, 500_000) },
    maxPreemptions: 2,
    mostRuns: 150,
  },
  {
    name: 'a call that died is repeated twice, and a lead that had waited for it is assigned',
    limit: 2,
    prepare: async (api, world) => {
      await earlier(async (then, world) => {
        await postsInVain(1, 500_000)(then, world);
        await posts(2, 900_000)(then, world);
      })(api, world);
      await reconcile(api, EVERYTHING_IS_STALE_MS);
    },
    actors: { one: posts(1, 500_000), two: posts(1, 500_000) },
    maxPreemptions: 2,
  },
  {
    name: 'a lead is counted while it changes and changes back',
    limit: 1,
    prepare: async (api, world) => {
      await updateBuyer(api, WHO, 'north', { min_investment: 10_000_000 });
      await intake(1)(api, world);
      await counts(api, world);
    },
    actors: {
      one: async (api, world) => {
        await distributeAgain(api, WHO, waitingLead(world));
        await counts(api, world);
      },
      two: counts,
    },
    maxPreemptions: 2,
    after: everyLeadIsCounted,
  },
  {
    name: 'two leads, one place in the week',
    limit: 3,
    prepare: (api) => changeLimit(api, WHO, 'north', 3, undefined, { weekly_cap: 1 }),
    actors: { one: intake(1), two: intake(2) },
    maxPreemptions: 1,
  },
  {
    name: 'two leads begin the day of an order',
    limit: 3,
    prepare: cappedYesterday,
    actors: { one: intake(1), two: intake(2) },
    maxPreemptions: 1,
  },
  {
    name: 'a lead is refused and given on, a death at any call',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead },
    maxPreemptions: 0,
    dies: 'one',
    after: goesOn,
  },
  {
    name: 'a refused lead is given on while it is deleted',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead, two: (api, world) => deleteLead(api, WHO, firstLead(world)) },
    maxPreemptions: 2,
    after: goesOn,
  },
  {
    name: 'a refused lead is given on while it is claimed',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead, two: claims },
    maxPreemptions: 2,
    after: goesOn,
  },
  {
    name: 'a refused lead is given on while it is sent again',
    limit: 2,
    prepare: anUnwantedLead,
    actors: { one: sendsLead, two: (api, world) => resend(api, WHO, firstLead(world), 'http') },
    maxPreemptions: 2,
    after: goesOn,
  },
  {
    name: 'two workers get a no to the same lead',
    limit: 2,
    prepare: anUnwantedLead,
    actors: {
      one: sendsLead,
      two: async (api, world) => {
        const lead = firstLead(world);
        await sendsLead(api, world);
        await handOn(api, lead, 2);
      },
    },
    maxPreemptions: 1,
    after: goesOn,
  },
];
