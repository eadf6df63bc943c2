/**
 * Ingests the leads that a source posts. A lead's ID derives from the source's own ID, so the conditional write of the
 * lead recognises a repetition. Besides the leads there is one more write, which recognises the key.
 */

import { createHmac } from 'node:crypto';
import type { DataContext } from '#functions/data/context';
import { hasConsent, type Lead, type Person } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { type FingerprintsOf, windowStart } from '#functions/data/leads/person-fingerprint-store';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { notFound } from '#functions/domain/common/errors';
import { type NewConsent, recordConsent, settleConsent } from '#functions/domain/distribution/consent';
import {
  isWithdrawn,
  marksOf,
  refuseWithdrawn,
  withKnown,
} from '#functions/domain/distribution/do-not-contact';
import {
  type IngestManyContext,
  ingestMany,
  type StoredLead,
} from '#functions/domain/distribution/ingest-many';
import {
  releaseFingerprints,
  resolvePerson,
  resolveRepeated,
  takeFingerprints,
  type Wanted,
} from '#functions/domain/distribution/same-person';
import { type DryRun, dryRun } from '#functions/domain/sources/dry-run';
import { type Recognised, returnUse } from '#functions/domain/sources/source-access';
import { confirmBy, consentsToCalls } from '#shared/rules/consent';
import { berlinDay } from '#shared/rules/working-days';

export interface IntakeContext extends IngestManyContext {
  readonly fingerprintsOf: FingerprintsOf;
}

export interface PostedLead {
  readonly external_id: string;
  readonly person: Person;
  readonly content: string;
  readonly consent?: NewConsent | undefined;
}

export type IntakeResult =
  | {
      readonly status: 'accepted' | 'duplicate' | 'withdrawn';
      readonly lead_id: string;
      /** A consent came with the lead, perhaps with an earlier call. */
      readonly consents?: boolean;
      /** Until when the person may confirm the consent. */
      readonly confirm_by?: string;
    }
  | { readonly status: 'conflict'; readonly lead_id: string };

export async function postedBefore(
  context: DataContext,
  source: Source,
  posted: readonly PostedLead[],
): Promise<ReadonlySet<PostedLead>> {
  const ids = posted.map(({ external_id }) => leadIdOf(source, external_id));
  const stored = await leadStore.getMany(context, ids);
  return new Set(posted.filter((_, at) => stored[at] !== undefined));
}

export async function tryPosted(
  context: IntakeContext,
  source: Source,
  posted: readonly PostedLead[],
  before?: DryRun,
): ReturnType<typeof dryRun> {
  const leads = await newLeads(context, source, posted);
  const given = leads.map((lead, at) => ({ lead, given: posted[at]?.consent?.consent.given_at }));
  return dryRun(context, source, given, before);
}

/** Answers a call. A source that may not send new leads now can only repeat earlier ones. @throws DomainError the reason */
export async function answerPosted(
  context: IntakeContext,
  { source, refused }: Recognised,
  posted: readonly PostedLead[],
  counted: number,
): Promise<IntakeResult[]> {
  if (refused === undefined) return ingestPosted(context, source, posted, counted);
  const before = await postedBefore(context, source, posted);
  if (before.size === 0 || before.size < posted.length) throw refused;
  return ingestPosted(context, source, posted, 0);
}

/** @param counted leads charged to the limits: the unreadable ones count as invalid; 0 for a repeated call */
export async function ingestPosted(
  context: IntakeContext,
  source: Source,
  posted: readonly PostedLead[],
  counted: number,
): Promise<IntakeResult[]> {
  const leads = await newLeads(context, source, posted);
  // Of several leads of one person, the first is settled before the others, so that they find its fingerprints.
  const first = firstOfTheirPerson(leads);
  const unread = counted - posted.length;
  const given = leads.map((lead, at) => ({ lead, consent: posted[at]?.consent }));
  const [taken, wanted, recorded, marks] = await Promise.all([
    ingestMany(context, leads),
    Promise.all(
      leads.map(async (lead) =>
        first.has(lead) ? takeFingerprints(context, lead, source.window_days) : undefined,
      ),
    ),
    Promise.all(given.map(async ({ lead, consent }) => consent && recordConsent(context, lead, consent))),
    marksOf(context, leads),
    unread > 0 && sourceStore.countInvalid(context, source.source, unread, berlinDay(context.runtime.now())),
  ]);
  await Promise.all(
    given.map(async ({ lead, consent }, at) => {
      const outcome = recorded[at];
      if (consent === undefined || outcome === undefined) return;
      const isStored = taken.outcomes[at]?.stored === true;
      // It may have been erased or refused since it was read, and then the person must not come back.
      const isRepeated =
        !isStored &&
        isSameCall(lead, taken.outcomes[at]) &&
        (outcome !== 'written' || isInUse(await leadStore.get(context, lead.lead_id)));
      if (!isRepeated) await settleConsent(context, lead, consent, { recorded: outcome, isStored });
    }),
  );
  const rows = leads.map((posted, at) => ({
    posted,
    outcome: taken.outcomes[at],
    wanted: wanted[at],
    withdrawnAt: marks[at]?.withdrawnAt,
    known: marks[at]?.known ?? [],
    given: given[at]?.consent?.consent.given_at,
  }));
  const settled = new Map<Lead, Settled>();
  const settleRow = async ({ posted, outcome, ...row }: (typeof rows)[number]) => {
    if (outcome === undefined) return;
    const isRefused = await isWithdrawn(context, posted, row.withdrawnAt, row.given);
    const result = isRefused ? await refuse(context, outcome, posted, row.wanted) : undefined;
    // Its earlier lead may be one that is just being refused.
    const careful = row.withdrawnAt === undefined ? source : { ...source, on_duplicate: 'hold' as const };
    settled.set(posted, result ?? (await settle(context, careful, outcome, posted, row)));
  };
  await Promise.all(rows.filter(({ posted }) => first.has(posted)).map(settleRow));
  for (const row of rows) if (!first.has(row.posted)) await settleRow(row);

  const all = leads.flatMap((lead) => settled.get(lead) ?? []);
  const kept = all.filter(({ isNew, result }) => isNew && result.status === 'accepted');
  await Promise.all([
    returnUse(context, source, counted - kept.length),
    taken.distribute(all.flatMap(({ distribute }) => distribute ?? [])),
  ]);
  return all.map(({ result }) => result);
}

/** The earlier lead is the same one, in use, so that a consent that was lost is recorded now. */
const isSameCall = ({ content }: Lead, outcome: StoredLead | undefined): boolean =>
  outcome?.stored === false && outcome.earlier.content === content && isInUse(outcome.earlier);

const isInUse = (lead: Lead | undefined): boolean =>
  lead !== undefined &&
  ['received', 'pending', 'assigned'].includes(lead.status) &&
  lead.erased_at === undefined;

function firstOfTheirPerson(leads: readonly Lead[]): ReadonlySet<Lead> {
  const expected = new Set<string>();
  return new Set(
    leads.filter((lead) => {
      const names = [lead.lead_id, ...(lead.fingerprints ?? [])];
      const isFirst = names.every((name) => !expected.has(name));
      for (const name of names) expected.add(name);
      return isFirst;
    }),
  );
}

interface Settled {
  readonly result: IntakeResult;
  readonly isNew: boolean;
  readonly distribute?: Lead;
}

/** Because its person withdrew the consent. @returns undefined if this lead was settled before */
async function refuse(
  context: IntakeContext,
  outcome: StoredLead,
  posted: Lead,
  wanted: Wanted | undefined,
): Promise<Settled | undefined> {
  const { lead_id } = posted;
  const stored = outcome.stored ? outcome.lead : outcome.earlier;
  if (!outcome.stored && (stored.content !== posted.content || stored.status !== 'received'))
    return undefined;
  if (!(await refuseWithdrawn(context, stored))) return undefined;
  if (wanted !== undefined) await releaseFingerprints(context, wanted);
  return { result: { status: 'withdrawn', lead_id }, isNew: outcome.stored };
}

export const refusedAs = ({ status }: Lead) =>
  status === 'duplicate' || status === 'withdrawn' ? status : 'accepted';

async function settle(
  context: IntakeContext,
  source: Source,
  outcome: StoredLead,
  posted: Lead,
  { wanted, known }: { readonly wanted: Wanted | undefined; readonly known: readonly number[] },
): Promise<Settled> {
  if (outcome.stored) {
    const own = await withKnown(context, outcome.lead, { known });
    const person = own === undefined ? 'held' : await resolvePerson(context, source, own, wanted);
    const status = person === 'refused' ? 'duplicate' : 'accepted';
    return {
      result: {
        status,
        lead_id: outcome.lead.lead_id,
        ...(person === 'unconfirmed' && confirmation(outcome.lead)),
      },
      isNew: true,
      ...(typeof person !== 'string' && { distribute: person }),
    };
  }
  const { earlier } = outcome;
  const { lead_id } = earlier;
  if (wanted !== undefined && !mustStay(earlier, posted, wanted)) await releaseFingerprints(context, wanted);
  if (earlier.content !== posted.content) return { result: { status: 'conflict', lead_id }, isNew: false };
  const consents = hasConsent(earlier) && { consents: true };
  if (earlier.status === 'pending' && earlier.reason === 'consent_unconfirmed')
    return { result: { status: 'accepted', lead_id, ...consents, ...confirmation(earlier) }, isNew: false };
  // Still in flight: the process that stored it may have ended before it resolved the person.
  const isRefused = earlier.status === 'received' && (await resolveRepeated(context, source, earlier));
  const status = isRefused ? 'duplicate' : refusedAs(earlier);
  return { result: { status, lead_id, ...consents }, isNew: false };
}

const confirmation = ({ received_at }: Lead) => ({ confirm_by: confirmBy(received_at).toISOString() });

/**
 * Whether the fingerprint that a repeated call took must stay, because the process that stored the lead may rely on it. It must not if
 * the stored lead has another person, is outside the window, or was erased.
 */
function mustStay(stored: Lead, posted: Lead, { entries: [first] }: Wanted): boolean {
  if (first === undefined || stored.erased_at !== undefined) return false;
  const isWithin = stored.received_at > windowStart(posted, first.days);
  return isWithin && (stored.fingerprints === undefined || stored.fingerprints.includes(first.hash));
}

async function newLeads(
  context: IntakeContext,
  source: Source,
  posted: readonly PostedLead[],
): Promise<readonly Lead[]> {
  const at = context.runtime.now().toISOString();
  return Promise.all(posted.map((one) => newLead(context, source, one, at)));
}

async function newLead(
  context: IntakeContext,
  source: Source,
  { external_id, person, content, consent }: PostedLead,
  at: string,
): Promise<Lead> {
  const fingerprints = await context.fingerprintsOf(person);
  return {
    lead_id: leadIdOf(source, external_id),
    status: 'received',
    ...person,
    src: source.src,
    received_at: at,
    distribution_attempt: 1,
    in_flight_since: at,
    source: source.source,
    external_id,
    content: createHmac('sha256', source.salt).update(`content ${content}`).digest('base64url'),
    ...(fingerprints.length > 0 && { fingerprints: [...fingerprints] }),
    ...(consent !== undefined &&
      (source.double_opt_in && consent.consent.method === 'form'
        ? { unconfirmed: true as const }
        : { consent: consent.consent.channels })),
    ...(source.consent === 'hold' &&
      !consentsToCalls(consent?.consent.channels) && { must_consent: true as const }),
  };
}

export async function postedLead(context: DataContext, source: Source, externalId: string): Promise<Lead> {
  const lead = await findPosted(context, source, externalId);
  if (lead === undefined) throw notFound('Lead');
  return lead;
}

export const findPosted = (context: DataContext, source: Source, externalId: string) =>
  leadStore.get(context, leadIdOf(source, externalId));

/** Crockford's base 32 (https://www.crockford.com/base32.html), as in all IDs. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_DIGITS = 26;

/** 130 bits of a keyed hash, so that IDs cannot be guessed. */
function leadIdOf({ salt }: Source, externalId: string): string {
  const hash = createHmac('sha256', salt).update(`lead ${externalId}`).digest();
  let number = BigInt(`0x${hash.subarray(0, 17).toString('hex')}`);
  let id = '';
  for (let digit = 0; digit < ID_DIGITS; digit += 1) {
    id += DIGITS[Number(number % 32n)];
    number /= 32n;
  }
  return id;
}
