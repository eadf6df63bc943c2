import * as z from 'zod/mini';
import { type Field, type Fields, isNumber, isOptional, LEAD, PERSON } from '#shared/rules/lead-fields';

type Schema<Of extends Field> = Of extends { optional: true }
  ? z.ZodMiniNullable<z.ZodMiniString>
  : Of extends { kind: 'euro' | 'months' }
    ? z.ZodMiniNumber
    : z.ZodMiniString;

function schemaOf(of: Field): z.ZodMiniType {
  if (isNumber(of)) return z.number();
  return isOptional(of) ? z.nullable(z.string()) : z.string();
}

function schemasOf<Of extends Fields>(fields: Of): { -readonly [Name in keyof Of]: Schema<Of[Name]> };
function schemasOf(fields: Fields): object {
  return Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, schemaOf(of)]));
}

export const leadPerson = schemasOf(PERSON);
/** For admins. */
export const leadRow = schemasOf(LEAD);

type Output<Of> = { [Name in keyof Of]: Of[Name] extends z.ZodMiniType ? z.output<Of[Name]> : never };
export type LeadPerson = Output<typeof leadPerson>;
export type LeadRow = Output<typeof leadRow>;
