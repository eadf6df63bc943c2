/** The consent that comes with a lead: checked against the time and the source's wordings, and recorded next to the lead. */
import { seedFrom } from '#functions/data/administration/audit-commitments';
import type { Context, DataContext } from '#functions/data/context';
import type { Consent } from '#functions/data/leads/consent';
import * as consentStore from '#functions/data/leads/consent';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import { hasConsent, type Lead } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as leadWrites from '#functions/data/leads/lead-writes';
import type { ConsentText } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { invalid } from '#functions/domain/common/errors';
import { consentsToCalls } from '#shared/rules/consent';

/** As it is sent: either the wording or the ID of one of the source's. */
export interface GivenConsent extends Omit<Consent, 'text'> {
  readonly text_id?: string | undefined;
  readonly text?: string | undefined;
}

export interface NewConsent {
  readonly consent: Consent;
  /** Undefined for a wording that is stored already. */
  readonly wording: string | undefined;
}

/** Before, there was no such form; and years before 0 and after 9999 are not written with four digits. */
const EARLIEST = '2000';
/** Clocks differ. */
const TOLERANCE_MS = 120_000;

/**
 * @param texts wordings that may be named
 * @returns what to record, or what is wrong by field
 */
export function readConsent(
  { text_id, text, ...given }: GivenConsent,
  texts: readonly ConsentText[],
  now: Date,
): { readonly accepted: NewConsent } | { readonly wrong: Readonly<Record<string, string>> } {
  const latest = new Date(now.getTime() + TOLERANCE_MS);
  const named = texts.find(({ id }) => id === text_id);
  const wrong = {
    ...(given.given_at < EARLIEST && { given_at: 'Lies too far in the past' }),
    ...(new Date(given.given_at) > latest && { given_at: 'Lies in the future' }),
    ...(given.confirmed_at !== undefined &&
      (new Date(given.confirmed_at) > latest
        ? { confirmed_at: 'Lies in the future' }
        : given.confirmed_at < given.given_at && { confirmed_at: 'Must not be before given_at' })),
    ...(text_id !== undefined &&
      named === undefined && { text_id: 'The source has no wording with this ID' }),
  };
  if (Object.keys(wrong).length > 0) return { wrong };
  const hash = named?.hash ?? consentTextStore.wordingHash(text ?? '');
  const isKnown = texts.some((one) => one.hash === hash);
  return { accepted: { consent: { ...given, text: hash }, wording: isKnown ? undefined : text } };
}

/** For a lead without source. @throws DomainError 400 naming the fields */
export function requireConsent(given: GivenConsent, now: Date): NewConsent {
  const read = readConsent(given, [], now);
  if ('accepted' in read) return read.accepted;
  const named = given.text_id !== undefined && { text_id: 'IDs belong to a source: send the wording itself' };
  const fields = Object.entries({ ...read.wrong, ...named }).map(([name, text]) => [`consent.${name}`, text]);
  throw invalid('invalid_consent', 'The consent is not valid', Object.fromEntries(fields));
}

/** `other`: the lead has another record, of another request with this ID. */
export type Recorded = 'written' | 'recorded before' | 'other';

/**
 * In parallel with the write of the lead. If the process ends between the two, the lead's mark has no record; then the lead
 * counts as without consent until the call is repeated.
 */
export async function recordConsent(
  context: Context,
  lead: Lead,
  { consent, wording }: NewConsent,
): Promise<Recorded> {
  const item = consentStore.consentItem(lead, consent, seedFrom(context.runtime.newToken()));
  const [written] = await Promise.all([
    context.table.put(consentStore.consentPut(item, lead.unconfirmed !== true)),
    wording !== undefined && consentTextStore.keep(context, consent.text, wording, item.recorded_at),
  ]);
  if (written.ok) return 'written';
  // The SDK repeats this write after a lost answer; then the item found is the one that it wrote.
  const isSame = written.item?.consent === item.consent && written.item?.person === item.person;
  return isSame ? 'recorded before' : 'other';
}

/**
 * For leads that are resumed: the process that stored the lead may have ended before it wrote the record. Until a repeated call
 * writes it, the lead counts as one without consent.
 */
export async function asRecorded(context: DataContext, lead: Lead): Promise<Lead> {
  if (!(await lacksRecord(context, lead))) return lead;
  const source = lead.source === undefined ? undefined : await sourceStore.get(context, lead.source);
  const mustConsent = source !== undefined && source.consent !== 'ignore';
  return { ...lead, consent: undefined, ...(mustConsent && { must_consent: true }) };
}

/** Reads only for a lead with consent to calls. */
export const lacksRecord = async (context: DataContext, lead: Pick<Lead, 'lead_id' | 'consent'>) =>
  consentsToCalls(lead.consent) && (await consentStore.get(context, lead.lead_id))?.seed === undefined;

/**
 * Of two requests with one ID, only one stored the lead. Its consent stays, and the other one's is removed. A process that slept
 * must not write the person of a lead that was erased meanwhile.
 */
export async function settleConsent(
  context: Context,
  lead: Lead,
  given: NewConsent,
  { recorded, isStored }: { readonly recorded: Recorded; readonly isStored: boolean },
): Promise<void> {
  if (isStored && recorded === 'other') {
    const item = consentStore.consentItem(lead, given.consent, seedFrom(context.runtime.newToken()));
    const { put } = consentStore.consentPut(item, lead.unconfirmed !== true);
    await context.table.transact([{ put }, leadWrites.inUse(lead.lead_id)]);
  }
  if (!isStored && recorded === 'written') await removeOwn(context, lead, given);
}

/** The other request may have replaced the record, or adopted it for the same person. */
async function removeOwn(context: Context, lead: Lead, given: NewConsent): Promise<void> {
  const [item, stored] = await Promise.all([
    consentStore.get(context, lead.lead_id),
    leadStore.get(context, lead.lead_id),
  ]);
  const written = (of: Lead) => consentStore.consentItem(of, given.consent, '');
  if (item?.seed === undefined || item.person !== written(lead).person) return;
  const isAdopted = stored !== undefined && hasConsent(stored) && item.person === written(stored).person;
  if (!isAdopted) await context.table.update(consentStore.consentErased(item));
}
