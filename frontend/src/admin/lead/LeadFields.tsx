import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { SALUTATIONS } from '#shared/rules/constants';
import { LEAD_LABELS } from '#shared/rules/field-labels';
import { formatEuroShort, parseGermanNumber } from '#shared/rules/formats';
import type { LeadValues } from './lead-form';

interface Props {
  readonly values: LeadValues;
  readonly inputOf: (name: keyof LeadValues) => GetInputPropsReturnType;
  readonly children?: ReactNode;
}

/** The fields of a person that every form about a lead shows. */
export function LeadFields({ values, inputOf, children }: Props) {
  const amount = parseGermanNumber(values.anlagebetrag);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <NativeSelect label={LEAD_LABELS.anrede} required data={[...SALUTATIONS]} {...inputOf('anrede')} />
      <span />
      <TextInput label={LEAD_LABELS.vorname} required maxLength={100} {...inputOf('vorname')} />
      <TextInput label={LEAD_LABELS.nachname} required maxLength={100} {...inputOf('nachname')} />
      <TextInput
        label={LEAD_LABELS.email}
        type="email"
        required
        autoComplete="off"
        maxLength={254}
        {...inputOf('email')}
      />
      <TextInput
        label={LEAD_LABELS.telefon}
        type="tel"
        required
        autoComplete="off"
        maxLength={50}
        {...inputOf('telefon')}
      />
      <TextInput
        label={LEAD_LABELS.anlagebetrag}
        required
        inputMode="decimal"
        description={amount === undefined ? 'For example 25.000 or 12500,50' : `= ${formatEuroShort(amount)}`}
        {...inputOf('anlagebetrag')}
      />
      <TextInput
        label={LEAD_LABELS.laufzeit}
        required
        inputMode="numeric"
        description="Whole months"
        {...inputOf('laufzeit')}
      />
      {children}
    </SimpleGrid>
  );
}
