import { Progress, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { formatNumber } from '#shared/rules/formats';
import type { Outcome } from './bulk';
import { type Column, DataTable } from './DataTable';
import { NameText } from './NameText';
import { TruncatedText } from './TruncatedText';

interface Props<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The header of the column that names the rows. */
  readonly title: string;
  readonly nameOf: (row: Row) => string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The word for successes in the summary, such as `assigned`. */
  readonly doneText: string;
  readonly ended: boolean;
}

const COLORS = {
  running: 'dimmed',
  done: 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-3))',
  unchanged: 'inherit',
  failed: 'var(--mantine-color-error)',
  skipped: 'dimmed',
} as const satisfies Record<Outcome['state'], string>;

interface Line {
  readonly key: string;
  readonly name: string;
  readonly outcome: Outcome | undefined;
}

const NAME: Column<Line> = {
  key: 'name',
  title: '',
  width: 150,
  grows: true,
  cell: ({ name }) => <NameText text={name} />,
};
const OUTCOME: Column<Line> = {
  key: 'outcome',
  title: 'Outcome',
  width: 190,
  grows: true,
  cell: ({ outcome }) => (
    <TruncatedText
      text={outcome?.text ?? 'Waiting'}
      lines={2}
      c={outcome === undefined ? 'dimmed' : COLORS[outcome.state]}
    />
  ),
};

const ATTENTION: readonly Outcome['state'][] = ['done', 'skipped', 'unchanged', 'failed'];
const attention = ({ outcome }: Line) => (outcome === undefined ? 0 : ATTENTION.indexOf(outcome.state));

/** Progress of a bulk action and the result of each row. */
export function BulkOutcomes<Row>(props: Props<Row>) {
  const { label, rows, keyOf, title, nameOf, outcomes, doneText, ended } = props;
  const all = [...outcomes.values()];
  const count = (state: Outcome['state']) => all.filter((outcome) => outcome.state === state).length;
  const others = [
    { number: count('unchanged'), text: 'unchanged' },
    { number: count('failed'), text: 'failed' },
    { number: count('skipped'), text: 'not tried' },
  ].filter(({ number }) => number > 0);
  const sum = [{ number: count('done'), text: doneText }, ...others]
    .map(({ number, text }) => `${formatNumber(number)} ${text}`)
    .join(', ');
  const over = all.length - count('running');
  const lines = rows.map((row) => ({
    key: keyOf(row),
    name: nameOf(row),
    outcome: outcomes.get(keyOf(row)),
  }));
  // Failures come first: nobody would find them between thousands of successes.
  if (ended) lines.sort((a, b) => attention(b) - attention(a));
  const columns = useMemo(() => [{ ...NAME, title }, OUTCOME], [title]);
  return (
    <Stack gap="xs">
      <Progress
        value={(over / Math.max(1, rows.length)) * 100}
        aria-label={`${label}: ${over} of ${rows.length}`}
      />
      <Text role="status" fw={ended ? 600 : 400}>
        {ended ? sum : `${formatNumber(over)} of ${formatNumber(rows.length)}`}
      </Text>
      <DataTable
        label={label}
        columns={columns}
        rows={lines}
        rowKey={({ key }) => key}
        maxHeight="40vh"
        dense
      />
    </Stack>
  );
}
