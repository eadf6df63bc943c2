/** Small worlds about consents and their withdrawal. */
import * as sourceStore from '#functions/data/sources/source-store';
import type { NewConsent } from '#functions/domain/distribution/consent';
import { continueErasures } from '#functions/domain/leads/erasures';
import { withdrawConsent } from '#functions/domain/leads/withdrawal';
import { ingestPosted } from '#functions/domain/sources/intake';
import { ofWithdrawals } from '#test/simulation/consents';
import { Violation } from '#test/simulation/kernel';
import { erasuresOf } from '#test/simulation/people-actions';
import {
  type Actor,
  aPerson,
  DAY_MS,
  intake,
  leadsIn,
  oneByOne,
  type SmallWorlds,
  sendsLead,
  shifted,
  takesOver,
  WHO,
} from '#test/simulation/small-actors';
import { addSource } from '#test/simulation/sources';

const SOURCE = 1;

const consentAt = (at: Date): NewConsent => ({
  consent: { given_at: at.toISOString(), method: 'form', channels: ['phone'], text: 'hash of the wording' },
  wording: undefined,
});

/** A source that holds leads without consent sends one, with or without it. */
const consents =
  (hasConsent: boolean, external_id = 'form-1', double_opt_in = false): Actor =>
  async (api, world) => {
    const source =
      (await sourceStore.get(api, SOURCE)) ??
      (await addSource(api, SOURCE, { consent: 'hold', double_opt_in }));
    const consent = hasConsent ? consentAt(api.runtime.now()) : undefined;
    return ingestPosted(api, source, [{ external_id, person: aPerson(world, 1), content: '', consent }], 1);
  };

const withdraws: Actor = (api, world) =>
  withdrawConsent(erasuresOf(api), { who: WHO, way: 'admin' }, [String(leadsIn(world)[0]?.lead_id)]);

const tellsAgain: Actor = (api) => continueErasures(erasuresOf(api));

/** Every lead of the person has left distribution, and its buyer was notified. */
const isWithdrawn: Actor = async (api, world) => {
  await oneByOne(takesOver, tellsAgain, tellsAgain)(api, world);
  for (const { lead_id, status, withdrawn_at } of leadsIn(world))
    if (status !== 'withdrawn' && status !== 'duplicate' && withdrawn_at === undefined)
      throw new Violation(
        `lead ${String(lead_id)} is ${String(status)} although its person withdrew the consent`,
      );
  const [left] = ofWithdrawals([...world.table.items()]);
  if (left !== undefined) throw new Violation(left);
};

export const CONSENT_WORLDS: SmallWorlds = {
  'a lead without consent is held': { actors: [consents(false), takesOver], interruptions: 1, mostRuns: 100 },
  'a lead whose consent is not confirmed is held': {
    actors: [consents(true, 'form-1', true), takesOver],
    interruptions: 1,
    mostRuns: 100,
  },
  'a person withdraws while its lead is sent': {
    prepare: intake(1),
    actors: [withdraws, sendsLead],
    mostRuns: 200,
    after: isWithdrawn,
  },
  'a person withdraws while it comes again': {
    prepare: intake(1),
    actors: [consents(true), withdraws],
    interruptions: 1,
    mostRuns: 200,
    after: isWithdrawn,
  },
  'a person withdraws, a death at any call': {
    prepare: intake(1),
    actors: [withdraws],
    interruptions: 0,
    dies: true,
    mostRuns: 5,
    after: oneByOne(withdraws, isWithdrawn),
  },
  'a person who withdrew comes again': {
    prepare: oneByOne(intake(1), withdraws),
    actors: [shifted(DAY_MS, intake(1))],
  },
};
