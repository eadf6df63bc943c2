/** Small worlds about claims that the product decides by itself, and about reversals. */

import { updateBuyer } from '#functions/domain/buyers/buyers';
import { fileClaim } from '#functions/domain/claims/claims';
import { reverseDecision } from '#functions/domain/claims/reversal';
import { takeIn } from '#functions/domain/distribution/distribution';
import { deleteLead, editLead } from '#functions/domain/leads/leads';
import { deleteOrder } from '#functions/domain/orders/orders';
import { createKeyLoader } from '#functions/keys/keys';
import { createClaimReview } from '#functions/platform/claim-review';
import { noteDeadAddresses } from '#test/simulation/claimants';
import { COMES_AGAIN } from '#test/simulation/picks';
import {
  type Actor,
  aClaim,
  aPerson,
  counts,
  decides,
  FIRST_ORDER,
  intake,
  leadAt,
  type SmallWorld,
  WHO,
} from '#test/simulation/small-actors';
import { ENVIRONMENT } from '#test/simulation/world';

/** Whose address is dead, and who comes again under one that is not. */
const [DEAD, AGAIN] = [3, 4];

const comes =
  (number: number): Actor =>
  (api, world) =>
    takeIn(api, { ...aPerson(world, number), telefon: COMES_AGAIN }, undefined);

const claims =
  (sequence: number, reason: string): Actor =>
  (api, world) =>
    fileClaim(
      api,
      { admin: WHO },
      { leadId: leadAt(world, sequence), orderId: FIRST_ORDER, buyerId: 'north', reason },
    );

/** What the product does by itself with the claim of a lead. */
const reviews =
  (sequence: number): Actor =>
  (api, world) => {
    const loadKeys = createKeyLoader(ENVIRONMENT);
    const review = createClaimReview(
      ENVIRONMENT,
      api.runtime,
      api.table,
      async () => (await loadKeys()).person,
    );
    return review(leadAt(world, sequence));
  };

const inTurn =
  (...actors: readonly Actor[]): Actor =>
  async (api, world) => {
    for (const actor of actors) await actor(api, world);
  };

/** Ids of one instant are in no order, and the earlier lead of a person decides. */
const aMinuteBefore =
  (actor: Actor): Actor =>
  (api, world) => {
    const now = () => new Date(api.runtime.now().getTime() - 60_000);
    return actor({ ...api, runtime: { ...api.runtime, now } }, world);
  };

const twoLeadsOfAPerson = inTurn(
  (api) => noteDeadAddresses(api, DEAD + 1),
  aMinuteBefore(comes(DEAD)),
  comes(AGAIN),
  counts,
);
/** The second lead of a person was made good by rule. */
const madeGood = inTurn(twoLeadsOfAPerson, claims(2, 'doppelt'), reviews(2));

const decidesByItself =
  (auto_decide_claims: boolean): Actor =>
  (api) =>
    updateBuyer(api, WHO, 'north', { auto_decide_claims });

/** What was known when they were filed is kept, of the first one before the second one was filed. */
const bothReviewedBefore = (reason: string) =>
  inTurn(
    decidesByItself(false),
    twoLeadsOfAPerson,
    claims(1, reason),
    reviews(1),
    claims(2, 'doppelt'),
    reviews(2),
    decidesByItself(true),
  );

const reverses: Actor = (api) => reverseDecision(api, { who: WHO, claimId: 1, notes: '' });

const common = { limit: 4, terms: { auto_decide_claims: true } } as const;

export const CLAIM_WORLDS: readonly SmallWorld[] = [
  {
    ...common,
    name: 'a dead address and a duplicate of one person are reviewed',
    // Where replacements are owed, the order tells as well.
    terms: { buyer_type: 'postpay' },
    prepare: bothReviewedBefore('falsche_email'),
    actors: { one: reviews(1), two: reviews(2) },
    maxPreemptions: 1,
  },
  {
    ...common,
    name: 'a duplicate is made good while an admin makes the earlier lead good',
    terms: { buyer_type: 'postpay' },
    prepare: bothReviewedBefore('wrong_number'),
    actors: { one: reviews(2), two: decides('approved') },
    maxPreemptions: 1,
    // The review waits and tries again many times, in as many ways.
    mostRuns: 150,
  },
  {
    ...common,
    name: 'two admins reverse a decision',
    prepare: madeGood,
    actors: { one: reverses, two: reverses },
    maxPreemptions: 1,
  },
  {
    ...common,
    name: 'a decision is reversed while its replacement is delivered',
    prepare: madeGood,
    actors: { one: reverses, two: intake(1) },
    maxPreemptions: 1,
  },
  {
    ...common,
    name: 'a decision is reversed while its lead is deleted',
    prepare: madeGood,
    actors: { one: reverses, two: (api, world) => deleteLead(api, WHO, leadAt(world, 2)) },
    maxPreemptions: 2,
  },
  {
    ...common,
    name: 'a decision is reversed while its order is deleted',
    prepare: madeGood,
    actors: { one: reverses, two: (api) => deleteOrder(api, WHO, 'north', FIRST_ORDER) },
    maxPreemptions: 2,
  },
  {
    name: 'a lead is edited while its claim is decided',
    limit: 2,
    prepare: aClaim(false),
    actors: {
      one: (api, world) => editLead(api, WHO, leadAt(world, 1), { nachname: 'Adler' }),
      two: decides('approved'),
    },
    maxPreemptions: 2,
  },
];
