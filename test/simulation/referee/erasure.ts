/** What is left of erased people: their data as they stand, and hashed. */
import { createHmac } from 'node:crypto';
import { type Item, text } from '#test/simulation/referee/facts';
import type { Came, Persons } from '#test/simulation/referee/persons';

const withSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** A telephone number so short that other texts contain it tells of nobody. */
const MIN_PHONE = 8;

/**
 * Items that tell of an erased person of whom no other lead tells.
 * @param key of the hashes by which persons are recognised
 */
export function leftOf(items: readonly Item[], persons: Persons, key: Uint8Array): string[] {
  const leads = new Map(
    items.flatMap((item) => (item.sk === 'LEAD' ? [[text(item, 'lead_id'), item] as const] : [])),
  );
  const erased = persons.all().filter(({ id }) => leads.get(id)?.erased_at !== undefined);
  if (erased.length === 0) return [];
  const kept = [...leads.values()];
  const emails = new Set(kept.map((lead) => text(lead, 'email').toLowerCase()));
  const phones = new Set(kept.map((lead) => text(lead, 'telefon')));
  /** What tells of whom. */
  const traces: (readonly [string, Came])[] = [];
  for (const one of erased) {
    const { id, email, phone } = one;
    traces.push([id.toLowerCase(), one]);
    if (email !== '' && !emails.has(email))
      for (const trace of [email, createHmac('sha256', key).update(`address\n${email}`).digest('base64url')])
        traces.push([trace.toLowerCase(), one]);
    if (phone.length >= MIN_PHONE && !phones.has(phone)) traces.push([phone.slice(1), one]);
  }
  return items.flatMap((item) => {
    const kind = text(item, 'pk');
    const content = JSON.stringify(item, withSets).toLowerCase();
    // Marks and keys hold hashes of which only the lead says whose they are.
    const isHashed = kind.startsWith('PERSON#') || (kind.startsWith('INTAKE#') && item.fingerprint !== '');
    return traces
      .filter(([trace, { id }]) => content.includes(trace) && (isHashed || trace !== id.toLowerCase()))
      .filter(([, one]) => !persons.isWrittenLater(kind, one))
      .map(
        ([, one]) =>
          `${kind} ${text(item, 'sk')} still tells of ${one.email}, whose lead ${one.id} was erased`,
      );
  });
}
