/** What is left of erased people: their data as they stand, and hashed. */
import { createHmac } from 'node:crypto';
import { type Item, text } from '#test/simulation/referee/facts';
import type { Came } from '#test/simulation/referee/persons';

const withSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** A telephone number so short that other texts contain it tells of nobody. */
const MIN_PHONE = 8;

/**
 * Items that tell of an erased person of whom no other lead tells.
 * @param key of the hashes by which persons are recognised
 */
export function leftOf(items: readonly Item[], came: readonly Came[], key: Uint8Array): string[] {
  const leads = new Map(
    items.flatMap((item) => (item.sk === 'LEAD' ? [[text(item, 'lead_id'), item] as const] : [])),
  );
  const erased = came.filter(({ id }) => leads.get(id)?.erased_at !== undefined);
  if (erased.length === 0) return [];
  const kept = [...leads.values()];
  const emails = new Set(kept.map((lead) => text(lead, 'email').toLowerCase()));
  const phones = new Set(kept.map((lead) => text(lead, 'telefon')));
  const gone = new Map<string, string>();
  for (const { email, phone } of erased) {
    if (email !== '' && !emails.has(email)) {
      gone.set(email, email);
      gone.set(createHmac('sha256', key).update(`address\n${email}`).digest('base64url'), email);
    }
    if (phone.length >= MIN_PHONE && !phones.has(phone)) gone.set(phone.slice(1), phone);
  }
  const ids = new Set(erased.map(({ id }) => id));
  return items.flatMap((item) => {
    const found: string[] = [];
    const kind = text(item, 'pk');
    const content = JSON.stringify(item, withSets);
    const telling = (of: string) => found.push(`${kind} ${text(item, 'sk')} still tells of the erased ${of}`);
    for (const [trace, of] of gone) if (content.toLowerCase().includes(trace.toLowerCase())) telling(of);
    // Marks and keys hold hashes of which only the lead says whose they are.
    if (kind.startsWith('PERSON#')) for (const id of ids) if (content.includes(id)) telling(`lead ${id}`);
    if (kind.startsWith('INTAKE#') && ids.has(text(item, 'lead_id')) && item.fingerprint !== '')
      telling(`lead ${text(item, 'lead_id')}`);
    return found;
  });
}
