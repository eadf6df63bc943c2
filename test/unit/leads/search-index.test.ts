import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasTerm, leadWords, lookupsOf, searchTerms } from '#functions/data/leads/search-index';
import { keys } from '#functions/data/table/keys';

const PERSON = { vorname: 'Max', nachname: 'Weiß-Müller', email: 'max@example.org', telefon: '0170 1234567' };

/** Whether the index and the person's data both match every term. */
function finds(typed: string, person = PERSON): boolean {
  const words = leadWords(person);
  const terms = searchTerms(typed);
  return (
    terms.length > 0 &&
    terms.every(
      (term) =>
        lookupsOf(term).some((prefix) => words.some((word) => word.startsWith(prefix))) &&
        hasTerm(person, term),
    )
  );
}

describe('search words of a lead', () => {
  it.each([
    'WEISS',
    'weiß',
    'mueller',
    'muller',
    'max',
    'Max@Example.org',
    '0170 123',
    '+49 170 1234567',
    '0049170',
    '4567',
    '3456',
    '1701',
    '0170/123',
    '0170-1234567',
    '4917',
    'max +49 170 123',
    'muller 4567',
  ])('match %s', (typed) => {
    expect(finds(typed)).toBe(true);
  });

  it.each(['4568', '0049 4567', 'meier 4567', 'max 0171'])('do not match %s', (typed) => {
    expect(finds(typed)).toBe(false);
  });

  it('contain any four or more consecutive digits of a phone number', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^0[1-9]\d{4,13}$/),
        fc.nat(12),
        fc.integer({ min: 4, max: 15 }),
        (telefon, from, length) => {
          const part = telefon.slice(from, from + length);
          if (part.length >= 4) expect(finds(part, { ...PERSON, telefon })).toBe(true);
        },
      ),
    );
  });

  it('are bounded in number for any lead', () => {
    const many = Array.from({ length: 40 }, (_, at) => `name${at}`).join(' ');
    const words = leadWords({ vorname: many, nachname: many, email: many, telefon: '1'.repeat(40) });
    // An edit replaces all words in one transaction of at most 100 items.
    expect(words.length).toBeLessThanOrEqual(15);
    expect(leadWords(PERSON)).toHaveLength(9);
    // The shortest suffix of a number with an even number of digits has four digits.
    expect(leadWords({ ...PERSON, telefon: '0170 123456' }).at(-1)).toBe('3456');
  });

  it('are never cut inside a surrogate pair', () => {
    const long = leadWords({ ...PERSON, nachname: `a${'𠀀'.repeat(100)}` });
    expect(long.every((word) => !/\p{Surrogate}/u.test(word))).toBe(true);
    expect(keys.leadWords('a𠀀b')).not.toMatch(/\p{Surrogate}/u);
  });

  it('are empty for blanks, punctuation and single letters', () => {
    for (const typed of ['', '  ', 'a', '?!', '-']) expect(searchTerms(typed)).toEqual([]);
  });
});
