import * as z from 'zod/mini';
import * as field from '#shared/contract/fields';
import { type Field, type Fields, LEAD, MAX_CHARACTERS } from '#shared/rules/lead-fields';

type Schema<Of extends Field> = Of extends { options: readonly (infer Option extends string)[] }
  ? z.ZodMiniEnum<{ [Name in Option]: Name }>
  : Of extends { optional: true }
    ? ReturnType<typeof field.clearableLine>
    : ReturnType<
        (typeof field)[Of extends { kind: 'euro' }
          ? 'euro'
          : Of extends { kind: 'months' }
            ? 'integer'
            : 'line']
      >;

function schemaOf(of: Field): z.ZodMiniType {
  switch (of.kind) {
    case 'choice':
      return z.enum(of.options, { error: `Must be ${of.options.join(' or ')}` });
    case 'line':
      return of.optional ? field.clearableLine(of.max) : field.line(of.max);
    case 'email':
      return field.email;
    case 'phone':
      return field.line(MAX_CHARACTERS.phone);
    case 'euro':
      return field.euro();
    case 'months':
      return field.months;
  }
}

function schemasOf<Of extends Fields>(fields: Of): { -readonly [Name in keyof Of]: Schema<Of[Name]> };
function schemasOf(fields: Fields): object {
  return Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, schemaOf(of)]));
}

export const leadFields = schemasOf(LEAD);
