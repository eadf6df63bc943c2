/** What derives from the declarations of a lead's fields. */
import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import { leadPerson, leadRow } from '#shared/contract/rows/lead-person';
import type { Parsed, Sent } from '#shared/contract/schemas';
import type { Salutation } from '#shared/rules/constants';

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

it('are typed as if they were written by hand, and in the order in which they are declared', () => {
  expectTypeOf<Sent<'createLead', 'body'>>().toEqualTypeOf<
    Flat<
      Names & { anrede: Salutation; anlagebetrag: number | string; laufzeit: number | string } & Optional<
          null | undefined
        > & { buyer_id?: string | null | undefined }
    >
  >();
  expectTypeOf<Omit<Parsed<'createLead', 'body'>, 'buyer_id'>>().toEqualTypeOf<
    Flat<
      Names & { anrede: Salutation; anlagebetrag: number; laufzeit: number } & Required<
          Optional<null | undefined>
        >
    >
  >();
  expectTypeOf<Output<typeof leadPerson>>().toEqualTypeOf<Flat<Row>>();
  expectTypeOf<Output<typeof leadRow>>().toEqualTypeOf<Flat<Row & Required<Optional<null>>>>();
  const person = ['anrede', 'vorname', 'nachname', 'email', 'telefon', 'anlagebetrag', 'laufzeit'];
  expect(Object.keys(leadPerson)).toEqual(person);
  expect(Object.keys(leadRow)).toEqual([...person, 'clickId', 'src']);
});
