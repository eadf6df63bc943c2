/** Small worlds about claims: decisions by admins, automatic decisions, and reversals. */

import { reverseDecision } from '#functions/domain/claims/reversal';
import { ingest } from '#functions/domain/distribution/distribution';
import { deleteLead, editLead } from '#functions/domain/leads/leads';
import { createClaimReview } from '#functions/platform/claim-review';
import { noteDeadAddresses } from '#test/simulation/claimants';
import { COMES_AGAIN } from '#test/simulation/picks';
import { inTransactions, unconditional, without } from '#test/simulation/rewriting';
import {
  type Actor,
  aClaim,
  aPerson,
  changesBuyer,
  claimsAt,
  counts,
  decides,
  decidesByDefault,
  deletesOrder,
  intake,
  leadAt,
  oneByOne,
  SECOND_MS,
  type SmallWorlds,
  shifted,
  WHO,
} from '#test/simulation/small-actors';
import { ENVIRONMENT } from '#test/simulation/world';

/** A person with a dead address, who returns with a working one. */
const [DEAD, AGAIN] = [3, 4];

const comes =
  (number: number): Actor =>
  (api, world) =>
    ingest(api, { ...aPerson(world, number), telefon: COMES_AGAIN }, undefined);

/** The automatic review of a lead's claim. */
const reviews =
  (sequence: number): Actor =>
  (api, world) =>
    createClaimReview(ENVIRONMENT, api.runtime, api.table, api.personKey)(leadAt(world, sequence));

/** Waits, because IDs of the same millisecond are unordered, and the earlier lead of a person decides. */
const twoLeadsOfAPerson = oneByOne(
  (api) => noteDeadAddresses(api, DEAD + 1),
  shifted(-60 * SECOND_MS, comes(DEAD)),
  comes(AGAIN),
  counts,
);
/** Evidence is stored at filing, so the first claim's evidence does not include the second claim. */
const bothReviewedBefore = (reason: string) =>
  oneByOne(
    changesBuyer({ auto_decide_claims: false }),
    twoLeadsOfAPerson,
    claimsAt(1, reason),
    reviews(1),
    claimsAt(2, 'doppelt'),
    reviews(2),
    changesBuyer({ auto_decide_claims: true }),
  );

const reverses: Actor = (api) => reverseDecision(api, { who: WHO, claimId: 1, notes: '' });
/** The second lead of a person was compensated automatically. */
const compensation = {
  limit: 4,
  terms: { auto_decide_claims: true },
  prepare: oneByOne(twoLeadsOfAPerson, claimsAt(2, 'doppelt'), reviews(2)),
} as const;

export const CLAIM_WORLDS: SmallWorlds = {
  'two admins decide a claim': {
    prepare: aClaim,
    actors: [decides('approved'), decides('rejected')],
    shows: {
      'a claim is decided twice': unconditional(/^\S+ claim_status = :from|AND claim_status = :pending/),
    },
  },
  'an admin decides a claim, and so does the deadline': {
    terms: { decision_days: 1, default_decision: 'approve' },
    prepare: aClaim,
    actors: [decides('rejected'), decidesByDefault],
  },
  'two claims, one left in the quota': {
    terms: { claim_quota_percent: 50 },
    prepare: oneByOne(intake(1), intake(2)),
    actors: [claimsAt(1), claimsAt(2)],
    shows: {
      'an order accepts a claim beyond its quota': without(/ADD total_claims :one/, /total_claims < :total/),
    },
  },
  'a claim at the quota while another one is rejected': {
    terms: { claim_quota_percent: 50 },
    prepare: oneByOne(aClaim, intake(2)),
    actors: [claimsAt(2), decides('rejected')],
  },
  'a lead is edited while its claim is decided': {
    prepare: aClaim,
    actors: [
      (api, world) => editLead(api, WHO, leadAt(world, 1), { nachname: 'Adler' }),
      decides('approved'),
    ],
  },
  // Owed replacements are also visible in the order.
  'a dead address and a duplicate of one person are reviewed': {
    limit: 4,
    terms: { buyer_type: 'postpay' },
    prepare: bothReviewedBefore('falsche_email'),
    actors: [reviews(1), reviews(2)],
    interruptions: 1,
  },
  // The review waits and retries many times, with as many interleavings.
  'a duplicate is compensated while an admin compensates the earlier lead': {
    limit: 4,
    terms: { buyer_type: 'postpay' },
    prepare: bothReviewedBefore('wrong_number'),
    actors: [reviews(2), decides('approved')],
    interruptions: 1,
    mostRuns: 150,
    shows: {
      'a duplicate is compensated because of a lead that is compensated itself': without(
        /SET #status = :assigned/,
        /AND \(attribute_not_exists\(claim_status\) OR claim_status <> :approved\)/,
      ),
    },
  },
  'two admins reverse a decision': {
    ...compensation,
    actors: [reverses, reverses],
    interruptions: 1,
    shows: {
      'a decision is reversed twice': inTransactions(/\/CLAIM .*reversed_at/, unconditional(/^/)),
    },
  },
  'a decision is reversed while its replacement is delivered': {
    ...compensation,
    actors: [reverses, intake(1)],
    interruptions: 1,
    shows: {
      'a reversal removes a replacement during its delivery': without(
        /reimbursement_pending = reimbursement_pending \+ :by/,
        /reimbursement_pending = :owed AND/,
      ),
    },
  },
  'a decision is reversed while its lead is deleted': {
    ...compensation,
    actors: [reverses, (api, world) => deleteLead(api, WHO, leadAt(world, 2))],
    shows: {
      'the decision of a deleted lead is reversed': without(
        /SET claim_status = :status/,
        /AND #status = :assigned/,
      ),
    },
  },
  'a decision is reversed while its order is deleted': { ...compensation, actors: [reverses, deletesOrder] },
};
