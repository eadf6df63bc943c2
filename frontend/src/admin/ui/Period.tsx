import { NativeSelect, TextInput } from '@mantine/core';
import { TIME_RANGE_DAYS } from '#shared/rules/constants';

const RANGE_TEXT = {
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  365: 'Last year',
} as const satisfies Record<(typeof TIME_RANGE_DAYS)[number], string>;

/** As in the URL: a number of days up to today, or two Berlin days, which take precedence. */
export interface PeriodState {
  readonly days: string;
  readonly from: string;
  readonly to: string;
}

/** The period as a query of the API. */
export function periodQuery({ days, from, to }: PeriodState) {
  return { time_range: TIME_RANGE_DAYS.find((range) => String(range) === days) ?? 30, from, to };
}

interface Props {
  readonly value: PeriodState;
  readonly change: (change: Partial<PeriodState>) => void;
}

/** Chooses the period of statistics. */
export function Period({ value, change }: Props) {
  return (
    <>
      <NativeSelect
        size="xs"
        label="Time range"
        value={String(periodQuery(value).time_range)}
        data={TIME_RANGE_DAYS.map((range) => ({ value: String(range), label: RANGE_TEXT[range] }))}
        onChange={(event) => change({ days: event.currentTarget.value, from: '', to: '' })}
      />
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          size="xs"
          label={end === 'from' ? 'From day' : 'To day'}
          value={value[end]}
          onChange={(event) => change({ [end]: event.currentTarget.value })}
        />
      ))}
    </>
  );
}
