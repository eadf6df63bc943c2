import { TextInput } from '@mantine/core';
import { FieldPair } from '../buyers/FieldPair';
import { Fold } from '../ui/Fold';
import { hasError } from '../ui/field-errors';
import { type CapValues, capsText } from './caps';

interface Props {
  readonly values: CapValues;
  readonly errors: Partial<Record<keyof CapValues, unknown>>;
  readonly change: (values: CapValues) => void;
}

/** Daily cap, weekly cap and end date of an order. */
export function CapFields({ values, errors, change }: Props) {
  const field = (name: keyof CapValues) => ({
    value: values[name],
    error: typeof errors[name] === 'string' ? errors[name] : undefined,
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ ...values, [name]: event.currentTarget.value }),
  });
  return (
    <Fold
      title="Pace"
      summary={capsText(values)}
      isWrong={hasError(errors, 'daily_cap', 'weekly_cap', 'ends_on')}
    >
      <FieldPair>
        <TextInput
          label="Leads per day"
          inputMode="numeric"
          placeholder="No limit"
          description="Includes replacements"
          {...field('daily_cap')}
        />
        <TextInput
          label="Leads per week"
          inputMode="numeric"
          placeholder="No limit"
          description="From Monday, includes replacements"
          {...field('weekly_cap')}
        />
      </FieldPair>
      <TextInput
        mt="sm"
        label="End date"
        type="date"
        description="The remaining leads are spread over the working days until this date. Leads still missing then arrive as usual."
        {...field('ends_on')}
      />
    </Fold>
  );
}
