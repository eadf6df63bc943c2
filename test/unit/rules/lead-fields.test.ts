import { expect, it } from 'vitest';
import { inputAttributes, LEAD, labelOf, typedPerson } from '#shared/rules/lead-fields';

it('a form shows a person as typed: amounts in German, empty fields for unknown values', () => {
  const person = {
    anrede: 'Frau',
    vorname: 'Anna',
    nachname: 'Muster',
    email: null,
    telefon: '0170 1000001',
    anlagebetrag: 25000.5,
    laufzeit: 12,
  };
  const typed = { ...person, email: '', anlagebetrag: '25.000,5', laufzeit: '12' };
  expect(typedPerson(person as never)).toMatchObject(typed);
});

it('a form field has the right unit and keyboard', () => {
  expect([labelOf('laufzeit', 'de'), labelOf('laufzeit', 'en')]).toEqual([
    'Laufzeit (Monate)',
    'Term (months)',
  ]);
  expect([labelOf('anlagebetrag', 'en'), labelOf('email', 'de')]).toEqual([
    'Investment amount (€)',
    'E-Mail',
  ]);
  const attributes = (['anrede', 'email', 'telefon', 'anlagebetrag', 'laufzeit'] as const).map((name) =>
    inputAttributes(LEAD[name]),
  );
  expect(attributes).toEqual([
    {},
    { type: 'email', maxLength: 254 },
    { type: 'tel', maxLength: 50 },
    { inputMode: 'decimal' },
    { inputMode: 'numeric' },
  ]);
});
