import { TIME_RANGE_DAYS } from '#shared/rules/constants';
import { addDays, berlinDay, isDay } from '#shared/rules/working-days';
import { FilterField, SelectField } from './FilterFields';

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

/** Its first and last day. A year that is still being typed, such as 0002, is no day. */
export function daysOfPeriod(period: PeriodState): readonly [from: string, to: string] {
  const { time_range, from, to } = periodQuery(period);
  const last = isDay(to) ? to : berlinDay(new Date());
  return [isDay(from) ? from : addDays(last, 1 - time_range), last];
}

const CUSTOM = 'custom';

interface Props {
  readonly value: PeriodState;
  readonly change: (change: Partial<PeriodState>) => void;
}

/** Chooses the period of statistics. The two days are fields only if they are chosen. */
export function Period({ value, change }: Props) {
  const isCustom = value.from !== '' || value.to !== '';
  const [from, to] = daysOfPeriod(value);
  return (
    <>
      <SelectField
        label="Time range"
        value={isCustom ? CUSTOM : String(periodQuery(value).time_range)}
        options={[
          ...TIME_RANGE_DAYS.map((range) => [String(range), RANGE_TEXT[range]] as const),
          [CUSTOM, 'Custom days'],
        ]}
        choose={(days) => change(days === CUSTOM ? { from, to } : { days, from: '', to: '' })}
      />
      {isCustom && <CustomDays value={value} change={change} />}
    </>
  );
}

type Days = Pick<PeriodState, 'from' | 'to'>;

export function CustomDays({
  value,
  change,
}: {
  readonly value: Days;
  readonly change: (change: Partial<Days>) => void;
}) {
  return (['from', 'to'] as const).map((end) => (
    <FilterField
      key={end}
      type="date"
      label={end === 'from' ? 'From day' : 'To day'}
      value={value[end]}
      onChange={(event) => change({ [end]: event.currentTarget.value })}
    />
  ));
}

/** `11/2026` from a month such as `2026-11`. */
export const monthText = (month: string) => month.split('-').toReversed().join('/');
