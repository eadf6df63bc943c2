import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contactColumns, hashedPart } from '#frontend/admin/known-people/known-rows';
import { createFingerprints, fingerprintOf, personSalt } from '#functions/platform/fingerprints';
import { aPerson } from '#test/factories/people';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const rowOf = (...cells: string[]) => ({ number: 2, cells });

describe('a file of known people', () => {
  it('is read from the columns for phone number and e-mail address', () => {
    expect(contactColumns(['Name', 'E-Mail', 'Telefonnummer'])).toEqual({ email: 1, phone: 2 });
    expect(contactColumns(['Name'])).toEqual({ email: -1, phone: -1 });
  });

  it('counts rows without a contact, and those whose contacts came before', async () => {
    const rows = [
      rowOf('Ada@Example.org', '0151 12345678'),
      rowOf('ada@example.org', ''),
      rowOf('', '+49 (151) 12345678'),
      rowOf('nobody', '-'),
      rowOf('ada@example.org', '0151 12345679'),
    ];
    const { hashes, counts } = await hashedPart('salt', rows, { email: 0, phone: 1 }, new Set());
    expect(counts).toEqual({ rows: 5, invalid: 1, duplicates: 2 });
    expect(hashes).toEqual([
      sha256('salt phone +4915112345678'),
      sha256('salt email ada@example.org'),
      sha256('salt phone +4915112345679'),
    ]);
  });

  it('has the hashes by which leads are recognised', async () => {
    const key = new Uint8Array(32).fill(7);
    const row = rowOf('Ada@example.org', '0151 12345678');
    const { hashes } = await hashedPart(personSalt(key), [row], { email: 0, phone: 1 }, new Set());
    const person = aPerson({ email: 'ada@Example.org', telefon: '+49 151 12345678' });
    expect(hashes.map((hash) => fingerprintOf(key, hash))).toEqual(
      await createFingerprints(async () => key)(person),
    );
  });
});
