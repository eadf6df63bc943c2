/** Worlds so small that all interleavings of their calls can be run. */

import { deleteBuyer } from '#functions/domain/buyers/buyers';
import { deleteLead } from '#functions/domain/leads/leads';
import { without } from '#test/simulation/rewriting';
import { ACCOUNT_WORLDS } from '#test/simulation/small-account-worlds';
import {
  type Actor,
  aClaim,
  changesBuyer,
  DAY_MS,
  decides,
  deletesOrder,
  EVERY,
  firstLead,
  intake,
  limits,
  oneByOne,
  type SmallWorld,
  type SmallWorlds,
  shifted,
  takesOver,
  WHO,
} from '#test/simulation/small-actors';
import { ATTEMPT_WORLDS } from '#test/simulation/small-attempt-worlds';
import { CLAIM_WORLDS } from '#test/simulation/small-claim-worlds';
import { CONSENT_WORLDS } from '#test/simulation/small-consent-worlds';
import { LEAD_WORLDS } from '#test/simulation/small-lead-worlds';
import { PEOPLE_WORLDS } from '#test/simulation/small-people-worlds';
import { RESERVE } from '#test/simulation/writes';

const deletesLead: Actor = (api, world) => deleteLead(api, WHO, firstLead(world));

const ORDER_WORLDS: SmallWorlds = {
  'two leads, one slot': { limit: 1, actors: [intake(1), intake(2)], interruptions: EVERY },
  'a lead, a reconciliation, a death at any call': {
    limit: 1,
    actors: [intake(1), takesOver],
    interruptions: 1,
    dies: true,
  },
  'two leads, one slot, a reconciliation, a death at any call': {
    limit: 1,
    actors: [intake(1), intake(2), takesOver],
    interruptions: 1,
    dies: true,
  },
  'two admins change the limit and delete the order': { actors: [limits(1), deletesOrder], interruptions: 3 },
  'two admins change the weight and pause the buyer': {
    actors: [changesBuyer({ probability: 40 }), changesBuyer({ active: false })],
    interruptions: 3,
  },
  'a lead while the buyer is deleted': {
    limit: 1,
    actors: [intake(1), (api) => deleteBuyer(api, WHO, 'north')],
    interruptions: 3,
  },
  'a lead while the limit is lowered': {
    limit: 3,
    prepare: intake(1),
    actors: [intake(2), limits(1)],
    shows: {
      'a limit falls below the received leads': without(
        /SET lead_limit = :limit/,
        /leads_received <= :limit/,
      ),
    },
  },
  'two admins delete a lead': {
    limit: 1,
    prepare: oneByOne(intake(1), deletesOrder),
    actors: [deletesLead, deletesLead],
    shows: { 'a lead is deleted twice': without(/#status = :deleted, deleted_at/, /#status = :assigned/) },
  },
  // The third lead removes the second lead's reservation.
  'a replacement is delivered while its order is deleted': {
    limit: 3,
    prepare: oneByOne(aClaim, decides('approved')),
    actors: [oneByOne(intake(2), intake(3)), deletesOrder],
    shows: {
      'a deleted order reserves': without(RESERVE, /deleted_at = :null/),
      'an order is deleted without its owed replacements': without(
        /returned_to_balance = :owed/,
        /AND reimbursement_pending = :owed/,
      ),
    },
  },
  'two leads, one slot in the week': {
    limit: 3,
    prepare: limits(3, { weekly_cap: 1 }),
    actors: [intake(1), intake(2)],
    interruptions: 1,
    shows: {
      'an order exceeds its weekly cap': without(RESERVE, /pace\.week_received < pace\.week_allowance/),
    },
  },
  // Caps set on the previous day, without any lead since.
  'two leads begin the day of an order': {
    limit: 3,
    prepare: shifted(-DAY_MS, limits(3, { daily_cap: 1 })),
    actors: [intake(1), intake(2)],
    interruptions: 1,
    shows: { 'a day of an order begins twice': without(RESERVE, /pace\.of_day = :before/) },
  },
};

export interface NamedWorld extends SmallWorld {
  readonly name: string;
}

export const SMALL_WORLDS: readonly NamedWorld[] = Object.entries({
  ...ORDER_WORLDS,
  ...LEAD_WORLDS,
  ...ATTEMPT_WORLDS,
  ...CLAIM_WORLDS,
  ...PEOPLE_WORLDS,
  ...CONSENT_WORLDS,
  ...ACCOUNT_WORLDS,
}).map(([name, world]) => ({ name, ...world }));
