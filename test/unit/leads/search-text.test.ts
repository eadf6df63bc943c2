import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasPhonePart,
  matcher,
  phoneDigits,
  phoneParts,
  spellings,
  tokens,
  typedSpellings,
  typedWords,
} from '#shared/rules/search-text';

describe('spellings', () => {
  it.each([
    ['Müller', 'Müller Mueller MUELLER muller Muller'],
    ['Mueller', 'Müller Mueller muller'],
    ['Muller', 'Müller muller'],
    ['Großkreutz', 'großkreutz Grosskreutz'],
    ['Grosskreutz', 'Großkreutz'],
    ['Bäuerle', 'Bäuerle baeuerle bauerle'],
    ['Čech', 'cech Čech'],
  ])('match %s for each of %s', (stored, typed) => {
    for (const word of typed.split(' '))
      expect({ word, found: typedSpellings(word).some((each) => spellings(stored).includes(each)) }).toEqual({
        word,
        found: true,
      });
  });

  it.each([
    ['Neua', 'Neue'],
    ['Bauer', 'Bäuerle'],
    ['Muster', 'Mueller'],
  ])('do not match %s for %s', (stored, typed) => {
    expect(typedSpellings(typed).some((each) => spellings(stored).some((its) => its.startsWith(each)))).toBe(
      false,
    );
  });

  it('match a word by each of its prefixes', () => {
    const letter = fc.constantFrom(...'aeouäöüßbné'.split(''));
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 20 }), fc.nat(20), (letters, length) => {
        const typed = typedSpellings(letters.slice(0, Math.max(1, length)).join(''));
        expect(spellings(letters.join('')).some((word) => typed.some((each) => word.startsWith(each)))).toBe(
          true,
        );
      }),
    );
  });
});

describe('the digits of a phone number', () => {
  it.each([
    ['0151 2345678', '01512345678'],
    ['+49 151 2345678', '01512345678'],
    ['+49 (0)151 2345678', '01512345678'],
    ['0049151 2345678', '01512345678'],
    ['491512345678', '01512345678'],
    ['1512345678', '01512345678'],
    ['+43 660 1234', '436601234'],
    ['0043 660 1234', '436601234'],
    ['', ''],
  ])('of %s are %s', (text, digits) => {
    expect(phoneDigits(text)).toBe(digits);
  });

  it('match by any four in a row, in national and international format', () => {
    const subscriber = fc.stringMatching(/^[1-9]\d{6,11}$/);
    fc.assert(
      fc.property(subscriber, fc.nat(15), fc.integer({ min: 4, max: 16 }), (digits, from, length) => {
        const written = [
          `0${digits}`,
          `+49${digits}`,
          `0049 ${digits}`,
          `0${digits.slice(0, 3)}/${digits.slice(3)}`,
        ];
        for (const stored of written)
          for (const form of [`0${digits}`, `49${digits}`]) {
            const part = form.slice(from, from + length);
            if (part.length >= 4) expect(hasPhonePart(stored, phoneParts(part))).toBe(true);
          }
        for (const stored of written)
          for (const typed of written) expect(hasPhonePart(stored, phoneParts(typed))).toBe(true);
      }),
    );
  });

  it('match only from the start if the typed number is international', () => {
    expect(phoneParts('0049 171 22')).toContainEqual({ digits: '017122', atStart: true });
    expect(phoneParts('+49 171 22')).toEqual([{ digits: '017122', atStart: true }]);
    expect(phoneParts('171 0022')).toEqual([{ digits: '1710022', atStart: false }]);
    expect(phoneParts('4917122')).toContainEqual({ digits: '017122', atStart: true });
  });

  it('match numbers only, from four digits on', () => {
    for (const typed of ['123', 'a1234', '12 3', '+4', '', '1234@'])
      expect({ typed, parts: phoneParts(typed) }).toEqual({ typed, parts: [] });
  });
});

it('a name is split into its runs of letters and digits', () => {
  expect(tokens(" von der-Heide, O'Brien 2. ")).toEqual(['von', 'der', 'Heide', 'O', 'Brien', '2']);
  expect(tokens(' - ')).toEqual([]);
});

it('a number with spaces is one search word', () => {
  expect(typedWords(' Müller  +49 170 12/34 max')).toEqual(['Müller', '+49 170 12/34', 'max']);
});

describe('a list searched in the browser', () => {
  const texts = ['Herr Jürgen Müller', 'j.mueller@example.org', '1-12'];
  it.each([
    'muller',
    'Mueller',
    'MÜLL jurgen',
    'ueller',
    '1-12',
    '0170',
    '4567',
    '+49 170 123',
    '1-12 müller',
    '',
  ])('finds by "%s"', (query) => {
    expect(matcher(query)(texts, '0170 / 123-4567')).toBe(true);
  });
  it.each(['meier', '7654', 'müller 7654', '2-12', '???'])('does not find by "%s"', (query) => {
    expect(matcher(query)(texts, '0170 / 123-4567')).toBe(false);
  });
});
