/** Small worlds about leads of the same person, refused leads, deliveries and callbacks. */

import { FAILURES_TO_OPEN } from '#functions/data/deliveries/circuits';
import { resend } from '#functions/domain/deliveries/delivery-log';
import { distributeAgain } from '#functions/domain/distribution/distribution';
import { redistributeRefused } from '#functions/domain/distribution/reconciliation';
import { deleteLead } from '#functions/domain/leads/leads';
import { Violation } from '#test/simulation/kernel';
import { ofStatistics } from '#test/simulation/rest';
import {
  dropping,
  inTransactions,
  overwriting,
  unconditional,
  updating,
  without,
} from '#test/simulation/rewriting';
import {
  type Actor,
  BUYER,
  callsBack,
  changesBuyer,
  claims,
  counts,
  delivery,
  EVERY,
  earlier,
  firstLead,
  goesOn,
  intake,
  leadsIn,
  oneByOne,
  posts,
  postsInVain,
  readsLeads,
  reconciles,
  type SmallWorlds,
  sendsLead,
  somebodyElse,
  takesOver,
  WHO,
  waitingLead,
} from '#test/simulation/small-actors';
import { addEndpoints, addSource } from '#test/simulation/sources';
import { partnerOf } from '#test/simulation/world';
import { REASSIGNED } from '#test/simulation/writes';

const oneIsIngested: Actor = async (_, world) => {
  const states = leadsIn(world).map(({ status }) => (status === 'duplicate' ? 'refused' : 'taken in'));
  if (states.sort().join() !== 'refused,taken in')
    throw new Violation(`of a person's two leads: ${states.join()}`);
};
const everyLeadIsCounted: Actor = async (api, { table }) => {
  const wrong = await ofStatistics(api.table, [...table.items()]);
  if (wrong.length > 0) throw new Violation(wrong.join('; '));
};

const adds =
  (source: number): Actor =>
  (api) =>
    addSource(api, source);
const again: Actor = (api, world) => distributeAgain(api, WHO, waitingLead(world));
/** A pending lead of a source, which no order accepted because of a former minimum. */
const anEarlierLeadWaits = oneByOne(
  changesBuyer({ min_investment: 10_000 }),
  posts(1, 500_000),
  adds(2),
  changesBuyer({ min_investment: null }),
);
const aCallback = oneByOne(adds(1), (api) => addEndpoints(api, 1, false), posts(1, 500_000), readsLeads);
/** One more opens the circuit. */
const failures = oneByOne(...Array.from({ length: FAILURES_TO_OPEN - 1 }, () => delivery(false)));
/** Permanently. */
const partnerFails: Actor = async (_, world) => {
  world.partners.take = () => ({ status: 400, headers: {}, body: '{}' });
};

/** An unsent lead of a buyer that reassigns refused leads; another buyer could receive it. */
const anUnwantedLead = oneByOne(
  async (_, world) => {
    world.refuser = BUYER;
  },
  changesBuyer({ on_refusal: 'reassign', use_sellanylead_api: false, ...partnerOf(1) }),
  somebodyElse(partnerOf(2)),
  intake(1),
);
const refused = { prepare: anUnwantedLead, after: goesOn } as const;

export const LEAD_WORLDS: SmallWorlds = {
  'a fifth failure and a success at one circuit': {
    limit: 1,
    prepare: failures,
    actors: [delivery(false), delivery(true)],
    interruptions: EVERY,
    shows: { 'a circuit opens after it was closed': unconditional(/^CIRCUIT#.*openings = :openings/) },
  },
  'a worker sends a lead for longer than its lease': {
    limit: 1,
    prepare: intake(1),
    actors: [sendsLead, sendsLead],
    isAhead: true,
    shows: {
      'a late result overwrites a newer one': unconditional(
        /^LEAD#\S+\/DELIVERY#.*attempts = :attempts, updated_at = :now, next_attempt_at = :next/,
      ),
    },
  },
  'a delivery fails permanently, its message is lost, a death at any call': {
    limit: 1,
    prepare: oneByOne(partnerFails, intake(1)),
    actors: [sendsLead],
    interruptions: 0,
    dies: true,
    after: reconciles,
  },
  'two workers with one callback': {
    limit: 1,
    prepare: aCallback,
    actors: [callsBack, callsBack],
    shows: {
      'two workers claim the same attempt of a callback': unconditional(/^CALLBACK#.*sending_by = :by/),
    },
  },
  'a change of a lead is read again while its source is notified': {
    limit: 1,
    prepare: aCallback,
    actors: [callsBack, readsLeads],
    shows: { 'a repeated change creates a second callback': overwriting(/^CALLBACK#/) },
  },
  'a person comes again while the earlier lead is distributed again': {
    prepare: anEarlierLeadWaits,
    actors: [posts(2, 900_000), again],
    shows: {
      'a lead of a person is assigned while an earlier one is distributed': dropping(
        / SET distribution_attempt = :attempt$/,
      ),
    },
  },
  'a call that died is repeated while the person comes again': {
    prepare: earlier(postsInVain(1, 500_000)),
    actors: [posts(1, 500_000), posts(1, 900_000, 'form-2')],
    after: oneIsIngested,
    shows: {
      'a lead takes a position in a fingerprint that has changed': without(
        /SET leads\.#own = :position/,
        /leads = :expected/,
      ),
    },
  },
  'a call that died is repeated while another source sends the person': {
    prepare: oneByOne(earlier(postsInVain(1, 500_000)), adds(2)),
    actors: [posts(1, 500_000), posts(2, 900_000)],
    interruptions: 1,
  },
  'a call that died is repeated while a lead that has waited for it is distributed': {
    prepare: earlier(oneByOne(postsInVain(1, 500_000), posts(2, 900_000))),
    actors: [takesOver, posts(1, 500_000)],
    mostRuns: 150,
    shows: {
      'a lead of a person is assigned while an earlier one is stored': dropping(
        /^LEAD#\S+ +attribute_not_exists\(pk\) *$/,
      ),
    },
  },
  'a call that died is repeated twice, and a lead that had waited for it is assigned': {
    prepare: oneByOne(earlier(oneByOne(postsInVain(1, 500_000), posts(2, 900_000))), takesOver),
    actors: [posts(1, 500_000), posts(1, 500_000)],
  },
  'a lead is counted while it changes and changes back': {
    limit: 1,
    prepare: oneByOne(changesBuyer({ min_investment: 10_000_000 }), intake(1), counts),
    actors: [oneByOne(again, counts), counts],
    after: everyLeadIsCounted,
  },
  'a refused lead is reassigned, a death at any call': {
    ...refused,
    actors: [sendsLead],
    interruptions: 0,
    dies: true,
    shows: {
      'a reassigned lead keeps its reservation on the order': updating(
        /(leads_received = leads_received - :one.*) REMOVE reservations\.#done0$/,
        '$1',
      ),
      'a reassigned lead releases no capacity': inTransactions(REASSIGNED, dropping(/^ORDERS#/)),
      'the choice of a reassigned lead stays in the ledger': inTransactions(
        REASSIGNED,
        dropping(/^POOL\/LEDGER/),
      ),
      'a refused lead is offered to the same buyer again': updating(', refused_by = :refused', ''),
    },
  },
  'a refused lead is reassigned while it is deleted': {
    ...refused,
    actors: [sendsLead, (api, world) => deleteLead(api, WHO, firstLead(world))],
    shows: {
      'a deleted lead is reassigned': without(
        REASSIGNED,
        /#status = :assigned AND distribution_attempt = :expected/,
      ),
    },
  },
  'a refused lead is reassigned while it is claimed': {
    ...refused,
    actors: [sendsLead, claims],
    shows: { 'a claimed lead is reassigned': without(REASSIGNED, /AND attribute_not_exists\(claim_id\)/) },
  },
  'a refused lead is reassigned while it is resent': {
    ...refused,
    actors: [sendsLead, (api, world) => resend(api, WHO, firstLead(world), 'http')],
    shows: {
      'a lead is reassigned while it is resent': unconditional(/\/DELIVERY#.* updated_at = :expected $/),
    },
  },
  'two workers get a refusal of the same lead': {
    ...refused,
    actors: [
      sendsLead,
      async (api, world) => {
        const lead = firstLead(world);
        await sendsLead(api, world);
        await redistributeRefused(api, lead, 2);
      },
    ],
    interruptions: 1,
    shows: {
      "the former buyer's delivery of a reassigned lead is sent": without(
        /\S/,
        /AND order_id = :of_order AND #of_sequence = :of_sequence/,
      ),
    },
  },
};
