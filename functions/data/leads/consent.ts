/**
 * A lead's consent, in an item of its own, next to the lead: the person as given and the record. The audit chain commits to
 * both by a salted hash, so that erasing them leaves the chain verifiable.
 */
import * as z from 'zod/mini';
import { hashOf } from '#functions/data/administration/audit-commitments';
import type { DataContext } from '#functions/data/context';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import { type Lead, personSchema } from '#functions/data/leads/lead';
import { personal } from '#functions/data/personal';
import { newItem, read, readMany } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Item, Put, Update } from '#functions/data/table/table';
import { CONSENT_CHANNELS, CONSENT_METHODS } from '#shared/rules/consent';

const text = () => z.optional(z.string());

const consentSchema = z.object({
  given_at: z.string(),
  method: z.enum(CONSENT_METHODS),
  channels: z.array(z.enum(CONSENT_CHANNELS)),
  /** SHA-256 of the wording, base64url. */
  text: z.string(),
  page_url: text(),
  ip: text(),
  user_agent: text(),
  confirmed_at: text(),
  confirmed_ip: text(),
  proof_url: text(),
});
export type Consent = z.output<typeof consentSchema>;

/** Who consented, as given at that time: the lead itself may be corrected later. */
const consenterSchema = z.pick(personSchema, { vorname: true, nachname: true, email: true, telefon: true });
export type Consenter = z.output<typeof consenterSchema>;

/** Person and record are JSON, whose order of fields the commitment covers. */
export const consentItemSchema = z.object({
  lead_id: z.string(),
  recorded_at: z.string(),
  person: personal(text()),
  consent: personal(text()),
  /** 128 bits, base64url; salts the commitment. */
  seed: personal(text()),
  /** In place of the others once they are erased. */
  commitment: text(),
  /** Until when the proof of the erased record is kept (`kept-consent-store.ts`). */
  kept_until: text(),
});
export type ConsentItem = z.output<typeof consentItemSchema>;

/** @param seed 128 random bits, base64url */
export function consentItem(
  { lead_id, received_at, vorname, nachname, email, telefon }: Lead,
  consent: Consent,
  seed: string,
): ConsentItem {
  // Clocks differ, but nobody consents after the lead was received.
  const given = { ...consent, given_at: earlier(consent.given_at, received_at) };
  if (given.confirmed_at !== undefined) given.confirmed_at = earlier(given.confirmed_at, received_at);
  return {
    lead_id,
    recorded_at: received_at,
    person: JSON.stringify(consenterSchema.parse({ vorname, nachname, email, telefon })),
    consent: JSON.stringify(consentSchema.parse(given)),
    seed,
  };
}

const earlier = (one: string, other: string) => (one < other ? one : other);

interface ConsentRecord {
  readonly person: Consenter;
  readonly consent: Consent;
}

export const readRecord = (stored: { readonly person: string; readonly consent: string }): ConsentRecord => ({
  person: consenterSchema.parse(JSON.parse(stored.person)),
  consent: consentSchema.parse(JSON.parse(stored.consent)),
});

/** Undefined once it is erased. */
export const recordOf = ({ person, consent }: Partial<ConsentItem> = {}): ConsentRecord | undefined =>
  person === undefined || consent === undefined ? undefined : readRecord({ person, consent });

const commitmentOf = ({ seed, person, consent, commitment }: ConsentItem): string =>
  commitment ?? hashOf([seed, person, consent]);

/** What the audit chain seals. Erasing the record leaves it as it is. */
export const consentLeaf = (item: ConsentItem): string =>
  hashOf(['consent', item.lead_id, item.recorded_at, commitmentOf(item)]);

export const isConsent = ({ pk, sk }: Item): boolean =>
  sk === keys.consent('').sk && String(pk).startsWith(keys.leadPartition(''));

/**
 * The record is sealed as soon as it is in the list, by the time at which it is listed. Fails if the lead has one.
 * @param isSealed false until the person has confirmed it
 */
export const consentPut = (item: ConsentItem, isSealed = true): Put =>
  newItem(keys.consent(item.lead_id), { ...item, ...(isSealed && listed(item)) });

const listed = ({ lead_id, recorded_at }: ConsentItem) => ({
  gsi1pk: indexed.consents(lead_id),
  gsi1sk: indexed.at(recorded_at, lead_id),
});

/**
 * Lists it, to be sealed, as recorded at this time: the list is sealed in the order of time. Fails if the expected one was changed,
 * erased or listed.
 */
export function consentConfirmed(expected: ConsentItem, given: Consent, at: string, ip: string): Put {
  const confirmed: Consent = { ...given, method: 'double_opt_in', confirmed_at: at, confirmed_ip: ip };
  const item = { ...expected, recorded_at: at, consent: JSON.stringify(consentSchema.parse(confirmed)) };
  return {
    put: { ...keys.consent(item.lead_id), ...item, ...listed(item) },
    condition: 'seed = :seed AND attribute_not_exists(gsi1pk)',
    values: { ':seed': expected.seed },
  };
}

type OfLead = Pick<Lead, 'lead_id' | 'received_at'>;

/** In place of a record that was never written, so that no process writes it after the lead is gone. Fails if there is one. */
export const consentBarred = ({ lead_id, received_at }: OfLead): Put =>
  newItem(keys.consent(lead_id), { lead_id, recorded_at: received_at });

/**
 * Removes person and record, and keeps the commitment. Fails if they changed or are erased already.
 * @param keptUntil if the proof is kept elsewhere
 */
export const consentErased = (item: ConsentItem, keptUntil?: string): Update => ({
  key: keys.consent(item.lead_id),
  update: `SET commitment = :commitment${keptUntil === undefined ? '' : ', kept_until = :until'} REMOVE person, consent, seed`,
  condition: 'seed = :seed',
  values: {
    ':commitment': commitmentOf(item),
    ':seed': item.seed,
    ...(keptUntil !== undefined && { ':until': keptUntil }),
  },
});

/** Repeatable. Bars a record that a slow process would write later. */
export async function erase(context: DataContext, lead: OfLead): Promise<void> {
  const item = await get(context, lead.lead_id);
  if (item?.seed !== undefined) await context.table.update(consentErased(item));
  if (item === undefined && !(await context.table.put(consentBarred(lead))).ok) await erase(context, lead);
}

/** With the wording in place of its hash. @param item that was read before */
export async function consentWithWording(
  context: DataContext,
  leadId: string,
  item?: ConsentItem,
): Promise<Consent | undefined> {
  const consent = recordOf(item ?? (await get(context, leadId)))?.consent;
  return consent && { ...consent, text: (await consentTextStore.get(context, consent.text)) ?? '' };
}

/** By lead; reads only those of leads with the mark. */
export async function consentItemsOf(
  context: DataContext,
  leads: readonly Pick<Lead, 'lead_id' | 'consent' | 'erased_at'>[],
): Promise<ReadonlyMap<string, ConsentItem>> {
  const marked = leads.filter(({ consent, erased_at }) => consent !== undefined && erased_at === undefined);
  const wanted = marked.map(({ lead_id }) => keys.consent(lead_id));
  const items = await readMany(context, wanted, consentItemSchema);
  return new Map(items.flatMap((item) => (item === undefined ? [] : [[item.lead_id, item] as const])));
}

export const get = (context: DataContext, leadId: string): Promise<ConsentItem | undefined> =>
  read(context, keys.consent(leadId), consentItemSchema);

/** Undefined without a record, or if it is erased. */
export async function givenAt(context: DataContext, leadId: string): Promise<string | undefined> {
  return recordOf(await get(context, leadId))?.consent.given_at;
}
