/** Traces of erased people, plain or hashed. */
import { createHmac } from 'node:crypto';
import { type Stored, text } from '#test/simulation/referee/facts';
import type { Persons } from '#test/simulation/referee/persons';

const withSets = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** Shorter phone numbers also occur in other texts, so they identify nobody. */
const MIN_PHONE = 8;

/**
 * Items that identify an erased person whom no other lead has.
 * @param key of the hashes that identify persons
 */
export function leftOfErased({ items, leads }: Stored, persons: Persons, key: Uint8Array): string[] {
  const erased = persons.all().filter(({ id }) => leads.get(id)?.erased_at !== undefined);
  if (erased.length === 0) return [];
  const kept = [...leads.values()];
  const emails = new Set(kept.map((lead) => text(lead, 'email').toLowerCase()));
  // A discarded lead is without personal data, but keeps its hashes until it is erased itself.
  const addresses = new Set(
    kept.filter(({ erased_at }) => erased_at === undefined).map(({ address }) => address),
  );
  const phones = new Set(kept.map((lead) => text(lead, 'telefon')));
  /** The traces of each person. */
  const traces = erased.flatMap((one) => {
    const { id, email, phone } = one;
    const hashed = createHmac('sha256', key).update(`address\n${email}`).digest('base64url');
    return [
      id,
      ...(email === '' || emails.has(email) ? [] : [email]),
      ...(email === '' || emails.has(email) || addresses.has(hashed) ? [] : [hashed]),
      ...(phone.length < MIN_PHONE || phones.has(phone) ? [] : [phone.slice(1)]),
    ].map((trace) => ({ one, trace: trace.toLowerCase(), isId: trace === id }));
  });
  return items.flatMap((item) => {
    const kind = text(item, 'pk');
    const content = JSON.stringify(item, withSets).toLowerCase();
    // Fingerprints and keys contain hashes that only the lead can attribute.
    const isHashed = kind.startsWith('PERSON#') || (kind.startsWith('INTAKE#') && item.fingerprint !== '');
    return traces
      .filter(({ trace, isId }) => (isHashed || !isId) && content.includes(trace))
      .filter(({ one }) => !persons.isWrittenLater(kind, one))
      .map(
        ({ one: { email, id } }) =>
          `${kind} ${text(item, 'sk')} still identifies ${email}, whose lead ${id} was erased`,
      );
  });
}
