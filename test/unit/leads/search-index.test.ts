import { describe, expect, it } from 'vitest';
import { leadWords, searchWords } from '#functions/data/leads/search-index';
import { keys } from '#functions/data/table/keys';

const PERSON = { vorname: 'Max', nachname: 'Weiß', email: 'max@example.org', telefon: '0170 1234567' };

describe('search words of a lead', () => {
  it('match what people type', () => {
    const words = leadWords(PERSON);
    for (const typed of ['WEISS', 'weiß', 'max', 'Max@Example.org', '0170 123', '+49 170 1234567', '0049170'])
      for (const word of searchWords(typed)) expect(words.some((its) => its.startsWith(word))).toBe(true);
  });

  it('are never cut within a character', () => {
    const long = leadWords({ ...PERSON, nachname: `a${'𠀀'.repeat(100)}` });
    expect(long.every((word) => !/\p{Surrogate}/u.test(word))).toBe(true);
    expect(keys.leadWords('a𠀀b')).not.toMatch(/\p{Surrogate}/u);
  });

  it('are empty for blanks, marks and single letters', () => {
    for (const typed of ['', '  ', 'a', '?!', '-']) expect(searchWords(typed)).toEqual([]);
  });
});
