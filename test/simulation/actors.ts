/** People and clients who post leads, administer, or claim. They call the product's own use cases. */

import * as batchStore from '#functions/data/distribution/batch-store';
import type { Person } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { DomainError } from '#functions/domain/common/errors';
import { ingestMany } from '#functions/domain/distribution/ingest-many';
import { ingestOnce } from '#functions/domain/distribution/intake';
import { ACCOUNT_ACTIONS } from '#test/simulation/account-actions';
import type { Api } from '#test/simulation/api-process';
import { FILE_CLAIM, REVERSE } from '#test/simulation/claimants';
import { CONSENT_ACTIONS } from '#test/simulation/consents';
import type { Answered } from '#test/simulation/known';
import { KNOWN_ACTIONS } from '#test/simulation/known-lists';
import { LEAD_ACTIONS, SOURCE_ACTIONS } from '#test/simulation/lead-actions';
import { ORDER_ACTIONS, PACE_ACTIONS, REFUSAL_ACTIONS } from '#test/simulation/order-actions';
import { ERASURE_ACTIONS, NOTIFICATION_ACTIONS } from '#test/simulation/people-actions';
import {
  type Action,
  type Actions,
  buyerId,
  COMES_AGAIN,
  type Deed,
  LAST_NAMES,
} from '#test/simulation/picks';
import { LINK_ACTIONS, SETTING_ACTIONS, SOURCE_SETTING_ACTIONS } from '#test/simulation/setting-actions';
import { consentIn } from '#test/simulation/sources';
import type { SimulatedWorld } from '#test/simulation/world';

const FIRST = ['Erika', 'Max', 'Jürgen', 'Zoë'];
const AMOUNTS = [500_000, 1_000_000, 2_500_000, 10_000_000];

/** Amounts are in cents. */
export function personOf(world: SimulatedWorld, number: number): Person {
  const { draws } = world;
  return {
    anrede: 'Frau',
    vorname: draws.pick('person', FIRST),
    nachname: draws.pick('person', LAST_NAMES),
    email: `person${number}@example.org`,
    telefon: draws.chance('person', 0.08) ? '12' : `+49170${1_000_000 + number}`,
    anlagebetrag: draws.pick('person', AMOUNTS),
    // Drawn, it would differ when a request is repeated.
    laufzeit: [12, 24, 24, 60][number % 4] ?? 24,
  };
}

const SECOND_MS = 1_000;
const MAX_TRIES = 40;

/** Posts a lead with its own key until there is an answer. */
export async function postLead(
  world: SimulatedWorld,
  number: number,
  answered: Answered[],
  refused: Set<string>,
): Promise<void> {
  const client = world.process(`client${number}`);
  await client.sleep(world.draws.below('arrival', world.oneBurst ? 200 : 100_000));
  const again = world.draws.chance('again', world.isClaiming ? 0.6 : 0.3) ? { telefon: COMES_AGAIN } : {};
  const person = { ...personOf(world, number), ...again };
  const chosen = world.draws.chance('chosen', 0.15) ? buyerId(world) : undefined;
  const consent = consentIn(world);
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const ended = await world.api.invoke((api) => ingestOnce(api, `key-${number}`, person, chosen, consent));
    if (ended.end === 'answered' && ended.answer.status !== 'overtaken') {
      answered.push({ lead: ended.answer.lead_id, status: ended.answer.status });
      world.scheduler.note(
        client.name,
        'answered',
        `${ended.answer.status} ${ended.answer.lead_id.slice(-4)}`,
      );
      return;
    }
    if (
      ended.end === 'failed' &&
      ended.error instanceof DomainError &&
      ended.error.code !== 'request_under_way'
    ) {
      world.scheduler.note(client.name, 'refused', ended.error.code);
      if (ended.error.code !== 'lead_removed') refused.add(person.email);
      return;
    }
    await client.sleep(SECOND_MS * (1 + world.draws.below('patience', 30)));
  }
}

/** A stored lead before its distribution. */
export const receivedNow =
  ({ runtime }: Api) =>
  <Named extends Person & { readonly lead_id: string }>(person: Named) => {
    const at = runtime.now().toISOString();
    const status = 'received' as const;
    return { ...person, status, received_at: at, distribution_attempt: 1, in_flight_since: at };
  };
/** A stored batch that is not distributed yet. */
export async function storeBatch(api: Api, people: readonly Person[]): Promise<void> {
  const [batch_id, received_at] = [api.runtime.newId(), api.runtime.now().toISOString()];
  const leads = people.map((person) => {
    const { in_flight_since: _, ...lead } = receivedNow(api)({ lead_id: api.runtime.newId(), ...person });
    return { ...lead, src: 'batch', batch_id };
  });
  await batchStore.open(api, { batch_id, received_at, leads });
  for (const lead of leads) await leadStore.receiveInBatch(api, lead);
}

const FIRST_OF_MANY = 1_000;
const MIN_MANY = 10;

/** Posts a batch of leads under its own IDs until there is an answer; sometimes twice at once. */
export async function postMany(world: SimulatedWorld, answered: Answered[]): Promise<void> {
  const { draws } = world;
  const client = world.process('many');
  await client.sleep(draws.below('many at', world.oneBurst ? 200 : 60_000));
  const people = Array.from({ length: MIN_MANY + draws.below('many', 4) }, (_, at) => ({
    ...personOf(world, FIRST_OF_MANY + at),
    lead_id: `MANY${String(at).padStart(22, '0')}`,
  }));
  const post = () =>
    world.api.invoke(async (api) => (await ingestMany(api, people.map(receivedNow(api)))).distribute());
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const ends = await Promise.all(draws.chance('many twice', 0.3) ? [post(), post()] : [post()]);
    for (const ended of ends) if (ended.end === 'failed') world.unexpected(client.name, ended.error);
    if (ends.some(({ end }) => end === 'answered')) {
      for (const { lead_id } of people) answered.push({ lead: lead_id, status: 'overtaken' });
      return;
    }
    await client.sleep(SECOND_MS * (1 + draws.below('patience', 30)));
  }
}

const MAX_ACTION_AFTER_MS = 140_000;
/** Items whose next write an actor may wait for, to act at that moment. */
const KINDS = ['ORDERS', 'ORDERS', 'LEAD', 'CLAIM', 'POOL', 'BUYERS', 'INTAKE'];

/** Actions by name, with their weights. */
type Lottery = readonly { readonly name: string; readonly choose: Action['choose'] }[];
const lottery = (...all: readonly Actions[]): Lottery =>
  all
    .flatMap((actions) => Object.entries(actions))
    .flatMap(([name, { weight, choose }]) => Array.from({ length: weight }, () => ({ name, choose })));

/** The actions of people in a world: all, or only a few, which then conflict more often. */
export function lotteryOf(world: SimulatedWorld): Lottery {
  const { draws, hasSources, isPaced, isRefusing, isClaiming, isErasing, isNotifying } = world;
  const all = lottery(
    ORDER_ACTIONS,
    LEAD_ACTIONS,
    hasSources ? SOURCE_ACTIONS : {},
    isPaced ? PACE_ACTIONS : {},
    isRefusing ? REFUSAL_ACTIONS : {},
    isErasing ? ERASURE_ACTIONS : {},
    isNotifying ? NOTIFICATION_ACTIONS : {},
    isClaiming ? { 'file claim': FILE_CLAIM, 'reverse decision': REVERSE } : {},
    isClaiming ? { 'reverse decision': REVERSE } : {},
  );
  if (draws.chance('few actions', 0.4)) return all;
  return Array.from({ length: 1 + draws.below('few actions', 3) }, () => draws.pick('few actions', all));
}

/** People with only some actions: the number of the first person, how many, and the actions. */
export function othersIn({
  draws,
  hasSources,
  isAdministered,
  isErasing,
  isNotifying,
  isConsenting,
  isKnowing,
}: SimulatedWorld): readonly (readonly [number, number, Lottery])[] {
  const settings = lottery(SETTING_ACTIONS, LINK_ACTIONS, hasSources ? SOURCE_SETTING_ACTIONS : {});
  return [
    [100, isErasing ? 1 + draws.below('erasing people', 4) : 0, lottery(ERASURE_ACTIONS)],
    [150, isConsenting ? 1 + draws.below('withdrawing people', 5) : 0, lottery(CONSENT_ACTIONS)],
    [180, isKnowing ? 1 + draws.below('knowing people', 4) : 0, lottery(KNOWN_ACTIONS)],
    [200, isNotifying ? 1 + draws.below('telling people', 4) : 0, lottery(NOTIFICATION_ACTIONS)],
    [300, isAdministered ? 1 + draws.below('changing settings', 6) : 0, settings],
    [400, isAdministered ? 6 + draws.below('administering', 20) : 0, lottery(ACCOUNT_ACTIONS)],
  ];
}

/**
 * One action of an admin or a buyer. People do not repeat unanswered calls, but may act twice concurrently: a double click, or
 * two admins with the same list.
 */
export async function act(world: SimulatedWorld, number: number, those: Lottery): Promise<void> {
  const person = world.process(`person${number}`);
  const { draws } = world;
  if (draws.chance('in between', 0.4))
    await world.nextWrite(
      person,
      draws.pick('in between', KINDS),
      draws.below('action at', MAX_ACTION_AFTER_MS),
    );
  else await person.sleep(draws.below('action at', world.oneBurst ? 400 : MAX_ACTION_AFTER_MS));
  const { name, choose } = world.draws.pick('action', those);
  const run = choose(world);
  if (run === undefined) return;
  const twice = world.draws.chance('twice', 0.3) ? [ask(world, `${person.name}b`, name, run)] : [];
  await Promise.all([ask(world, person.name, name, run), ...twice]);
}

/**
 * @param person the name in the audit trail
 * @param name of the action
 */
export async function ask(world: SimulatedWorld, person: string, name: string, run: Deed): Promise<void> {
  world.scheduler.note(person, name);
  const ended = await world.api.invoke((api) => run(api, person));
  const error =
    ended.end !== 'failed' ? undefined : ended.error instanceof Error ? ended.error : new Error('thrown');
  const isRefused = error instanceof DomainError;
  world.scheduler.note(person, `${name}:`, isRefused ? error.code : (error?.name ?? ended.end));
  const outcome = ended.end === 'answered' ? 'done' : isRefused ? 'refused' : 'unknown';
  world.asked.push({ who: person, name, outcome });
  if (error !== undefined && !isRefused) world.unexpected(person, error);
}
