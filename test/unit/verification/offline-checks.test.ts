import { describe, expect, it } from 'vitest';
import { checkEmail, checkName, checkPhone } from '#functions/verification/offline';
import { people } from '#test/factories/people';

describe('offline checks', () => {
  it('accept ordinary people', () => {
    for (const person of people(200)) {
      expect(checkEmail(person)).toEqual({ status: 'valid', note: null });
      expect(checkName({ vorname: person.vorname, nachname: person.nachname })).toEqual({
        status: 'valid',
        note: null,
      });
    }
  });

  it.each([
    ['Jürgen', 'Weiß'],
    ['Zoë', "D'Angelo"],
    ['Anne-Sophie', 'von der Heide'],
    ['Sinéad', 'O’Connor'],
    ['Ngô', 'Vũ'],
    ['U', 'Ng'],
    ['Krčš', 'Vlk'],
    ['Ирина', 'Соколова'],
    ['美', '李'],
    ['Dr. Karl-Heinz', 'Müller (geb. Schulz)'],
    ['Öztürk', 'Şahin'],
    ['Lennart', 'Schmidtchen'],
    ['Mc', 'Test-Berger'],
    ['Jan', 'Strzyżewski'],
    ['Anna', 'Krzyk'],
  ])('%s %s is a name', (vorname, nachname) => {
    expect(checkName({ vorname, nachname }).status).toBe('valid');
  });

  it.each([
    ['asdf', 'asdf'],
    ['Max', 'qwertz'],
    ['Test', 'Müller'],
    ['Max', 'test'],
    ['aaaa', 'Müller'],
    ['Max', 'Mustermann1'],
    ['Max', '12345'],
    ['Max', 'http://x.de'],
    ['<b>Max</b>', 'Müller'],
    ['Max', '@@@'],
    ['...', 'Müller'],
    ['Max', 'Bcdfghjk'],
    ['xxx', 'xxx'],
  ])('%s %s is not a name', (vorname, nachname) => {
    const result = checkName({ vorname, nachname });
    expect(result.status).toBe('invalid');
    // Notes appear in logs and lists, so they must not contain the name.
    for (const part of [vorname, nachname].filter((it) => it.length > 4))
      expect(result.note).not.toContain(part);
  });

  it.each([
    '0170 1234567',
    '+49 170 1234567',
    '(089) 5965090',
    '030/48887371',
    '0049 211 3345678',
    '+43 1 534240',
    '+41 44 668 18 00',
    '0157 45522956',
  ])('%s is a phone number', async (telefon) => {
    expect((await checkPhone({ telefon })).status).toBe('valid');
  });

  it.each(['123', '0000000000', 'abc', '', '+49', '110', '0170 12', '+1 555'])(
    '%s is not a phone number',
    async (telefon) => {
      expect((await checkPhone({ telefon })).status).toBe('invalid');
    },
  );

  it.each(['a@b', 'a b@c.de', 'a@b.de, c@d.de', 'a..b@c.de', '@c.de', 'a@c.de\r\nBcc: x@y.de'])(
    '%j is not an e-mail address',
    (email) => {
      expect(checkEmail({ email }).status).toBe('invalid');
    },
  );
});
