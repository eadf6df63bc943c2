/** Small worlds in which attempts, batches and requests overtake each other. */
import { distributeBatch } from '#functions/domain/distribution/batches';
import { ingestOnce } from '#functions/domain/distribution/intake';
import { storeBatch } from '#test/simulation/actors';
import { overwriting, unconditional, without } from '#test/simulation/rewriting';
import {
  type Actor,
  aPerson,
  claimsAt,
  counts,
  countsLead,
  DAY_MS,
  decides,
  EVERY,
  earlier,
  intake,
  leadsIn,
  limits,
  oneByOne,
  type SmallWorlds,
  shifted,
  somebodyElse,
  takesOver,
  withoutReceiving,
} from '#test/simulation/small-actors';
import { ASSIGN, RESERVE } from '#test/simulation/writes';

/** Normally too few for a batch, but more concurrent calls have too many interleavings. */
const BATCH = 2;

const aBatch =
  (size: number): Actor =>
  (api, world) =>
    storeBatch(
      api,
      Array.from({ length: size }, (_, at) => aPerson(world, 2 + at)),
    );
const distributes: Actor = (api, world) => {
  const batch = leadsIn(world).find(({ batch_id }) => batch_id !== undefined);
  return distributeBatch(api, String(batch?.batch_id));
};

/** The same person in every draw. */
const postsOnce: Actor = (api, world) => {
  const person = { ...aPerson(world, 1), vorname: 'Erika', nachname: 'Muster', anlagebetrag: 500_000 };
  return ingestOnce(api, 'key', person, undefined);
};
/** A request that dies after it has taken its key and before it stores the lead. */
const postsInVain: Actor = async (api, world) => {
  await postsOnce(withoutReceiving(api, new Error('died')), world).catch(() => undefined);
};

export const ATTEMPT_WORLDS: SmallWorlds = {
  'a lead while the reconciliation takes it over': {
    limit: 1,
    actors: [intake(1), takesOver],
    shows: {
      'a repeated release counts twice': without(
        /leads_received = leads_received - :one REMOVE/,
        /attribute_exists\(reservations\.#key\)/,
      ),
      'an overtaken attempt assigns': without(ASSIGN, /AND distribution_attempt = :attempt/),
      'an assigned lead is assigned again': without(
        ASSIGN,
        /#status = :received AND distribution_attempt = :attempt/,
      ),
    },
  },
  'a lead without capacity while the limit is raised and the reconciliation takes it over': {
    limit: 1,
    prepare: intake(1),
    actors: [intake(2), oneByOne(limits(2), takesOver)],
    shows: {
      'an overtaken attempt makes a lead pending': without(
        /#status = :pending, reason = :reason/,
        /#status = :received AND distribution_attempt = :attempt/,
      ),
    },
  },
  'a batch and a lead, slots for the batch': {
    limit: BATCH,
    prepare: aBatch(BATCH),
    actors: [distributes, intake(1)],
    interruptions: 1,
    mostRuns: 250,
    shows: { 'an order reserves for a batch beyond its limit': without(RESERVE, /leads_received <= :most/) },
  },
  'a batch and a lead, a day for the batch': {
    limit: 2 * BATCH,
    prepare: oneByOne(limits(2 * BATCH, { daily_cap: BATCH }), aBatch(BATCH)),
    actors: [distributes, intake(1)],
    interruptions: 1,
    mostRuns: 250,
    shows: {
      'an order exceeds its daily cap for a batch': without(RESERVE, /pace\.day_received <?= :dayReceived/),
    },
  },
  // Needs two buyers, because with one the ledger does not change.
  'two workers with one batch': {
    prepare: oneByOne(somebodyElse({ use_sellanylead_api: true }), aBatch(1)),
    actors: [distributes, distributes],
    interruptions: 1,
    isExact: true,
    shows: { 'a batch pass is made twice': overwriting(/\/PASS#/) },
  },
  'two requests repeat one that died with its key': {
    prepare: earlier(postsInVain),
    actors: [postsOnce, postsOnce],
    shows: { 'two requests take over one idempotency key': unconditional(/^INTAKE#.*taken_by = :me/) },
  },
  'a lead while caps are changed': {
    limit: 3,
    prepare: limits(3, { weekly_cap: 2 }),
    actors: [intake(1), limits(3, { daily_cap: 2 })],
    shows: {
      'caps are changed with old counts': without(
        /lead_limit = :limit, pace = :pace/,
        / AND last_sequence = :sequence.*$/,
      ),
    },
  },
  'claims of two days are counted concurrently': {
    prepare: oneByOne(
      shifted(-DAY_MS, oneByOne(intake(1), claimsAt(1))),
      intake(2),
      claimsAt(2),
      counts,
      decides('approved', 1),
      decides('rejected', 2),
    ),
    actors: [countsLead(1), countsLead(2)],
    interruptions: EVERY,
    mostRuns: 200,
    shows: { "an account's month loses updates": unconditional(/^ACCOUNTS\//) },
  },
};
