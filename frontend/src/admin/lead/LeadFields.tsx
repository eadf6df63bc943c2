import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { SALUTATIONS } from '#shared/rules/constants';
import { formatEuroShort, parseGermanNumber } from '#shared/rules/formats';
import type { LeadValues } from './lead-form';

interface Props {
  readonly values: LeadValues;
  /** Of the form, with the label. */
  readonly field: (name: keyof LeadValues) => GetInputPropsReturnType;
  readonly children?: ReactNode;
}

/** The fields of a person that every form about a lead shows. */
export function LeadFields({ values, field, children }: Props) {
  const amount = parseGermanNumber(values.anlagebetrag);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <NativeSelect {...field('anrede')} required data={[...SALUTATIONS]} />
      <span />
      <TextInput {...field('vorname')} required maxLength={100} />
      <TextInput {...field('nachname')} required maxLength={100} />
      <TextInput {...field('email')} type="email" required autoComplete="off" maxLength={254} />
      <TextInput {...field('telefon')} type="tel" required autoComplete="off" maxLength={50} />
      <TextInput
        {...field('anlagebetrag')}
        required
        inputMode="decimal"
        description={amount === undefined ? 'For example 25.000 or 12500,50' : `= ${formatEuroShort(amount)}`}
      />
      <TextInput {...field('laufzeit')} required inputMode="numeric" description="Whole months" />
      {children}
    </SimpleGrid>
  );
}
