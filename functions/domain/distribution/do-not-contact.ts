/**
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

/** The latest withdrawal of each lead's person. */
export async function withdrawalsOf(
  context: MarksContext,
  leads: readonly Lead[],
): Promise<(string | undefined)[]> {
  const hashes = await Promise.all(
    leads.map(async (lead) =>
      doNotContactStore.marksFor(lead.fingerprints ?? (await context.fingerprintsOf?.(lead)) ?? []),
    ),
  );
  const all = hashes.flat();
  const marks = await doNotContactStore.ofEach(context, all);
  const at = new Map(all.map((hash, index) => [hash, marks[index]?.withdrawn_at]));
  return hashes.map(
    (own) =>
      own
        .map((hash) => at.get(hash) ?? '')
        .toSorted()
        .at(-1) || undefined,
  );
}

export async function withdrawnAtOf(context: MarksContext, lead: Lead): Promise<string | undefined> {
  return (await withdrawalsOf(context, [lead]))[0];
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

export const consentWithdrawn = () =>
  conflict('consent_withdrawn', 'This person withdrew the consent, and no newer one came with the lead');
