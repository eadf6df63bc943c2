/**
 * The marks of a lead's person: who withdrew the consent, and which buyers know the person already.
 *
 * New leads of people who withdrew their consent are refused, unless a newer consent comes with them. The marks are read in
 * parallel with the write of the lead. A lead that is stored while its person withdraws is found by the withdrawal's check. See
 * `docs/adr/0053-withdrawal-of-consent.md`.
 */
import type { Context } from '#functions/data/context';
import * as consentStore from '#functions/data/leads/consent';
import * as doNotContactStore from '#functions/data/leads/do-not-contact-store';
import { hasConsent, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import type { FingerprintsOf } from '#functions/data/leads/person-fingerprint-store';
import { conflict } from '#functions/domain/common/errors';

export interface MarksContext extends Context {
  /** Absent in functions that see only leads which have their fingerprints. */
  readonly fingerprintsOf?: FingerprintsOf | undefined;
}

export interface Marks {
  /** The latest withdrawal. */
  readonly withdrawnAt: string | undefined;
  /** The buyers that know the person; 0 if no buyer may get it. */
  readonly known: readonly number[];
}

/** Of each lead's person. */
export async function marksOf(context: MarksContext, leads: readonly Lead[]): Promise<Marks[]> {
  const hashes = await Promise.all(
    leads.map(async (lead) =>
      // An admin may have corrected the contact since the fingerprints were stored.
      doNotContactStore.marksFor((await context.fingerprintsOf?.(lead)) ?? lead.fingerprints ?? []),
    ),
  );
  const all = hashes.flat();
  const marks = await doNotContactStore.ofEach(context, all);
  const of = new Map(all.map((hash, index) => [hash, marks[index]]));
  return hashes.map((own) => {
    const found = own.map((hash) => of.get(hash));
    const withdrawn = found.map((mark) => mark?.withdrawn_at ?? '').toSorted();
    return { withdrawnAt: withdrawn.at(-1) || undefined, known: doNotContactStore.knownTo(found) };
  });
}

export async function marksOfOne(context: MarksContext, lead: Lead): Promise<Marks> {
  const [marks] = await marksOf(context, [lead]);
  return marks ?? { withdrawnAt: undefined, known: [] };
}

/** For pending leads, whose person may have come onto a list or left one since. */
export async function knownNow(context: MarksContext, leads: readonly Lead[]) {
  const marks = await marksOf(context, leads);
  return leads.map(({ fingerprints, known_to }, at): Pick<Lead, 'known_to'> => {
    const known = marks[at]?.known ?? [];
    if (fingerprints === undefined && context.fingerprintsOf === undefined) return { known_to };
    return { known_to: known.length === 0 ? undefined : [...known] };
  });
}

/** Writes only for known people. @returns undefined if another distribution attempt has taken the lead over */
export async function withKnown(
  context: Context,
  lead: Lead,
  { known }: Pick<Marks, 'known'>,
): Promise<Lead | undefined> {
  if (known.length === 0) return lead;
  return leadStore.noteKnown(context, lead, known, context.runtime.now().toISOString());
}

/** @param given when the consent that came with the lead was given; absent: what is recorded */
export async function isWithdrawn(
  context: Context,
  lead: Pick<Lead, 'lead_id'>,
  withdrawnAt: string | undefined,
  given?: string,
): Promise<boolean> {
  if (withdrawnAt === undefined) return false;
  const givenAt = given ?? (await consentStore.givenAt(context, lead.lead_id));
  return givenAt === undefined || givenAt <= withdrawnAt;
}

/** @returns whether it is refused; false if another distribution attempt took over */
export async function refuseWithdrawn(context: Context, lead: Lead): Promise<boolean> {
  if (hasConsent(lead)) await consentStore.erase(context, lead);
  return leadStore.refuse(context, lead, 'withdrawn');
}

export const alreadyKnown = (buyerId: string) =>
  conflict('already_known', `The person is on a list of people that buyer ${buyerId} must not get`);

export const consentWithdrawn = () =>
  conflict('consent_withdrawn', 'This person withdrew the consent, and no newer one came with the lead');
