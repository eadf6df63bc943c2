/** Types, order and storage that derive from the declarations of a lead's fields. */
import fc from 'fast-check';
import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import { editOf, leadRow, personOf } from '#functions/api/common/person';
import { type Person, personSchema } from '#functions/data/leads/lead';
import { blanked } from '#functions/data/personal';
import * as rows from '#shared/contract/rows/lead-person';
import type { Parsed, Sent } from '#shared/contract/schemas';
import { leadSchemas } from '#shared/contract/schemas/leads';
import type { Salutation } from '#shared/rules/constants';
import { aLead } from '#test/factories/leads';

interface Names {
  vorname: string;
  nachname: string;
  email: string;
  telefon: string;
}
interface Row extends Names {
  anrede: string;
  anlagebetrag: number;
  laufzeit: number;
}
interface Optional<Empty> {
  clickId?: string | Empty;
  src?: string | Empty;
}
type Flat<Of> = { [Name in keyof Of]: Of[Name] };
type Output<Of> = { [Name in keyof Of]: Of[Name] extends z.ZodMiniType ? z.output<Of[Name]> : never };

it('have the same types as handwritten ones, in their declared order', () => {
  expectTypeOf<Omit<Sent<'createLead', 'body'>, 'consent'>>().toEqualTypeOf<
    Flat<
      Names & { anrede: Salutation; anlagebetrag: number | string; laufzeit: number | string } & Optional<
          null | undefined
        > & { buyer_id?: string | null | undefined }
    >
  >();
  expectTypeOf<Omit<Parsed<'createLead', 'body'>, 'buyer_id' | 'consent'>>().toEqualTypeOf<
    Flat<
      Names & { anrede: Salutation; anlagebetrag: number; laufzeit: number } & Required<
          Optional<null | undefined>
        >
    >
  >();
  expectTypeOf<Output<typeof rows.leadPerson>>().toEqualTypeOf<Flat<Row>>();
  expectTypeOf<Output<typeof rows.leadRow>>().toEqualTypeOf<Flat<Row & Required<Optional<null>>>>();
  expectTypeOf<Person>().toEqualTypeOf<
    Flat<Names & { anrede: Salutation; anlagebetrag: number; laufzeit: number } & Optional<undefined>>
  >();
  const person = ['anrede', 'vorname', 'nachname', 'email', 'telefon', 'anlagebetrag', 'laufzeit'];
  expect(Object.keys(rows.leadPerson)).toEqual(person);
  expect(Object.keys(rows.leadRow)).toEqual([...person, 'clickId', 'src']);
});

it('are read as posted, empty ones as null, and without personal data after an erasure', () => {
  const text = fc.string({ minLength: 1, maxLength: 50 }).filter((one) => /^\S[^\p{C}]*\S$/u.test(one));
  const posted = fc.record({
    anrede: fc.constantFrom('Herr', 'Frau'),
    vorname: text,
    nachname: text,
    email: fc.constant('erika@example.org'),
    telefon: text,
    anlagebetrag: fc.integer({ min: 0, max: 10_000_000_000 }).map((cents) => cents / 100),
    laufzeit: fc.integer({ min: 0, max: 1200 }),
    clickId: fc.option(text),
    src: fc.option(text),
  });
  fc.assert(
    fc.property(posted, (lead) => {
      const stored = aLead(personSchema.parse(personOf(leadSchemas.createLead.body.parse(lead))));
      expect(leadRow(stored)).toEqual(lead);
      expect(editOf(leadSchemas.updateLead.body.parse(lead))).toEqual({
        ...lead,
        anlagebetrag: stored.anlagebetrag,
      });
      const { anlagebetrag, laufzeit, src } = lead;
      expect(leadRow({ ...stored, ...blanked(personSchema), erased_at: '2026-01-01' })).toEqual({
        anrede: '',
        vorname: '',
        nachname: 'erased',
        email: '',
        telefon: '',
        anlagebetrag,
        laufzeit,
        clickId: null,
        src,
      });
    }),
  );
});
