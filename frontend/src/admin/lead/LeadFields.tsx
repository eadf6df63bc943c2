import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { formatEuroShort, parseGermanNumber } from '#shared/rules/formats';
import { type Field, inputAttributes, isOptional, PERSON, PERSON_FIELDS } from '#shared/rules/lead-fields';
import type { LeadValues } from './lead-form';

interface Props {
  readonly values: LeadValues;
  /** Of the form, with the label. */
  readonly field: (name: keyof LeadValues) => GetInputPropsReturnType;
  readonly children?: ReactNode;
}

export function LeadFields({ values, field, children }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {PERSON_FIELDS.map((name) => (
        <LeadInput key={name} of={PERSON[name]} text={values[name]} props={field(name)} />
      ))}
      {children}
    </SimpleGrid>
  );
}

interface InputProps {
  readonly of: Field;
  readonly text: string;
  readonly props: GetInputPropsReturnType;
}

function LeadInput({ of, text, props }: InputProps) {
  if (of.kind === 'choice')
    return (
      <>
        <NativeSelect {...props} required data={[...of.options]} />
        <span />
      </>
    );
  const { type, ...limits } = inputAttributes(of);
  return (
    <TextInput
      {...props}
      {...limits}
      {...(type && { type, autoComplete: 'off' })}
      required={!isOptional(of)}
      description={descriptionOf(of, text)}
    />
  );
}

function descriptionOf({ kind }: Field, text: string): string | undefined {
  if (kind === 'months') return 'In whole months';
  if (kind !== 'euro') return undefined;
  const amount = parseGermanNumber(text);
  return amount === undefined ? 'For example: 25.000 or 12500,50' : `= ${formatEuroShort(amount)}`;
}
