import { isValidPhoneNumber } from 'libphonenumber-js';
import { expect, it } from 'vitest';
import { examplePerson } from '#local/example-people';

it('example people pass every check, and no two are the same', () => {
  const people = Array.from({ length: 120 }, (_, at) => examplePerson(at));
  expect(people.filter(({ telefon }) => !isValidPhoneNumber(telefon, 'DE'))).toEqual([]);
  expect(new Set(people.map(({ email }) => email)).size).toBe(120);
  expect(new Set(people.map(({ vorname, nachname }) => `${vorname} ${nachname}`)).size).toBeGreaterThan(60);
});
