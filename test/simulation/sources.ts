/** Sources in a simulated world: their setup, posts and callbacks, and the rules for both. */

import { crc32 } from 'node:zlib';
import type { Consent } from '#functions/data/leads/consent';
import type { Lead, Person } from '#functions/data/leads/lead';
import { type Callback, callbackId, callbackSchema, eventIdOf } from '#functions/data/sources/callback';
import * as endpointStore from '#functions/data/sources/endpoints';
import { endpointsFor } from '#functions/data/sources/endpoints';
import { type Source, UNLIMITED } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import type { Item } from '#functions/data/table/table';
import { DomainError } from '#functions/domain/common/errors';
import { secretHash } from '#functions/domain/common/secret-hash';
import type { NewConsent } from '#functions/domain/distribution/consent';
import { answerPosted, ingestPosted, type PostedLead } from '#functions/domain/sources/intake';
import { useSource } from '#functions/domain/sources/source-access';
import { prefixOf } from '#functions/domain/sources/source-key';
import { sourceEventOf } from '#functions/workers/outbox/changes';
import { CALLBACK_EVENTS } from '#shared/rules/constants';
import { DAY_MS } from '#test/harness/time';
import type { Api } from '#test/simulation/api-process';
import { Violation } from '#test/simulation/kernel';
import type { Answered } from '#test/simulation/known';
import { recordOf } from '#test/simulation/records';
import type { SimulatedWorld } from '#test/simulation/world';

/** The domain of persons from sources; several leads may have the same address. */
export const SOURCES_DOMAIN = 'sources.example';

const AMOUNTS = [500_000, 1_000_000, 10_000_000];
const MAX_PEOPLE = 2;
const MAX_TRIES = 40;
const SECOND_MS = 1_000;
const MIN_BATCH = 10;

export function keyOf(source: number): string {
  const body = `lds_${source}a_${String(source).repeat(64).slice(0, 64)}`;
  return body + crc32(body).toString(16).padStart(8, '0');
}

const hasKey = (world: SimulatedWorld, source: number) =>
  world.table
    .partition(`SOURCE#${source}`)
    .some(({ keys }) => JSON.stringify(keys ?? '').includes(secretHash(keyOf(source))));

/** A live source with a key and no limits. */
export async function addSource(
  context: Api,
  source: number,
  changes: Partial<Source> = {},
): Promise<Source> {
  const key = keyOf(source);
  const created_at = context.runtime.now().toISOString();
  const stored: Source = {
    source,
    name: `Source ${source}`,
    src: `source-${source}`,
    state: 'live',
    addresses: [],
    origins: [],
    mapping: {},
    defaults: {},
    per_minute: 600,
    per_day: UNLIMITED,
    in_total: UNLIMITED,
    cost_per_lead: null,
    window_days: 30,
    on_duplicate: 'refuse',
    sees_buyers: false,
    consent: 'ignore',
    double_opt_in: false,
    consent_texts: [],
    consent_text_count: 0,
    keys: { a: { prefix: prefixOf(key), hash: secretHash(key), created_at, last_used_at: null } },
    salt: `salt ${source}`,
    created_at,
    version: 1,
    minute: 0,
    minute_left: 600,
    day: '',
    day_left: UNLIMITED,
    total_left: UNLIMITED,
    ...changes,
  };
  await context.table.transact(sourceStore.created(stored));
  return stored;
}

/** Endpoints for all events of a source. */
export async function addEndpoints(api: Api, source: number, hasPostback: boolean): Promise<void> {
  const [secret, events] = [Buffer.alloc(32, source).toString('base64'), [...CALLBACK_EVENTS]];
  await api.table.put(
    endpointStore.changed(await endpointStore.get(api, source), {
      webhook: { url: `https://hook${source}.example/`, events },
      ...(hasPostback && { postback: { url: `https://track${source}.example/?id={eventId}`, events } }),
      secrets: {
        a: {
          secret: (await api.cipher()).encrypt(`whsec_${secret}`),
          created_at: api.runtime.now().toISOString(),
        },
      },
    }),
  );
}

/** One or two sources with a key each; most have endpoints for all events. */
export async function setUpSources(world: SimulatedWorld, api: Api): Promise<void> {
  const { draws } = world;
  const count = 1 + draws.below('sources', 2);
  for (let source = 1; source <= count; source += 1) {
    const in_total = draws.chance('sources', 0.4) ? 2 + draws.below('sources', 4) : UNLIMITED;
    await sourceStore.nextId(api);
    await addSource(api, source, {
      in_total,
      total_left: in_total,
      window_days: draws.pick('window', [30, 30, 14, 7, 3, 1, 0]),
      on_duplicate: draws.chance('sources', 0.75) ? 'refuse' : 'hold',
      sees_buyers: draws.chance('sources', 0.5),
      consent: world.isConsenting && draws.chance('holds', 0.5) ? 'hold' : 'ignore',
      double_opt_in: world.isConsenting && draws.chance('double opt-in', 0.3),
    });
    if (!draws.chance('endpoints', 0.7)) continue;
    await addEndpoints(api, source, draws.chance('endpoints', 0.5));
  }
}

function personIn({ draws }: SimulatedWorld): Person {
  const [phone, email] = [draws.below('source person', MAX_PEOPLE), draws.below('source person', MAX_PEOPLE)];
  return {
    anrede: 'Frau',
    vorname: 'Erika',
    nachname: 'Muster',
    email: `person${draws.chance('crossed', 0.3) ? email : phone}@${SOURCES_DOMAIN}`,
    telefon: `+49171${1_000_000 + phone}`,
    anlagebetrag: draws.pick('source person', AMOUNTS),
    laufzeit: 24,
  };
}

/** How many days before the world some people came: outside, inside and at the edge of windows. */
const DAYS_BEFORE = [0.4, 0.9, 2, 4, 6, 9, 13, 20, 29];

/** Leads that sources sent in the weeks before. */
export async function postBefore(world: SimulatedWorld, api: Api): Promise<void> {
  const { draws, known } = world;
  const days = DAYS_BEFORE.filter(() => draws.chance('posted before', 0.25)).toReversed();
  for (const [at, day] of days.entries()) {
    const ids = world.table.partition('SOURCES').map(({ source }) => Number(source));
    const id = draws.pick('source before', ids);
    const source = await sourceStore.get(api, id);
    if (source === undefined) continue;
    const then = { ...api, runtime: { ...api.runtime, now: () => new Date(world.startMs - day * DAY_MS) } };
    const external_id = `before-${id}-${at}`;
    // Ingested like imported leads, which no limit counts.
    known.imported.set(id, (known.imported.get(id) ?? 0) + 1);
    await ingestPosted(then, source, [{ external_id, person: personIn(world), content: external_id }], 1);
  }
}

/** Comes with some leads, and not always for the phone. */
export function consentIn({ draws, isConsenting, scheduler }: SimulatedWorld): NewConsent | undefined {
  if (!isConsenting || draws.chance('no consent', 0.4)) return undefined;
  const consent: Consent = {
    given_at: new Date(scheduler.now).toISOString(),
    method: 'form',
    channels: [draws.chance('for the phone', 0.8) ? 'phone' : 'email'],
    text: 'hash of the wording',
  };
  return { consent, wording: undefined };
}

/** A source's first post of an ID decides its content; some repeat it with other content. */
export function posted(world: SimulatedWorld, source: number): PostedLead {
  const { draws } = world;
  const external_id = `form-${source}-${draws.below('external id', 12)}`;
  const known = world.posted.get(external_id);
  if (known !== undefined)
    return draws.chance('other content', 0.05) ? { ...known, content: 'other' } : known;
  const person = personIn(world);
  const lead = { external_id, person, content: external_id, consent: consentIn(world) };
  world.posted.set(external_id, lead);
  return lead;
}

/** Posts leads of a source, one or many, until there is an answer; sometimes twice concurrently. */
export async function postFromSource(
  world: SimulatedWorld,
  number: number,
  answered: Answered[],
): Promise<void> {
  const { draws } = world;
  const client = world.process(`source-client${number}`);
  await client.sleep(draws.below('source at', world.oneBurst ? 200 : 100_000));
  const ids = world.table.partition('SOURCES').map(({ source }) => Number(source));
  const source = draws.pick('source', ids);
  const count = draws.chance('batch', 0.15) ? MIN_BATCH : 1 + draws.below('posted', 3);
  const leads = Array.from({ length: count }, () => posted(world, source));
  const post = () =>
    world.api.invoke(async (api) => {
      const caller = { authorization: `Bearer ${keyOf(source)}`, origin: undefined, address: '192.0.2.1' };
      const isRevoked = !hasKey(world, source);
      const recognised = await useSource(api, caller, count);
      if (isRevoked) world.scheduler.violation ??= new Violation(`a revoked key of source ${source} works`);
      return answerPosted(api, recognised, leads, count);
    });
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const ends = await Promise.all(draws.chance('posted twice', 0.3) ? [post(), post()] : [post()]);
    for (const ended of ends) {
      if (ended.end === 'failed' && !(ended.error instanceof DomainError))
        world.unexpected(client.name, ended.error);
      if (ended.end !== 'answered') continue;
      for (const { status, lead_id } of ended.answer)
        if (status === 'accepted') answered.push({ lead: lead_id, status: 'overtaken' });
    }
    if (ends.some(({ end }) => end === 'answered')) return;
    if (ends.some((ended) => ended.end === 'failed' && ended.error instanceof DomainError)) break;
    await client.sleep(SECOND_MS * (1 + draws.below('patience', 30)));
  }
  world.scheduler.note(client.name, 'gives up', String(count));
  world.sourcesGaveUp = true;
}

/** Violations of sources and callbacks in a world at rest, as sentences. */
export function wrongWithSources(
  world: SimulatedWorld,
  items: readonly Item[],
  leads: readonly Lead[],
): string[] {
  const sources = items.filter(({ pk, sk }) => String(pk).startsWith('SOURCE#') && sk === 'SOURCE');
  return [
    ...sources.flatMap((source) => ofSource(world, source as unknown as Source, leads)),
    ...ofCallbacks(world, items),
  ];
}

function ofSource({ known }: SimulatedWorld, { source, in_total }: Source, leads: readonly Lead[]): string[] {
  const accepted = leads.filter(
    (lead) => lead.source === source && !['duplicate', 'withdrawn'].includes(lead.status),
  );
  const found: string[] = [];
  if (accepted.length > in_total + (known.imported.get(source) ?? 0))
    found.push(`source ${source} may send ${in_total} leads, and ${accepted.length} were ingested`);
  return found;
}

const callbacksIn = (items: readonly Item[]): Callback[] =>
  items.filter(({ sk }) => String(sk).startsWith('CALLBACK#')).map((item) => callbackSchema.parse(item));

/** Unfinished callbacks, as sentences. */
export const openCallbacks = (items: Iterable<Item>): string[] =>
  callbacksIn([...items])
    .filter(({ status }) => status === 'pending' || status === 'retrying')
    .map(({ lead_id, callback_id, status }) => `callback ${lead_id} ${callback_id} is ${status}`);

function ofCallbacks(world: SimulatedWorld, items: readonly Item[]): string[] {
  const found: string[] = [];
  const callbacks = callbacksIn(items);
  const seesBuyers = new Set(
    items.flatMap(({ sk, source, sees_buyers }) => (sk === 'SOURCE' && sees_buyers === true ? [source] : [])),
  );
  const stored = new Set(callbacks.map(({ lead_id, callback_id }) => `${lead_id} ${callback_id}`));
  for (const change of world.table.shards.flat()) {
    const { OldImage, NewImage } = recordOf(change, 0).dynamodb ?? {};
    const event = sourceEventOf(OldImage, NewImage, undefined);
    if (event === undefined || (event.ofBuyersOnly === true && !seesBuyers.has(event.source))) continue;
    const endpoints = items.find(({ pk, sk }) => pk === `SOURCE#${event.source}` && sk === 'ENDPOINTS');
    if (endpoints === undefined) continue;
    for (const endpoint of endpointsFor(endpoints as never, event.event)) {
      const name = `${event.lead_id} ${callbackId(endpoint, event)}`;
      if (endpoint === 'postback' && world.known.hasMovedPostbacks) continue;
      if (!stored.has(name)) found.push(`source ${event.source} is never sent: ${name}`);
    }
  }
  for (const callback of callbacks) {
    const { endpoint, source, status, series: round } = callback;
    const host = `${endpoint === 'webhook' ? 'hook' : 'track'}${source}.example`;
    const id = eventIdOf(callback);
    const times = world.calledBack.get(`${host} ${id}`) ?? 0;
    if (status === 'delivered' && times === 0)
      found.push(`callback ${id} is delivered, but ${host} has nothing`);
    if (times > round && !world.mayRepeat)
      found.push(`callback ${id} came to ${host} ${times} times in ${round} rounds, and no answer was lost`);
  }
  return found;
}
