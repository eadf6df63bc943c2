/**
 * Sealed consents of erased leads that buyers received, encrypted, each until its period ends. Keyed hashes of phone number
 * and e-mail address find them, and differ from those that other items have.
 */
import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { personal } from '#functions/data/personal';
import { encrypted } from '#functions/data/table/encrypted';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { read } from '#functions/data/table/items';
import { indexed, keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';
import { normalise, phoneDigits } from '#shared/rules/search-text';

export const keptConsentSchema = z.object({
  lead_id: z.string(),
  kept_until: z.string(),
  proof: personal(encrypted, { kept: 'proves the consent to call the person, until its period ends' }),
});
export type KeptConsent = z.output<typeof keptConsentSchema>;

const hashOf = (key: Uint8Array, kind: 'phone' | 'email', value: string): string | undefined =>
  value === ''
    ? undefined
    : createHmac('sha256', key).update(`kept consent\n${kind} ${value}`).digest('base64url');
const phoneHash = (key: Uint8Array, phone: string) => hashOf(key, 'phone', phoneDigits(phone));
const emailHash = (key: Uint8Array, email: string) => hashOf(key, 'email', normalise(email.trim()));

/** Only with the erasure of the record, which happens once. */
export function kept(
  consent: KeptConsent,
  person: { readonly telefon?: string | undefined; readonly email?: string | undefined },
  key: Uint8Array,
): Put {
  const [phone, email] = [phoneHash(key, person.telefon ?? ''), emailHash(key, person.email ?? '')];
  return {
    put: {
      ...keys.keptConsent(consent.lead_id),
      ...consent,
      ...(phone !== undefined && { gsi1pk: indexed.keptConsents(phone), gsi1sk: consent.lead_id }),
      ...(email !== undefined && { gsi2pk: indexed.keptConsents(email), gsi2sk: consent.lead_id }),
      expires_at: epochSeconds(new Date(consent.kept_until)),
    },
  };
}

/** DynamoDB removes expired items late. */
export const isKept = (until: string, now: Date): boolean => until > now.toISOString();

export async function get(context: DataContext, leadId: string, now: Date): Promise<KeptConsent | undefined> {
  const found = await read(context, keys.keptConsent(leadId), keptConsentSchema);
  return found && isKept(found.kept_until, now) ? found : undefined;
}

/** @param typed a whole phone number or e-mail address */
export async function ofPerson(
  { table }: DataContext,
  key: Uint8Array,
  typed: string,
  now: Date,
): Promise<Pick<KeptConsent, 'lead_id' | 'kept_until'>[]> {
  const isEmail = typed.includes('@');
  const hash = isEmail ? emailHash(key, typed) : phoneHash(key, typed);
  if (hash === undefined) return [];
  const partition = indexed.keptConsents(hash);
  const items = await table.queryAll({ index: isEmail ? 'gsi2' : 'gsi1', partition });
  return items
    .map((item) => keptConsentSchema.parse(item))
    .filter(({ kept_until }) => isKept(kept_until, now))
    .map(({ lead_id, kept_until }) => ({ lead_id, kept_until }));
}
